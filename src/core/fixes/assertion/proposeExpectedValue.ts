// Proposes, for each failing test with recorded values, the smallest change of its expectations that follows the actual values.
import ts from 'typescript';
import { valueStops, type Stop } from '../../diagnosis/valueStops.ts';
import type { Fix } from '../../model/fix.ts';
import type { CapturedAssertion, Value } from '../../model/value.ts';
import { lineOf, styleOf, textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { valueSource } from '../../syntax/javascript/literalSource.ts';
import { asksForPart } from '../../syntax/javascript/matchers.ts';
import type { FixContext } from '../fixProvider.ts';
import { countsCalls } from '../mocks/countsCalls.ts';
import { isRefusal, refuse, type LiteralChange, type Refusal } from './literalChange.ts';
import type { AssertionSite } from './assertionSite.ts';
import { assertedNames } from '../../diagnosis/assertedNames.ts';
import { codeLine } from '../../model/visibleText.ts';
import { assertionAt } from './locateAssertion.ts';
import { patchPart } from './patchPart.ts';
import { shorten, type PatchRequest } from './patchRequest.ts';
import { patchValue } from './patchValue.ts';
import { proposeRepairs } from './proposeRepairs.ts';
import type { Repair, RepairQuestion, Trace } from './repair.ts';
import { stackPlaces, type StackPlace } from './stackPlaces.ts';
import { tracingContext } from './tracing.ts';

const providerId = 'expected-value';

/** One fix for each failing test it can mend; tests that need the same edit share one. Refusals are told to the context. */
export async function proposeExpectedValue(context: FixContext): Promise<readonly Fix[]> {
  return proposeRepairs(context, {
    id: providerId,
    handles: comparesValues,
    repairOf: repairExpectedValue,
  });
}

/** Errors that are thrown, calls of mocks and tests in Python and Go have fixers of their own. */
const comparesValues = ({ kind, matcher }: CapturedAssertion): boolean =>
  kind === 'values' && !matcher.endsWith('CalledTimes');

/** What one failed comparison needs to expect to hold. */
async function repairExpectedValue(question: RepairQuestion): Promise<Repair | Refusal> {
  const { captured, readTree } = question;
  if (captured.negated)
    return refuse('The assertion is negated: Testmend does not change what must not happen.');
  const places = stackPlaces(captured.stack, question.context.root);
  const found = await findSite(captured, places, readTree);
  if (found === undefined)
    return refuse('The failed assertion is not an equality check that could be found in the test.');
  const { site, depth } = found;
  const { expected, actual } = sides(site, captured);
  const reason = refusedShape(site, expected, actual);
  if (reason !== undefined) return refuse(reason);
  const traces: Trace[] = [];
  const context = tracingContext({ ...site, places, depth }, question, traces);
  const request: PatchRequest = { node: site.expected, tree: site.tree, expected, actual, path: '' };
  const patch = await (asksForPart.test(site.matcher)
    ? patchPart(request, context, patchValue)
    : patchValue(request, context));
  if (isRefusal(patch)) return patch;
  const stops = valueStops(
    asksForPart.test(site.matcher)
      ? askedParts(site, patch)
      : {
          matcher: site.matcher,
          expected,
          actual,
          asked: assertedNames({ ...site, args: site.call.arguments }),
        },
  );
  return {
    changes: patch,
    stops: countsCalls(site.actual, site.matcher) ? [...stops, numberOfCalls] : stops,
    traces,
    evidence: [recordedEvidence(site, expected, actual)],
  };
}

const numberOfCalls: Stop = {
  kind: 'value',
  reason: 'The number of calls is behavior, not just a value.',
};

/** Of a part only what is expected of it now can look like a bug, not all that stands around it. */
function askedParts(
  { matcher }: AssertionSite,
  patch: readonly LiteralChange[],
): Parameters<typeof valueStops>[0] {
  const text = (side: 'old' | 'new'): Value => ({
    kind: 'string',
    value: patch.map((change) => change[side]).join(' '),
  });
  return { matcher, expected: text('old'), actual: text('new') };
}

function recordedEvidence(site: AssertionSite, expected: Value, actual: Value): string {
  const style = styleOf(site.tree);
  const [was, now] = [expected, actual].map((value) => {
    const source = valueSource(value, style);
    return source && codeLine(source);
  });
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

/** A status below 400, or no status at all. */
const isSuccess = (value: Value): boolean => value.kind !== 'number' || Number(value.text) < 400;

const isNoCall = (value: Value): boolean =>
  (value.kind === 'number' && value.text === '0') || (value.kind === 'array' && value.items.length === 0);

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
      return `\`${shorten(textOf(site.tree, node))}\` is a condition: inverting it would make the check pointless.`;
  }
  if (site.matcher === '.expect' && isSuccess(expected) && !isSuccess(actual))
    return 'The request now fails: Testmend does not make a test expect an error status.';
  if (site.matcher === 'toHaveProperty' && actual.kind === 'undefined') return 'The property is missing.';
  if (countsCalls(site.actual, site.matcher)) {
    if (isNoCall(actual)) return 'The mock was not called at all.';
    if (isNoCall(expected)) return 'The mock was called, but no call was expected.';
  }
  const identity = /^(?:toBe|strictEqual|t\.is)$/.test(site.matcher);
  if (identity && (actual.kind === 'object' || actual.kind === 'array'))
    return 'The assertion compares object identity, which a literal cannot satisfy.';
  return undefined;
}
