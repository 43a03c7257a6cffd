// The last result of every test of a root, kept between starts: after a reload or a crash the editor still knows what failed.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { caseNumberOf, fileIdOf } from '../model/testId.ts';
import { hashText } from '../base/hash.ts';
import { outcomeSchema, testResultSchema, type Failure, type TestResult } from '../model/testResult.ts';
import { Queue } from './queue.ts';

const keptTestSchema = z.object({
  /** When its run started, ms since 1970: what changed later is newer than the result. */
  at: z.number(),
  outcome: outcomeSchema,
  durationMs: z.number(),
  line: z.number().int(),
  /** Of a case, whose title only a run knows. */
  title: z.string().optional(),
  suites: z.array(z.string()).optional(),
  /** Of a test that did not pass: all that was told about it. */
  result: testResultSchema.optional(),
});
type KeptTest = z.infer<typeof keptTestSchema>;

const keptFileSchema = z.object({ file: z.string(), tests: z.record(z.string(), keptTestSchema) });
type KeptFile = z.infer<typeof keptFileSchema>;

/** By the id of the file; the tests in it by the rest of their ids. */
const keptSchema = z.object({ files: z.record(z.string(), keptFileSchema) });
type Kept = Record<string, KeptFile>;

interface LastResult {
  readonly at: number;
  readonly fileId: string;
  /** A passed test that discovery finds by itself has neither title nor suites. */
  readonly result: TestResult;
}

/** What a run has to say about the tests of a root. */
interface FinishedRun {
  /** ms since 1970. */
  readonly startedAt: number;
  readonly results: readonly TestResult[];
  /** True for a file that ran as a whole: tests of it that did not occur are gone. */
  readonly isWhole: (fileId: string) => boolean;
}

/** Raise it when the content of the files changes its meaning. */
const version = 1;
/** Test files are spread over so many files, so that a run of one of them does not read and write those of all the others. */
const shards = 64;
/** Of a failure's texts and stack no more is kept. */
const maxText = 10_000;
const maxFrames = 20;
const maxFailures = 5;

export class LastResults {
  readonly #folder: string;
  readonly #root: string;
  readonly #writing = new Queue();

  constructor(root: string, cacheFolder: string) {
    this.#root = root;
    this.#folder = path.join(cacheFolder, `results-${version}`);
  }

  /**
   * Adds a run. What is known is read, merged and replaced, so that the newest result of each test stays, whichever window it
   * came from; a folder that cannot be written to is no failure, only a forgotten result.
   */
  add(run: FinishedRun): Promise<void> {
    const parts = new Map<string, TestResult[]>();
    for (const result of run.results) {
      const shard = shardOf(fileIdOf(result.id));
      const part = parts.get(shard);
      if (part === undefined) parts.set(shard, [result]);
      else part.push(result);
    }
    return this.#writing.run(async () => {
      for (const [shard, results] of parts)
        await this.#write(shard, merge(await this.#read(shard), { ...run, results })).catch(() => undefined);
    });
  }

  /** Everything known of test files that still exist, what did not pass first, then the newest. */
  async all(): Promise<readonly LastResult[]> {
    await this.settled();
    const found: LastResult[] = [];
    for (const name of await readdir(this.#folder).catch(() => [])) {
      if (!name.endsWith('.json')) continue;
      for (const [fileId, { file, tests }] of Object.entries(await this.#read(name))) {
        if (!existsSync(path.join(this.#root, file))) continue;
        for (const [rest, test] of Object.entries(tests)) {
          const { at, outcome, durationMs, line, title = '', suites = [] } = test;
          const plain = { id: fileId + rest, file, line, title, suites, outcome, durationMs };
          found.push({ at, fileId, result: test.result ?? plain });
        }
      }
    }
    return found.sort((a, b) => Number(isRed(b.result)) - Number(isRed(a.result)) || b.at - a.at);
  }

  /** Resolves when everything added is on the disk. */
  settled(): Promise<void> {
    return this.#writing.run(() => Promise.resolve());
  }

  async #read(shard: string): Promise<Kept> {
    try {
      const text = await readFile(path.join(this.#folder, shard), 'utf8');
      return keptSchema.parse(JSON.parse(text)).files;
    } catch {
      return {};
    }
  }

  async #write(shard: string, files: Kept): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const file = path.join(this.#folder, shard);
    const draft = `${file}.${randomUUID()}`;
    try {
      await writeFile(draft, JSON.stringify({ files }));
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}

function shardOf(fileId: string): string {
  return `${Number.parseInt(hashText(fileId).slice(0, 4), 16) % shards}.json`;
}

function merge(kept: Kept, { startedAt, results, isWhole }: FinishedRun): Kept {
  const files = new Map(Object.entries(kept));
  const cleared = new Set<string>();
  for (const result of results) {
    const fileId = fileIdOf(result.id);
    const known = files.get(fileId);
    // A file that did not load says nothing new about the tests in it, but they are not what they were either.
    const anew = !cleared.has(fileId) && (isWhole(fileId) || result.id === fileId);
    if (anew) cleared.add(fileId);
    const tests = Object.entries(known?.tests ?? {}).filter(([, { at }]) => !anew || at > startedAt);
    const entry =
      anew || known === undefined ? { file: result.file, tests: Object.fromEntries(tests) } : known;
    files.set(fileId, entry);
    const rest = result.id.slice(fileId.length);
    if ((entry.tests[rest]?.at ?? 0) > startedAt) continue;
    entry.tests[rest] = keptTest(result, startedAt);
    // Whoever loads can no longer be the file that did not.
    if (rest !== '' && (entry.tests['']?.at ?? startedAt) < startedAt) delete entry.tests[''];
  }
  return Object.fromEntries(files);
}

function keptTest(result: TestResult, at: number): KeptTest {
  const { outcome, line, title, suites } = result;
  const isCase = caseNumberOf(result.id) !== undefined;
  return {
    at,
    outcome,
    line,
    durationMs: Math.round(result.durationMs),
    ...(isCase ? { title, suites } : {}),
    ...(isRed(result) ? { result: short(result) } : {}),
  };
}

function short({ output: _output, failure, moreFailures, ...result }: TestResult): TestResult {
  return {
    ...result,
    ...(failure === undefined ? {} : { failure: shortFailure(failure) }),
    ...(moreFailures === undefined
      ? {}
      : { moreFailures: moreFailures.slice(0, maxFailures).map(shortFailure) }),
  };
}

function shortFailure({ message, expected, actual, stack, ...failure }: Failure): Failure {
  return {
    ...failure,
    message: message.slice(0, maxText),
    ...(expected === undefined ? {} : { expected: expected.slice(0, maxText) }),
    ...(actual === undefined ? {} : { actual: actual.slice(0, maxText) }),
    stack: stack.slice(0, maxFrames),
  };
}

const isRed = ({ outcome }: TestResult): boolean => outcome === 'failed' || outcome === 'errored';

const configFile =
  /^(?:package(?:-lock)?\.json|yarn\.lock|pnpm-lock\.yaml|[jt]sconfig.*\.json|\.mocharc.*|\.babelrc.*|.*\.config\.[cm]?[jt]s|.*\.workspace\.[cm]?[jt]s)$/;

/** When one of the files was changed, moved or made, ms since 1970; a file that is gone changed just now. */
export async function newestChange(files: Iterable<string>): Promise<number> {
  const times = await Promise.all(
    [...files].map((file) =>
      stat(file).then(
        ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs),
        () => Infinity,
      ),
    ),
  );
  return Math.max(0, ...times);
}

/** Files of a folder that decide how its tests run, absolute. */
export async function configFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => configFile.test(name)).map((name) => path.join(folder, name));
}
