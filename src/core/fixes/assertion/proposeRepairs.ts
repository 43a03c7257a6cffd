// Makes fixes out of repaired assertions: the frame that every fixer of changed expectations shares.
import { hashText } from '../../base/hash.ts';
import type { Stop } from '../../diagnosis/valueStops.ts';
import { fileEdit, type FileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import { firstOpaque } from '../../model/value.ts';
import { lineOf, parseTree, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { addFix } from '../sharedEdits.ts';
import { expectationOf, titleOf } from './fixTitle.ts';
import { isRefusal, refuse, type LiteralChange, type Refusal } from './literalChange.ts';
import { createProbing } from './probing.ts';
import type { Repair, Repairer, RepairQuestion, Trace } from './repair.ts';
import { stackPlaces } from './stackPlaces.ts';
import { isUnguarded } from './unguardedAssertion.ts';

/** One fix for each failing test it can mend; tests that need the same edit share one. Refusals are told to the context. */
export async function proposeRepairs(context: FixContext, repairer: Repairer): Promise<readonly Fix[]> {
  const trees = new Map<string, Promise<SourceTree | undefined>>();
  const readTree = (file: string): Promise<SourceTree | undefined> => {
    const known =
      trees.get(file) ??
      context.readText(file).then((text) => (text === undefined ? undefined : parseTree(file, text)));
    trees.set(file, known);
    return known;
  };
  const probing = createProbing(context, readTree);
  const answers = new Map<FailingTest, Fix | Refusal>();
  const own = context.failing.filter((test) => test.captured.some((captured) => repairer.handles(captured)));
  const answer = async (tests: readonly FailingTest[]): Promise<void> => {
    for (const test of tests)
      if (!context.signal.aborted)
        answers.set(test, await fixOf(test, { context, readTree, probing }, repairer));
  };
  await answer(own);
  // What trials tell of one part of a value may lead to another part.
  for (let count = 0; count < 3 && (await probing.ask()); count++)
    await answer(own.filter((test) => isRefusal(answers.get(test) ?? nothing)));
  const fixes = new Map<string, Fix>();
  for (const [test, result] of answers) {
    if (isRefusal(result)) {
      context.refuse?.(test.result.id, result.reason);
      continue;
    }
    addFix(fixes, result);
  }
  return raiseRepeated([...fixes.values()]);
}

const nothing = {};

async function fixOf(
  test: FailingTest,
  tools: Pick<RepairQuestion, 'context' | 'readTree' | 'probing'>,
  repairer: Repairer,
): Promise<Fix | Refusal> {
  const { context, readTree } = tools;
  const repairs: Repair[] = [];
  for (const [index, captured] of test.captured.entries()) {
    // With the first the test failed; what follows counts only where nothing could have caught it, or tried it again.
    if (index > 0 && !(await isUnguarded(stackPlaces(captured.stack, context.root), readTree))) continue;
    if (!repairer.handles(captured))
      return refuse('Another assertion of the test fails for a different reason.');
    const repair = await repairer.repairOf({ captured, test, ...tools });
    if (isRefusal(repair)) return repair;
    repairs.push(repair);
  }
  const changes = distinct(repairs.flatMap((repair) => repair.changes));
  if (changes.length === 0) {
    const unsaid = test.captured.map(({ actual }) => firstOpaque(actual)).find(Boolean);
    return refuse(
      unsaid === undefined
        ? 'The source already expects the actual value.'
        : `The difference cannot be written as a literal: ${unsaid}.`,
    );
  }
  const foreign = changes.find((change) => !context.isTestFile(change.tree.file));
  if (foreign !== undefined)
    return refuse(`The expected value comes from ${foreign.tree.file}, which is not a test file.`);
  const bound = changes.find(({ newText }) => newText.includes(context.root.replaceAll('\\', '/')));
  if (bound !== undefined)
    return refuse(
      'The new value contains the folder in which the tests run, which differs from machine to machine.',
    );
  const edits = editsOf(changes);
  if (edits === undefined) return refuse('Two assertions of the test need different values for one literal.');
  const stops = distinctStops([
    ...repairs.flatMap((repair) => repair.stops),
    ...repairs.flatMap((repair) => repair.changes.flatMap((change) => change.stops ?? [])),
  ]);
  const traces = repairs.flatMap((repair) => repair.traces);
  return {
    id: hashText(JSON.stringify([repairer.id, edits])),
    title: titleOf(changes),
    grade: changes.length === 1 && traces.length === 0 ? 'surgical' : 'conservative',
    trust: stops.length > 0 ? 'propose' : 'oracle',
    edits,
    failures: [test.result.id],
    provider: repairer.id,
    confidence: confidenceOf(changes, traces, stops),
    evidence: [
      ...new Set([...repairs.flatMap((repair) => repair.evidence), ...traces.flatMap(traceEvidence)]),
    ],
    expectation: expectationOf(changes),
    ...(traces.some(({ by }) => by === 'trial') && { byTrial: true as const }),
    ...(stops.length > 0 && { stops: [...stops] }),
  };
}

const distinctStops = (stops: readonly Stop[]): Stop[] => [
  ...new Map(stops.map((stop) => [stop.reason, stop])).values(),
];

function distinct(changes: readonly LiteralChange[]): LiteralChange[] {
  const key = ({ tree, start, end, newText }: LiteralChange): string =>
    JSON.stringify([tree.file, start, end, newText]);
  return [...new Map(changes.map((change) => [key(change), change])).values()];
}

/** Undefined when two changes touch the same text. */
function editsOf(changes: readonly LiteralChange[]): FileEdit[] | undefined {
  const byFile = groupBy(changes, (change) => change.tree);
  const edits: FileEdit[] = [];
  for (const [tree, group] of byFile) {
    const edit = fileEdit(
      tree.file,
      tree.text,
      group.map(({ start, end, newText }) => ({ start, end, newText })),
    );
    const overlaps = edit.changes.some((change, index) => {
      const next = edit.changes[index + 1];
      return (
        next !== undefined &&
        (next.start < change.end || (next.start === change.start && next.end === change.end))
      );
    });
    if (overlaps) return undefined;
    edits.push(edit);
  }
  return edits;
}

function confidenceOf(
  changes: readonly LiteralChange[],
  traces: readonly Trace[],
  stops: readonly Stop[],
): number {
  if (stops.length > 0) return 0.25;
  const byTrace = { only: 0.8, value: 0.8, title: 0.75, case: 0.65, trial: 0.65 };
  const traced = traces.map((trace) => byTrace[trace.by]);
  return Math.min(changes.length === 1 ? 0.85 : 0.75, ...traced);
}

function traceEvidence({ candidate, by, inTitle }: Trace): string[] {
  if (by === 'trial') return [trialEvidence(candidate)];
  const place = `${candidate.tree.file}, line ${lineOf(candidate.tree, candidate.node)}`;
  const row = candidate.links.find((link) => link.row)?.row;
  const told = {
    only: '',
    value: ', identified by its value',
    title: ', identified by the title of the test',
    case: ', identified by the number of the test',
  };
  return [
    `The expected value comes from ${row === undefined ? place : `row ${row.index + 1} of the table (${place})${told[by]}`}.`,
    ...(inTitle ? ['The value is part of the title of the test, so the title changes with it.'] : []),
  ];
}

function trialEvidence({ tree, node }: Trace['candidate']): string {
  const place = `${tree.file}, line ${lineOf(tree, node)}`;
  return `The expected value comes from ${place}: a run with another value there changed only the expected side.`;
}

/** The same old → new in two or more tests is a sign of a change on purpose (REPAIR "Evidence that raises confidence"). */
function raiseRepeated(fixes: readonly Fix[]): Fix[] {
  const key = (fix: Fix): string => JSON.stringify(fix.expectation);
  const counts = groupBy(fixes, key);
  return fixes.map((fix) => {
    const tests = new Set((counts.get(key(fix)) ?? []).flatMap((other) => other.failures)).size;
    // Small values meet by chance.
    const telling = (fix.expectation?.new.length ?? 0) > 5;
    if (tests < 2 || !telling || fix.trust !== 'oracle') return fix;
    return {
      ...fix,
      confidence: Math.min(0.95, fix.confidence + 0.1),
      evidence: [...fix.evidence, `${tests} failing tests show the same change.`],
    };
  });
}

function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
