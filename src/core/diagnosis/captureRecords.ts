// Which recorded assertion belongs to which test: by project, file, name and place, and only what the test really failed with.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { isOfFramework, projectOfId, scopeOfId } from '../model/testId.ts';
import { realPathOr } from '../base/paths.ts';
import { partsAroundCut } from '../failures/shorten.ts';
import { stripAnsi } from '../failures/stripAnsi.ts';
import type { TestResult } from '../model/testResult.ts';
import { capturedAssertionSchema, type CapturedAssertion } from '../model/value.ts';

const recordSchema = z
  .object({
    file: z.string(),
    /** Which of several tests with one name, from 0; absent where only names are known. */
    occurrence: z.number().int().optional(),
    attempt: z.number().int().optional(),
    /** The project of the framework, where it has several. */
    project: z.string().optional(),
  })
  .and(capturedAssertionSchema);
export type CaptureRecord = z.infer<typeof recordSchema>;

/** Lines that do not parse are left out: a killed process may leave half of one. */
export function parseRecords(text: string): CaptureRecord[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [recordSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

/** What one run recorded, by the files that it ran: each test asks for its own, and there may be as many tests as records. */
export class RunRecords {
  readonly #root: string;
  readonly #all: readonly CaptureRecord[];
  /** By real path; '' has those without a file. */
  readonly #records = new Map<string, CaptureRecord[]>();
  readonly #tests = new Map<string, TestResult[]>();
  readonly #realPaths = new Map<string, string>();

  /** `tests` are all tests of the run, their files relative to the root. */
  constructor(records: readonly CaptureRecord[], tests: readonly TestResult[], root: string) {
    this.#root = root;
    this.#all = records;
    for (const record of records) add(this.#records, this.#placeOf(record), record);
    for (const test of tests) add(this.#tests, test.file, test);
  }

  /** Absolute, without links. */
  fileOf({ file }: TestResult): string {
    return this.#realPath(path.join(this.#root, file));
  }

  /** Those of a file, by its real path, in the order in which they were recorded. */
  in(file: string): readonly CaptureRecord[] {
    if (!this.#records.has('')) return this.#records.get(file) ?? [];
    return this.#all.filter((record) =>
      record.file === '' ? mentions(record.stack, file) : this.#placeOf(record) === file,
    );
  }

  /** The tests of the same file and project, itself among them. */
  siblingsOf(result: TestResult): readonly TestResult[] {
    return (this.#tests.get(result.file) ?? []).filter((test) => projectOf(test) === projectOf(result));
  }

  #placeOf({ file }: CaptureRecord): string {
    return file === '' ? '' : this.#realPath(file);
  }

  #realPath(file: string): string {
    const known = this.#realPaths.get(file) ?? realPathOr(file);
    this.#realPaths.set(file, known);
    return known;
  }
}

function add<T>(groups: Map<string, T[]>, key: string, one: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [one]);
  else group.push(one);
}

/** The records of one test that it really failed with (`rerun` says how), in order: of its last attempt, and each only once. */
export function thrownRecordsOf(
  result: TestResult,
  rerun: TestResult,
  records: RunRecords,
): readonly CapturedAssertion[] {
  const messages = failureMessages(rerun);
  return recordsOf(result, records).filter((record) =>
    messages.some((message) => sameMessage(message, record.message)),
  );
}

/** All records of one test in order, also of what it caught itself: of its last attempt, and each only once. */
export function recordsOf(result: TestResult, records: RunRecords): readonly CapturedAssertion[] {
  const file = records.fileOf(result);
  const siblings = records.siblingsOf(result);
  const own = records
    .in(file)
    .filter((record) => isOfProject(record, result) && isOfTest(record, result, siblings, file));
  const last = Math.max(0, ...own.map((record) => record.attempt ?? 0));
  const seen = new Set<string>();
  return own
    .filter((record) => (record.attempt ?? last) === last)
    .flatMap(
      ({ file: _file, occurrence: _occurrence, attempt: _attempt, project: _project, ...assertion }) => {
        const key = JSON.stringify({ ...assertion, stack: testFrames(assertion.stack, file) });
        if (seen.has(key)) return [];
        seen.add(key);
        return [assertion];
      },
    );
}

/** What the test failed with, as the framework told it. */
export function failureMessages({ failure, moreFailures }: TestResult): readonly string[] {
  return [failure, ...(moreFailures ?? [])].flatMap((one) => one?.message ?? []);
}

/** The part of an id before the file: `framework[/project]`. */
const projectOf = ({ id, file }: TestResult): string => scopeOfId(id, file);

function isOfProject({ project }: CaptureRecord, result: TestResult): boolean {
  const own = projectOfId(result.id, result.file);
  return project === undefined || own === undefined || project === own;
}

/** By name; among several tests of that name by their number, or else by their place in the file. */
function isOfTest(
  record: CaptureRecord,
  result: TestResult,
  siblings: readonly TestResult[],
  file: string,
): boolean {
  // Nobody told a name: certain only where the file is one test.
  if (record.testName === '') return siblings.length < 2;
  if (!isNamed(record.testName, result)) return false;
  const namesakes = siblings.filter((test) => isNamed(record.testName, test));
  if (namesakes.length < 2) return true;
  if (record.occurrence !== undefined) {
    const inOrder = namesakes
      .filter((test) => fullName(test) === fullName(result))
      .map((test) => test.id)
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    return inOrder[record.occurrence] === result.id;
  }
  const line = outermostLine(record.stack, file);
  if (line === undefined || result.line > line) return false;
  return !namesakes.some((test) => test.id !== result.id && test.line <= line && test.line >= result.line);
}

/** Frameworks join the names by " > " or, as jest and mocha, by a space; vitest may put the file's own name before. */
function isNamed(testName: string, test: TestResult): boolean {
  const name = fullName(test);
  return (
    testName === name ||
    testName.endsWith(` > ${name}`) ||
    testName === [...test.suites, test.title].join(' ') ||
    // As `go test` prints it.
    (isOfFramework(test.id, 'goTest') && testName === [...test.suites, test.title].join('/'))
  );
}

function fullName(test: TestResult): string {
  return [...test.suites, test.title].join(' > ');
}

/** The line of the test file from which the others were called. */
function outermostLine(stack: string, file: string): number | undefined {
  const places = testFrames(stack, file)
    .split('\n')
    .flatMap((frame) => /:(\d+):\d+\)?\s*$/.exec(frame)?.[1] ?? []);
  const last = places.at(-1);
  return last === undefined ? undefined : Number(last);
}

function mentions(stack: string, file: string): boolean {
  return stack.includes(file) || stack.includes(pathToFileURL(file).href);
}

function testFrames(stack: string, file: string): string {
  return stack
    .split('\n')
    .filter((line) => mentions(line, file))
    .join('\n');
}

/** A framework may put words around a message, indent it or cut it; colours differ. */
export function sameMessage(reported: string, recorded: string): boolean {
  const b = plain(recorded);
  if (b === '') return false;
  // What stands before a message, as the name of the error, moves the cut.
  const parts = partsAroundCut(reported)?.map((part) => plain(part).slice(-10_000));
  if (parts !== undefined) return parts.every((part) => b.includes(part));
  const a = plain(reported);
  return a.includes(b) || b.includes(a);
}

/** Addresses of objects are others in each run. */
function plain(text: string): string {
  return stripAnsi(text)
    .replace(/\bat 0x[\da-f]+/gi, 'at 0x')
    .replace(/\s+/g, ' ')
    .trim();
}
