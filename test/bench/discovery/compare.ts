// Compares what discovery finds with what a runner lists, and says of each test whether its text could have told it.
import { canPrint } from './titlePattern.ts';
import type { RunnerList, RunnerTest } from './runnerLists.ts';
import type { WrittenTest } from './writtenTests.ts';

export interface OurTest {
  readonly file: string;
  readonly project?: string;
  /** Suites, then the title. */
  readonly names: readonly string[];
  readonly line: number;
  readonly endLine: number;
  readonly isTemplate: boolean;
}

/** What became of one test of the runner. */
export interface Verdict {
  readonly test: RunnerTest;
  /** The test of ours that shows it: itself by all its names, or the template that it is a case of. */
  readonly shown?: OurTest;
  readonly byName: boolean;
  /** Why its names are not in the text; absent when they are, or when nothing explains them: it counts as knowable then. */
  readonly unknowable?: Reason;
}

export interface Reason {
  readonly why: string;
  /** The call or function that makes the test, the same for all that it makes. */
  readonly place: string;
}

export interface Comparison {
  readonly verdicts: readonly Verdict[];
  /** Ours that the runner does not list. */
  readonly extra: readonly OurTest[];
  /** Ours in files that the runner does list. */
  readonly ours: number;
  readonly leftOut: RunnerList['leftOut'];
}

export interface Written {
  /** The calls of runner functions in a file; undefined where the file is not read for them (Python, Go). */
  in(file: string): readonly WrittenTest[] | undefined;
  /** Such calls in the files that it imports, with their file. */
  importedBy(file: string): readonly (WrittenTest & { readonly file: string })[];
}

/**
 * A test of the runner counts as statically knowable unless its text explains why not: a call of a runner function whose
 * title can print its name and is computed, stands in a table, in a loop, or in a function that others call.
 */
export function compare(list: RunnerList, ours: readonly OurTest[], written: Written): Comparison {
  const leftOut = new Set(list.leftOut.map(({ file }) => file));
  const counted = ours.filter(({ file }) => !leftOut.has(file));
  const tellsProjects = list.tests.some(({ project }) => Boolean(project));
  const keyOf = ({ file, project }: OurTest | RunnerTest): string =>
    tellsProjects ? `${project ?? ''}\0${file}` : file;
  const ownByKey = groupBy(counted, keyOf);
  const used = new Set<OurTest>();
  const verdicts: Verdict[] = [];
  for (const [key, tests] of groupBy(list.tests, keyOf))
    verdicts.push(...compareFile(tests, ownByKey.get(key) ?? [], written, used));
  return {
    verdicts,
    extra: counted.filter((one) => !used.has(one)),
    ours: counted.length,
    leftOut: list.leftOut,
  };
}

function compareFile(
  tests: readonly RunnerTest[],
  ours: readonly OurTest[],
  written: Written,
  used: Set<OurTest>,
): readonly Verdict[] {
  const pairs = pairByName(tests, ours);
  for (const own of pairs.values()) used.add(own);
  const file = tests[0]?.file ?? '';
  const calls = written.in(file);
  // Each call without a reason against it makes one test knowable.
  const literal = groupBy(calls?.filter(({ why }) => why === undefined) ?? [], ({ names }) => joined(names));
  return tests.map((test) => {
    const own = pairs.get(test);
    const unknowable = literal.get(joined(test.names))?.pop() ? undefined : reasonFor(test, calls, written);
    const shown = own ?? ours.find((one) => isCaseOf(test, one));
    if (shown) used.add(shown);
    return {
      test,
      byName: own !== undefined,
      ...(shown && { shown }),
      ...(unknowable !== undefined && { unknowable }),
    };
  });
}

/** Tests of the same names belong together, those on the same line first. */
function pairByName(
  tests: readonly RunnerTest[],
  ours: readonly OurTest[],
): ReadonlyMap<RunnerTest, OurTest> {
  const pairs = new Map<RunnerTest, OurTest>();
  const byName = groupBy(ours, ({ names }) => joined(names));
  const take = (test: RunnerTest, fits: (own: OurTest) => boolean): void => {
    const left = byName.get(joined(test.names)) ?? [];
    const index = pairs.has(test) ? -1 : left.findIndex(fits);
    const [own] = index < 0 ? [] : left.splice(index, 1);
    if (own) pairs.set(test, own);
  };
  for (const test of tests) take(test, ({ line }) => line === test.line);
  for (const test of tests) take(test, () => true);
  return pairs;
}

function reasonFor(
  test: RunnerTest,
  calls: readonly WrittenTest[] | undefined,
  written: Written,
): Reason | undefined {
  const { file, names, template } = test;
  if (template !== undefined)
    return { why: 'values make its cases', place: joined([file, ...names.slice(0, -1), template]) };
  if (calls === undefined) return undefined;
  const own = calls.find((call) => call.why !== undefined && isWrittenAt(test, call));
  if (own?.why !== undefined) return { why: own.why, place: joined([file, `${own.line}`, ...own.names]) };
  const imported = written.importedBy(file);
  const other =
    imported.find((call) => joined(call.names) === joined(names.slice(-call.names.length))) ??
    imported.find((call) => endsWith(names, call.names));
  if (!other) return undefined;
  const place = `${other.file}:${other.line}`;
  return { why: `${place} declares it, which the file imports`, place };
}

function isWrittenAt(test: RunnerTest, { names, line, endLine }: WrittenTest): boolean {
  return isWithin(test.line, line, endLine) && endsWith(test.names, names);
}

function isCaseOf(test: RunnerTest, { names, line, endLine, isTemplate }: OurTest): boolean {
  if (test.template !== undefined)
    return joined([...test.names.slice(0, -1), test.template]) === joined(names);
  return isTemplate && isWithin(test.line, line, endLine) && endsWith(test.names, names);
}

/** A runner that tells no line gives no case to a template: what a title can print is too much to go by alone. */
function isWithin(line: number | undefined, first: number, last: number): boolean {
  return line !== undefined && first <= line && line <= last;
}

/** What is written in a function has the names that are written there, below those of the suites in which it is called. */
function endsWith(names: readonly string[], written: readonly string[]): boolean {
  const tail = names.slice(names.length - written.length);
  return names.length >= written.length && written.every((one, index) => canPrint(one, tail[index] ?? ''));
}

function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

function joined(names: readonly string[]): string {
  return names.join('\0');
}

/** The figures of a comparison; shares are between 0 and 1, and NaN of nothing. */
export interface Figures {
  readonly tests: number;
  readonly ours: number;
  readonly precision: number;
  /** Of the tests that are shown by their names, those with the line that the runner tells. */
  readonly lines: number;
  /** Whose names are in the text. */
  readonly knowable: number;
  /** Of the knowable, those that are shown by all their names. */
  readonly found: number;
  /** The calls and functions that make the others. */
  readonly places: number;
  /** Of these, those of which every test is shown: at their template, or by its names. */
  readonly placesShown: number;
  /** `found` and `placesShown` of `knowable` and `places`. */
  readonly recall: number;
}

export function figuresOf({ verdicts, extra, ours }: Comparison): Figures {
  const knowable = verdicts.filter(({ unknowable }) => unknowable === undefined);
  const found = knowable.filter(({ byName }) => byName).length;
  const places = [...groupBy(verdicts, ({ unknowable }) => unknowable?.place ?? '')].filter(
    ([place]) => place !== '',
  );
  const placesShown = places.filter(([, made]) => made.every(({ shown }) => shown !== undefined)).length;
  const withLine = verdicts.filter(
    ({ byName, test }) => test.line !== undefined && (byName || test.template !== undefined),
  );
  return {
    tests: verdicts.length,
    ours,
    precision: (ours - extra.length) / ours,
    lines: withLine.filter(({ shown, test }) => shown?.line === test.line).length / withLine.length,
    knowable: knowable.length,
    found,
    places: places.length,
    placesShown,
    recall: (found + placesShown) / (knowable.length + places.length),
  };
}
