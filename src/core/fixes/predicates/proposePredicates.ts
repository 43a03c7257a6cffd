// Proposes, for tests whose stated conditions no longer hold, another literal inside of these conditions.
import path from 'node:path';
import type { Operand, OperandValues } from '../../diagnosis/watchOperands.ts';
import type { Stop } from '../../diagnosis/valueStops.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { CapturedAssertion, Value } from '../../model/value.ts';
import { codeLine } from '../../model/visibleText.ts';
import { valueSource } from '../../syntax/javascript/literalSource.ts';
import { lineOf, parseTree, startOf, styleOf, textOf } from '../../syntax/javascript/sourceTree.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import { assertionAt } from '../assertion/locateAssertion.ts';
import { shorten } from '../assertion/patchRequest.ts';
import { comparesValues, repairExpectedValue } from '../assertion/proposeExpectedValue.ts';
import { proposeRepairs } from '../assertion/proposeRepairs.ts';
import type { ReadTree, Repair, RepairQuestion, Trace } from '../assertion/repair.ts';
import { stackPlaces, type StackPlace } from '../assertion/stackPlaces.ts';
import { testCallsAround } from '../assertion/testCalls.ts';
import { tracingContext } from '../assertion/tracing.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { isOpen, patchPredicate } from './patchPredicate.ts';
import { statedConditionAt, type StatedCondition } from './statedConditions.ts';

export const providerId = 'predicate';

/** One fix for each failing test with a condition that it can open; beside it further failed comparisons of the test are mended too. */
export async function proposePredicates(context: FixContext): Promise<readonly Fix[]> {
  const readTree = treeReader(context);
  const failing: FailingTest[] = [];
  const operands = new Map<string, Operand>();
  for (const test of context.failing) {
    const captured = test.captured.length > 0 ? test.captured : reportedCondition(test.result, context.root);
    const found: Located[] = [];
    for (const one of captured) found.push(...((await locate(one, context, readTree)) ?? []));
    if (found.length === 0) continue;
    failing.push({ ...test, captured });
    for (const { condition } of found)
      if (isOpen(condition.predicate) && !isConcurrent(condition))
        operands.set(keyOf(condition), operandOf(condition));
  }
  if (failing.length === 0 || context.watchOperands === undefined) return [];
  const watched = [...operands.values()];
  const results = failing.map(({ result }) => result);
  const runs = watched.length === 0 ? [] : await context.watchOperands(results, watched, 2);
  const places = [...operands.keys()];
  return proposeRepairs(
    { ...context, failing },
    {
      id: providerId,
      handles: comparesValues,
      repairOf: (question) => repairOf(question, (id, key) => watchedValue(runs, id, places.indexOf(key))),
    },
  );
}

function treeReader(context: FixContext): ReadTree {
  const trees = new Map<string, ReturnType<ReadTree>>();
  return (file) => {
    const known =
      trees.get(file) ??
      context.readText(file).then((text) => (text === undefined ? undefined : parseTree(file, text)));
    trees.set(file, known);
    return known;
  };
}

interface Located {
  readonly condition: StatedCondition;
  readonly places: readonly StackPlace[];
  readonly depth: number;
}

/** In the innermost frame of the workspace that holds an assertion; empty where that one is no condition. */
async function locate(
  captured: CapturedAssertion,
  context: FixContext,
  readTree: ReadTree,
): Promise<readonly Located[]> {
  if (captured.negated || !comparesValues(captured)) return [];
  const places = stackPlaces(captured.stack, context.root);
  for (const [depth, place] of places.slice(0, 4).entries()) {
    const tree = context.isTestFile(place.file) ? await readTree(place.file) : undefined;
    if (tree === undefined) continue;
    const condition = statedConditionAt(tree, place);
    if (condition !== undefined) return [{ condition, places, depth }];
    if (assertionAt(tree, place, captured) !== undefined) return [];
  }
  return [];
}

/** What nothing was recorded of, as `assert.ok()`: the place is known from the failure itself. */
function reportedCondition({ failure, title, suites }: TestResult, root: string): CapturedAssertion[] {
  if (failure?.kind !== 'assertion') return [];
  const { location, stack, message } = failure;
  const frames = stack.length > 0 ? stack : location === undefined ? [] : [location];
  const lines = frames.map(
    ({ file, line, column }) =>
      `    at ${path.isAbsolute(file) ? file : path.join(root, file)}:${line}:${column}`,
  );
  return [
    {
      testName: [...suites, title].join(' > '),
      matcher: '',
      negated: false,
      actual: { kind: 'boolean', value: false },
      expected: { kind: 'boolean', value: true },
      message,
      stack: lines.join('\n'),
    },
  ];
}

const operandOf = ({ tree, predicate: { operand } }: StatedCondition): Operand => ({
  file: tree.file,
  start: startOf(tree, operand),
  end: operand.end,
});

const keyOf = (condition: StatedCondition): string => JSON.stringify(operandOf(condition));

/** Tests that run side by side are not told apart while values are recorded. */
const isConcurrent = ({ tree, call }: StatedCondition): boolean =>
  testCallsAround(call).some((around) => /\bconcurrent\b/.test(textOf(tree, around.call.expression)));

/** The one value that the operand had, in every run. */
function watchedValue(runs: readonly OperandValues[], id: string, index: number): Value | Refusal {
  const [first = [], ...others] = runs.map((values) => values.get(id)?.[index] ?? []);
  const [value] = first;
  if (value === undefined || others.some((values) => values.length === 0))
    return refuse('What the condition asks for could not be recorded.');
  if (first.length > 1)
    return refuse('The test states the condition of several values: one literal is to fit them all.');
  if (others.some((values) => JSON.stringify(values) !== JSON.stringify(first)))
    return refuse('What the condition asks for differs from run to run.');
  return value;
}

async function repairOf(
  question: RepairQuestion,
  valueOf: (id: string, key: string) => Value | Refusal,
): Promise<Repair | Refusal> {
  const { captured, context, readTree, test } = question;
  const [located] = await locate(captured, context, readTree);
  if (located === undefined) return repairExpectedValue(question);
  const { condition, places, depth } = located;
  const { tree, call, predicate } = condition;
  if (!isOpen(predicate)) return refuse('What the condition asks for is computed.');
  if (isConcurrent(condition))
    return refuse('The test runs beside others: whose value it is cannot be told.');
  const operand = textOf(tree, predicate.operand);
  if (predicate.question.kind === 'limit' && asksForTime.test(operand))
    return refuse('How long something takes is no matter of what the code gives.');
  const actual = valueOf(test.result.id, keyOf(condition));
  if (isRefusal(actual)) return actual;
  if (actual.kind === 'opaque')
    return refuse(`What the condition asks for is ${actual.description}, which has no literal.`);
  const traces: Trace[] = [];
  const tracing = tracingContext({ call, tree, mode: 'strict', places, depth }, question, traces);
  const patch = await patchPredicate({ tree, predicate, actual }, tracing);
  if (isRefusal(patch)) return patch;
  return { changes: patch, stops: [changedCondition], traces, evidence: [recorded(condition, actual)] };
}

const asksForTime =
  /performance|Date\.now|hrtime|[eE]lapsed|[dD]uration|\btook\b|\b(?:time|[a-z]\w*Time)\b|(?:\b|_)ms\b|[a-z]Ms\b/;

const changedCondition: Stop = {
  kind: 'value',
  reason:
    'The test stated a condition on purpose: whether it was to hold for this value, too, only a person can tell.',
};

function recorded({ tree, call, predicate: { operand } }: StatedCondition, actual: Value): string {
  const shown = codeLine(valueSource(actual, styleOf(tree)) ?? 'something else');
  const value = shown.length > 160 ? 'another value' : shown;
  return `While the test ran, \`${shorten(textOf(tree, operand))}\` was ${value}; the condition in line ${lineOf(tree, call)} does not hold for it.`;
}
