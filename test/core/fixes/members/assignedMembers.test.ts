// Members that a function is given one by one, renamed in the source: offered, and mended where another source goes the same way.
import assert from 'node:assert/strict';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const common = `module.exports = function setup() {
  function make(name) {
    function log(...args) {
      return log.scope + ': ' + args.join(' ');
    }
    log.scope = name;
    log.describe = () => name.trim().concat('!');
    log.extend = extend;
    return log;
  }
  function extend(name) {
    return make('of/' + name);
  }
  return make;
};
`;

const node = `const make = require('./common')();
module.exports = (name) => make(name);
module.exports.head = (log) => '[' + log.scope + '] ';
`;

const tests = `const { it } = require('node:test');
const assert = require('node:assert/strict');
const make = require('../src/node.js');

it('extends', () => {
  const log = make('a');
  const inner = log.extend('b');
  assert.equal(inner('x'), 'of/b: x');
});

it('keeps its scope', () => {
  const log = make('a');
  assert.equal(log.scope, 'a');
});
`;

const describing = `const { it } = require('node:test');
const assert = require('node:assert/strict');
const make = require('../src/node.js');
const shown = make('a').describe();

it('tells', () => assert.equal(shown, 'a!'));
`;

describe('a renamed member that a function is given', function () {
  this.timeout(60_000);

  it('is followed where another source follows, and offered where none does; no source is blamed', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{"scripts":{"test":"node --test"}}',
        'src/common.js': common,
        'src/node.js': node,
        'test/log.test.js': tests,
        'test/describe.test.js': describing,
      },
      { git: true },
    );
    await workspace.write(
      'src/common.js',
      common
        .replaceAll('extend', 'sub')
        .replace('describe', 'tell')
        .replace(/\bscope\b/g, 'space'),
    );
    await workspace.write('src/node.js', node.replace('.scope', '.space'));
    const { fixes, remaining } = await mendWorkspace(workspace);
    assert.deepEqual(
      fixes.map(({ trust, verdict, title }) => `${trust} ${verdict.verdict}: ${title}`).sort(),
      [
        'mechanical verified: call tell (was describe)',
        'mechanical verified: use space (was scope)',
        'propose verified: call sub (was extend)',
      ],
    );
    assert.deepEqual(
      remaining.map(({ title, fault }) => `${title}: ${fault}`),
      ['extends: unknown'],
    );
    assert.match(remaining[0]?.reason ?? '', /^log\.extend was removed from src\/common\.js/);
    await workspace.dispose();
  });
});
