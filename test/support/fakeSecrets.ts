// Secrets that are none, put together here so that no scanner takes them for real ones: each in a text as tests, settings and messages have it.

const alphabets = {
  mixed: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  hex: '0123456789abcdef',
};
let seed = 17;
/** As random as the real ones look, and the same each time. */
function random(length: number, kind: keyof typeof alphabets = 'mixed'): string {
  const alphabet = alphabets[kind];
  let text = '';
  while (text.length < length) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    text += alphabet.charAt((seed >>> 8) % alphabet.length);
  }
  return text;
}

export interface FakeSecret {
  readonly what: string;
  readonly text: string;
  /** Of which none may leave the machine. */
  readonly secrets: readonly string[];
  /** Nothing but how random it looks tells of it: in what a model is asked only. */
  readonly inPrompts?: true;
}

const fake = (
  what: string,
  secret: string,
  text = (own: string): string => `call("${own}");`,
): FakeSecret => ({
  what,
  text: text(secret),
  secrets: [secret],
});
const likely = (what: string, secret: string, text: (own: string) => string): FakeSecret => ({
  ...fake(what, secret, text),
  inPrompts: true,
});
const password = (): string => `hunter-${random(6)}`;
const pem = Array.from({ length: 6 }, () => random(64));

/** In the order of the kinds: by form, by name, in the forms of other languages and files, by looks. */
export const fakeSecrets: readonly FakeSecret[] = [
  fake('Stripe', `sk_live_${random(24)}`),
  fake(
    'Stripe, restricted, in a sentence',
    `rk_live_${random(24)}`,
    (own) => `Invalid API Key provided: ${own}.`,
  ),
  fake('Google', `AIza${random(35)}`),
  fake('Google OAuth', `GOCSPX-${random(28)}`),
  fake('SendGrid', `SG.${random(22)}.${random(43)}`),
  fake('Azure AD', `${random(3)}8Q~${random(34)}`),
  fake('Azure storage', `${random(86)}==`, (own) => `"AccountName=a;AccountKey=${own};EndpointSuffix=x"`),
  fake('AWS', `AKIA${random(16, 'upper')}`),
  fake('GitHub', `ghp_${random(36)}`),
  fake('GitHub, fine-grained', `github_pat_${random(82)}`),
  fake('GitLab', `glpat-${random(20)}`),
  fake('npm', `npm_${random(36, 'lower')}`),
  fake('PyPI', `pypi-AgEIcHlwaS5vcmc${random(60)}`),
  fake('RubyGems', `rubygems_${random(48, 'hex')}`),
  fake('OpenAI', `sk-proj-${random(74)}T3BlbkFJ${random(74)}`),
  fake('Anthropic', `sk-ant-api03-${random(93)}AA`),
  fake('Hugging Face', `hf_${random(34, 'letters')}`),
  fake('Slack', `xoxb-123456789012-123456789012-${random(24)}`),
  fake('Slack webhook', random(44), (own) => `https://hooks.slack.com/services/${own}`),
  fake('Twilio', `SK${random(32, 'hex')}`),
  fake('Telegram', `1234567890:AA${random(33)}`),
  fake('DigitalOcean', `dop_v1_${random(64, 'hex')}`),
  fake('Vault', `hvs.${random(95)}`),
  fake('Shopify', `shpat_${random(32, 'hex')}`),
  fake('Grafana', `glsa_${random(32)}_${random(8, 'hex')}`),
  fake('Databricks', `dapi${random(32, 'hex')}`),
  fake('Datadog, by the name of the service', random(40, 'lower'), (own) => `datadog: '${own}'`),
  fake('Algolia, by the name of the service', random(32, 'lower'), (own) => `const algolia = "${own}";`),
  fake('JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${random(20)}.${random(43)}`),
  {
    what: 'a private key of several lines',
    text: ['-----BEGIN RSA ', 'PRIVATE KEY-----\n', pem.join('\n'), '\n-----END RSA PRIVATE KEY-----'].join(
      '',
    ),
    secrets: pem,
  },
  fake('a private key in one string', random(400), (own) =>
    ['pem = "-----BEGIN ', 'PRIVATE KEY-----\\n', own, '\\n-----END PRIVATE KEY-----\\n"'].join(''),
  ),

  fake('pw', password(), (own) => `const pw = '${own}';`),
  fake('dbPw', password(), (own) => `connect({ dbPw: '${own}' });`),
  fake('credentials', password(), (own) => `login({ credentials: 'ada:${own}' });`),
  fake('apiHash, hex', random(32, 'hex'), (own) => `const apiHash = '${own}';`),
  fake('a typed constant', password(), (own) => `const password: string = '${own}';`),
  fake('a template string', password(), (own) => `const clientSecret = \`${own}\`;`),
  fake('an environment by its key', password(), (own) => `process.env['DB_PASSWORD'] = '${own}';`),
  fake('a header', random(24), (own) => `{ Authorization: 'Bearer ${own}' }`),
  fake('a cookie', random(24), (own) => `Cookie: sid=${own}; theme=dark`),
  fake('an address with a password', password(), (own) => `'postgres://ada:${own}@db.example/shop'`),
  fake('a signed address', `${random(40)}%3D`, (own) => `https://a.blob.example/x?sv=2022&sig=${own}`),

  fake('JSON', password(), (own) => `{"user": "ada", "passphrase": "${own}"}`),
  fake('JSON within a string', password(), (own) => `"{\\"access_token\\": \\"${own}\\"}"`),
  fake('JSON within a string of a string', password(), (own) =>
    JSON.stringify(`"{\\"access_token\\": \\"${own}\\"}"`),
  ),
  fake('.env', password(), (own) => `DB_PASSWORD=${own}\nDEBUG=1`),
  fake('.env, short', password(), (own) => `DB_PASS=${own}`),
  fake('YAML', password(), (own) => `db:\n  password: ${own}\n  port: 5432`),
  fake('YAML, a block', password(), (own) => `db:\n  secret: |\n    ${own}\n  port: 5432`),
  fake(
    'YAML, a block within a string',
    password(),
    (own) => `'db:\\n  secret: |\\n    ${own}\\n  port: 5432'`,
  ),
  fake('TOML', password(), (own) => `api_key = "${own}"`),
  fake('XML', password(), (own) => `<db><password>${own}</password></db>`),
  fake('Python', password(), (own) => `os.environ["API_TOKEN"] = "${own}"`),
  fake('Python, a keyword', password(), (own) => `connect(user="ada", password="${own}")`),
  fake('Go', password(), (own) => `password := "${own}"`),

  fake('Python bytes', password(), (own) => `secret = b"${own}"`),
  fake('a Python format', password(), (own) => `secret = f"${own}"`),
  fake('a raw Python string', password(), (own) => `secret = r'${own}'`),
  fake('brackets over lines', password(), (own) => `password = (\n    "${own}"\n)`),
  fake('three quotes over lines', password(), (own) => `password = """\n${own}\n"""`),
  fake('a typed Python constant', password(), (own) => `PW: str = "${own}"`),
  fake('psw', password(), (own) => `connect({ psw: '${own}' });`),
  fake('DB_PW as a key', password(), (own) => `env: { DB_PW: '${own}' }`),
  fake('an assignment of what is absent', password(), (own) => `secretKey ||= '${own}';`),
  fake('parts that are added', password(), (own) => `const password = 'ab' +\n  '${own}';`),
  fake('an escaped quote', password(), (own) => `const password = 'it\\'s ${own}';`),
  fake('an error with credentials', password(), (own) => `{ credentials: { user: 'ada', pass: '${own}' } }`),
  fake('Set-Cookie', random(12), (own) => `Set-Cookie: sid=${own}`),
  fake('cookies', random(12), (own) => `{ cookies: ['sid=${own}'] }`),
  fake('a short signature', random(12), (own) => `GET https://a.example/x?sv=1&sig=${own}`),
  fake('an AWS signature', random(30), (own) => `https://a.example/x?X-Amz-Date=1&X-Amz-Signature=${own}`),
  fake('a key in an address', random(40), (own) => `GET /x?key=${own} failed`),
  fake('bearer', `a1${random(6)}`, (own) => `sent bearer ${own}`),
  fake('ApiKey', `a1${random(14)}`, (own) => `Authorization failed: ApiKey ${own}`),
  ...[
    'pw=X',
    'dbPw=X',
    'pass=X',
    '(pw: X)',
    'pw was X',
    'the password is X',
    'bad password "X"',
    "password 'X'",
    'Invalid token X',
  ].map((text) =>
    fake(`a message: ${text}`, password(), (own) => `Error: no access, ${text.replace('X', own)}`),
  ),

  fake('a comparison', password(), (own) => `assert.ok(secret === '${own}');`),
  fake('a default', password(), (own) => `const token = process.env.TOKEN ?? '${own}';`),
  fake('a setter', password(), (own) => `client.setPassword('${own}');`),
  fake('an argument after its name', password(), (own) => `headers.set('x-api-key', '${own}');`),
  fake('a list', password(), (own) => `const passwords = ['${own}'];`),
  fake('an option', password(), (own) => `run("login --password ${own} --quiet")`),
  fake('a connection string', password(), (own) => `"Server=db;User=ada;Pwd=${own};"`),
  likely('base64 under any name', `${random(42)}==`, (own) => `const x = f('${own}');`),
  likely('hex under any name', random(48, 'hex'), (own) => `await open("${own}", 2);`),
  likely('letters and digits under any name', random(40), (own) => `it.each([['${own}', 1]])`),
  ...[
    'user, password = "bob", "X"',
    'creds = ("bob", "X")',
    'auth = ("bob", "X")',
    'PASSWORDS = ["bobby", "X"]',
    '@parametrize("user,password", [("bob", "X")])',
    "setPassword('bob', 'X')",
    "login('bob', 'X')",
    "const [user, secret] = ['bob', 'X'];",
    "const creds = ['bob', 'X'];",
    "table([['user', 'password'], ['bob', 'X']])",
    "connect(cfg.password || 'X');",
    "class A { get secret() { return 'X'; } }",
    "function getPassword() { return 'X'; }",
    'def get_password():\n    return "X"',
    "const getToken = () => 'X';",
    "switch (password) { case 'X': return 1; }",
    "const passwords = ['other-one', 'X'];",
    "const pass_phrase = 'correct horse X';",
    "const totpSeed = 'X';",
    "const salt = 'X';",
    "const pinCode = 'X';",
    "const passwort = 'X';",
    "const motDePasse = 'X';",
    "const contraseña = 'X';",
    "const hasło = 'X';",
    "const пароль = 'X';",
    "const 密码 = 'X';",
    "const パスワード = 'X';",
    "const 비밀번호 = 'X';",
    "form.type('#password', 'X');",
    "page.getByLabel('Password').fill('X');",
    "const licenseKey = 'X';",
    "'db.int:5432:shop:ada:X'",
    "run('mysql -u root -pX');",
    "run('curl -u bob:X https://a.example');",
    "run('sshpass -p X ssh a');",
    "test('signs in with the password X', f);",
    "assert.equal(password, 'X');",
    "expect(user.password).toBe('X');",
    "assert.equal(getPassword(), 'X');",
    "assert.equal('X', user.password);",
    "expect(getPassword()).toBe('X');",
    "expect('X').toBe(user.password);",
    "user.password.should.equal('X');",
    "if ('X' === user.password) f();",
    "assert.ok(['X'].includes(user.password));",
    "assert.ok(verify('X', user.passwordHash));",
    "assert get_password() == 'X'",
    "assert 'X' == user.password",
    "const password = isLive ? 'X' : 'other';",
    "const password = isLive ? 'other' : 'X';",
    'const password = String.raw`X`;',
    "set('password', String('X'));",
    "[{ name: 'password', value: 'X' }]",
    "new Map([['password', 'X']]);",
    "run(['login', '--password', 'X']);",
    "const pass\\u0077ord = 'X';",
    "sql(\"INSERT INTO users (name, password) VALUES ('ada', 'X')\");",
    'sql("CREATE USER ada IDENTIFIED BY \'X\'");',
    "read('user,password\\nada,X');",
    "'| user | password |\\n| --- | --- |\\n| ada | X |'",
    'user\tpassword\nada\tX\n',
    "each`user | password\n  ${'ada'} | ${'X'}`;",
    'render(\'<input type="password" value="X">\');',
    '<add key="ApiSecret" value="X"/>',
    "say('Passwort: X, Benutzer: ada');",
    "say('password\\tX');",
    "say('password -> X');",
    'say(\'the password for ada is "X"\');',
    "run('sqlplus ada/X@orcl');",
    "npmrc('_auth=X');",
    "const aesKey = 'X';",
    "const passwordOfAda = 'X';",
  ].map((text) => fake(text.replaceAll('\n', ' '), password(), (own) => text.replace('X', own))),
  fake('basic access', Buffer.from(`ada:${password()}`).toString('base64'), (own) => `'Basic ${own}'`),
  likely('letters and digits, fewer', 'q7Rf2LmX9vTb4K', (own) => `const x = f('${own}');`),
  ...[
    "const tokens = { a: 'X' };",
    "const authInfo = { key: 'X' };",
    "const x_csrf = 'X';",
    "createHmac('sha256', 'X');",
    "scryptSync('X', salt, 32);",
    "jwt.sign({ sub: 1 }, 'X');",
    "bcrypt.hash('X', 10);",
  ].map((text) => likely(text, password(), (own) => text.replace('X', own))),
];
