// One fix in an iteration: what has not had its turn is not given up.
import assert from 'node:assert/strict';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const failing = 5;
const source = (word: string): string => `exports.say = (n) => \`${word} \${n}\`;\n`;

describe('a surgical cycle', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    const tests = Array.from(
      { length: failing },
      (_, n) => `  it('says ${n}', () => {\n    assert.equal(say(${n}), 'Hi ${n}');\n  });\n`,
    );
    const head =
      "const assert = require('node:assert/strict');\nconst { say } = require('../src/say.js');\n\n";
    workspace = await temporaryWorkspace(
      {
        'package.json': '{"devDependencies":{"mocha":"11"}}',
        'src/say.js': source('Hi'),
        'test/say.test.js': `${head}describe('greeting', () => {\n${tests.join('')}});\n`,
        '.mocharc.json': '{"spec":"test/**/*.test.js"}',
      },
      { git: true, packages: ['mocha'] },
    );
    await workspace.write('src/say.js', source('Hello'));
  });
  after(() => workspace.dispose());

  it('goes on until each failure had its turn', async () => {
    const report = await mendWorkspace(workspace, { strategy: 'surgical', assume: 'source-is-right' });
    assert.equal(report.failed, 0, report.notes.join('\n'));
    assert.equal(report.iterations.length, failing);
    assert.equal(report.ended, 'target');
  });
});
