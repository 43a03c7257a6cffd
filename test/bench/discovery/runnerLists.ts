// What a project's own runner lists, without or (node:test) with a run: the truth that discovery is compared with.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { toRelativePosix } from '../../../src/core/base/paths.ts';
import { findGoTests } from './goFunctions.ts';

const runnerTestSchema = z.object({
  /** Relative to the project, POSIX separators. */
  file: z.string(),
  /** Where the runner has several projects. */
  project: z.string().optional(),
  /** Suites, then the title. */
  names: z.array(z.string()),
  /** 1-based; absent where the runner does not know it. */
  line: z.number().optional(),
  /** Title of the function that values made this case of (pytest). */
  template: z.string().optional(),
});
export type RunnerTest = z.infer<typeof runnerTestSchema>;

const listSchema = z.object({
  tests: z.array(runnerTestSchema),
  /** Files that the runner could not load, or that skip themselves. */
  leftOut: z.array(z.object({ file: z.string(), why: z.string() })),
});
export type RunnerList = z.infer<typeof listSchema>;

const listers = path.join(import.meta.dirname, 'listers');
/** Matches the name of no test. */
const noTest = '^no test is called so$';

interface Listing {
  readonly root: string;
  /** Words that the project's own script gives to its runner. */
  readonly words: readonly string[];
  /** A file that does not exist yet. */
  readonly output: string;
}

const ways: Readonly<Record<string, (listing: Listing) => Promise<unknown>>> = {
  async vitest({ root, words, output }) {
    await run(process.execPath, [path.join(listers, 'vitestLister.mjs'), ...words], root, output);
    return readJson(output);
  },
  async jest({ root, words, output }) {
    const options = ['--json', `--outputFile=${output}`, '--testLocationInResults', '--coverage=false'];
    const bin = binOf('jest', root);
    await run(process.execPath, [bin, ...options, `--testNamePattern=${noTest}`, ...words], root, output);
    return fromJest(await readJson(output));
  },
  async mocha({ root, words, output }) {
    const lister = path.join(listers, 'mochaLister.cjs');
    const options = ['--dry-run', '--require', lister, ...words, '--reporter', lister];
    await run(process.execPath, [binOf('mocha', root), ...options], root, output);
    return readJson(output);
  },
  async pytest({ root, words, output }) {
    const venv = path.join(root, '.venv/bin/python');
    const options = ['-m', 'pytest', '--collect-only', '-q', '-p', 'testmend_pytest_lister', ...words];
    await run(existsSync(venv) ? venv : 'python3', options, root, output);
    return readJson(output);
  },
  async nodeTest({ root, words, output }) {
    const options = [`--test-reporter=${path.join(listers, 'nodeTestLister.mjs')}`];
    const { stdout } = await run(
      process.execPath,
      ['--test', ...options, '--test-reporter-destination=stdout', ...(await expanded(words, root))],
      root,
      output,
    );
    const tests = stdout.split('\n').filter(Boolean);
    return { tests: tests.map((line): unknown => JSON.parse(line)), leftOut: [] };
  },
  async goTest({ root, words, output }) {
    const { stdout } = await run('go', ['test', '-list', '.', '-json', ...words, './...'], root, output);
    return { tests: await findGoTests(stdout, root), leftOut: [] };
  },
};

/** Throws with what the runner printed when it lists nothing, and where the framework has no such list. */
export async function runnerList(
  framework: string,
  folder: string,
  words: readonly string[],
): Promise<RunnerList> {
  const way = ways[framework];
  if (!way) throw new Error(`Nothing is known of how ${framework} lists its tests.`);
  const root = await realpath(folder);
  const parent = await mkdtemp(path.join(os.tmpdir(), 'bench-discovery-'));
  try {
    const list = listSchema.parse(await way({ root, words, output: path.join(parent, 'list.json') }));
    const relative = <Place extends { readonly file: string }>(place: Place): Place => ({
      ...place,
      file: toRelativePosix(root, path.resolve(root, place.file)),
    });
    return { tests: list.tests.map(relative), leftOut: list.leftOut.map(relative) };
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

const jestSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          location: z.object({ line: z.number() }).nullish(),
        }),
      ),
    }),
  ),
});

function fromJest(json: unknown): RunnerList {
  const tests: RunnerTest[] = [];
  const leftOut: RunnerList['leftOut'] = [];
  for (const { name: file, message, assertionResults } of jestSchema.parse(json).testResults) {
    if (assertionResults.length === 0) leftOut.push({ file, why: message.slice(0, 200) });
    for (const { ancestorTitles, title, location } of assertionResults)
      tests.push({ file, names: [...ancestorTitles, title], ...(location && { line: location.line }) });
  }
  return { tests, leftOut };
}

/** Absolute path of the program of a package. */
function binOf(name: string, root: string): string {
  const manifest = createRequire(path.join(root, 'package.json')).resolve(`${name}/package.json`);
  const { bin } = z
    .object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })
    .parse(createRequire(import.meta.url)(manifest));
  const file = typeof bin === 'string' ? bin : bin[name];
  if (file === undefined) throw new Error(`${manifest} names no program ${name}.`);
  return path.join(path.dirname(manifest), file);
}

/** `test/*.ts` as the shell would: `*` in the last part only. */
async function expanded(words: readonly string[], root: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const word of words) {
    const [, folder, begin, end] = /^([^*]*\/)([^*/]*)\*([^*/]*)$/.exec(word) ?? [];
    if (folder === undefined || begin === undefined || end === undefined) files.push(word);
    else
      for (const name of (await readdir(path.join(root, folder))).sort())
        if (name.startsWith(begin) && name.endsWith(end)) files.push(folder + name);
  }
  return files;
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/** Its exit code says nothing: a list with files that do not load is still a list. Rejects when there is none at all. */
function run(
  program: string,
  args: readonly string[],
  cwd: string,
  output: string,
): Promise<{ readonly stdout: string }> {
  const { NODE_OPTIONS, ...inherited } = process.env;
  void NODE_OPTIONS;
  const env = { ...inherited, CI: 'true', LISTED_TESTS_FILE: output, PYTHONPATH: listers };
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env, maxBuffer: 1 << 28, timeout: 900_000 }, (error, stdout, stderr) => {
      if (error && stdout === '' && !existsSync(output))
        reject(new Error(`${program} ${args.join(' ')}\n${stderr.slice(-2000)}`, { cause: error }));
      else if (error && !existsSync(output) && !stdout.startsWith('{'))
        reject(new Error(`${program} ${args.join(' ')}\n${stdout.slice(-1500)}\n${stderr.slice(-1500)}`));
      else resolve({ stdout });
    });
  });
}
