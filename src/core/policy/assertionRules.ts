// What may not happen to an assertion: lost, weaker, inverted, guarded, made true by itself, not awaited.
import ts from 'typescript';
import { alignAssertions, byOwner } from './alignAssertions.ts';
import type { AssertionFact } from './assertionFacts.ts';
import { oncePerFile, type FileFacts, type Finding } from './fileFacts.ts';
import type { Guard } from './flow.ts';
import { compareMatchers } from './matchers.ts';
import { comparePredicates } from './predicateRules.ts';
import { underFormerNames } from './renamedCallee.ts';
import { actionsOf, lateSteps } from './stepRules.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { compareValues, isVacuous } from './valueRules.ts';

export function* assertionRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  const [was, is] = [byOwner(before.assertions), byOwner(after.assertions)];
  const present = new Set(after.tree.definitions.map(({ key }) => key));
  const gone = before.tree.definitions.filter(({ key }) => !present.has(key));
  const goneKeys = new Set(gone.map(({ key }) => key));
  const [acted, acts] = [actionsOf(before), actionsOf(after)];
  const formerly = underFormerNames(before, after);
  for (const [owner, facts] of was) {
    // That the test is gone is said elsewhere, once.
    if (goneKeys.has(owner)) continue;
    const mine = is.get(owner) ?? [];
    const { pairs, lost, added } = alignAssertions(facts, mine);
    for (const fact of lost)
      yield {
        rule: 'fewer-assertions',
        line: placeOf(owner, after),
        text: `An assertion was removed: ${short(fact)}`,
      };
    yield* copied(facts, mine);
    yield* lateSteps(pairs, acted.get(owner), acts.get(owner));
    for (const [old, now] of pairs) yield* comparePair(old, now, before, after, formerly);
    for (const fact of added) yield* judgeAdded(fact, after);
  }
  for (const [owner, facts] of is)
    if (!was.has(owner)) for (const fact of facts) yield* judgeAdded(fact, after);
  yield* lostAwaits(before, after);
}

function* comparePair(
  old: AssertionFact,
  now: AssertionFact,
  before: FileFacts,
  after: FileFacts,
  formerly: (guard: Guard) => Guard,
): Generator<Finding> {
  const at = { line: now.line };
  const matcher = compareMatchers(old, now);
  if (matcher !== undefined) yield { ...matcher, ...at };
  for (const guard of newGuards(old, now, formerly))
    yield { rule: guard.rule, ...at, text: guardText(guard, now) };
  if (becameAsync(now, before, after) && !now.settled)
    yield { rule: 'removed-await', ...at, text: `The call of the helper is not awaited: ${short(now)}` };
  if (
    !now.settled &&
    (old.settled || (now.promise !== undefined && old.promise === undefined)) &&
    isAsync(old, now) &&
    !awaitsItsSubject(now)
  )
    yield { rule: 'removed-await', ...at, text: `The assertion is not awaited: ${short(now)}` };
  for (const finding of compareValues(old, now, before, after)) yield { ...finding, ...at };
  for (const finding of comparePredicates(old, now, before, after)) yield { ...finding, ...at };
}

const isAsync = (old: AssertionFact, now: AssertionFact): boolean =>
  now.promise !== undefined || old.promise !== undefined || old.settled;

/** A function of the file that asserts, and that is `async` only now. */
function becameAsync({ family, matcher }: AssertionFact, before: FileFacts, after: FileFacts): boolean {
  if (family !== 'helper') return false;
  const [was, is] = [before, after].map(({ bindings: { declared, values } }) =>
    [...(declared.get(matcher) ?? []), ...(values.get(matcher) ?? []).map(unwrap)].filter(
      (node) =>
        ts.canHaveModifiers(node) &&
        ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword),
    ),
  );
  return (is?.length ?? 0) > (was?.length ?? 0);
}

/** `expect(await save())` has nothing left to wait for. */
function awaitsItsSubject({ subject, promise }: AssertionFact): boolean {
  return promise === undefined && subject !== undefined && ts.isAwaitExpression(unwrap(subject));
}

function newGuards(
  old: AssertionFact,
  now: AssertionFact,
  formerly: (guard: Guard) => Guard,
): readonly Guard[] {
  const had = old.guards.map(({ key }) => loose(key, old));
  return now.guards.map(formerly).filter(({ key }) => {
    const index = had.indexOf(loose(key, now));
    if (index >= 0) had.splice(index, 1);
    return index < 0;
  });
}

/** The condition of a hand-made check is its expectation: its literals may change, its operators may not. */
function loose(key: string, fact: AssertionFact): string {
  if (fact.family !== 'manual') return key;
  return key.replace(/"(?:[^"\\]|\\.)*"/g, 'text').replace(/\b-?\d[\w.]*/g, 'number');
}

function guardText({ rule, key }: Guard, fact: AssertionFact): string {
  const what = short(fact);
  if (rule === 'swallowed-error') return `A failure of this assertion would be caught: ${what}`;
  if (rule === 'unreachable-assertion') return `The test may end before this assertion: ${what}`;
  if (rule === 'moved-assertion') return `The assertion moved into a function that may never run: ${what}`;
  return key === '?.'
    ? `The assertion is skipped when a value is missing: ${what}`
    : `The assertion runs only under a condition: ${what}`;
}

function* judgeAdded(fact: AssertionFact, after: FileFacts): Generator<Finding> {
  const empty = isVacuous(fact, after);
  if (empty)
    yield {
      rule: 'vacuous-assertion',
      line: fact.line,
      text: `This assertion can never fail: ${short(fact)}`,
    };
}

/** One assertion written twice in place of two different ones. */
function* copied(before: readonly AssertionFact[], after: readonly AssertionFact[]): Generator<Finding> {
  const distinct = (facts: readonly AssertionFact[]): number =>
    new Set(facts.filter((fact) => fact.family !== 'manual').map((fact) => fact.shape)).size;
  const last = after.at(-1);
  if (last !== undefined && after.length >= before.length && distinct(after) < distinct(before))
    yield {
      rule: 'fewer-assertions',
      line: last.line,
      text: 'Two different assertions became identical.',
    };
}

/** Awaits per test: one that is gone lets a failure come after the test's end. */
function* lostAwaits(before: FileFacts, after: FileFacts): Generator<Finding> {
  const [was, is] = [awaits(before), awaits(after)];
  for (const [owner, count] of was)
    if ((is.get(owner) ?? 0) < count && hasOwner(owner, after))
      yield { rule: 'removed-await', line: placeOf(owner, after), text: 'An await was removed.' };
}

const awaits = oncePerFile(({ source, tree }): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  visitNodes(source, (node) => {
    if (!ts.isAwaitExpression(node) && !(ts.isForOfStatement(node) && node.awaitModifier !== undefined))
      return;
    const owner = tree.ownerOf(node);
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  });
  return counts;
});

function hasOwner(owner: string, { tree }: FileFacts): boolean {
  return tree.definitions.some(({ key }) => key === owner);
}

/** The line of the test or hook in the newer version; 1 when it has none. */
function placeOf(owner: string, { tree, assertions }: FileFacts): number {
  return (
    tree.definitions.find(({ key }) => key === owner)?.line ??
    assertions.find((fact) => fact.owner === owner)?.line ??
    1
  );
}

function short(fact: AssertionFact): string {
  const text = fact.node.getText().replace(/\s+/g, ' ');
  return text.length > 80 ? text.slice(0, 79) + '…' : text;
}
