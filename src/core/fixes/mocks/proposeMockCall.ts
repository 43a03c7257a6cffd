// Proposes new arguments, or a new number, for assertions about the calls of a mock.
import { valueStops, type Stop } from '../../diagnosis/valueStops.ts';
import type { Fix } from '../../model/fix.ts';
import type { CapturedAssertion, Value } from '../../model/value.ts';
import { valueSource } from '../../syntax/javascript/literalSource.ts';
import { lineOf, styleOf, textOf } from '../../syntax/javascript/sourceTree.ts';
import { isRefusal, refuse, type Patch, type Refusal } from '../assertion/literalChange.ts';
import { shorten } from '../assertion/patchRequest.ts';
import { patchValue } from '../assertion/patchValue.ts';
import { proposeRepairs } from '../assertion/proposeRepairs.ts';
import type { Repair, RepairQuestion, Trace } from '../assertion/repair.ts';
import { stackPlaces } from '../assertion/stackPlaces.ts';
import { tracingContext } from '../assertion/tracing.ts';
import type { FixContext } from '../fixProvider.ts';
import { isAboutCalls } from './aboutCalls.ts';
import { callSiteAt, type CallSite } from './callSite.ts';
import { chooseCall } from './chooseCall.ts';
import { patchArguments } from './patchArguments.ts';

export async function proposeMockCall(context: FixContext): Promise<readonly Fix[]> {
  return proposeRepairs(context, { id: 'mock-call', handles: isAboutCalls, repairOf });
}

async function repairOf(question: RepairQuestion): Promise<Repair | Refusal> {
  const { captured } = question;
  if (captured.negated)
    return refuse('The assertion is negated: Testmend does not change what must not happen.');
  const found = await findSite(question);
  if (found === undefined) return refuse('The assertion on the calls could not be found in the test.');
  const { site } = found;
  const traces: Trace[] = [];
  const tracing = tracingContext({ ...site, mode: 'loose', ...found }, question, traces);
  if (captured.kind !== 'calls') {
    const patch = await patchNumber(site, captured, tracing);
    if (isRefusal(patch)) return patch;
    return { changes: patch, stops: valueStops(captured), traces, evidence: [counted(site, captured)] };
  }
  const chosen = chooseCall(captured);
  if (isRefusal(chosen)) return chosen;
  const { expected, actual } = chosen;
  const patch = await patchArguments(site, expected.items, actual.items, tracing);
  if (isRefusal(patch)) return patch;
  const stops: Stop[] = valueStops({ ...captured, ...chosen });
  if (actual.items.length < expected.items.length)
    stops.push({ kind: 'value', reason: 'The call has fewer arguments than before.' });
  return { changes: patch, stops, traces, evidence: [called(site, expected.items, actual.items)] };
}

/** Whether something is called at all is never a matter of a number. */
function patchNumber(
  { args: [node], tree }: CallSite,
  { expected, actual }: CapturedAssertion,
  context: Parameters<typeof patchValue>[1],
): Promise<Patch> | Refusal {
  const isZero = (value: Value): boolean => value.kind === 'number' && value.text === '0';
  if (node === undefined || actual.kind !== 'number') return refuse('The number of calls is not known.');
  if (isZero(actual)) return refuse('The mock was not called at all.');
  if (isZero(expected)) return refuse('The mock was called, but no call was expected.');
  return patchValue({ node, tree, expected, actual, path: '' }, context);
}

async function findSite({
  captured,
  context,
  readTree,
}: RepairQuestion): Promise<
  { site: CallSite; places: ReturnType<typeof stackPlaces>; depth: number } | undefined
> {
  const places = stackPlaces(captured.stack, context.root);
  for (const [depth, place] of places.slice(0, 4).entries()) {
    const tree = await readTree(place.file);
    const site = tree === undefined ? undefined : callSiteAt(tree, place, captured);
    if (site !== undefined) return { site, places, depth };
  }
  return undefined;
}

function counted(site: CallSite, { expected, actual }: CapturedAssertion): string {
  const number = (value: Value): string => (value.kind === 'number' ? value.text : '?');
  return `While the test ran, ${mockOf(site)} was called ${number(actual)} times; line ${lineOf(site.tree, site.call)} expects ${number(expected)}.`;
}

function called(site: CallSite, expected: readonly Value[], actual: readonly Value[]): string {
  const style = styleOf(site.tree);
  const show = (values: readonly Value[]): string =>
    shorten(`(${values.map((value) => valueSource(value, style) ?? '…').join(', ')})`, 80);
  return `While the test ran, ${mockOf(site)} was called with ${show(actual)}; line ${lineOf(site.tree, site.call)} expects ${show(expected)}.`;
}

function mockOf({ tree, mock }: CallSite): string {
  return `\`${shorten(textOf(tree, mock), 40)}\``;
}
