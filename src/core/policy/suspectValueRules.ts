// What only a person may let an assertion expect: a value that broken code gives as well (the value stops of changed expectations).
import ts from 'typescript';
import { assertedNames } from '../diagnosis/assertedNames.ts';
import { askedNames, isCodeName } from '../diagnosis/outcomeNames.ts';
import { literalStops, valueStops } from '../diagnosis/valueStops.ts';
import { dedented } from '../fixes/snapshots/inlineSnapshots.ts';
import { snapshotStops } from '../fixes/snapshots/snapshotStops.ts';
import type { Value } from '../model/value.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { alignAssertions, byOwner } from './alignAssertions.ts';
import type { AssertionFact } from './assertionFacts.ts';
import { sourcesIn, type SourcesOf } from './expectedSources.ts';
import { expectedValues } from './expectedValues.ts';
import type { FileFacts, Finding } from './fileFacts.ts';
import { shapeOf } from './parseSource.ts';
import { isEmptySnapshot } from './textFileRules.ts';
import { suspectValue, withRenamedKeys } from './suspectValue.ts';
import { asksForPart } from '../syntax/javascript/matchers.ts';

/** Of every assertion that stands for one of before; how many there are is for others to judge. */
export function* suspectValueRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  const seen = new Set<string>();
  const [wasGiven, isGiven] = [sourcesIn(before), sourcesIn(after)];
  const [was, is] = [byOwner(before.assertions), byOwner(after.assertions)];
  for (const [owner, asserted] of was)
    for (const [old, now] of alignAssertions(asserted, is.get(owner) ?? []).pairs)
      for (const reason of reasonsOf(
        { fact: old, facts: before, sourcesOf: wasGiven },
        { fact: now, facts: after, sourcesOf: isGiven },
      )) {
        const finding = suspectValue(reason, now.line);
        if (seen.has(JSON.stringify(finding))) continue;
        seen.add(JSON.stringify(finding));
        yield finding;
      }
}

interface Asserted {
  readonly fact: AssertionFact;
  readonly facts: FileFacts;
  readonly sourcesOf: SourcesOf;
}

function reasonsOf(old: Asserted, now: Asserted): readonly string[] {
  if (old.fact.negated || now.fact.negated || old.fact.family !== now.fact.family) return [];
  if (now.fact.matcher.endsWith('InlineSnapshot')) return snapshotReasons(old, now);
  if (now.fact.family === 'manual') return manualReasons(old, now);
  if (now.fact.family === 'helper') return helperReasons(old, now);
  const asked = assertedNames({ ...now.fact, actual: now.fact.subject });
  if (isCall(old.fact) && isCall(now.fact)) return callReasons(old, now, asked);
  const [was, is] = [old, now].map(({ fact }) => expectedArguments(fact));
  const reasons = (is ?? []).flatMap((node, index) => compareNodes(was?.[index], node, old, now, asked));
  return [...reasons, ...impliedReasons(old, now, asked), ...swappedReasons(old, now)];
}

const isCall = ({ matcher }: Pick<AssertionFact, 'matcher'>): boolean =>
  /calledWith|calledOnceWith|called\w*Exactly/i.test(matcher);

/** The arguments of a mock, as one list of them. */
function callReasons(old: Asserted, now: Asserted, asked: readonly string[]): readonly string[] {
  const [was, is] = [old, now].map((side) => expectedArguments(side.fact).map((arg) => valuesOf(arg, side)));
  const rows = Math.max(1, ...(is ?? []).map((values) => values.length));
  const listAt = (all: readonly (readonly Value[])[] | undefined, row: number): Value => ({
    kind: 'array',
    items: (all ?? []).map(
      (values) =>
        (values.length === 1 ? values[0] : values[row]) ?? { kind: 'opaque', description: 'no row' },
    ),
  });
  return Array.from({ length: rows }, (_, row) => row).flatMap((row) =>
    compareValues(listAt(was, row), listAt(is, row), now.fact.matcher, asked),
  );
}

/** Arguments of the matcher that are no options, places or messages. */
function expectedArguments({ matcher, args }: AssertionFact): readonly ts.Expression[] {
  if (/NthCalledWith$/i.test(matcher)) return args.slice(1);
  if (isCall({ matcher })) return args;
  const isNamed = args.length > 1 && /property|attribute|toHaveCSS|^(?:have\.)?(?:attr|css)$/i.test(matcher);
  return isNamed ? args.slice(1, 2) : args.slice(0, 1);
}

/** The nodes by the rows that their names come from; where the rows are others now, nothing says which was which. */
function compareNodes(
  was: ts.Expression | undefined,
  is: ts.Expression,
  old: Asserted,
  now: Asserted,
  asked: readonly string[],
): readonly string[] {
  if (was === undefined) return [];
  const [before, after] = [valuesOf(was, old), valuesOf(is, now)];
  return after.flatMap((value, row) => {
    const former = before.length === 1 ? before[0] : before[row];
    if (former === undefined || isAnotherQuestion(former, value, old, now)) return [];
    return [
      ...codeReasons(former, value, was, is, asked),
      ...compareValues(former, value, now.fact.matcher, asked),
    ];
  });
}

/** `status: code('200')` → `code('500')`: nobody reads which code that is. */
function codeReasons(
  former: Value,
  value: Value,
  was: ts.Node,
  is: ts.Node,
  asked: readonly string[],
): readonly string[] {
  const name = asked.find(isCodeName);
  if (name === undefined || former.kind !== 'opaque' || value.kind !== 'opaque') return [];
  if (!isComputed(unwrap(is)) || shapeOf(was) === shapeOf(is) || looseShape(was) !== looseShape(is))
    return [];
  return [`${name} is computed from other values: whether it is another code cannot be read.`];
}

const isComputed = (node: ts.Node): boolean =>
  ts.isCallExpression(node) ||
  ts.isElementAccessExpression(node) ||
  ts.isPrefixUnaryExpression(node) ||
  ts.isBinaryExpression(node);

/** `expect(text === 'a').toBe(true)` → `expect(text).toBe('a')`: the type is another one because something else is asked. */
function isAnotherQuestion(was: Value, is: Value, old: Asserted, now: Asserted): boolean {
  const [before, after] = [old.fact.subject, now.fact.subject];
  if (before === undefined || after === undefined || was.kind === is.kind) return false;
  return !/^(?:undefined|null)$/.test(is.kind) && looseShape(before) !== looseShape(after);
}

const looseShape = (node: ts.Node): string => shapeOf(node, { anyName: true, anyLiteral: true });

const valuesOf = (node: ts.Expression, { fact, sourcesOf }: Asserted): readonly Value[] =>
  expectedValues(node, fact.owner, sourcesOf);

function compareValues(was: Value, is: Value, matcher: string, asked: readonly string[]): readonly string[] {
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  const expected = withRenamedKeys(was, is);
  const stops = asksForPart.test(matcher)
    ? literalStops(expected, is, '', asked)
    : valueStops({ matcher, expected, actual: is, asked });
  return stops.map(({ reason }) => reason);
}

/** Matchers that say themselves what is expected: `toBeUndefined()` in the place of `toBe('a')`. */
function impliedReasons(old: Asserted, now: Asserted, asked: readonly string[]): readonly string[] {
  const is = impliedBy(now.fact.matcher);
  const [was] = expectedArguments(old.fact);
  if (is === undefined || impliedBy(old.fact.matcher) !== undefined || was === undefined) return [];
  return valuesOf(was, old).flatMap((value) =>
    value.kind === 'opaque' ? [] : compareValues(value, is, now.fact.matcher, asked),
  );
}

function impliedBy(matcher: string): Value | undefined {
  if (/^(?:toBeNull|isNull|null)$/.test(matcher)) return { kind: 'null' };
  if (/^(?:toBeUndefined|isUndefined|undefined)$/.test(matcher)) return { kind: 'undefined' };
  if (/^(?:toBeNaN|isNaN|NaN)$/.test(matcher)) return { kind: 'number', text: 'NaN' };
  return /^(?:isEmpty|empty|toBeEmpty)$/.test(matcher) ? { kind: 'string', value: '' } : undefined;
}

/** `assert.equal(200, response.status)` */
function swappedReasons(old: Asserted, now: Asserted): readonly string[] {
  const [actual] = now.fact.args;
  if (old.fact.subject === undefined || now.fact.subject === undefined || actual === undefined) return [];
  if (valuesOf(actual, now).some(({ kind }) => kind !== 'opaque')) return [];
  const asked = assertedNames({ matcher: now.fact.matcher, actual, args: [] });
  return compareNodes(old.fact.subject, now.fact.subject, old, now, asked);
}

/** What a helper of this file compares is seen in it; of another one's arguments any may be expected. */
function helperReasons(old: Asserted, now: Asserted): readonly string[] {
  const { matcher, args } = now.fact;
  if (now.facts.bindings.declared.has(matcher)) return [];
  const others = args.flatMap((arg) =>
    valuesOf(arg, now).some(({ kind }) => kind === 'opaque') ? askedNames(arg.getText()) : [],
  );
  const asked = [
    ...assertedNames({ matcher, actual: undefined, args: [] }),
    ...askedNames(matcher),
    ...others,
  ];
  return args.flatMap((arg, index) => compareNodes(old.fact.args[index], arg, old, now, asked));
}

/** `if (code !== 0) throw new Error('…')` */
function manualReasons(old: Asserted, now: Asserted): readonly string[] {
  const [was, is] = [old, now].map(({ fact }) => equalitiesAround(fact.node));
  if (was === undefined || is === undefined || was.length !== is.length) return [];
  return is.flatMap(({ left, right }, index) =>
    [
      [was[index]?.left, left, right],
      [was[index]?.right, right, left],
    ].flatMap(([former, written, actual]) =>
      written === undefined || actual === undefined
        ? []
        : compareNodes(former, written, old, now, assertedNames({ matcher: '===', actual, args: [] })),
    ),
  );
}

function equalitiesAround(node: ts.Node): readonly ts.BinaryExpression[] {
  for (let up = node; up.parent !== undefined && !ts.isFunctionLike(up.parent); up = up.parent) {
    const { parent } = up;
    if (!ts.isIfStatement(parent) || parent.expression === up) continue;
    const found: ts.BinaryExpression[] = [];
    visitNodes(parent.expression, (inner) => {
      if (ts.isBinaryExpression(inner) && /^[!=]==?$/.test(inner.operatorToken.getText())) found.push(inner);
    });
    return found;
  }
  return [];
}

/** That it lost all of its text is said elsewhere. */
function snapshotReasons(old: Asserted, now: Asserted): readonly string[] {
  const [was, is] = [old, now].map(({ fact }) =>
    fact.args.map((arg) => unwrap(arg)).findLast((arg) => ts.isStringLiteralLike(arg)),
  );
  return was === undefined || is === undefined || isEmptySnapshot(was.text) || isEmptySnapshot(is.text)
    ? []
    : snapshotStops(dedented(was.text), dedented(is.text)).map(({ reason }) => reason);
}
