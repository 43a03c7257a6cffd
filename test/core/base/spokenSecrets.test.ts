// A value behind a telling name is blotted out in any notation and sentence, and known again where it stands alone, so that a fixture teaches what a failure shows.
import assert from 'node:assert/strict';
import { redactSecrets, redactTold } from '../../../src/core/base/redactSecrets.ts';

const secret = ['Kq7Wm2zX', '9rTb4nUe'].join('');
const shapes: readonly string[] = [
  '密码: X',
  '密码：X',
  '数据库密码: X',
  'contraseña: X',
  'mot de passe : X',
  'password:: X',
  'password → X',
  'password: !secret X',
  'db_password: !!str X',
  '**Password:** X',
  '| **Password** | x |\n|---|---|\n| X | y |',
  'user, password\nada, X',
  'Password for user ada: X',
  'The password was changed to "X"',
  'set password to X',
  "password <- 'X'",
  'let password = String::from("X");',
  'std::string password{"X"};',
  'local password = [[X]]',
  'my $password = q(X);',
  'password = %q(X)',
  'setx API_TOKEN X',
  'redis-server --requirepass X',
  'name = "API_TOKEN"\nvalue = "X"',
  "<password type='x'>X</password>",
  '<apiKey xmlns="a">X</apiKey>',
  '<input name=password value=X>',
  'Authorization: Bearer X',
  'AUTHORIZATION=Bearer X',
  'Authorization: Token X',
  'Proxy-Authorization: Digest X',
  'Cookie: sid=X; a=b',
  'Set-Cookie: token=X; Path=/',
  "curl -H 'Authorization: Bearer X' https://a.example",
  'mysql --password=X -u ada',
];
const plain: readonly string[] = [
  'The token stands in index.html behind XSRF-TOKEN',
  'Unexpected token at position 12 of data2.json',
  'const token = parseToken2(text1); const c: Credential = OAuth2Credential<OAuth2Flow>',
  'if (!token && !idTokenClaims2) return token_type1 | fallback2',
  'password for i18next is optional, token in base64 or utf-8',
  'see credentials#register-your-cert2 and secrets.md#v2',
  'user, password\nada, swordfish',
  "The password must be 'strong', and is 'required'; token was 'valid'",
  '<password>{value1}</password> <Token kind="a1">Some words</Token>',
  'Cookie: the header of RFC-6265',
];

/** A word alone is hidden behind the name of a password only. */
const words: readonly string[] = [
  "password <- 'X'",
  'let password = String::from("X");',
  'std::string password{"X"};',
  '<password type="x">X</password>',
  'The password was changed to "X"',
  'the password for ada is "X"',
  'Passwort: X',
  '密码：X',
  'mot de passe : X',
];
/** Words and digits, which no look but what stands between tells of. */
const mixed: readonly string[] = [
  '密码：X',
  'password → X',
  '**Password:** X',
  'Password for user ada: X',
  'set password to X',
  'password: !secret X',
  'setx API_TOKEN X',
  'my $password = q(X);',
  'local password = [[X]]',
];

describe('a value behind a telling name', () => {
  for (const shape of shapes)
    it(`is hidden in ${shape.replaceAll('\n', ' ')}, and known again alone`, () => {
      const told = new Set<string>();
      const shown = redactTold(shape.replace('X', secret), told);
      assert.ok(!shown.includes(secret), shown);
      assert.equal(redactTold(`got ${secret} back`, told), 'got [redacted] back');
    });
  for (const [value, texts] of [
    ['swordfish', words],
    ['hunter-x7f', mixed],
  ] as const)
    for (const text of texts)
      it(`is hidden in ${text.replace('X', value)}`, () => {
        const shown = redactSecrets(text.replace('X', value));
        assert.equal(shown, text.replace('X', '[redacted]'));
      });
  for (const text of plain)
    it(`is none in ${text.replaceAll('\n', ' ')}`, () => assert.equal(redactSecrets(text), text));
});
