// What is blotted out of texts that leave the machine, what stays readable, and that a huge text is read only once.
import assert from 'node:assert/strict';
import os from 'node:os';
import { shownPaths } from '../../../src/core/base/shownPaths.ts';
import { redactSecrets } from '../../../src/core/base/redactSecrets.ts';

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
];

describe('redactSecrets', () => {
  for (const [text, secret] of secrets)
    it(`blots out ${text.split('\n')[0]?.slice(0, 40)}`, () => {
      const shown = redactSecrets(text);
      assert.ok(!shown.includes(secret), shown);
      assert.match(shown, /\[redacted\]/);
    });

  it('keeps what is no secret', () => {
    for (const text of [
      'tokens: 5',
      'see http://host:80/a and me@host',
      'task-list-of-everything',
      'secretary: Ada',
    ])
      assert.equal(redactSecrets(text), text);
  });

  it('keeps the quotes and what follows', () => {
    assert.equal(
      redactSecrets("{ password: 'a b', name: 'Ada' }"),
      "{ password: '[redacted]', name: 'Ada' }",
    );
  });

  for (const piece of [
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
    it(`reads a megabyte of ${JSON.stringify(piece)}`, () => {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      assert.equal(typeof redactSecrets(text), 'string');
      assert.equal(typeof redactSecrets(`password: "${text}`), 'string');
    }).timeout(20_000);
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
