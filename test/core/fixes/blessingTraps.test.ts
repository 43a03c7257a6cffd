// Bugs in the source with right tests: nothing may be mended by itself, and what looks wrong waits for a person.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { captureValues } from '../../../src/core/diagnosis/captureValues.ts';
import { diagnose } from '../../../src/core/diagnosis/diagnose.ts';
import type { ReachedChange } from '../../../src/core/diagnosis/reachedChange.ts';
import { readSourceChanges } from '../../../src/core/diagnosis/sourceChanges.ts';
import { applyStops, historyStops } from '../../../src/core/diagnosis/stops.ts';
import { valueStops } from '../../../src/core/diagnosis/valueStops.ts';
import { fixProviders, nurseryProviders } from '../../../src/core/fixes/providers.ts';
import { detectProjects } from '../../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../../src/core/frameworks/registry.ts';
import type { Diagnosis, Fix } from '../../../src/core/model/fix.ts';
import type { Selection } from '../../../src/core/model/frameworkProject.ts';
import type { RunSummary } from '../../../src/core/model/testResult.ts';
import { runTests } from '../../../src/core/run/runTests.ts';
import { createImportGraph } from '../../../src/core/modules/importGraph.ts';
import { readText } from '../../../src/core/workspace/readText.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { writerIn } from '../../support/writerIn.ts';

interface Trap {
  readonly bug: string;
  readonly source: string;
  /** What the bug makes of a piece of the source. */
  readonly broken: readonly [from: string, to: string];
  /** The body of the test file, which is right. */
  readonly test: string;
  /** ask: the change of the expectation is a question · propose: never taken for granted, `stop` says why · none: no fix. */
  readonly outcome: 'ask' | 'propose' | 'none';
  readonly stop?: RegExp;
}

const traps: Readonly<Record<string, Trap>> = {
  pages: {
    bug: 'an off-by-one in the number of pages',
    source: 'export const pages = (items: number, size: number) => Math.ceil(items / size);\n',
    broken: ['Math.ceil', 'Math.floor'],
    test: `it('counts a last page that is not full', () => expect(pages(21, 10)).toBe(3));`,
    outcome: 'ask',
  },
  adult: {
    bug: 'a flipped condition',
    source: 'export const adult = (age: number) => age >= 18;\n',
    broken: ['>=', '<'],
    test: `it('takes eighteen for adult', () => expect(adult(18)).toBe(true));`,
    outcome: 'propose',
    stop: /inverted/,
  },
  total: {
    bug: 'a misspelt key that makes NaN',
    source:
      'export const total = (rows: { price: number }[]) => rows.reduce((sum, row) => sum + row.price, 0);\n',
    broken: ['row.price', '(row as any).prise'],
    test: `it.each([[[{ price: 2 }], 2], [[{ price: 2 }, { price: 3 }], 5]])('adds %j', (rows, sum) => {\n  expect(total(rows)).toBe(sum);\n});`,
    outcome: 'propose',
    stop: /NaN/,
  },
  mean: {
    bug: 'a division by zero',
    source: 'export const mean = (sum: number, count: number) => sum / count;\n',
    broken: ['sum / count', 'sum / (count - 2)'],
    test: `it('divides', () => expect(mean(6, 2)).toBe(3));`,
    outcome: 'propose',
    stop: /Infinity/,
  },
  found: {
    bug: 'a search that finds nothing any more',
    source:
      'export const found = (all: string[], word: string) => all.filter((one) => one.includes(word));\n',
    broken: ['one.includes(word)', 'one === `${word}!`'],
    test: `it('finds both', () => expect(found(['ab', 'abc'], 'ab')).toHaveLength(2));`,
    outcome: 'propose',
    stop: /empty/,
  },
  owner: {
    bug: 'a lookup that finds nothing any more',
    source: `const owners = new Map([['a', 'Ada']]);\nexport const owner = (id: string) => owners.get(id);\n`,
    broken: ['get(id)', 'get(id.toUpperCase())'],
    test: `it('knows the owner', () => expect(owner('a')).toEqual('Ada'));`,
    outcome: 'propose',
    stop: /undefined/,
  },
  active: {
    bug: 'a filter that lets nothing through',
    source: `export const active = (users: { name: string; on: boolean }[]) => users.filter((user) => user.on).map((user) => user.name);\n`,
    broken: ['user.on', 'user.on && !user.on'],
    test: `it('lists who is active', () => {\n  const users = [{ name: 'Ada', on: true }, { name: 'Bob', on: false }];\n  expect(active(users)).toEqual(['Ada']);\n});`,
    outcome: 'propose',
    stop: /empty/,
  },
  label: {
    bug: 'a text with undefined in it',
    source: 'export const label = (user: { name: string }) => `Hi, ${user.name}!`;\n',
    broken: ['user.name', '(user as any).fullName'],
    test: `it('greets', () => expect(label({ name: 'Ada' })).toBe('Hi, Ada!'));`,
    outcome: 'propose',
    stop: /undefined/,
  },
  fullName: {
    bug: 'swapped arguments',
    source:
      'const join = (first: string, last: string) => `${first} ${last}`;\nexport const fullName = (first: string, last: string) => join(first, last);\n',
    broken: ['=> join(first, last)', '=> join(last, first)'],
    test: `const people = { ada: 'Ada Byron', alan: 'Alan Turing' };\nfor (const [id, name] of Object.entries(people)) {\n  it('names ' + id, () => {\n    const [first, last] = name === people.ada ? ['Ada', 'Byron'] : ['Alan', 'Turing'];\n    expect(fullName(first, last)).toBe(name);\n  });\n}`,
    outcome: 'none',
  },
  route: {
    bug: 'swapped arguments with literals in the test',
    source: 'export const route = (from: string, to: string) => `${from} -> ${to}`;\n',
    broken: ['`${from} -> ${to}`', '`${to} -> ${from}`'],
    test: `it('goes from here to there', () => expect(route('Bonn', 'Rome')).toBe('Bonn -> Rome'));`,
    outcome: 'propose',
    stop: /another order/,
  },
  rounded: {
    bug: 'rounding down where cents are rounded',
    source: 'export const rounded = (cents: number) => Math.round(cents * 1.19) / 100;\n',
    broken: ['Math.round', 'Math.trunc'],
    test: `it('rounds the tax', () => expect(rounded(999)).toBe(11.89));`,
    outcome: 'ask',
  },
  parsed: {
    bug: 'a number that stays a text',
    source: 'export const parsed = (line: string) => ({ id: Number(line), line });\n',
    broken: ['Number(line)', 'line'],
    test: `it('reads the id', () => expect(parsed('7')).toEqual({ id: 7, line: '7' }));`,
    outcome: 'propose',
    stop: /type changed: id/,
  },
  profile: {
    bug: 'a key that is lost',
    source: 'export const profile = (name: string, email: string) => ({ name, email });\n',
    broken: ['({ name, email })', '({ name })'],
    test: `it('keeps the address', () => expect(profile('Ada', 'a@b.c')).toEqual({ name: 'Ada', email: 'a@b.c' }));`,
    outcome: 'propose',
    stop: /`email` is missing/,
  },
  withdrawn: {
    bug: 'a check that no longer throws',
    source: `export const withdrawn = (have: number, want: number) => {\n  if (want > have) throw new RangeError('too much');\n  return have - want;\n};\n`,
    broken: ['want > have', 'want < 0'],
    test: `it('gives no credit', () => expect(() => withdrawn(5, 6)).toThrow('too much'));`,
    outcome: 'none',
  },
  limited: {
    bug: 'a crash in place of the error that was meant',
    source: `export const limited = (rules: { max: number }, count: number) => {\n  if (count > rules.max) throw new RangeError('too many');\n  return count;\n};\n`,
    broken: ['rules.max', '(rules as any).limits.max'],
    test: `it('knows a limit', () => expect(() => limited({ max: 1 }, 2)).toThrow('too many'));`,
    outcome: 'none',
  },
  mailed: {
    bug: 'swapped arguments to a collaborator',
    source:
      'export const mailed = (send: (to: string, text: string) => void, to: string, text: string) => send(to, text);\n',
    broken: ['=> send(to, text)', '=> send(text, to)'],
    test: `import { vi } from 'vitest';\nit('sends', () => {\n  const send = vi.fn();\n  mailed(send, 'ada@b.c', 'hello');\n  expect(send).toHaveBeenCalledWith('ada@b.c', 'hello');\n});`,
    outcome: 'propose',
    stop: /another order/,
  },
  logged: {
    bug: 'a collaborator that is no longer called',
    source:
      'export const logged = (log: (text: string) => void, text: string) => void (text && log(text));\n',
    broken: ['text && log', '!text && log'],
    test: `import { vi } from 'vitest';\nit('logs', () => {\n  const log = vi.fn();\n  logged(log, 'hello');\n  expect(log).toHaveBeenCalledWith('hello');\n});`,
    outcome: 'none',
  },
  slug: {
    bug: 'a function that throws',
    source: 'export const slug = (text: string) => text.trim();\n',
    broken: ['text.trim()', '(text as any).trimmed()'],
    test: `it('trims', () => expect(slug(' a ')).toBe('a'));`,
    outcome: 'none',
  },
};

describe('a bug in the source', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let cacheFolder: string;
  const fixesOf = new Map<string, readonly Fix[]>();
  const diagnosesOf = new Map<string, readonly Diagnosis[]>();

  before(async () => {
    cacheFolder = await mkdtemp(path.join(os.tmpdir(), 'testmend-cache-'));
    const files = Object.entries(traps).flatMap(([name, { source, test }]) => [
      [`src/${name}.ts`, source],
      [
        `test/${name}.test.ts`,
        `import { expect, it } from 'vitest';\nimport { ${name} } from '../src/${name}';\n\n${test}\n`,
      ],
    ]);
    const packageJson = '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }';
    workspace = await temporaryWorkspace(
      { ...Object.fromEntries(files), 'package.json': packageJson },
      { git: true, vitest: 'shared' },
    );
    const green = await run({}, {});
    assert.equal(green.passRate, 100, 'the tests are right before the bugs come in');
    for (const [name, { source, broken }] of Object.entries(traps)) {
      assert.equal(source.split(broken[0]).length, 2, `${name} is no bug`);
      await workspace.write(
        `src/${name}.ts`,
        source.replace(broken[0], () => broken[1]),
      );
    }
    await judge(await run({}, {}));
  });
  after(async () => {
    await workspace.dispose();
    await rm(cacheFolder, { recursive: true, force: true });
  });

  const run = async (selection: Selection, env: Record<string, string>): Promise<RunSummary> => {
    const { root } = workspace;
    const { projects } = await detectProjects(root);
    return runTests({
      workspace: {
        root,
        limits: { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 },
        frameworks: [],
        cacheFolder,
      },
      projects,
      selection,
      frameworks: (framework) => frameworkOf({ framework }),
      env,
    });
  };

  /** As a user meets it who has said that the source is right: only the stops of values are left. */
  const judge = async ({ tests }: RunSummary): Promise<void> => {
    const { root } = workspace;
    const isTestFile = (file: string): boolean => file.startsWith('test/');
    const changes = await readSourceChanges({ root, isTestFile, graph: createImportGraph({ root }) });
    const results = tests.filter(({ outcome }) => outcome !== 'passed');
    const captured = await captureValues({ root, results, run, write: writerIn(root) });
    const failing = results.map((result) => ({ result, captured: captured.get(result.id) ?? [] }));
    const { signal } = new AbortController();
    const reached = new Map<string, ReachedChange>();
    const context = {
      root,
      failing,
      readText: (file: string) => readText(path.join(root, file)),
      isTestFile,
      changes,
      signal,
      reach: (id: string, change: ReachedChange) => void reached.set(id, change),
    };
    const all = [...fixProviders, ...nurseryProviders];
    const proposed = (await Promise.all(all.map((provider) => provider.propose(context)))).flat();
    for (const name of Object.keys(traps)) {
      const own = failing.filter(({ result }) => result.file === `test/${name}.test.ts`);
      assert.ok(own.length > 0, `${name} passes with its bug`);
      const ids = new Set(own.map(({ result }) => result.id));
      const fixes: Fix[] = [];
      for (const fix of proposed.filter(({ failures }) => failures.some((id) => ids.has(id)))) {
        const value = own.flatMap((one) => one.captured.flatMap(valueStops));
        const history = await Promise.all(
          own.map(({ result }) =>
            historyStops({ result, changes, assume: 'source-is-right', isNewTest: false }),
          ),
        );
        fixes.push(applyStops(fix, [...value, ...history.flat()]));
      }
      fixesOf.set(name, fixes);
      const diagnoses = own.map((one) =>
        diagnose({
          ...one,
          changes,
          proposals: fixes,
          reached: reached.get(one.result.id),
          isTestFile,
        }),
      );
      diagnosesOf.set(name, await Promise.all(diagnoses));
    }
  };

  for (const [name, { bug, outcome, stop }] of Object.entries(traps)) {
    const says = {
      ask: 'is only asked about',
      propose: 'waits for a person, even when the source is said to be right',
      none: 'gets no fix',
    };
    it(`that is ${bug} ${says[outcome]}`, () => {
      const fixes = fixesOf.get(name) ?? [];
      assert.deepEqual(
        new Set(fixes.map(({ trust }) => trust)),
        new Set(outcome === 'none' ? [] : [outcome === 'ask' ? 'oracle' : 'propose']),
      );
      for (const fix of fixes) {
        const reasons = (fix.stops ?? []).map(({ reason }) => reason).join(' ');
        if (stop) assert.match(reasons, stop);
        else assert.equal(reasons, '');
        assert.ok(fix.edits.every(({ file }) => file === `test/${name}.test.ts`));
      }
      for (const { fault, reason } of diagnosesOf.get(name) ?? [])
        assert.notEqual(fault, 'test', `the test is blamed: ${reason}`);
    });
  }
});
