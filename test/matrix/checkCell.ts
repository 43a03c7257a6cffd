// Runs one cell of the matrix as a user would, on the command line: green tests, red ones, a fix, coverage.
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { sampleOf, type Files, type Sample, type SampleName } from './samples.ts';

export const steps = ['green', 'red', 'fix', 'coverage'] as const;
export type Step = (typeof steps)[number];
/** `yes`, `none` where the framework has no such thing, else what was wrong. */
export type CellResult = Readonly<Record<Step, string>>;

export interface CellPlace {
  readonly framework: SampleName;
  /** Folder with the packages of the cell. */
  readonly project: string;
  /** Absolute, of the command line. */
  readonly cli: string;
  /** Absolute, of the Node that runs the tool. */
  readonly toolNode: string;
  /** Folder of the `node` that runs the tests. */
  readonly nodeFolder: string;
  /** For caches, state and sandboxes. */
  readonly folder: string;
}

const runSchema = z.object({
  tests: z.array(
    z.object({
      file: z.string(),
      outcome: z.string(),
      failure: z
        .object({ message: z.string(), expected: z.string().optional(), actual: z.string().optional() })
        .optional(),
    }),
  ),
  coverage: z
    .object({ files: z.array(z.object({ file: z.string(), lines: z.object({ covered: z.number() }) })) })
    .optional(),
});
const fixSchema = z.object({
  fixes: z.array(z.object({ verdict: z.string().optional(), title: z.string() })),
});

/** One step after the other; a step that fails leaves the others their own start. */
export async function checkCell(place: CellPlace): Promise<CellResult> {
  const sample = sampleOf(place.framework);
  const result: Record<Step, string> = { green: '', red: '', fix: '', coverage: '' };
  for (const step of steps) {
    await layOut(place, sample);
    result[step] = await checks[step](place, sample).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
  }
  return result;
}

const checks: Readonly<Record<Step, (place: CellPlace, sample: Sample) => Promise<string>>> = {
  async green(place, { green, stale }) {
    const { code, stdout, stderr } = await testmend(place, ['run', '--json']);
    const seen = drawn(read(runSchema, stdout, stderr).tests);
    return verdict(
      [...seen, `exit ${code}`],
      [`passed ${green}`, `passed ${stale}`, `passed ${stale}`, 'exit 0'].toSorted(),
    );
  },

  async red(place, { renamed, wrong, green, stale }) {
    await write(place.project, { ...renamed, ...wrong });
    const { code, stdout, stderr } = await testmend(place, ['run', '--json']);
    const { tests } = read(runSchema, stdout, stderr);
    const outcomes = (file: string): string =>
      [...new Set(tests.filter((test) => test.file === file).map(({ outcome }) => outcome))].join();
    const [wrongFile = ''] = Object.keys(wrong);
    const told = tests.find(({ file }) => file === wrongFile)?.failure;
    const isTold = told?.message.includes('4 cents') === true || told?.expected?.includes('4 cents') === true;
    return verdict(
      [
        `${outcomes(green)}, ${outcomes(wrongFile)}, ${isTold ? 'told' : 'not told'}, exit ${code}`,
        /^(?:failed|errored)$/.test(outcomes(stale)) ? 'red' : outcomes(stale),
      ],
      ['passed, failed, told, exit 1', 'red'],
    );
  },

  async fix(place, { renamed, stale, start }) {
    await write(place.project, renamed);
    const { code, stdout, stderr } = await testmend(place, ['fix', '--apply', '--json']);
    const { fixes } = read(fixSchema, stdout, stderr);
    const verdicts = [...new Set(fixes.map((fix) => fix.verdict ?? 'none'))].join();
    const text = await readFile(path.join(place.project, stale), 'utf8');
    const wanted = start[stale]?.replaceAll('sumOf', 'totalOf').replaceAll('sum_of', 'total_of');
    const mended = text === wanted ? 'mended' : text === start[stale] ? 'as it was' : 'changed otherwise';
    return verdict([`${verdicts}, ${mended}, exit ${code}`], ['verified, mended, exit 0']);
  },

  async coverage(place, { coverage, source }) {
    if (!coverage) return 'none';
    const { stdout, stderr } = await testmend(place, ['run', '--coverage', '--json']);
    const files = read(runSchema, stdout, stderr).coverage?.files ?? [];
    const covered = files.find(({ file }) => file === source)?.lines.covered ?? 0;
    return covered > 0 ? 'yes' : `no line of ${source} among ${files.length} files`;
  },
};

const drawn = (tests: z.infer<typeof runSchema>['tests']): string[] =>
  tests
    .map(({ file, outcome, failure }) => `${outcome} ${file}${failure ? `: ${failure.message}` : ''}`)
    .toSorted();

function verdict(seen: readonly string[], wanted: readonly string[]): string {
  const text = seen.toSorted().join('; ');
  return text === wanted.toSorted().join('; ') ? 'yes' : text;
}

/** Throws with what the command said where its document is not what it should be. */
function read<Schema extends z.ZodType>(schema: Schema, stdout: string, stderr: string): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(stdout));
  } catch {
    throw new Error(`no such document: ${stdout.slice(0, 400)} ${stderr.slice(-1500)}`);
  }
}

/** The project as at the start, without anything that an earlier step left, in a git repository whose only commit holds it. */
async function layOut({ project, nodeFolder }: CellPlace, { start }: Sample): Promise<void> {
  const kept = new Set(['node_modules', '.venv', '.installed']);
  for (const name of await readdir(project))
    if (!kept.has(name)) await rm(path.join(project, name), { recursive: true, force: true });
  await write(project, { ...start, '.gitignore': `${start['.gitignore'] ?? ''}.installed\n` });
  const user = ['-c', 'user.name=Matrix', '-c', 'user.email=matrix@example.com'];
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'Start'],
  ])
    await end('git', [...user, ...args], { cwd: project, nodeFolder });
}

async function write(folder: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const testmend = (
  { cli, toolNode, project, folder, nodeFolder }: CellPlace,
  args: readonly string[],
): Promise<Ended> => end(toolNode, [cli, ...args], { cwd: project, nodeFolder, folder });

/** Runs the command with this `node` first on PATH; an own folder keeps its caches and state apart. */
export function end(
  command: string,
  args: readonly string[],
  {
    cwd,
    nodeFolder,
    folder,
  }: { readonly cwd: string; readonly nodeFolder: string; readonly folder?: string },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const own = folder !== undefined && {
      XDG_CACHE_HOME: path.join(folder, 'caches'),
      XDG_STATE_HOME: path.join(folder, 'state'),
      TESTMEND_SANDBOX_DIR: path.join(folder, 'sandboxes'),
    };
    const env = {
      ...process.env,
      PATH: `${nodeFolder}${path.delimiter}${process.env['PATH'] ?? ''}`,
      ...own,
    };
    const child = spawn(command, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text));
    const timer = setTimeout(() => child.kill('SIGINT'), 240_000);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...said });
    });
  });
}
