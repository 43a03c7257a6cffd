// What an agent hands in is judged like a patch: other words are no matter, more is allowed by evidence, and less is not.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cycleRequestFrom, runCycle } from '../../../src/core/engine/cycleRequest.ts';
import { openWorkspace } from '../../../src/core/engine/openWorkspace.ts';
import { agentProvider } from '../../../src/core/fixes/agent/agentProvider.ts';
import type { CycleFix } from '../../../src/core/model/cycle.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { honestWhereRed, weakeningWhereRed } from '../verification/redPatches.ts';
import { changed, nodeShop, type Attempt } from '../verification/weighedShop.ts';

describe('an agent whose change only evidence can allow', function () {
  this.timeout(240_000);
  let workspace: TemporaryWorkspace;
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-weighed-'));
    workspace = await temporaryWorkspace(nodeShop.files, { git: true });
  });
  afterEach(async () => {
    await workspace.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** What becomes of the whole of an agent's edits, and of the parts of it that are tried when the whole is no good. */
  async function fixesOf({ source = [], edits }: Omit<Attempt, 'name'>): Promise<readonly CycleFix[]> {
    await workspace.write('src/shop.js', changed(nodeShop.files['src/shop.js'] ?? '', source));
    const program = path.join(folder, 'agent.cjs');
    const text = changed(nodeShop.files[nodeShop.file] ?? '', edits);
    await writeFile(
      program,
      `require('node:fs').writeFileSync('${nodeShop.file}', ${JSON.stringify(text)});`,
    );
    const { signal } = new AbortController();
    const limits = { timeoutMs: 60_000, skillTimeoutMs: 10_000, maxParallel: 2 };
    const cacheFolder = path.join(folder, 'cache');
    const opened = await openWorkspace({ root: workspace.root, limits, frameworks: [], cacheFolder }, signal);
    const agent = { name: 'scribe', command: process.execPath, words: [program, '{taskFile}'] };
    const fixers = () => [agentProvider({ agent, timeoutMs: 20_000 })];
    const request = await cycleRequestFrom({ fixers }, opened, {}, signal);
    const cycle = runCycle(request);
    for (;;) {
      const step = await cycle.next();
      if (step.done === true) return step.value.fixes;
    }
  }
  const named = (attempts: readonly Attempt[], name: string): Attempt => {
    const found = attempts.find((one) => one.name === name);
    assert.ok(found, name);
    return found;
  };
  const told = (fixes: readonly CycleFix[]): readonly string[] =>
    fixes.map(({ verdict: { verdict, reason = '' } }) => `${verdict} ${reason}`.trim());

  it('is verified, and asked about, where the tests notice all that they noticed', async () => {
    const fixes = await fixesOf(named(honestWhereRed, 'an argument that a call must have now'));
    assert.deepEqual(told(fixes), ['verified']);
    assert.deepEqual([fixes[0]?.state, fixes[0]?.trust], ['unreviewed', 'oracle']);
    assert.match(fixes[0]?.evidence.at(-1) ?? '', /^Its tests still notice all \d+ planted bugs/);
  });

  it('is verified where it says the same in other words', async () => {
    const fixes = await fixesOf({
      source: [["word = 'Hello'", "word = 'Hi'"]],
      edits: [
        [
          "describe('total'",
          "const greets = (name, wanted) => assert.equal(greet(name), wanted);\n\ndescribe('total'",
        ],
        ["  assert.equal(greet(' Ann '), 'Hello, Ann!');", "  greets(' Ann ', 'Hi, Ann!');"],
      ],
    });
    assert.deepEqual(told(fixes), ['verified']);
  });

  it('is not where a test walks around what broke it', async () => {
    const fixes = await fixesOf(
      named(weakeningWhereRed, 'an argument in place of a default that is wrong now'),
    );
    assert.deepEqual(told(fixes), [
      'unverifiable A person must decide whether its tests check less. "greets by name" no longer runs src/shop.js:13, where the source changed.',
    ]);
  });
});
