// The panel and `testmend fix --json` say the same of the same cycle.
import assert from 'node:assert/strict';
import path from 'node:path';
import { z } from 'zod';
import { iterationRecordSchema, remainingSchema, type CycleFix } from '../../src/core/model/cycle.ts';
import { fixSchema, verdictSchema } from '../../src/core/model/fix.ts';
import { requests } from '../../src/server/messages.ts';
import { emptyModel, reduceEvents, sectionsOf } from '../../src/webview/panelModel.ts';
import { ratesOf } from '../../src/webview/standing.ts';
import { startEngine } from '../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';

const cliSchema = z.object({
  passRate: z.number(),
  passRateReviewed: z.number(),
  iterations: z.array(iterationRecordSchema),
  fixes: z.array(
    fixSchema
      .pick({ id: true, title: true, grade: true, trust: true, failures: true, edits: true, evidence: true })
      .extend({
        verdict: verdictSchema.shape.verdict,
        reason: z.string().optional(),
        runs: z.number(),
        scope: z.string(),
      }),
  ),
  remaining: z.array(remainingSchema.pick({ id: true, severity: true, fault: true, reason: true })),
});

describe('the panel beside the command line', function () {
  this.timeout(240_000);

  it('shows the same fixes, verdicts, reasons, rates, iterations and failures of the same cycle', async () => {
    const workspace = await smallShop();
    const { root } = workspace;
    const engine = await startEngine('ipc', {
      initializationOptions: {
        roots: [{ root }],
        trusted: true,
        storageFolder: path.join(path.dirname(root), 'storage'),
        hasOwnUi: true,
      },
    });
    try {
      await engine.request(requests.startCycle, { cycleId: '1', root });
      await engine.end();
      const { stdout } = await testmend(['fix', '--json', '--dry-run'], { cwd: root, limitMs: 150_000 });
      const model = reduceEvents(emptyModel, engine.cycleEvents);
      const cli = cliSchema.parse(JSON.parse(stdout));
      assert.ok(cli.fixes.length >= 2 && cli.remaining.length === 2);
      assert.deepEqual([...model.fixes.values()].map(told).sort(byId), cli.fixes.sort(byId));
      const remaining = sectionsOf(model).remaining.flatMap(({ tests }) => tests);
      assert.deepEqual(
        remaining.map(({ id, severity, fault, reason }) => ({ id, severity, fault, reason })).sort(byId),
        cli.remaining.sort(byId),
      );
      assert.deepEqual(model.iterations, cli.iterations);
      assert.deepEqual(ratesOf(model), { all: cli.passRate, reviewed: cli.passRateReviewed });
    } finally {
      await engine.end();
      await workspace.dispose();
    }
  });
});

/** A text and a folder changed, and the shelves are wrong: one fix of each trust, and a fault of the source. */
async function smallShop(): Promise<TemporaryWorkspace> {
  const head = "import assert from 'node:assert/strict';\nimport { it } from 'node:test';";
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }',
      'src/greeting.js': 'export const greet = (name) => `Hi, ${name}`;\n',
      'src/stock.js': 'export const left = (item) => ({ nuts: 3 })[item] ?? 0;\n',
      'src/price.js': 'export const price = () => 3;\n',
      'tests/greeting.test.js': `${head}
import { greet } from '../src/greeting.js';
it('greets', () => { assert.equal(greet('Ada'), 'Hi, Ada'); });
`,
      'tests/stock.test.js': `${head}
import { left } from '../src/stock.js';
it('counts nuts', () => { assert.equal(left('nuts'), 3); });
it('counts bolts', () => { assert.equal(left('bolts'), 0); });
`,
      'tests/price.test.js': `${head}
import { price } from '../src/price.js';
it('has a price', () => { assert.equal(price(), 3); });
`,
    },
    { git: true },
  );
  await workspace.write('src/greeting.js', 'export const greet = (name) => `Hello, ${name}`;\n');
  await workspace.write('src/stock.js', 'export const left = (item) => stores[item].count;\n');
  workspace.git('mv', 'src/price.js', 'src/prices.js');
  return workspace;
}

function told({ verdict, ...fix }: CycleFix): z.infer<typeof cliSchema>['fixes'][number] {
  const { id, title, grade, trust, failures, edits, evidence } = fix;
  const { reason, runs, scope } = verdict;
  return {
    id,
    title,
    grade,
    trust,
    failures,
    edits,
    evidence,
    verdict: verdict.verdict,
    ...(reason === undefined ? {} : { reason }),
    runs,
    scope,
  };
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
