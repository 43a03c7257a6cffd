// Agents in the editor use the tools of the MCP server through the engine, and their user answers what is asked.
import assert from 'node:assert/strict';
import path from 'node:path';
import { z } from 'zod';
import { requests, type ToolAnswer } from '../../src/server/messages.ts';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const head = `const { test } = require('node:test');\nconst assert = require('node:assert');\n`;
const till = (word: string): string => `module.exports = { pay: (sum) => '${word} ' + sum };\n`;
const cycleSchema = z.object({ fixes: z.array(z.object({ fixId: z.string(), needs: z.string() })) });
const appliedSchema = z.object({ applied: z.boolean(), accepted: z.string() });
const errorSchema = z.object({ error: z.object({ code: z.string() }) });

describe('a tool that an agent in the editor uses', () => {
  let shop: TemporaryWorkspace;
  const engines: EngineProcess[] = [];
  let cache: string | undefined;

  before(async () => {
    shop = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
        'src/till.js': till('Pay'),
        'test/till.test.js': `${head}const { pay } = require('../src/till.js');\ntest('asks to pay', () => assert.strictEqual(pay(4), 'Pay 4'));\n`,
      },
      { git: true },
    );
    await shop.write('src/till.js', till('Please pay'));
    cache = process.env['XDG_CACHE_HOME'];
    process.env['XDG_CACHE_HOME'] = path.join(path.dirname(shop.root), 'caches');
  });
  after(async () => {
    if (cache === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = cache;
    await Promise.all(engines.map((one) => one.end()));
    await shop.dispose();
  });

  const start = async (trusted: boolean): Promise<EngineProcess> => {
    const engine = await startEngine('ipc', {
      initializationOptions: { roots: [{ root: shop.root }], trusted, hasOwnUi: true },
    });
    engines.push(engine);
    return engine;
  };
  const textOf = (answer: ToolAnswer): unknown => JSON.parse('text' in answer ? answer.text : '{}');

  it('changes an expectation only when the user agreed', async () => {
    const engine = await start(true);
    const use = (name: string, input: object, answers: Record<string, 'accept' | 'decline'> = {}) =>
      engine.request(requests.useTool, { name, input, answers });
    const { fixes } = cycleSchema.parse(textOf(await use('propose_fixes', {})));
    const [fix] = fixes;
    assert.deepEqual([fixes.length, fix?.needs], [1, 'a person, or accept_expectation']);
    const input = { fixId: fix?.fixId, dry_run: false, accept_expectation: true };
    const asked = await use('apply_fix', input);
    assert.ok('question' in asked);
    assert.match(asked.question.text, /It will expect: 'Please pay 4'/);
    const { key } = asked.question;
    const declined = await use('apply_fix', input, { [key]: 'decline' });
    assert.equal(errorSchema.parse(textOf(declined)).error.code, 'cancelled');
    assert.equal(shop.git('status', '--porcelain', 'test'), '');
    const applied = appliedSchema.parse(textOf(await use('apply_fix', input, { [key]: 'accept' })));
    assert.deepEqual(applied, { applied: true, accepted: 'accepted by person' });
    assert.match(await shop.read('test/till.test.js'), /'Please pay 4'/);
  });

  it('is refused with what to do: a wrong input, a tool that is not there, a folder that nobody trusts', async () => {
    const engine = await start(true);
    const use = (name: string, input: object) =>
      engine.request(requests.useTool, { name, input, answers: {} });
    await assert.rejects(use('run_tests', { filter: '--x' }), /Invalid arguments for run_tests/);
    await assert.rejects(use('__proto__', {}), /There is no tool/);
    const untrusted = await start(false);
    const refused = await untrusted.request(requests.useTool, { name: 'run_tests', input: {}, answers: {} });
    assert.equal(errorSchema.parse(textOf(refused)).error.code, 'untrusted');
  });
});
