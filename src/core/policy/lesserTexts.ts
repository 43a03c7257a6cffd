// What only a person may let a test look for instead, where nobody vouches for the change: fewer words than before, or those of a crash.
import ts from 'typescript';
import { crashOf } from '../diagnosis/crashes.ts';
import type { Value } from '../model/value.ts';
import { unwrap } from '../syntax/javascript/sourceTree.ts';
import { alignAssertions, byOwner } from './alignAssertions.ts';
import type { AssertionFact } from './assertionFacts.ts';
import { sourcesIn, type SourcesOf } from './expectedSources.ts';
import { expectedValues } from './expectedValues.ts';
import { sidesOf, type FileChange, type Finding } from './fileFacts.ts';
import { suspectValue } from './suspectValue.ts';
import { asksForError, asksForText } from '../syntax/javascript/matchers.ts';

/** Of texts that may stand anywhere in what the code gives, and of errors: their recorded values say more than a pass. */
export function* lesserTexts(change: FileChange): Generator<Finding> {
  const { file, before, after } = change;
  if (before === undefined || after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return;
  const [was, is] = sidesOf(change);
  const [given, gives] = [sourcesIn(was), sourcesIn(is)];
  const asserted = byOwner(is.assertions);
  for (const [owner, facts] of byOwner(was.assertions))
    for (const [old, now] of alignAssertions(facts, asserted.get(owner) ?? []).pairs) {
      if (old.negated || now.negated) continue;
      const reason = reasonFor(now.matcher, textsOf(old, given), textsOf(now, gives));
      if (reason !== undefined) yield suspectValue(reason, now.line);
    }
}

function reasonFor(matcher: string, old: readonly string[], now: readonly string[]): string | undefined {
  const isThrown = asksForError.test(matcher) || matcher.startsWith('toThrowErrorMatching');
  if (!isThrown && !asksForText.test(matcher)) return undefined;
  for (const [index, text] of now.entries()) {
    if (old.includes(text)) continue;
    if (isThrown && isOfCrash(text) && !old.some(isOfCrash)) return `The actual error is a crash: ${text}`;
    const former = old.length === now.length ? old[index] : old.at(-1);
    if (former !== undefined && wordsOf(text).length < wordsOf(former).length)
      return 'The assertion looks for fewer words of the actual text than before.';
  }
  return isThrown && old.length > 0 && now.length === 0
    ? 'The message of the actual error is no longer checked.'
    : undefined;
}

/** Texts, patterns, and the messages of errors, of all rows. */
function textsOf(fact: AssertionFact, sourcesOf: SourcesOf): readonly string[] {
  const args = asksForError.test(fact.matcher) ? fact.args : fact.args.slice(0, 1);
  return args.flatMap((arg) =>
    expectedValues(messageOf(arg), fact.owner, sourcesOf).flatMap((value) => textsIn(value)),
  );
}

/** Of `new Error('…')` what it says. */
function messageOf(arg: ts.Expression): ts.Expression {
  const node = unwrap(arg);
  const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
  const [message] = isMade && node.expression.getText().endsWith('Error') ? (node.arguments ?? []) : [];
  return message ?? node;
}

function textsIn(value: Value): readonly string[] {
  if (value.kind === 'string') return [value.value];
  if (value.kind === 'regexp') return [value.source];
  return value.kind === 'object'
    ? value.entries.flatMap(([key, inner]) => (key === 'message' ? textsIn(inner) : []))
    : [];
}

const wordsOf = (text: string): readonly string[] =>
  text.replace(/\\[a-z]/gi, ' ').match(/[\p{L}\p{N}_]+/gu) ?? [];

/** What the language says of broken code, or nothing but words of it: `not a function`, `/Cannot read/`. */
function isOfCrash(text: string): boolean {
  if (crashOf('Error', text) !== undefined) return true;
  const words = wordsOf(text);
  return words.length > 0 && words.every((word) => ofCrashes.has(word.toLowerCase()));
}

const ofCrashes: ReadonlySet<string> = new Set(
  (
    'a an of is not the cannot read reading set setting property properties undefined null nan function constructor iterable object defined ' +
    'before initialization access assignment to constant variable typeerror referenceerror rangeerror syntaxerror error ' +
    'destructure convert unexpected token json maximum call stack size exceeded circular structure enoent no such file or directory'
  ).split(' '),
);
