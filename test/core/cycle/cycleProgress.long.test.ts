// What a real cycle tells while it goes: files that end, tests that fall, each verdict at once, and the time that is left.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runFixCycle } from '../../../src/core/cycle/fixCycle.ts';
import { fixProviders } from '../../../src/core/fixes/providers.ts';
import type { FixProvider } from '../../../src/core/fixes/fixProvider.ts';
import type { CycleEvent } from '../../../src/core/model/cycle.ts';
import { cycleRequest } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const testOf = (name: string, value: string): string =>
  `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${name} } from '../src/names.mjs';

test('gives ${name}', async () => {
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(${name}(), '${value}');
});
`;
const names = ['one', 'two', 'three', 'four'] as const;
const sourceOf = (first: string, second: string): string =>
  [first, second, 'three', 'four']
    .map((value, index) => `export const ${names[index]} = () => '${value}';\n`)
    .join('');

type Told = CycleEvent & { readonly at: number };
type Step = Extract<Told, { type: 'progress' }>;

/** Changes nothing for the second test: its verdict needs no run. */
const idle: FixProvider = {
  id: 'idle',
  description: 'Changes nothing.',
  propose: ({ failing }) =>
    Promise.resolve(
      failing
        .filter(({ result }) => result.title === 'gives two')
        .map(({ result: { id } }) => ({
          id: `idle ${id}`,
          title: 'change nothing',
          grade: 'surgical',
          trust: 'oracle',
          edits: [],
          failures: [id],
          provider: 'idle',
          confidence: 1,
          evidence: [],
        })),
    ),
};

describe('the progress of a fix cycle', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let folder = '';
  let begun = 0;
  let first: readonly Told[] = [];
  let second: readonly Told[] = [];

  const cycle = async (): Promise<readonly Told[]> => {
    const told: Told[] = [];
    const request = await cycleRequest(workspace, folder, {
      providers: [...fixProviders, idle],
      targetPassRate: 100,
    });
    for await (const event of runFixCycle(request)) told.push({ ...event, at: performance.now() });
    return told;
  };
  const stepsOf = (events: readonly Told[]): readonly Step[] =>
    events.filter((event): event is Step => event.type === 'progress' && event.phase !== undefined);

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-progress-'));
    workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({ name: 'names', scripts: { test: 'node --test' } }),
        'src/names.mjs': sourceOf('one', 'two'),
        ...Object.fromEntries(names.map((name) => [`test/${name}.test.mjs`, testOf(name, name)])),
      },
      { git: true },
    );
    await workspace.write('src/names.mjs', sourceOf('uno', 'due'));
    begun = performance.now();
    first = await cycle();
    second = await cycle();
  });
  after(async () => {
    await workspace.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('goes through its steps in order', () => {
    const phases = stepsOf(first).map(({ phase }) => phase);
    const changes = phases.filter((phase, index) => phase !== phases[index - 1]);
    assert.deepEqual(changes.slice(0, 8), [
      'looking',
      'copying',
      'first-run',
      'copy-run',
      'recording',
      'asking',
      'comparing',
      'proving',
    ]);
  });

  it('counts the files that have ended, and names some that run', () => {
    const run = stepsOf(first).filter(({ phase }) => phase === 'first-run');
    assert.ok(
      run.every(({ total }) => total === undefined || total === 4),
      JSON.stringify(run),
    );
    const counts = run.map(({ done = 0 }) => done);
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => a - b),
    );
    assert.ok(
      counts.some((done) => done > 0 && done < 4),
      counts.join(),
    );
    assert.ok(run.some(({ running = [] }) => running.some((file) => /^test\/\w+\.test\.mjs$/.test(file))));
    assert.equal(run[0]?.text, 'running 4 test files before any fix');
  });

  it('tells the test that falls while the first run goes on', () => {
    const fallen = first.find((event) => event.type === 'testsFailed');
    const all = first.flatMap((event) => (event.type === 'testsFailed' ? event.tests : []));
    assert.deepEqual(
      all.map(({ file, title }) => `${file} ${title}`).sort((a, b) => a.localeCompare(b)),
      ['test/one.test.mjs gives one', 'test/two.test.mjs gives two'],
    );
    const ends = first.find((event) => event.type === 'progress' && event.phase === 'copy-run');
    assert.ok(fallen && ends && fallen.at < ends.at);
    const understood = first.find((event) => event.type === 'testsFailing');
    assert.match(JSON.stringify(understood), /"title":"gives one".*"fault"/);
  });

  it('tells each verdict as soon as it is known, once', () => {
    const judged = first.flatMap((event) => (event.type === 'fixJudged' ? [event] : []));
    const mended = judged.find(({ fix }) => fix.verdict.verdict === 'verified');
    const rejected = judged.find(({ fix }) => fix.provider === 'idle');
    // Three runs of half a second lie between them.
    assert.ok(mended && rejected && mended.at - rejected.at > 1_000, JSON.stringify(judged));
    assert.equal(new Set(judged.map(({ fix }) => fix.id)).size, judged.length);
  });

  it('says how much time is left only where an earlier cycle of the same tests tells', () => {
    assert.deepEqual(
      stepsOf(first).filter(({ leftMs }) => leftMs !== undefined),
      [],
    );
    const run = stepsOf(second).filter(({ phase }) => phase === 'first-run');
    assert.ok(run.length > 0);
    // No more than the whole of the earlier cycle took, and no less than the runs of half a second that prove its fixes.
    const most = (first.at(-1)?.at ?? 0) - begun;
    for (const { leftMs } of run)
      assert.ok(leftMs !== undefined && leftMs > 1_500 && leftMs <= most + 50, `${leftMs} of ${most}`);
    const lefts = run.map(({ leftMs = 0 }) => leftMs);
    assert.deepEqual(
      lefts,
      [...lefts].sort((a, b) => b - a),
    );
  });
});
