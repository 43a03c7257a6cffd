// What is blotted out of texts that leave the machine, what stays readable, and that a huge text is read only once.
import assert from 'node:assert/strict';
import os from 'node:os';
import { shownPaths } from '../../../src/core/base/shownPaths.ts';
import { gitleaksRules } from '../../../src/core/base/gitleaksRules.ts';
import {
  redactSecrets,
  redactTold,
  replacePlaces,
  secretPlaces,
} from '../../../src/core/base/redactSecrets.ts';
import { masked } from '../../../src/core/base/secretMask.ts';
import { fakeSecrets } from '../../support/fakeSecrets.ts';

// Put together here, so that no scanner takes the fixtures for real ones.
const token = (prefix: string, rest: string): string => prefix + rest;
const secrets: readonly (readonly [string, string])[] = [
  ["Authorization: 'Bearer abc.def.ghi'", 'abc.def.ghi'],
  ['{"authorization":"Bearer abc.def.ghi"}', 'abc.def.ghi'],
  ['Authorization: Basic dXNlcg==', 'dXNlcg'],
  ["password: 'correct horse battery'", 'horse'],
  ["password: 'it\\'s a horse'", 'horse'],
  ['{\\"password\\": \\"correct horse\\"}', 'horse'],
  ['postgres://me:pgpass@host/db', 'pgpass'],
  [token('ghp_', 'a1B2c3D4e5F6g7H8'), 'a1B2c3'],
  [token('github_pat_', '11ABC_def4567890'), '11ABC'],
  [token('sk-', 'proj-a1b2c3d4e5f6'), 'a1b2c3'],
  [token('xoxb-', '1234-5678-abcd'), '5678'],
  [token('AKIA', 'ABCDEFGHIJKLMNOP'), 'ABCDEFGH'],
  ['Cookie: sid=s3cr3t; theme=dark', 's3cr3t'],
  ["'set-cookie': 'sid=s3cr3t; Path=/'", 's3cr3t'],
  [token('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----'), 'MIIabc'],
  ["clientSecretKey: 'abcd1234'", 'abcd1234'],
  [token('npm_', 'a1B2c3D4e5F6g7H8i9J0k1L2'), 'a1B2c3'],
  [token('glpat-', 'a1B2c3D4e5F6g7H8i9J0'), 'a1B2c3'],
  [token('eyJhbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl'), 'eyJzdWIiOiJh'],
  [token('sent "Bearer ', 'a1B2c3D4e5F6g7H8"'), 'a1B2c3'],
  [token('const stripe = "sk_live_', `${mixed(24)}"`), mixed(24)],
  [token('whsec_', mixed(32)), mixed(32)],
  [token('AIza', mixed(35)), mixed(35)],
  [token('GOCSPX-', mixed(28)), mixed(28)],
  [token('SG.', `${mixed(22)}.${mixed(43)}`), mixed(22)],
  [
    token('DefaultEndpointsProtocol=https;AccountName=a;Account', `Key=${mixed(60)}==;EndpointSuffix=x`),
    mixed(60),
  ],
  [token('Endpoint=sb://a/;SharedAccess', `Key=${mixed(44)}=`), mixed(44)],
  [token('https://a.blob.example/x?sv=2022&sig', `=${mixed(40)}%3D`), mixed(40)],
  [token('abc8', `Q~${mixed(34)}`), mixed(34)],
  ["const pw = 'hunter22';", 'hunter22'],
  ["connect({ dbPw: 'hunter22' })", 'hunter22'],
  ['db_pwd: "hunter22"', 'hunter22'],
  ['DB_PW=hunter22', 'hunter22'],
  ["login({ credentials: 'ada:hunter22' })", 'hunter22'],
  ["userCreds = 'ada:hunter22'", 'hunter22'],
  [`const apiHash = '${'0123456789abcdef'.repeat(2)}';`, '0123456789abcdef'],
  [token('shpat_', 'a1b2c3d4'.repeat(4)), 'a1b2c3d4a1'],
  [token('dop_v1_', 'a1b2c3d4'.repeat(8)), 'a1b2c3d4a1'],
  [token('hvs.', mixed(30)), mixed(30)],
  [token('glsa_', mixed(40)), mixed(40)],
  [token('1234567890:AA', mixed(33)), mixed(33)],
  [token('https://hooks.slack.com/services/', 'T0000/B0000/a1b2c3d4e5f6'), 'a1b2c3d4'],
];
/** As random as the real ones look. */
function mixed(length: number): string {
  return 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'.repeat(3).slice(0, length);
}

describe('redactSecrets', () => {
  for (const [text, secret] of secrets)
    it(`blots out ${text.split('\n')[0]?.slice(0, 40)}`, () => {
      const shown = redactSecrets(text);
      assert.ok(!shown.includes(secret), shown);
      assert.match(shown, /\[redacted\]/);
    });

  for (const { what, text, secrets: own, inPrompts } of fakeSecrets)
    it(`blots out ${what}${inPrompts ? ', in what a model is asked' : ''}`, () => {
      const shown = inPrompts
        ? replacePlaces(text, secretPlaces(text, 'any'), () => '[redacted]')
        : redactSecrets(text);
      for (const one of own) assert.ok(!shown.includes(one), shown);
      assert.equal(redactSecrets(shown), shown, 'and leaves it so the second time');
    });

  it('takes for random neither hashes, ids, paths nor names, in what a model is asked either', () => {
    for (const text of [
      "'sha512-q83vEjRWeJq83vEjRWeJq83vEjRWeJ=='",
      "'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'",
      "'6fa459ea-ee8a-3ca4-894e-db77e160355e'",
      "'1a1aa12bcd80c9cbb1ef64ad240f6f7e7356eede'",
      "'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'",
      "import { x } from '../src/core/v2/fixes/outside2/taskText3';",
      'newFloat32SliceValue(newStringToInt64Value, aes256gcmDecryptInPlace)',
      "'2026-11-24T10:44:48.123Z', '1234567890123456789012345', 'abcdefghijklmnopqrstuvwxyz'",
      "createHash('sha256').update(fooBar2Baz).digest('hex'); parseV2Schema1, x86Sse42Aes, iPhone15ProMax",
      'const passes = 3; keys("alpha", "beta"); tokenizer.next("(") === \'(\'',
    ])
      assert.deepEqual(secretPlaces(text, 'any'), [], text);
  });

  it('keeps what is no secret', () => {
    for (const text of [
      'tokens: 5',
      'see http://host:80/a and me@host',
      'task-list-of-everything',
      'secretary: Ada',
      "fetch(url, { credentials: 'include' })",
      'credentials: Credentials;',
      'const pwaName = "shop", keypw1 = 2;',
      "import { credentials } from './credentials.ts';",
      'sha512-q83vEjRWeJq83vEjRWeJq83vEjRWeJ==',
      "expect(hash).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');",
      "id: '6fa459ea-ee8a-3ca4-894e-db77e160355e'",
      'commit 1a1aa12bcd80c9cbb1ef64ad240f6f7e7356eede',
      "expect(sk_lives('x')).toBe(1)",
      'the key-value store, SK1, AIzab, SG.x.y',
      'PATH=/usr/bin PWD is not set',
    ])
      assert.equal(redactSecrets(text), text);
  });

  it('takes the name of a secret among words for one of them, and what is said about a secret for none', () => {
    for (const text of [
      "const commands = ['ls', 'pwd', 'cd src', 'echo hello'];",
      "const columns = ['id', 'password', 'email', 'city', 'created'];",
      "const columns = ['password', 'email'];",
      "[{ cmd: 'pwd' }, { author: 'Ada Lovelace', status: 'open' }, { passed: 'three', title: 'Some title' }];",
      "[{ field: 'password', label: 'Choose one' }, { field: 'city', label: 'Where you live' }];",
      "{ path: '/home/ada/pwd' }, { keyword: 'function' }",
      "pick(user, 'password', 'email');",
      "{ tokenType: 'bearer', pinColor: 'red', passwordError: 'Too short, sorry', csrfEnabled: 'true' }",
      "{ cookieBanner: 'We use cookies', saltWater: 'is not sweet', tokenCount: '1234', secretSanta: 'Ada, Bob' }",
      "{ token: '(' }",
      "assert.equal(passwordStrength('abc'), 'weak');",
      "assert.equal(validate('x').error, 'Password must be at least 8 characters');",
      "assert.equal(token.type, 'plus'); assert.equal(password.length, 'eight');",
      "assert.equal(isSafe ? 'yes' : 'no', 'yes');",
      'first,second\npassword, and what else\none,two',
      '<input type="text" value="Ada">',
    ]) {
      assert.equal(redactSecrets(text), text);
      assert.deepEqual(secretPlaces(text, 'any'), [], text);
    }
  });

  it('keeps the quotes and what follows', () => {
    assert.equal(
      redactSecrets("{ password: 'a b', name: 'Ada' }"),
      "{ password: '[redacted]', name: 'Ada' }",
    );
  });

  it('takes no code for a value, and keeps prefixes, brackets and quotes', () => {
    for (const text of [
      'client.setPassword = () => {};',
      'const setToken = async (a) => { go(a); };',
      'const password = readIt(x);',
      'connect(password=get_pw(), user=None)',
      'const isWord = (token: string): boolean => true;',
      'password: z.string(),',
    ])
      assert.equal(redactSecrets(text), text);
    assert.equal(redactSecrets('run(`API_TOKEN=abc123def`);'), 'run(`API_TOKEN=[redacted]`);');
    assert.equal(redactSecrets('secret = b"abc123def"'), 'secret = b"[redacted]"');
    assert.equal(redactSecrets('pw = (\n  "abc"\n)'), 'pw = (\n  "[redacted]"\n)');
  });

  it('blots out both values in the title of a fix', () => {
    assert.equal(
      redactSecrets("Only you may apply: expect cfg.password 'moon' (was 'old-heron601')."),
      "Only you may apply: expect cfg.password '[redacted]' (was '[redacted]').",
    );
    const plain = "expect user.city 'Linz-4020' (was 'Graz-8010')";
    assert.equal(redactSecrets(plain), plain);
  });

  it('blots a value out wherever else the text has it', () => {
    assert.equal(
      redactSecrets("e.credentials = { pass: 'horse-77' }\nno horse-77, \\nhorse-77, unhorsed"),
      "e.credentials = { pass: '[redacted]' }\nno [redacted], \\n[redacted], unhorsed",
    );
  });

  it('knows a value again that is cut after twelve signs, or lies somewhere in base64', () => {
    for (const secret of ['hac1t7djfohe', 'hac1t7djfohecu', 'hac1t7djfoheculodekx', 'p!ss w0rd & more']) {
      const told = new Set([secret]);
      const cuts = secret.length > 12 ? [12, secret.length - 1] : [];
      for (const end of cuts) {
        const cut = secret.slice(0, end);
        assert.ok(!redactTold(`got ${cut}… instead`, told).includes(cut), cut);
      }
      for (const before of ['', 'a', 'ad', 'ada:', 'carol:'])
        for (const kind of ['base64', 'base64url'] as const) {
          const whole = Buffer.from(`${before}${secret}:x`).toString(kind);
          const left = redactTold(`sent ${whole} to it`, told);
          const shown = left.split('[redacted]').map((part) => Buffer.from(part, kind).toString('latin1'));
          assert.match(left, /\[redacted\]/, `${before}${secret} ${kind}`);
          assert.ok(!shown.some((part) => part.includes(secret.slice(1, -1))));
        }
    }
  });

  it('blots out in one text of a document what another one tells of', () => {
    const told = new Set<string>();
    const written = (): readonly string[] =>
      ['got horse-77 at', "const pw = 'horse-77';"].map((text) => redactTold(text, told));
    written();
    assert.deepEqual(written(), ['got [redacted] at', "const pw = '[redacted]';"]);
  });

  it('blots out each argument, and a user nowhere else, in what a model is asked', async () => {
    const { text } = await masked((hide) =>
      Promise.resolve(hide("setPassword('bob', 'horse-77');\nequal(f(), 'bob'); // horse-77")),
    );
    assert.equal(text, "setPassword('[redacted:1]', '[redacted:2]');\nequal(f(), 'bob'); // [redacted:2]");
  });

  for (const piece of [
    "'x' ",
    'password:(',
    '(/[',
    'a-',
    'password',
    'secret="\\',
    '://a:',
    '-----BEGIN PRIVATE KEY-----',
    'cookie: a',
    ' ',
    'authorization:',
    'x',
  ])
    // A rule that read it again from each place would take more than five times the limit.
    it(`reads a quarter of a megabyte of ${JSON.stringify(piece)} only once`, () => {
      const text = piece.repeat(Math.ceil(250_000 / piece.length));
      assert.equal(typeof redactSecrets(text), 'string');
      assert.equal(typeof redactSecrets(`password: "${text}`), 'string');
      assert.ok(Array.isArray(secretPlaces(`set('${text}`, 'any')));
    }).timeout(20_000);
});

describe('the rules of gitleaks', () => {
  it('read a text of any size only once, whatever it says again and again', () => {
    for (const line of gitleaksRules.trim().split('\n')) {
      const [, , words = ''] = line.split('\t');
      for (const word of words.split(','))
        for (const text of [word, `${word} = "`, `${word}_a1.`])
          assert.equal(typeof redactSecrets(text.repeat(20_000 / text.length)), 'string');
    }
  }).timeout(60_000);
});

describe('shownPaths', () => {
  it('shows files below the root by their relative path, and the home folder as ~', () => {
    const text =
      'at file:///home/ada/shop/src/a.ts:1, /home/ada/shop/b.ts, in /home/ada/shop; /home/ada/x, /home/adam/shop-2';
    assert.equal(
      shownPaths(text, '/home/ada/shop', '/home/ada'),
      'at src/a.ts:1, b.ts, in .; ~/x, /home/user/shop-2',
    );
  });

  it('names no user in temporary folders and in homes of others', () => {
    const folder = os.tmpdir();
    const text = `${folder}/pytest-of-ada/pytest-1/x.txt "/Users/ada/x" C:\\Users\\ada\\x '/home/eve/y' src/home/eve /home`;
    assert.equal(
      shownPaths(text, '/home/ada/shop', '/home/ada'),
      `<tmp>/pytest-of-user/pytest-1/x.txt "/Users/user/x" C:\\Users\\user\\x '/home/user/y' src/home/eve /home`,
    );
  });
});
