// Lets one fixer mend many small situations in one real workspace: green before a change of the source, red after it.
import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { captureValues } from '../../src/core/diagnosis/captureValues.ts';
import { recordTrial } from '../../src/core/diagnosis/recordTrial.ts';
import { readSourceChanges } from '../../src/core/diagnosis/sourceChanges.ts';
import { applyStops } from '../../src/core/diagnosis/stops.ts';
import { valueStops } from '../../src/core/diagnosis/valueStops.ts';
import type { FixProvider } from '../../src/core/fixes/fixProvider.ts';
import { detectProjects } from '../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../src/core/frameworks/registry.ts';
import { applyEdit } from '../../src/core/model/edit.ts';
import type { Fix } from '../../src/core/model/fix.ts';
import type { Selection } from '../../src/core/model/frameworkProject.ts';
import type { RunSummary } from '../../src/core/model/testResult.ts';
import { checkPolicyOfEdits } from '../../src/core/policy/checkPolicy.ts';
import { gateOf } from '../../src/core/policy/gateOf.ts';
import { runTests } from '../../src/core/run/runTests.ts';
import { createImportGraph } from '../../src/core/modules/importGraph.ts';
import { readText } from '../../src/core/workspace/readText.ts';
import { temporaryWorkspace } from './temporaryWorkspace.ts';
import { writerIn } from './writerIn.ts';

export interface MendingCase {
  readonly source: string;
  /** What changes in the source, once. */
  readonly change: readonly [from: string, to: string];
  /** The whole test file. */
  readonly test: string;
}

export interface MendedCase {
  /** With the stops that its values ask for. */
  readonly fixes: readonly Fix[];
  readonly refusals: readonly string[];
  /** The test file with the fixes in it. */
  readonly text: string;
  /** Did every test of the file pass then? */
  readonly passes: boolean;
  /** Rules of the gate that the fixes break. */
  readonly rules: readonly string[];
}

export interface MendingPlace {
  readonly framework: 'vitest' | 'jest' | 'mocha' | 'ava' | 'skill';
  readonly provider: FixProvider;
}

const modules = path.resolve(import.meta.dirname, '../../node_modules');
const places = {
  vitest: { source: 'ts', test: (name: string) => `test/${name}.test.ts` },
  jest: { source: 'js', test: (name: string) => `test/${name}.test.js` },
  mocha: { source: 'js', test: (name: string) => `test/${name}.test.js` },
  ava: { source: 'js', test: (name: string) => `test/${name}.test.js` },
  skill: { source: 'js', test: (name: string) => `tests/${name}.tests.mjs` },
};

/** What is linked beside vitest, which the workspace links by itself. */
const installed: Readonly<Record<MendingPlace['framework'], readonly string[]>> = {
  vitest: [],
  jest: ['jest', '@babel', '@jest', 'babel-jest'],
  mocha: ['mocha', 'chai'],
  ava: ['ava'],
  skill: [],
};

/** Gives what became of each situation, by its name. Sources are `src/<name>`, beside the folder of the tests. */
export async function mendCases(
  cases: Readonly<Record<string, MendingCase>>,
  { framework, provider }: MendingPlace,
): Promise<Readonly<Record<string, MendedCase>>> {
  const place = places[framework];
  const entries = Object.entries(cases);
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: 'shop',
      ...(framework !== 'jest' && { type: 'module' }),
      devDependencies: framework === 'skill' ? {} : { [framework]: '*' },
    }),
    ...(framework === 'jest' && {
      'babel.config.json': '{"presets":[["@babel/preset-env",{"targets":{"node":"current"}}]]}',
    }),
  };
  for (const [name, { source, test }] of entries) {
    files[`src/${name}.${place.source}`] = source;
    files[place.test(name)] = test;
  }
  const workspace = await temporaryWorkspace(files, {
    git: true,
    vitest: framework === 'vitest' && 'shared',
  });
  const { root } = workspace;
  try {
    const linked = installed[framework];
    if (linked.length > 0) await mkdir(path.join(root, 'node_modules'));
    for (const name of linked) await symlink(path.join(modules, name), path.join(root, 'node_modules', name));
    const run = async (selection: Selection, env: Record<string, string>): Promise<RunSummary> => {
      const { projects } = await detectProjects(root);
      const limits = { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 };
      return runTests({
        workspace: { root, limits, frameworks: [], cacheFolder: path.join(root, '../cache') },
        projects,
        selection,
        frameworks: (id) => frameworkOf({ framework: id }),
        env,
      });
    };
    const green = await run({}, {});
    const red = green.tests.filter(({ outcome }) => outcome !== 'passed');
    assert.deepEqual(
      red.map(({ id, failure }) => [id, failure?.message]),
      [],
      'right before the change',
    );
    assert.ok(green.tests.length >= entries.length);
    for (const [name, { source, change }] of entries) {
      assert.equal(source.split(change[0]).length, 2, `${name} does not change once`);
      await workspace.write(
        `src/${name}.${place.source}`,
        source.replace(change[0], () => change[1]),
      );
    }
    const failing = (await run({}, {})).tests.filter(({ outcome }) => outcome !== 'passed');
    const captured = await captureValues({ root, results: failing, run, write: writerIn(root) });
    const isTestFile = (file: string): boolean => /^tests?\//.test(file);
    const refusals = new Map<string, string[]>();
    const fixes = await provider.propose({
      root,
      failing: failing.map((result) => ({ result, captured: captured.get(result.id) ?? [] })),
      readText: (file) => readText(path.join(root, file)),
      isTestFile,
      changes: await readSourceChanges({ root, isTestFile, graph: createImportGraph({ root }) }),
      signal: new AbortController().signal,
      tryOnFormer: async (texts, tests) => {
        const former = entries.map(([name, { source }]) => [`src/${name}.${place.source}`, source] as const);
        const now = new Map<string, string>();
        for (const [file, text] of [...former, ...texts]) {
          now.set(file, await workspace.read(file));
          await workspace.write(file, text);
        }
        const trial = await recordTrial({ root, run, write: writerIn(root) }, tests);
        for (const [file, text] of now) await workspace.write(file, text);
        return trial;
      },
      refuse: (id, reason) => refusals.set(id, [...(refusals.get(id) ?? []), reason]),
    });
    const after = new Map<string, string>();
    for (const { file, ...edit } of fixes.flatMap((fix) => fix.edits)) {
      const text = applyEdit({ file, ...edit }, await workspace.read(file));
      assert.ok(!after.has(file), `two fixes for ${file}`);
      after.set(file, text);
    }
    for (const [file, text] of after) await workspace.write(file, text);
    const mended = await run({}, {});
    const found = entries.map(([name]): [string, MendedCase] => {
      const file = place.test(name);
      const own = failing.filter((result) => result.file === file);
      assert.notEqual(own.length, 0, `${name} does not fail`);
      const before = files[file] ?? '';
      const text = after.get(file) ?? before;
      const ids = new Set(own.map(({ id }) => id));
      const [only, ...others] = fixes.filter(({ edits }) => edits.some((edit) => edit.file === file));
      const gate = only === undefined || others.length > 0 ? {} : gateOf(only);
      const value = own.flatMap(({ id }) => (captured.get(id) ?? []).flatMap(valueStops));
      return [
        name,
        {
          fixes: fixes
            .filter(({ failures }) => failures.some((id) => ids.has(id)))
            .map((fix) => applyStops(fix, value)),
          refusals: own.flatMap(({ id }) => refusals.get(id) ?? []),
          text,
          passes: mended.tests.every((test) => test.file !== file || test.outcome === 'passed'),
          rules: checkPolicyOfEdits([{ file, before, after: text }], isTestFile, gate).map(
            ({ rule }) => rule,
          ),
        },
      ];
    });
    return Object.fromEntries(found);
  } finally {
    await workspace.dispose();
  }
}
