// Affected tests of one changed file in an import graph of 5,000 files: the first question, and those after it.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { affectedBy } from '../../src/core/run/affectedBy.ts';
import { graphRoots } from '../../src/core/run/graphRoots.ts';
import { DependencyGraph } from '../../src/core/modules/dependencyGraph.ts';
import { median, type BenchRow } from './measure.ts';

const sources = 4_000;
const tests = 1_000;
const rounds = 15;

export async function bench(): Promise<readonly BenchRow[]> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-bench-')));
  try {
    const root = path.join(folder, 'shop');
    const testFiles = await makeWorkspace(root);
    const graph = new DependencyGraph(root);
    // Kept with the listing of the test files, as the engine does.
    const roots = graphRoots(root, testFiles);
    const ask = async (changed: readonly string[]): Promise<readonly string[]> => {
      await graph.update(roots, { touched: changed });
      return (await affectedBy({ root, graph, testFiles, changed })).files;
    };
    const started = performance.now();
    await ask([]);
    const cold = performance.now() - started;
    const edited: number[] = [];
    const moved: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const file = sourceName(round * 37 + 5);
      // A changed body, then a changed import.
      for (const [times, text] of [
        [edited, `${source(round * 37 + 5)}// round ${round}\n`],
        [moved, `import '${specifier(round * 37 + 5, 3)}';\n`],
      ] as const) {
        await writeFile(path.join(root, file), text);
        const begun = performance.now();
        const found = await ask([file]);
        times.push(performance.now() - begun);
        if (found.length === 0) throw new Error(`no test is affected by ${file}`);
      }
    }
    return [
      { name: 'graph of 5,000 files, first question', value: cold, unit: 'ms' },
      { name: 'affected tests of a changed file, warm', value: median(edited), unit: 'ms', limit: 100 },
      {
        name: 'affected tests of a file with new imports, warm',
        value: median(moved),
        unit: 'ms',
        limit: 100,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeWorkspace(root: string): Promise<readonly string[]> {
  const files = new Map<string, string>([
    ['package.json', '{ "name": "shop", "devDependencies": { "vitest": "*" } }'],
    ['tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }'],
  ]);
  for (let index = 0; index < sources; index++) files.set(sourceName(index), source(index));
  const testFiles: string[] = [];
  for (let index = 0; index < tests; index++) {
    const file = `test/t${Math.floor(index / 20)}/case${index}.test.ts`;
    const imports = [index * 4, index * 4 + 1, (index * 7) % sources, (index * 13) % sources];
    files.set(file, imports.map((one) => `import '@/${sourceName(one).slice(4, -3)}';\n`).join('') + body);
    testFiles.push(file);
  }
  for (const folder of new Set([...files.keys()].map((file) => path.dirname(path.join(root, file)))))
    await mkdir(folder, { recursive: true });
  for (const [file, text] of files) await writeFile(path.join(root, file), text);
  return testFiles;
}

const sourceName = (index: number): string => `src/m${Math.floor(index / 20)}/part${index}.ts`;

/** Imports three files before it, so that everything hangs together. */
function source(index: number): string {
  const steps = [1, 21, 399].filter((step) => step <= index);
  return (
    steps.map((step) => `import { value as v${step} } from '${specifier(index, step)}';\n`).join('') + body
  );
}

function specifier(index: number, step: number): string {
  const from = path.posix.dirname(sourceName(index));
  const target = path.posix.relative(from, sourceName(Math.max(0, index - step)).slice(0, -3));
  return target.startsWith('.') ? target : `./${target}`;
}

const body = Array.from(
  { length: 30 },
  (_, line) => `export const value${line} = ['a "text"', \`and \${${line}} more\`].join(' / '); // a note\n`,
).join('');
