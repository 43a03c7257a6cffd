// A runner's cache that holds what was compiled from former texts decides nothing: not in the original, and not between two trials in the copy.
import assert from 'node:assert/strict';
import path from 'node:path';
import { readdir, stat } from 'node:fs/promises';
import { runTests } from '../../../src/core/run/runTests.ts';
import { openVerification } from '../../../src/core/verification/openVerification.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { requestFor } from './request.ts';

/** Checks a file against those it imports, as ts-jest does, and lets jest keep the result by the file's own text. */
const transform = `const fs = require('node:fs');
const path = require('node:path');
exports.process = (text, file) => ({
  code: text
    .replace(/import \\{ (\\w+) \\} from '(.+)';/, (all, name, from) => {
      const target = path.resolve(path.dirname(file), from);
      if (!fs.readFileSync(target, 'utf8').includes('const ' + name + ' '))
        throw new SyntaxError("error TS2305: Module '" + from + "' has no exported member '" + name + "'.");
      return 'const { ' + name + ' } = require(' + JSON.stringify(from) + ');';
    })
    .replace(/export const (\\w+)/, 'const $1 = exports.$1'),
});
`;
const source = (name: string): string => `export const ${name} = (cents) => cents / 1.2;\n`;

describe('what a runner compiled before', function () {
  this.timeout(180_000);
  let workspace: TemporaryWorkspace;
  beforeEach(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({
          name: 'shop',
          devDependencies: { jest: '*' },
          jest: { transform: { '\\.js$': 'check' }, cacheDirectory: '<rootDir>/../jest-cache' },
        }),
        'node_modules/check/index.js': transform,
        'src/price.js': source('net'),
        'test/price.test.js': `import { net } from '../src/price.js';\n\ntest('takes the tax off', () => expect(net(120)).toBe(100));\n`,
      },
      { git: true, packages: ['jest'] },
    );
    const { signal } = new AbortController();
    const { passed } = await runTests({ ...(await requestFor(workspace)), selection: {}, signal });
    assert.equal(passed, 1);
    await workspace.write('src/price.js', source('withoutTax'));
  });
  afterEach(() => workspace.dispose());

  it('keeps no rename from being proven, although the workspace fails by it and the copy while it compiles', async () => {
    const { signal } = new AbortController();
    const before = await runTests({ ...(await requestFor(workspace)), selection: {}, signal });
    assert.match(
      before.tests[0]?.failure?.message ?? '',
      /net.* is not a function/,
      'the cache is out of date',
    );
    const { fixes } = await mendWorkspace(workspace);
    assert.deepEqual(
      fixes.map(({ title, verdict }) => [title, verdict.verdict]),
      [["import withoutTax from '../src/price.js' (was net)", 'verified']],
    );
  });

  it('serves no trial in the copy for another state of its sources, and goes with the copy', async () => {
    const signal = new AbortController().signal;
    const verification = await openVerification({
      ...(await requestFor(workspace)),
      isTestFile: (file) => file.startsWith('test/'),
    });
    const { sandbox } = verification;
    const messages = async (): Promise<readonly string[]> =>
      (await verification.run({}, signal)).tests.map(
        ({ outcome, failure }) => failure?.message.split('\n')[0] ?? outcome,
      );
    try {
      assert.match((await messages())[0] ?? '', /TS2305/);
      const undo = await sandbox.write(new Map([['src/price.js', source('net')]]));
      assert.deepEqual(await messages(), ['passed']);
      await undo.undo();
      assert.match((await messages())[0] ?? '', /TS2305/, 'what was compiled beside the former source');
      assert.ok((await readdir(sandbox.compiledFolder)).length > 1);
    } finally {
      await verification.dispose();
    }
    await assert.rejects(stat(sandbox.compiledFolder), { code: 'ENOENT' });
    const kept = await readdir(path.join(workspace.root, '../jest-cache'));
    assert.ok(kept.length > 0, 'the cache of the user is as it was');
  });
});
