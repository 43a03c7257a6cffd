// Proposes new texts for assertions about thrown errors whose message was reworded.
import ts from 'typescript';
import { crashOf } from '../../diagnosis/crashes.ts';
import { valueStops, type Stop } from '../../diagnosis/valueStops.ts';
import type { Fix } from '../../model/fix.ts';
import { thrownIn, type CapturedAssertion } from '../../model/value.ts';
import { codeLine } from '../../model/visibleText.ts';
import { stringSource } from '../../syntax/javascript/literalSource.ts';
import { lineOf, startOf, textOf, unwrap } from '../../syntax/javascript/sourceTree.ts';
import { isRefusal, refuse, type Patch, type Refusal } from '../assertion/literalChange.ts';
import { shorten } from '../assertion/patchRequest.ts';
import { patchValue } from '../assertion/patchValue.ts';
import { proposeRepairs } from '../assertion/proposeRepairs.ts';
import type { Repair, RepairQuestion, Trace } from '../assertion/repair.ts';
import { stackPlaces } from '../assertion/stackPlaces.ts';
import { tracingContext } from '../assertion/tracing.ts';
import type { FixContext } from '../fixProvider.ts';
import { correspondingPart, sourceOfMessage, type ChangedText } from './changedTexts.ts';
import { patternOf, plainPattern } from '../assertion/plainPattern.ts';
import { commonBeginning } from './commonBeginning.ts';
import { throwSiteAt, type ThrowSite } from './throwSite.ts';

export async function proposeExceptionText(context: FixContext): Promise<readonly Fix[]> {
  return proposeRepairs(context, {
    id: 'exception-text',
    handles: ({ kind }) => kind === 'error',
    repairOf,
  });
}

async function repairOf(question: RepairQuestion): Promise<Repair | Refusal> {
  const { captured, context, test } = question;
  const error = errorOf(captured);
  if (isRefusal(error)) return error;
  const found = await findSite(question);
  if (found === undefined) return refuse('The assertion on the error could not be found in the test.');
  const { site } = found;
  const expected = expectedText(captured, site);
  if (isRefusal(expected)) return expected;
  const source = await sourceOfMessage(test.result.file, context, expected.text, error.message);
  const { reworded, stillIn, alreadyIn } = source;
  const messages = await messagesAt(site, question);
  const chosen =
    messages.length > 1 ? sharedText(expected, messages) : newText(expected, error.message, reworded);
  if (isRefusal(chosen)) return chosen;
  const traces: Trace[] = [];
  const patch = await patchSite(found, expected, chosen.text, question, traces);
  if (isRefusal(patch)) return patch;
  return {
    changes: patch,
    stops: [...valueStops(captured), ...(reworded !== undefined ? [] : anotherError(stillIn, alreadyIn))],
    traces,
    evidence: [
      `While the test ran, \`${shorten(textOf(site.tree, site.subject))}\` threw ${error.className}: ${quoted(error.message)}; line ${lineOf(site.tree, site.call)} expects ${quoted(expected.text)}.`,
      ...(reworded === undefined ? [] : [rewording(reworded)]),
    ],
  };
}

/** The new messages of all rows that one written text stands for. */
async function messagesAt(site: ThrowSite, question: RepairQuestion): Promise<readonly string[]> {
  const node = unwrap(site.text);
  if (!ts.isRegularExpressionLiteral(node) && !ts.isStringLiteralLike(node)) return [];
  const messages = new Set<string>();
  for (const test of question.context.failing)
    for (const captured of test.captured) {
      const error = errorOf(captured);
      if (isRefusal(error)) continue;
      const found = await findSite({ ...question, captured, test });
      if (found?.site.call === site.call) messages.add(error.message);
    }
  return [...messages];
}

/** An error of the same class from another place is no new wording. */
function anotherError(stillIn: string | undefined, alreadyIn: string | undefined): readonly Stop[] {
  if (stillIn !== undefined)
    return [
      {
        kind: 'value',
        reason: `The expected message is still in ${stillIn}: another error was thrown instead.`,
      },
    ];
  if (alreadyIn === undefined) return [];
  const reason = `${alreadyIn} already contained the actual message before: the check with the expected message may be lost.`;
  return [{ kind: 'value', reason }];
}

interface ThrownError {
  readonly className: string;
  readonly message: string;
}

/** The error that was thrown, when its message may stand in a test at all. */
function errorOf(captured: CapturedAssertion): ThrownError | Refusal {
  const { actual, negated } = captured;
  const { className, fits } = thrownIn(captured) ?? { fits: false };
  if (negated) return refuse('The assertion is negated: Testmend does not change what must not happen.');
  if (className === undefined)
    return refuse('The code no longer throws: either a check was lost, or the test is obsolete.');
  if (actual.kind !== 'string') return refuse('What was thrown has no message.');
  const crash = crashOf(className, actual.value);
  if (crash !== undefined)
    return refuse(
      `The code crashed instead of throwing its own error (${shorten(crash, 100)}): a test must not expect that message.`,
    );
  if (!fits)
    return refuse(`Another kind of error was thrown (${className}), so more changed than the message.`);
  return { className, message: actual.value };
}

interface ExpectedText {
  readonly text: string;
  readonly isWhole: boolean;
  readonly pattern?: NonNullable<ReturnType<typeof plainPattern>>;
}

function expectedText({ expected }: CapturedAssertion, { isWhole }: ThrowSite): ExpectedText | Refusal {
  if (expected.kind === 'string') return { text: expected.value, isWhole };
  if (expected.kind !== 'regexp') return refuse('The assertion does not name a message.');
  const pattern = plainPattern(expected.source);
  if (pattern === undefined) return refuse('The expected pattern is more than plain text.');
  return { text: pattern.text, isWhole: pattern.fromStart && pattern.toEnd, pattern };
}

/** As much of the new message as the test expected of the old one, where the source tells; else all of it. */
function newText(
  { text, isWhole, pattern }: ExpectedText,
  message: string,
  source: ChangedText | undefined,
): { readonly text: string } | Refusal {
  const part = source && !isWhole ? correspondingPart(source, text) : undefined;
  const stands =
    part !== undefined &&
    part.trim() !== '' &&
    (pattern?.fromStart
      ? message.startsWith(part)
      : pattern?.toEnd
        ? message.endsWith(part)
        : message.includes(part));
  const chosen = stands ? part : message;
  if (chosen.trim() === '') return refuse('The error no longer has a message.');
  if (chosen.length > 500) return refuse('The new message is too long to be expected as a whole.');
  if (!isWhole && text.includes(chosen))
    return refuse(
      'The new message is only a part of the expected one: the test would check less than before.',
    );
  const passing = passingText(chosen, text);
  return passing === undefined
    ? { text: chosen }
    : refuse(`The new message contains ${passing}, which differs from run to run.`);
}

/** What the new messages of all rows begin with, where that says as much as the old text did. */
function sharedText(
  { text, isWhole, pattern }: ExpectedText,
  messages: readonly string[],
): { readonly text: string } | Refusal {
  const several = 'Rows of a table expect one message, and now their messages differ';
  if (isWhole || pattern?.toEnd) return refuse(`${several}.`);
  const chosen = commonBeginning(messages);
  if (chosen.length < text.length * 0.75 || text.includes(chosen) || !/\w\s+\w/.test(chosen))
    return refuse(`${several}: the beginning that they share is less than the test checked before.`);
  return passingText(chosen, text) === undefined ? { text: chosen } : refuse(`${several}.`);
}

const passingTexts: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a path', /(?:^|[\s'"(`])(?:\/(?:[\w.@-]+\/)+[\w.@-]*|[A-Za-z]:\\|file:\/\/)/],
  ['a time', /\b\d{4}-\d\d-\d\d(?:T|\b)|\b\d\d:\d\d:\d\d\b|\b1[5-9]\d{8}(?:\d{3})?\b/],
  ['an id', /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-|\b(?=[\da-f]*\d)(?=\d*[a-f])[\da-f]{12,}\b/i],
  ['a random number', /\b0\.\d{8,}\b/],
  ['a port', /\b(?:localhost|127\.0\.0\.1):\d{4,5}\b/],
];

function passingText(text: string, before: string): string | undefined {
  return passingTexts.find(([, pattern]) => pattern.test(text) && !pattern.test(before))?.[0];
}

async function findSite({
  captured,
  context,
  readTree,
}: RepairQuestion): Promise<
  { site: ThrowSite; places: ReturnType<typeof stackPlaces>; depth: number } | undefined
> {
  const places = stackPlaces(captured.stack, context.root);
  for (const [depth, place] of places.slice(0, 4).entries()) {
    const tree = await readTree(place.file);
    const site = tree === undefined ? undefined : throwSiteAt(tree, place, captured.expected);
    if (site !== undefined) return { site, places, depth };
  }
  return undefined;
}

async function patchSite(
  { site, places, depth }: NonNullable<Awaited<ReturnType<typeof findSite>>>,
  { text: before, pattern }: ExpectedText,
  text: string,
  question: RepairQuestion,
  traces: Trace[],
): Promise<Patch> {
  const { tree } = site;
  const node = unwrap(site.text);
  if (pattern !== undefined) {
    if (!ts.isRegularExpressionLiteral(node)) return refuse('The expected pattern is not a literal.');
    const flags = node.text.slice(node.text.lastIndexOf('/') + 1);
    const newSource = `/${patternOf({ ...pattern, text })}/${flags}`;
    const change = { tree, start: startOf(tree, node), end: node.end, newText: newSource };
    return [{ ...change, path: '', old: node.text, new: newSource }];
  }
  const value = (of: string) => ({ kind: 'string', value: of }) as const;
  return patchValue(
    { node, tree, expected: value(before), actual: value(text), path: '' },
    tracingContext({ call: site.call, tree, mode: 'strict', places, depth }, question, traces),
  );
}

function rewording({ file, line, before, after }: ChangedText): string {
  const shown = (pieces: readonly string[]): string => quoted(pieces.join('…'));
  return `In ${file}, line ${line}, ${shown(before)} became ${shown(after)}.`;
}

function quoted(text: string): string {
  return codeLine(stringSource(text.length <= 80 ? text : `${text.slice(0, 79)}…`, "'"));
}
