// A bug of the source that was noted in an editor is one for the command line and for other editors, too.
import assert from 'node:assert/strict';
import path from 'node:path';
import { fixDocument } from '../../../src/core/engine/documentSchemas.ts';
import { RootEngine } from '../../../src/core/engine/rootEngine.ts';
import { RootFixes } from '../../../src/core/engine/rootFixes.ts';
import { rootSettingsSchema } from '../../../src/core/engine/rootSchemas.ts';
import { documentOf } from '../../cli/schemas.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { testmend } from '../../support/testmendCli.ts';

const id = 'nodeTest:test/greet.test.js#greets';
const source = (word: string): string => `module.exports.greet = () => '${word}, Ada';\n`;

describe('a bug of the source', function () {
  this.timeout(120_000);
  const signal = AbortSignal.timeout(110_000);
  const former = process.env['XDG_STATE_HOME'];
  let shop: TemporaryWorkspace;

  before(async () => {
    shop = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
        'src/greet.js': source('Hello'),
        'test/greet.test.js': `const { test } = require('node:test');
const assert = require('node:assert');
const { greet } = require('../src/greet.js');
test('greets', () => assert.strictEqual(greet(), 'Hello, Ada'));
`,
      },
      { git: true },
    );
    // Where the command line of the tests keeps it.
    process.env['XDG_STATE_HOME'] = path.join(path.dirname(shop.root), 'state');
    await shop.write('src/greet.js', source('Good morning'));
  });
  after(async () => {
    if (former === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = former;
    await shop.dispose();
  });

  /** With a storage of its own, as each editor has it, where it ran the tests. */
  async function editor(name: string): Promise<{ engine: RootEngine; fixes: RootFixes }> {
    const storage = path.join(path.dirname(shop.root), name);
    const engine = new RootEngine(rootSettingsSchema.parse({ root: shop.root }), storage);
    const fixes = new RootFixes(engine, { log: () => undefined }, () => undefined);
    const { failed } = await engine.run({}, () => undefined, signal);
    assert.equal(failed, 1);
    return { engine, fixes };
  }

  it('is one for every process, whoever noted it', async () => {
    const editors = [await editor('first'), await editor('second')] as const;
    try {
      await editors[0].fixes.markBug([id]);
      const result = await testmend(['fix', '--json'], { cwd: shop.root });
      const { fixes, remaining } = documentOf(fixDocument, result);
      assert.deepEqual(
        [fixes.map(({ title }) => title), remaining.map(({ fault }) => fault)],
        [[], ['source']],
      );
      const { diagnoses } = await editors[1].fixes.propose([id], signal);
      assert.deepEqual(
        diagnoses.map(({ fault }) => fault),
        ['source'],
      );
    } finally {
      for (const { engine, fixes } of editors) {
        engine.dispose();
        await Promise.all([engine.settled(), fixes.dispose()]);
      }
    }
  });
});
