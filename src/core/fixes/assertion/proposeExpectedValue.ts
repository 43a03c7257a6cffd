// Proposes, for each failing test with recorded values, the smallest change of its expectations that follows the actual values.
import ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import { valueStops, type Stop } from '../../diagnosis/valueStops.ts';
import { fileEdit, type FileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { CapturedAssertion, Value } from '../../model/value.ts';
import {
  lineOf,
  parseTree,
  styleOf,
  textOf,
  unwrap,
  type SourceTree,
} from '../../syntax/javascript/sourceTree.ts';
import { valueSource } from '../../syntax/javascript/literalSource.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { chooseCandidate, type Choice } from './chooseCandidate.ts';
import { helperCalls } from './helperCalls.ts';
import { expectationOf, titleOf } from './fixTitle.ts';
import { isRefusal, refuse, type LiteralChange, type Refusal } from './literalChange.ts';
import { literalUses } from './literalUses.ts';
import { assertionAt, type AssertionSite } from './locateAssertion.ts';
import { shorten } from './patchRequest.ts';
import { patchValue } from './patchValue.ts';
import { stackPlaces, type StackPlace } from './stackPlaces.ts';
import { traceLiteral, type TraceCandidate } from './traceLiteral.ts';

export const providerId = 'expected-value';

/** One fix for each failing test it can mend; tests that need the same edit share one. Refusals are told to the context. */
export async function proposeExpectedValue(context: FixContext): Promise<readonly Fix[]> {
  const trees = new Map<string, Promise<SourceTree | undefined>>();
  const readTree = (file: string): Promise<SourceTree | undefined> => {
    const known =
      trees.get(file) ??
      context.readText(file).then((text) => (text === undefined ? undefined : parseTree(file, text)));
    trees.set(file, known);
    return known;
  };
  const fixes = new Map<string, Fix>();
  for (const test of context.failing) {
    if (context.signal.aborted || test.captured.length === 0) continue;
    const result = await fixOf(test, context, readTree);
    if (isRefusal(result)) {
      context.refuse?.(test.result.id, result.reason);
      continue;
    }
    const same = fixes.get(result.id);
    fixes.set(
      result.id,
      same === undefined ? result : { ...same, failures: [...same.failures, ...result.failures] },
    );
  }
  return raiseRepeated([...fixes.values()]);
}

interface Repair {
  readonly changes: readonly LiteralChange[];
  readonly stops: readonly Stop[];
  readonly traces: readonly Trace[];
  readonly evidence: string;
}

interface Trace {
  readonly candidate: TraceCandidate;
  readonly by: Choice['by'];
  readonly inTitle: boolean;
}

async function fixOf(
  test: FailingTest,
  context: FixContext,
  readTree: (file: string) => Promise<SourceTree | undefined>,
): Promise<Fix | Refusal> {
  const repairs: Repair[] = [];
  for (const captured of test.captured) {
    const repair = await repairOf(captured, test, context, readTree);
    if (isRefusal(repair)) return repair;
    repairs.push(repair);
  }
  const changes = distinct(repairs.flatMap((repair) => repair.changes));
  if (changes.length === 0) return refuse('The source already expects the actual value.');
  const foreign = changes.find((change) => !context.isTestFile(change.tree.file));
  if (foreign !== undefined)
    return refuse(`The expected value comes from ${foreign.tree.file}, which is no test file.`);
  const edits = editsOf(changes);
  if (edits === undefined) return refuse('Two assertions of the test want different values of one literal.');
  const stops = repairs.flatMap((repair) => repair.stops);
  const traces = repairs.flatMap((repair) => repair.traces);
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: titleOf(changes),
    grade: changes.length === 1 && traces.length === 0 ? 'surgical' : 'conservative',
    trust: stops.length > 0 ? 'propose' : 'oracle',
    edits,
    failures: [test.result.id],
    provider: providerId,
    confidence: confidenceOf(changes, traces, stops),
    evidence: [...new Set([...repairs.map((repair) => repair.evidence), ...traces.flatMap(traceEvidence)])],
    expectation: expectationOf(changes),
    ...(stops.length > 0 && { stops: [...stops] }),
  };
}

async function repairOf(
  captured: CapturedAssertion,
  test: FailingTest,
  context: FixContext,
  readTree: (file: string) => Promise<SourceTree | undefined>,
): Promise<Repair | Refusal> {
  if (captured.negated)
    return refuse('The assertion is negated: it says what must not be, and that is not for us to change.');
  const places = stackPlaces(captured.stack, context.root);
  const found = await findSite(captured, places, readTree);
  if (found === undefined)
    return refuse('The failed assertion is no equality that could be found in the test.');
  const { site, depth } = found;
  const { expected, actual } = sides(site, captured);
  const reason = refusedShape(site, expected, actual);
  if (reason !== undefined) return refuse(reason);
  const traces: Trace[] = [];
  const world = { readTree, callOf: helperCalls(places, depth, readTree) };
  const patch = await patchValue(
    { node: site.expected, tree: site.tree, expected, actual, path: '' },
    {
      mode: site.mode,
      trace: async (expression, tree, wanted) => {
        const candidates = await traceLiteral(expression, tree, world);
        if (isRefusal(candidates)) return candidates;
        const choice = await chooseCandidate(
          candidates,
          wanted,
          test.result,
          { node: site.call, tree: site.tree },
          world,
        );
        if (isRefusal(choice)) return choice;
        const uses = literalUses(
          choice.candidate,
          test.result,
          context.failing.map((other) => other.result),
        );
        if (isRefusal(uses)) return uses;
        traces.push({ candidate: choice.candidate, by: choice.by, inTitle: uses.inTitle });
        return { node: choice.candidate.node, tree: choice.candidate.tree };
      },
    },
  );
  if (isRefusal(patch)) return patch;
  return {
    changes: patch,
    stops: valueStops({ matcher: site.matcher, expected, actual }),
    traces,
    evidence: recordedEvidence(site, expected, actual),
  };
}

function recordedEvidence(site: AssertionSite, expected: Value, actual: Value): string {
  const style = styleOf(site.tree);
  const show = (value: Value): string | undefined => valueSource(value, style)?.replace(/\s+/g, ' ');
  const [was, now] = [show(expected), show(actual)];
  const call = `\`${shorten(textOf(site.tree, site.actual))}\``;
  const line = lineOf(site.tree, site.call);
  if (was === undefined || now === undefined || was.length + now.length > 160)
    return `While the test ran, ${call} was not what line ${line} expects.`;
  return `While the test ran, ${call} was ${now}; line ${line} expects ${was}.`;
}

/** The assertion is in the innermost frame of the workspace that holds one. */
async function findSite(
  captured: CapturedAssertion,
  places: readonly StackPlace[],
  readTree: (file: string) => Promise<SourceTree | undefined>,
): Promise<{ site: AssertionSite; depth: number } | undefined> {
  for (const [depth, place] of places.slice(0, 4).entries()) {
    const tree = await readTree(place.file);
    const site = tree === undefined ? undefined : assertionAt(tree, place, captured);
    if (site !== undefined) return { site, depth };
  }
  return undefined;
}

/** Expected and actual as the source has them; toBeCloseTo is content with a rounded number. */
function sides(site: AssertionSite, captured: CapturedAssertion): { expected: Value; actual: Value } {
  const { expected, actual } = site.swapped
    ? { expected: captured.actual, actual: captured.expected }
    : captured;
  if (site.digits === undefined || actual.kind !== 'number') return { expected, actual };
  const rounded = String(Number(Number(actual.text).toFixed(Math.min(Math.max(site.digits, 0), 20))));
  return { expected, actual: { kind: 'number', text: rounded } };
}

const predicates = /^(?:startsWith|endsWith|includes|has|test|match|some|every|is[A-Z]\w*|hasOwn\w*|equals)$/;

/** What is never answered by another literal. */
function refusedShape(site: AssertionSite, expected: Value, actual: Value): string | undefined {
  if (expected.kind === 'boolean' && actual.kind === 'boolean') {
    const node = unwrap(site.actual);
    const compares =
      ts.isBinaryExpression(node) || ts.isPrefixUnaryExpression(node) || ts.isTypeOfExpression(node);
    const asks =
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      predicates.test(node.expression.name.text);
    if (compares || asks)
      return `\`${shorten(textOf(site.tree, node))}\` is a question: turning its answer round would check nothing.`;
  }
  if (site.matcher === 'toHaveProperty' && actual.kind === 'undefined') return 'The property is gone.';
  const identity = site.matcher === 'toBe' || site.matcher === 'strictEqual';
  if (identity && (actual.kind === 'object' || actual.kind === 'array'))
    return 'The assertion compares identity, which no literal has.';
  return undefined;
}

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
  const byTrace = { only: 0.8, value: 0.8, title: 0.75, case: 0.65 };
  const traced = traces.map((trace) => byTrace[trace.by]);
  return Math.min(changes.length === 1 ? 0.85 : 0.75, ...traced);
}

function traceEvidence({ candidate, by, inTitle }: Trace): string[] {
  const place = `${candidate.tree.file}, line ${lineOf(candidate.tree, candidate.node)}`;
  const row = candidate.links.find((link) => link.row)?.row;
  const told = {
    only: '',
    value: ', told by its value',
    title: ", told by the test's title",
    case: ", told by the test's number",
  };
  return [
    `The expected value comes from ${row === undefined ? place : `row ${row.index + 1} of the table (${place})${told[by]}`}.`,
    ...(inTitle ? ["The value is part of the test's title, which changes with it."] : []),
  ];
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
