// Which texts of a file its names give away as secrets, by the flow of values, and which stay.
import assert from 'node:assert/strict';
import { redactSecrets } from '../../../src/core/base/redactSecrets.ts';
import { fileSecrets } from '../../../src/core/syntax/fileSecrets.ts';

const secret = ['quokka', '7z4f'].join('-');
const hex = '3f9c1e7ab2d84560c1f7'.repeat(2);
const mixed = 'Zk3vQ9xLm2Tb7RwP4sYc8HfD1gJn';
const mixedShort = ['Q7xLr9', 'Tm2c'].join('');
const own = (text: string): string => text.replaceAll(/\bX\b/g, secret);
const none = (): undefined => undefined;

const scripts: readonly string[] = [
  "const x = 'X'; login({ password: x });",
  "login({ password: ('X' as const) });",
  'login({ password: `X` });',
  "setPassword('X');",
  "function connect(user, password) {} connect('ada', 'X');",
  "class Client { constructor(user, secret) {} } new Client('a', 'X');",
  "const go = (a) => login({ password: a }); go('X');",
  "getToken.mockReturnValue('X');",
  "vi.spyOn(auth, 'getToken').mockResolvedValue('X');",
  "const getToken = vi.fn().mockResolvedValue('X');",
  "const getToken = jest.fn(async () => 'X');",
  "function getPassword() { const r = 'X'; return r; }",
  "expect(getPassword()).toBe('X');",
  "expect(user().apiToken).toEqual('X');",
  "expect({ a: 1, p: user.password }).toEqual({ a: 1, p: 'X' });",
  "expect(getPassword()).toBe(id('X'));",
  "expect(id(getPassword())).toBe('X');",
  "assert.deepEqual({ a: user.password }, { a: 'X' });",
  "user.password.should.equal('X');",
  "const all = { a: { b: 'X' } }; login({ password: all.a.b });",
  "const { a } = { a: 'X' }; const token = a;",
  "it.each([['ada', 'X']])('%s', (user, password) => {});",
  "it.each([{ a: 'X' }])('x', ({ a }) => { login({ password: a }); });",
  "for (const [name, password] of [['ada', 'X']]) f(name);",
  "['X'].forEach((password) => 1);",
  "let a; a = 'X'; login({ password: a });",
  "enum Seeds { Token = 'X' }",
  '<Login apiToken="X" />;',
  "const p = 'quokka' + '-7z4f'; login({ password: p });",
  "const wallet = { seedPhrase: 'X and more' };",
  "const c = Object.freeze({ credentials: { k: 'X' } });",
  "const part = { p: 'X' }; const credentials = { ...part };",
  "const base = { x: 'X' }; const c = { ...base }; const password = c.x;",
  "const parts = ['ada', 'X']; const all = [...parts]; const password = all[1];",
  "const base = { x: 'X' }; const c = { ...base, y: 1 }; const { x: password } = c;",
  "const parts = ['X']; const token = parts.join('');",
  "function* secrets() { yield 'X'; }",
  "vi.stubEnv('API_TOKEN', 'X');",
  "const row = { a: 'ada', b: 'X' }; const { a: user, b: password } = row;",
  "const [user, password] = 'ada:Q7xLr9Tm2c'.split(':');",
  "const args = ['ada', 'X']; const open = (user, password) => 1; open(...args);",
  "function check(secret, x) {} check.bind(null, 'X');",
  "function open(user, password) {} open.call(null, 'ada', 'X');",
  "function open(user, password) {} open.apply(null, ['ada', 'X']);",
  "const rows = [['ada', 'X']]; const [, password] = rows.find((r) => r[0] === 'ada');",
  "const rows = [['ada', 'other-1'], ['bob', 'Q7xLr9Tm2c']]; const [, password] = rows.at(0);",
  "const table = { ada: 'X', bob: 'Q7xLr9Tm2c' }; const password = table['ada'];",
  "user.type(getByLabelText('Password'), 'X');",
  "userEvent.type(screen.getByLabelText(/your password/i), 'X');",
  "fireEvent.change(getByLabelText('Password'), { target: { value: 'X' } });",
  'assert.match(password, /^X$/);',
  "const password = atob('UTd4THI5VG0yYw==');",
  "const usersByToken = { 'X': 'ada' };",
  "const m = new Map([['ada', 'X']]); const password = m.get('ada');",
  "const [user, secret] = 'ada/Q7xLr9Tm2c'.split('/');",
  "const pepper = 'X';",
  "const appKey = 'Q7xLr9Tm2c'; const storageKey = appKey;",
  "const authCode = 'Q7xLr9Tm2c';",
  "const validTokens = new Set(['Q7xLr9Tm2c']);",
];
const others: readonly (readonly [file: string, text: string])[] = [
  ['a_test.py', "def get_token():\n    return 'X'\n"],
  ['a_test.py', "def db_password():\n    yield 'X'\n"],
  ['a_test.py', "given = 'X'\nlogin(password=given)\n"],
  ['a_test.py', "x = 'X'\npassword = x\n"],
  ['a_test.py', "x = 'X'\ny = x\nlogin(\n    user=u,\n    password=y,\n)\n"],
  ['a_test.py', "class T:\n    A = 'X'\n    def test_it(self):\n        self.password = self.A\n"],
  ['a_test.py', "def connect(user, password):\n    pass\nconnect('a', 'X')\n"],
  ['a_test.py', "assert user.password == 'X'"],
  ['a_test.py', "m.get_token.return_value = 'X'"],
  ['a_test.py', "patch('auth.get_token', return_value='X')"],
  ['a_test.go', 'type c struct {\n  user string\n  password string\n}\nvar t = []c{{"a", "X"}}'],
  ['a_test.go', 'tests := []struct {\n  name, secret string\n}{\n  {"a", "X"},\n}'],
  ['a_test.go', 'func Token() string {\n\treturn "X"\n}'],
  ['a_test.go', 'want := "X"\nc := Config{Password: want}'],
  ['a_test.go', 'if got := Token(); got != "X" {'],
  ['a_test.go', 'assert.Equal(t, "X", user.Password)'],
];
const plain: readonly string[] = [
  "const errors = { password: 'too short', token: 'Password is required' };",
  "const labels = { password: 'Passwort' };",
  "const c = { auth: 'disabled' };",
  "const token = process.env['API_TOKEN'] ?? '';",
  "const password = mode === 'live-1' ? a : b;",
  '<input type="password" autoComplete="current-password" />;',
  "expect(token.type).toBe('plus-1'); expect(password.length).toBe('eight-8');",
  "expect(validatePassword(x)).toBe('too-short-1');",
  "screen.getByLabelText('Password');",
  "const tokenType = 'bearer-1';",
  "it('signs in with password', () => { expect(res.status).toBe('ok-200'); });",
  "const columns = ['password', 'email'];",
  "const token = { type: 'Identifier', value: 'counterValue' };",
  "const designToken = 'color-background-primary'; const tokenColor = '#ff8800';",
  "const pass = 'yes'; const pin = 'left'; const salt = 'pinch';",
  "const queryKey = 'todos'; const sortKey = 'createdAt_desc'; const cacheKey = 'user:42'; const code = 'ERR_4711';",
];

describe('fileSecrets', () => {
  for (const text of scripts)
    it(`finds the secret of ${text}`, () => {
      const found = [...fileSecrets('a.test.tsx', own(text), none)];
      assert.ok(
        found.some((one) => one.includes(secret) || one === mixedShort),
        found.join(),
      );
    });
  for (const [file, text] of others)
    it(`finds the secret of ${file}: ${text.replaceAll('\n', ' ')}`, () => {
      assert.ok(fileSecrets(file, own(text), none).has(secret));
    });
  for (const text of plain)
    it(`finds none in ${text}`, () => {
      assert.deepEqual([...fileSecrets('a.test.tsx', text, none)], []);
    });

  it('takes a password with a sign in it for one text', () => {
    assert.ok(fileSecrets('a.test.js', "const password = 'Pq7&Zt4Lm2Xw9c';", none).has('Pq7&Zt4Lm2Xw9c'));
  });

  it('takes no words that a token is given over another name', () => {
    const text = "x = 'color-red'\ntoken = x\ny = 'open'\nz = y\n";
    assert.deepEqual([...fileSecrets('a_test.py', text, none)], []);
  });

  it('follows names over the files that are imported, in circles too', () => {
    const files: Record<string, string> = {
      './fixture.js': `export * from './again.js';\nexport const fixture = { a: { b: '${secret}' } };\n`,
      './again.js': "export * from './fixture.js';\n",
      './auth.js': 'export function signIn(login, secret) {}\nexport default function (user, token) {}\n',
      './handed.js': "import signIn from './auth.js';\nexport { signIn as open };\n",
    };
    const load = (_from: string, specifier: string): { file: string; text: string } | undefined => {
      const text = files[specifier];
      return text === undefined ? undefined : { file: specifier, text };
    };
    const used =
      "import { fixture, lost } from './fixture.js'; login({ password: fixture.a.b, token: lost });";
    assert.deepEqual([...fileSecrets('a.test.js', used, load)], [secret]);
    for (const [clause, name, from] of [
      ['{ signIn }', 'signIn', './auth.js'],
      ['{ signIn as enter }', 'enter', './auth.js'],
      ['enter', 'enter', './auth.js'],
      ['{ open as enter }', 'enter', './handed.js'],
    ]) {
      const passed = `import ${clause} from '${from}'; ${name}('ada', '${secret}');`;
      assert.deepEqual([...fileSecrets('a.test.js', passed, load)], [secret], clause);
    }
  });

  it('looks for what is imported once, however many calls there are', () => {
    const asked: string[] = [];
    const load = (from: string, specifier: string): undefined => void asked.push(`${from} ${specifier}`);
    const calls = 'expect(total(1)).toBe(2);\n'.repeat(20);
    fileSecrets(
      'a.test.js',
      `import { expect } from 'vitest';\nimport { total } from './b.js';\n${calls}`,
      load,
    );
    assert.deepEqual(asked, ['a.test.js vitest', 'a.test.js ./b.js']);
  });

  it('reads values that hold each other in many ways once', () => {
    const level = (at: number): string =>
      `const o${at} = { ${Array.from({ length: 30 }, (_, key) => `k${key}: o${at + 1}`).join(', ')} };`;
    const text = [...Array.from({ length: 6 }, (_, at) => level(at)), `const o6 = '${secret}';`].join('\n');
    assert.deepEqual([...fileSecrets('a.test.js', `${text}\nconst token = o1;`, none)], [secret]);
  });

  it('reads a text that nests too deeply for a tree by its words', () => {
    const text = `const password = '${secret}';\n${'('.repeat(20_000)}`;
    assert.ok(fileSecrets('a.test.js', text, none).has(secret));
  });
});

describe('redactSecrets in settings and addresses', () => {
  for (const text of [
    '- name: DB_PASSWORD\n  value: X',
    'ENV DB_PASSWORD=X',
    'variables:\n  - { name: password, defaultValue: X }',
    'variables:\n  - name: apiToken\n    type: string\n    defaultValue: X',
    'variables:\n  - { name: pinned, defaultValue: X, secret: true }',
    'variables:\n  - name: pinned\n    secret: true\n    defaultValue: X\n',
    'TOKEN ?= X',
    'TOKEN="${TOKEN:-X}"',
    "let(:password) { 'X' }",
    "fill_in 'Password', with: 'X'",
    '*** Variables ***\n${PASSWORD}    X\n',
    'req.Header.Set("Cookie", "sid=X")',
    'http.Cookie{Name: "sid", Value: "X"}',
    'def db_password():\n    yield "X"',
    'ENV API_TOKEN X',
    'variable "db_password" {\n  type = string\n  default = "X"\n}',
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nX\r\n--b--',
    '\'--b\\r\\nContent-Disposition: form-data; name="password"\\r\\n\\r\\nX\\r\\n--b--\'',
    '<property name="password">X</property>',
    'docker login -u ada -p X',
    'AZURE_STORAGE_KEY=X',
    'https://a.example/x?access_token=X',
    'spring.datasource.password=X',
    'dsn: "https://X@o1.ingest.example/2"',
    ['-----BEGIN PGP ', 'PRIVATE KEY BLOCK-----\n\nX\n-----END PGP ', 'PRIVATE KEY BLOCK-----'].join(''),
    "const privKey = 'X';",
    '"db: {user: svc, pw: X}"',
    'kind: Secret\nstringData:\n  plain: X\n',
    'Incorrect API key provided: X. Check it.',
    'x: &pw X\ndb:\n  password: *pw\n',
  ])
    it(`blots out ${text.replaceAll(/\s+/g, ' ')}`, () => {
      assert.ok(!redactSecrets(own(text)).includes(secret), redactSecrets(own(text)));
    });
  for (const [text, part] of [
    [`call("sbp_${hex}")`, hex],
    ['got hf_NqVwYSVPHkLmRtZ... here', 'NqVwYSVPHkLmRtZ'],
    ['got AKIAQUR5SW... here', 'QUR5SW'],
    [`call('gsk_${mixed}${mixed}')`, mixed],
    [`https://${mixed}@github.com/a/b.git`, mixed],
    ["card = { cvv: '737' }", '737'],
    ['pin: 4711', '4711'],
    ["const pepper = 'Q7xLr9Tm2c'", mixedShort],
    ["{ appKey: 'Q7xLr9Tm2c' }", mixedShort],
    ['GET https://api.x.io/v1?key=Q7xLr9Tm2c&q=a', mixedShort],
    ["export const P = 'Q7xLr9Tm2c' // password of the test db", mixedShort],
  ] as const)
    it(`blots out ${text}`, () => {
      assert.ok(!redactSecrets(text).includes(part), redactSecrets(text));
    });
  for (const text of [
    "const token = process.env.API_TOKEN ?? '';",
    "const token = process.env['API_TOKEN'] ?? '';",
    'password: process.env.DB_PASSWORD,',
    "const password = mode === 'live' ? a : b;",
    "errors = { password: 'too short' }",
    "{ password: 'Passwort' }",
    "errors.password = 'Password must not be empty';",
    "{ auth: 'disabled' }",
    '<input type="password" name="pw" autocomplete="current-password" value="">',
    'connect({ password: password, user })',
    'this.password = password;',
    'const password = req.body.password;',
    'function f(password: string, token: Token) {}',
    "expect(errors.password).toBe('too short')",
    "type Secret = 'a' | 'b';",
    'ENV NODE_ENV=production',
    '- name: LOG_LEVEL\n  value: debug-1',
    'variables:\n  - name: shop\n    defaultValue: north-1\n  - name: pinned\n    secret: true',
    'GET /items?page=2&sort=name-asc',
    'https://ada@example.com/x git@github.com:a/b.git',
    "const designToken = 'color-background-primary'",
    "const pass = 'yes', pin = 'left', salt = 'pinch';",
    'refused: {"token":{"type":"Identifier","value":"counterValue"},"tokenColor":"#ff8800"}',
    "expect(Object.keys(defs)).toEqual(['schema0']); const { STATUS_CODES } = require('node:http');",
    "{ csrfHeader: 'X-CSRF-Token' }",
    "{ auth: 'bearer-only', salt: 'sodium chloride', pepper: 'black pepper', csrf: 'double submit' }",
    "{ login: 'octocat', queryKey: 'todos', sortKey: 'createdAt_desc' }",
  ])
    it(`keeps ${text}`, () => {
      assert.equal(redactSecrets(text), text);
    });
});
