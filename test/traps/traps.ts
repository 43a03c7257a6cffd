// `npm run bench:traps`: what a fix cycle makes of tests that must not be changed. Ends with 1 when one is changed without a person.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import fastGlob from 'fast-glob';
import { handmadeTraps } from './handmadeTraps.ts';
import { loadMutator, spread, type Mutant } from '../../src/core/replay/mutants.ts';
import { projectsFolder, spring, trapProject, trapWorkspace, type Sprung } from './trapWorkspace.ts';

const { values, positionals } = parseArgs({
  options: { per: { type: 'string', default: '10' }, verbose: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const mutantsOf = await loadMutator(projectsFolder);
const sourceIsRight = ['--assume', 'source-is-right'];

interface BugCount {
  bugs: number;
  automatic: number;
  blessed: number;
  readonly said: Record<string, number>;
}

const chosen = (await readdir(projectsFolder)).filter(
  (name) => positionals.length === 0 || positionals.includes(name),
);
const all: BugCount = { bugs: 0, automatic: 0, blessed: 0, said: {} };
console.log('Bugs in the source, tests right');
for (const name of chosen) {
  const own = await bugsIn(name);
  console.log(rowOf(name, own));
  all.bugs += own.bugs;
  all.automatic += own.automatic;
  all.blessed += own.blessed;
  for (const [fault, count] of Object.entries(own.said)) all.said[fault] = (all.said[fault] ?? 0) + count;
}
console.log(rowOf('all', all));
let changed = all.automatic;
if (positionals.length === 0 || positionals.includes('handmade')) changed += await springHandmade();
process.exitCode = changed === 0 ? 0 : 1;

/** Lays so many bugs into a project, one after the other, each noticed by its tests. */
async function bugsIn(name: string): Promise<BugCount> {
  const workspace = await trapProject(name);
  const count: BugCount = { bugs: 0, automatic: 0, blessed: 0, said: {} };
  try {
    const [file] = await fastGlob('src/*', { cwd: workspace.root });
    if (file === undefined) throw new Error(`${name} has no source`);
    const text = await readFile(path.join(workspace.root, file), 'utf8');
    for (const mutant of spread(await mutantsOf(file, text))) {
      if (count.bugs === Number(values.per)) break;
      await workspace.write(file, mutant.text);
      const automatic = await spring(workspace, []);
      if (!automatic.isNoticed) continue;
      count.bugs++;
      const assumed = await spring(workspace, sourceIsRight);
      if (automatic.edited.length > 0) count.automatic++;
      if (assumed.edited.length > 0) count.blessed++;
      const said = saidOf(automatic);
      count.said[said] = (count.said[said] ?? 0) + 1;
      if (values.verbose || automatic.edited.length > 0) tell(name, mutant, { automatic, assumed });
    }
  } finally {
    await workspace.dispose();
  }
  return count;
}

/** The worst that was said: a test at fault, then the source; `asked` where every red test has a question for a person. */
function saidOf({ faults }: Sprung): string {
  const said = new Set(faults.values());
  return ['test', 'source', 'unknown', 'flaky', 'environment'].find((fault) => said.has(fault)) ?? 'asked';
}

function tell(name: string, { line, kind, replacement }: Mutant, by: Record<string, Sprung>): void {
  console.log(`  ${name}:${line} ${kind} → ${replacement.slice(0, 60).replaceAll('\n', ' ')}`);
  for (const [setting, { applied, faults, reasons }] of Object.entries(by)) {
    for (const title of applied) console.log(`    ${setting} applied ${title}`);
    for (const [id, fault] of faults)
      console.log(`    ${setting} ${fault}: ${id} ${(reasons.get(id) ?? '').slice(0, 150)}`);
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`;
}

function rowOf(name: string, { bugs, automatic, blessed, said }: BugCount): string {
  const faults = Object.entries(said).map(([fault, count]) => `${fault} ${count}`);
  return `  ${name.padEnd(10)} ${bugs} bugs, applied automatically ${automatic}, blessed when the source is taken as right ${blessed} (${percent(blessed, bugs)}); said: ${faults.join(', ')}`;
}

/** The number of these that were changed without a person. */
async function springHandmade(): Promise<number> {
  console.log('Tests that nobody may change');
  let wrong = 0;
  for (const trap of handmadeTraps) {
    const workspace = await trapWorkspace('trap', trap.base);
    try {
      for (const [file, text] of Object.entries(trap.change)) await workspace.write(file, text);
      for (const [setting, options] of Object.entries({ automatic: [], 'source is right': sourceIsRight })) {
        const { edited, faults } = await spring(workspace, options);
        if (edited.length > 0) wrong++;
        const said = [...new Set(faults.values())].join(', ') || 'green';
        console.log(
          `  ${edited.length === 0 ? 'left alone' : 'CHANGED   '} ${trap.name} (${setting}): ${said}`,
        );
      }
    } finally {
      await workspace.dispose();
    }
  }
  return wrong;
}
