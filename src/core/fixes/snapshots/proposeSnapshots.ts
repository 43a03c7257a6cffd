// Lets the framework update the snapshots of failing tests, and proposes of that only what each test needs to pass.
import { hashText } from '../../base/hash.ts';
import type { Stop } from '../../diagnosis/valueStops.ts';
import { fileEdit, type FileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { FixContext } from '../fixProvider.ts';
import { expectationOf, nameOf, titleOf } from './shownSnapshot.ts';
import { snapshotChanges, type SnapshotChange } from './snapshotChanges.ts';
import { failsOtherwise, snapshotFailureOf } from './snapshotFailure.ts';
import { ownersOf } from './snapshotOwners.ts';
import { snapshotStops } from './snapshotStops.ts';

const providerId = 'snapshot';

/** One fix for each failing test, tests that share a snapshot together; refusals are told to the context. */
export async function proposeSnapshots(context: FixContext): Promise<readonly Fix[]> {
  const tests: TestResult[] = [];
  for (const { result } of context.failing) {
    const failure = snapshotFailureOf(result);
    if (failure?.kind === 'mismatch') tests.push(result);
    else if (failure !== undefined) context.refuse?.(result.id, failure.reason);
  }
  if (tests.length === 0 || context.updateSnapshots === undefined) return [];
  const [first, again] = await context.updateSnapshots(tests, 2);
  if (first === undefined || again === undefined) return [];
  const changes = await snapshotChanges(first, context);
  const owned = await assign(changes, tests, context);
  const second = new Map((await snapshotChanges(again, context)).map((change) => [change.key, change.new]));
  const ready = tests.filter((test) => {
    const own = owned.get(test) ?? [];
    const after = first.results.get(test.id);
    const reason = refusalOf(own, after, context) ?? unstable(own, second);
    if (reason !== undefined) context.refuse?.(test.id, reason);
    return reason === undefined;
  });
  return together(ready, owned).map(fixOf);
}

/** The changes of each test; where names and places do not tell, each test is updated alone. */
async function assign(
  changes: readonly SnapshotChange[],
  tests: readonly TestResult[],
  context: FixContext,
): Promise<ReadonlyMap<TestResult, readonly SnapshotChange[]>> {
  const texts = new Map<string, string>();
  for (const { file } of tests) if (!texts.has(file)) texts.set(file, (await context.readText(file)) ?? '');
  const owned = new Map<TestResult, SnapshotChange[]>(tests.map((test) => [test, []]));
  const open: SnapshotChange[] = [];
  for (const change of changes) {
    const owners = ownersOf(change, tests, texts);
    for (const test of owners) owned.get(test)?.push(change);
    if (owners.length === 0) open.push(change);
  }
  if (open.length === 0) return owned;
  const candidates = tests.filter(
    (test) => owned.get(test)?.length === 0 || /FileSnapshot/.test(texts.get(test.file) ?? ''),
  );
  if (candidates.length > updatesAlone) return owned;
  for (const test of candidates) {
    const [alone] = (await context.updateSnapshots?.([test], 1)) ?? [];
    const keys = new Set(alone && (await snapshotChanges(alone, context)).map(({ key }) => key));
    owned.get(test)?.push(...open.filter(({ key }) => keys.has(key)));
  }
  return owned;
}

/** At most so many tests are run one by one. */
const updatesAlone = 24;

/** Why no update of these snapshots mends the test; undefined when one does. */
function refusalOf(
  own: readonly SnapshotChange[],
  after: TestResult | undefined,
  context: FixContext,
): string | undefined {
  const fresh = own.find(({ old }) => old === undefined);
  if (fresh !== undefined)
    return `Its snapshot (${nameOf(fresh)}) is not stored yet: check the actual value, then run the test framework itself to store it.`;
  if (after === undefined) return 'The test did not run when its snapshots were updated.';
  if (after.outcome !== 'passed')
    return after.failure === undefined
      ? 'The test also fails with updated snapshots.'
      : failsOtherwise(after.failure);
  if (own.length === 0)
    return "The test framework's own update changes no snapshot that clearly belongs to this test.";
  const foreign = own.find(({ file }) => !context.isTestFile(file));
  if (foreign !== undefined) return `The snapshot is stored in ${foreign.file}, which is not a test file.`;
  if (own.some((change) => change.new.includes(context.root)))
    return 'The new snapshot contains the folder that the tests run in, which differs from machine to machine.';
  return undefined;
}

function unstable(own: readonly SnapshotChange[], second: ReadonlyMap<string, string>): string | undefined {
  const differing = own.find((change) => second.get(change.key) !== change.new);
  if (differing === undefined) return undefined;
  return `Its snapshot (${nameOf(differing)}) is not stable: two runs produced different texts.`;
}

interface Group {
  readonly tests: readonly TestResult[];
  readonly changes: readonly SnapshotChange[];
}

/** Tests that share a changed snapshot, directly or through others, can only pass together. */
function together(
  tests: readonly TestResult[],
  owned: ReadonlyMap<TestResult, readonly SnapshotChange[]>,
): readonly Group[] {
  let groups: Group[] = [];
  for (const test of tests) {
    const changes = owned.get(test) ?? [];
    const shares = (group: Group): boolean => group.changes.some((change) => changes.includes(change));
    const joined = groups.filter(shares);
    groups = [
      ...groups.filter((group) => !shares(group)),
      {
        tests: [...joined.flatMap((group) => group.tests), test],
        changes: [...new Set([...joined.flatMap((group) => group.changes), ...changes])],
      },
    ];
  }
  return groups;
}

function fixOf({ tests, changes }: Group): Fix {
  const edits = editsOf(changes);
  const stops: Stop[] = changes.flatMap(({ old = '', new: now }) => snapshotStops(old, now));
  const isSingle = changes.length === 1;
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: titleOf(changes),
    grade: isSingle ? 'surgical' : 'conservative',
    trust: stops.length > 0 ? 'propose' : 'oracle',
    edits,
    failures: tests.map(({ id }) => id),
    provider: providerId,
    confidence: stops.length > 0 ? 0.25 : isSingle ? 0.8 : 0.7,
    evidence: [
      `The test framework's own update wrote ${isSingle ? 'this text' : 'these texts'}, the same in two runs; all other snapshots stay unchanged.`,
      ...(isSingle
        ? [`The snapshot is ${placeOf(changes)}.`]
        : [`The test compares ${changes.length} snapshots that changed: ${placeOf(changes)}.`]),
    ],
    expectation: expectationOf(changes),
    ...(stops.length > 0 && { stops }),
  };
}

const placeOf = (changes: readonly SnapshotChange[]): string =>
  changes
    .map((change) => (change.place.kind === 'file' ? change.file : `${nameOf(change)} in ${change.file}`))
    .join(', ');

function editsOf(changes: readonly SnapshotChange[]): FileEdit[] {
  const byFile = new Map<string, SnapshotChange[]>();
  for (const change of changes) byFile.set(change.file, [...(byFile.get(change.file) ?? []), change]);
  return [...byFile].map(([file, own]) =>
    fileEdit(
      file,
      own[0]?.text ?? '',
      own.map(({ edit }) => edit),
    ),
  );
}
