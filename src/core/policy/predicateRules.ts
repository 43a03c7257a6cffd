// What may not happen to a condition that a test states: a person may let it ask for another literal, nobody may let it ask for less.
import ts from 'typescript';
import type { Value } from '../model/value.ts';
import { staticValue } from '../syntax/javascript/literalSource.ts';
import { predicateOf, type Predicate, type Question } from '../syntax/javascript/predicates.ts';
import { unwrap } from '../syntax/javascript/sourceTree.ts';
import type { AssertionFact } from './assertionFacts.ts';
import type { FileFacts } from './fileFacts.ts';
import { compareText, truthOf } from './matchers.ts';
import { shapeOf } from './parseSource.ts';
import { literalBehind } from './valueFacts.ts';

interface PredicateFinding {
  readonly rule:
    | 'changed-predicate'
    | 'widened'
    | 'inverted'
    | 'changed-type'
    | 'weakened-subject'
    | 'weaker-matcher'
    | 'computed-expectation';
  readonly text: string;
}

/** `expect(a.startsWith('b')).toBe(true)` before and after; nothing where no condition was stated, or the same one is. */
export function* comparePredicates(
  old: AssertionFact,
  now: AssertionFact,
  before: FileFacts,
  after: FileFacts,
): Generator<PredicateFinding> {
  if (old.subject === undefined || now.subject === undefined) return;
  const [was, is] = [predicateOf(old.subject), predicateOf(now.subject)];
  if (was === undefined || (is === undefined && methodOf(old.subject) !== methodOf(now.subject))) return;
  if (is === undefined) {
    if (shapeOf(old.subject) !== shapeOf(now.subject)) yield askedOtherwise;
    return;
  }
  if (looseShape(was.operand) !== looseShape(is.operand)) return;
  if (mannerOf(was) !== mannerOf(is)) {
    if (!saysMore(was, is)) yield askedOtherwise;
    return;
  }
  if (was.question.kind === 'near' && is.question.kind === 'near' && isWider(was.question, is.question))
    yield { rule: 'weaker-matcher', text: 'The condition accepts a larger difference.' };
  const literal = (question: Question, fact: AssertionFact, facts: FileFacts): ts.Node | undefined =>
    literalBehind(question.literal, facts.valuesFor(fact.owner));
  const [a, b] = [literal(was.question, old, before), literal(is.question, now, after)];
  if (a === undefined || b === undefined || shapeOf(a) === shapeOf(b)) return;
  if (!ts.isExpression(a) || !ts.isExpression(b)) return;
  yield compareLiterals(is.question, a, b, isDenied(now));
}

const askedOtherwise: PredicateFinding = {
  rule: 'weakened-subject',
  text: 'The condition is weaker than before or checks something else.',
};

function compareLiterals(
  { kind, ...question }: Question,
  was: ts.Expression,
  is: ts.Expression,
  denied: boolean,
): PredicateFinding {
  const [a, b] = [staticValue(was), staticValue(is)];
  if (b === undefined && !ts.isRegularExpressionLiteral(unwrap(is)))
    return { rule: 'computed-expectation', text: 'The value in the condition is now computed.' };
  if (denied)
    return {
      rule: 'weakened-subject',
      text: 'The value that must be absent changed: the old value could now be present unnoticed.',
    };
  if (kind === 'part' || kind === 'pattern') {
    const text = compareText(was, is) ?? fewerWords(a, b);
    if (text !== undefined) return { rule: 'weaker-matcher', text };
  }
  if (a !== undefined && b !== undefined && a.kind !== b.kind)
    return { rule: 'changed-type', text: 'The condition expects a value of another type.' };
  if (a?.kind === 'boolean') return { rule: 'inverted', text: 'The condition was inverted.' };
  if ('operator' in question && isFurther(question.operator.startsWith('<'), a, b))
    return { rule: 'widened', text: 'The condition accepts more values than before.' };
  return { rule: 'changed-predicate', text: 'The condition that the test states checks something else.' };
}

/** Said to be false: then it holds for almost every other literal. */
const isDenied = (fact: AssertionFact): boolean => (truthOf(fact) ?? true) === fact.negated;

/** What is asked in which way, whatever the literal. */
function mannerOf({ of, path, question }: Predicate): string {
  const { kind } = question;
  const way = kind === 'part' ? question.where : kind === 'limit' ? question.operator : '';
  return [of, ...path, kind, way].join(' ');
}

/** A part anywhere < at one end < the whole; a limit that may be met < one that may not < the number itself. */
function saysMore(was: Predicate, is: Predicate): boolean {
  if (was.of !== is.of || was.path.join('.') !== is.path.join('.')) return false;
  if (is.question.kind === 'equal') return true;
  if (was.question.kind === 'part') return was.question.where === 'inside' && is.question.kind === 'part';
  // The other direction is said elsewhere to be turned around.
  return (
    was.question.kind === 'limit' &&
    is.question.kind === 'limit' &&
    (was.question.operator.charAt(0) !== is.question.operator.charAt(0) || is.question.operator.length === 1)
  );
}

type Near = Question & { kind: 'near' };

function isWider(was: Near, is: Near): boolean {
  if (was.tolerance === undefined || is.tolerance === undefined) return was.tolerance !== is.tolerance;
  return is.tolerance > was.tolerance || (is.inclusive && !was.inclusive);
}

function isFurther(isUpper: boolean, was: Value | undefined, is: Value | undefined): boolean {
  if (was?.kind !== 'number' || is?.kind !== 'number') return false;
  return isUpper ? Number(is.text) > Number(was.text) : Number(is.text) < Number(was.text);
}

function fewerWords(was: Value | undefined, is: Value | undefined): string | undefined {
  if (was?.kind !== 'string' || is?.kind !== 'string') return undefined;
  const words = (text: string): number => text.match(/\w+/g)?.length ?? 0;
  return words(is.value) < words(was.value)
    ? `'${is.value}' has fewer words than '${was.value}'.`
    : undefined;
}

const looseShape = (node: ts.Expression): string => shapeOf(node, { anyName: true, anyLiteral: true });

function methodOf(subject: ts.Expression): string | undefined {
  const node = unwrap(subject);
  if (!ts.isCallExpression(node)) return '';
  const callee = unwrap(node.expression);
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : undefined;
}
