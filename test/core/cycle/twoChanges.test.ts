// A refactoring that does two things to one test: neither fix is enough alone, and both together are one.
import assert from 'node:assert/strict';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const source = (login: string, name: string): string =>
  `exports.User = class User {
  constructor(name) {
    this.name = name;
    this.logins = 0;
  }
  ${login}
  ${name}() {
    return this.name + ': ' + this.logins;
  }
};
`;

const countsLogins = `const assert = require('node:assert/strict');
const { User } = require('../src/user.js');

it('counts logins', () => {
  const user = new User('Ada');
  user.login();
  assert.equal(user.describe(), 'Ada: 1');
});
`;

/** `login` became asynchronous since the test was written, counts so many logins now, and the words have this name. */
async function changedTo(logins: number, name: string): Promise<TemporaryWorkspace> {
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{"devDependencies":{"mocha":"11"}}',
      'src/user.js': source('login() {\n    this.logins += 1;\n  }', 'describe'),
      'test/user.js': countsLogins,
    },
    { git: true, packages: ['mocha'] },
  );
  const login = `async login() {\n    await null;\n    this.logins += ${logins};\n  }`;
  await workspace.write('src/user.js', source(login, name));
  return workspace;
}

describe('a test to which a refactoring did two things', function () {
  this.timeout(120_000);

  it('is mended by both fixes together, which are mechanical as each of them is', async () => {
    const workspace = await changedTo(1, 'summary');
    const { fixes, failed, patch, status } = await mendWorkspace(workspace);
    const told = fixes.map(({ title, trust, verdict }) => `${verdict.verdict} ${trust}: ${title}`);
    assert.deepEqual([failed, status], [0, 'passed'], told.join('\n'));
    assert.match(told.at(-1) ?? '', /^verified mechanical: .*, and .*/, told.join('\n'));
    assert.ok(told.slice(0, -1).every((each) => each.startsWith('rejected')));
    assert.match(patch, /^\+ {2}await user\.login\(\);$/m);
    assert.match(patch, /^\+ {2}assert\.equal\(user\.summary\(\), 'Ada: 1'\);$/m);
    await workspace.dispose();
  });

  it('is not blamed where the wait alone shows a bug, and no value of a moment too early is put to anybody as the answer', async () => {
    const workspace = await changedTo(2, 'describe');
    const { fixes, remaining, status } = await mendWorkspace(workspace);
    assert.equal(status, 'needs-attention');
    assert.deepEqual(
      fixes.filter(({ trust }) => trust === 'oracle').map(({ title }) => title),
      [],
    );
    const [left] = remaining;
    assert.equal(left?.fault, 'unknown', left?.reason);
    assert.match(left?.reason ?? '', /That alone does not mend it: .*Ada: 2/s);
    await workspace.dispose();
  });
});
