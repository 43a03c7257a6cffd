// A sandbox whose sources hold planted bugs and whose tests can be repeated, and what runs there tell of them.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { HumanError, throwIfCancelled } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import { loadLine, packageFolder } from '../diagnosis/loadLine.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { RunSummary } from '../model/testResult.ts';
import { injectedFile } from '../process/injectedFile.ts';
import type { FileContents, Undo } from '../sandbox/sandbox.ts';
import { plantBugs, type PlantedBug } from './plantBugs.ts';
import { repeatTests, type TestSite } from './repeatTests.ts';

/** A sandbox that nothing else is tried in meanwhile. */
export interface StrengthSandbox {
  /** Absolute. */
  readonly root: string;
  readText(file: string): Promise<string | undefined>;
  /** Writes whole files, all or none. */
  write(contents: FileContents): Promise<Undo>;
  /** Runs test files (absolute) there. */
  run(selection: Selection, signal: AbortSignal): Promise<RunSummary>;
  /** Does this test file take an import only, and what is loaded before it as an ES module? */
  loadsModules(file: string): boolean;
}

/** What a plan asks of the tests: which bugs each of them reaches, or to try these bugs at the tests of a site. */
type Plan =
  | { readonly mode: 'reach' }
  | {
      readonly mode: 'try';
      readonly sites: ReadonlyMap<number, readonly number[]>;
      /** What has not begun by then is left out; ms since 1970. */
      readonly until: number;
    };

/** One repetition of the tests of a site. `bug` 0: before all others, -1: after them, both without a bug. */
interface Repetition {
  readonly site: number;
  readonly bug: number;
  readonly ms: number;
  /** Absent: it passed. */
  readonly how?: 'failed' | 'hung';
}

export interface PlanResult {
  readonly repetitions: readonly Repetition[];
  /** By site; only of a plan that asks for it. The first bug of a returned value is there as a negative number too: the value was met. */
  readonly reached: ReadonlyMap<number, ReadonlySet<number>>;
  readonly summary: RunSummary;
}

export interface PlantedCopy {
  readonly bugs: readonly PlantedBug[];
  readonly sites: readonly TestSite[];
  /** By test file: what of it is in no site and loads no module. */
  readonly rests: ReadonlyMap<string, string>;
  /** Files that could not be read or were nested too deeply, as sentences. */
  readonly notes: readonly string[];
  run(plan: Plan, files: readonly string[], signal: AbortSignal): Promise<PlanResult>;
  /** The sandbox is as it was. */
  restore(): Promise<void>;
}

const lineSchema = z.object({
  site: z.number().int(),
  bug: z.number().int().optional(),
  ms: z.number().optional(),
  how: z.enum(['failed', 'hung']).optional(),
  reached: z.array(z.number().int()).optional(),
});

/** `sources` and `tests`: relative to the root. `instead`: texts that stand there instead of those in the sandbox. */
export async function plantInCopy(
  sandbox: StrengthSandbox,
  sources: readonly string[],
  tests: readonly string[],
  instead: ReadonlyMap<string, string | undefined> = new Map(),
): Promise<PlantedCopy> {
  // Nobody who writes a test can know it.
  const name = `planted_${randomBytes(9).toString('hex')}`;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-strength-'));
  const contents = new Map<string, string | Uint8Array | undefined>(instead);
  const bugs: PlantedBug[] = [];
  const sites: TestSite[] = [];
  const rests = new Map<string, string>();
  const notes: string[] = [];
  const change = async (file: string, by: (text: string) => string | Promise<string>): Promise<void> => {
    const text = instead.has(file) ? instead.get(file) : await sandbox.readText(file);
    if (text === undefined) return;
    try {
      contents.set(file, await by(text));
    } catch (error) {
      if (!(error instanceof HumanError)) throw error;
      notes.push(`${file} was left out: ${error.message}`);
    }
  };
  for (const file of sources)
    await change(file, (text) => {
      const planted = plantBugs(file, text, name, bugs.length + 1);
      bugs.push(...planted.bugs);
      return planted.text;
    });
  const host = await readFile(injectedFile('strength', 'strengthHost.cjs'), 'utf8');
  const task = { name, out: path.join(folder, 'told.ndjson'), plan: path.join(folder, 'plan.json') };
  for (const file of tests)
    await change(file, async (text) => {
      const repeated = repeatTests(file, text, name, sites.length + 1);
      sites.push(...repeated.sites);
      rests.set(file, repeated.rest);
      const absolute = path.join(sandbox.root, file);
      const isModule = sandbox.loadsModules(file);
      const loaded = path.join(
        packageFolder(sandbox.root, absolute),
        `testmend-${name}.${isModule ? 'mjs' : 'cjs'}`,
      );
      contents.set(toRelativePosix(sandbox.root, loaded), hostModule(host, task, isModule));
      const bytes = Buffer.from(repeated.text);
      const { offset, text: words } = await loadLine(sandbox.root, absolute, bytes, loaded);
      // What a call is given through the switch has no types; a comment that chooses an environment stays the first.
      const unchecked = /\.[cm]?tsx?$/.test(file) ? '// @ts-nocheck\n' : '';
      return `${bytes.subarray(0, offset).toString()}${unchecked}${words}${bytes.subarray(offset).toString()}`;
    });
  const undo = await sandbox.write(contents).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    bugs,
    sites,
    rests,
    notes,
    run: (plan, files, signal) => runPlan(sandbox, task, plan, files, signal),
    restore: async () => {
      await undo.undo();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Task {
  readonly name: string;
  readonly out: string;
  readonly plan: string;
}

function hostModule(host: string, task: Task, isModule: boolean): string {
  const load = isModule
    ? `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n`
    : '';
  return `${load}((task, require) => {\n${host}\n})(${JSON.stringify(task)}, require);\n`;
}

async function runPlan(
  sandbox: StrengthSandbox,
  task: Task,
  plan: Plan,
  files: readonly string[],
  signal: AbortSignal,
): Promise<PlanResult> {
  const written = plan.mode === 'reach' ? plan : { ...plan, sites: Object.fromEntries(plan.sites) };
  await writeFile(task.plan, JSON.stringify(written));
  await rm(task.out, { force: true });
  const absolute = files.map((file) => path.join(sandbox.root, file));
  const summary = await sandbox.run({ files: absolute, updateSnapshots: false }, signal);
  throwIfCancelled(signal);
  const told = await readFile(task.out, 'utf8').catch(() => '');
  const reached = new Map<number, Set<number>>();
  const repetitions = new Map<string, Repetition>();
  for (const line of told.split('\n')) {
    const parsed = lineSchema.safeParse(jsonOr(line));
    if (!parsed.success) continue;
    const { site, bug, ms = 0, how, reached: ids = [] } = parsed.data;
    const known = reached.get(site) ?? new Set();
    reached.set(site, known);
    for (const id of ids) known.add(id);
    if (bug === undefined) continue;
    // Of a table each row is one: what one of them notices is noticed.
    const former = repetitions.get(`${site} ${bug}`);
    repetitions.set(`${site} ${bug}`, {
      site,
      bug,
      ms: ms + (former?.ms ?? 0),
      ...(former?.how ? { how: former.how } : how && { how }),
    });
  }
  // What fails in a way that the body does not show: in a hook, in a soft assertion, by a promise that nobody handles.
  for (const { title, suites, outcome } of summary.tests) {
    const [, site, bug] = [...suites, title].flatMap((name) => marked.exec(name) ?? []);
    if (site === undefined || (outcome !== 'failed' && outcome !== 'errored')) continue;
    const former = repetitions.get(`${site} ${bug}`);
    repetitions.set(`${site} ${bug}`, {
      ms: 0,
      ...former,
      site: Number(site),
      bug: Number(bug),
      how: 'failed',
    });
  }
  return { repetitions: [...repetitions.values()], reached, summary };
}

/** At the end of the titles that strengthHost.cjs gives to repetitions. */
const marked = / \{planted (\d+) (-?\d+)\}/;

function jsonOr(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
