// How much a matcher says, and whether another one in its place says less or the opposite.
import ts from 'typescript';
import type { AssertionFact } from './assertionFacts.ts';
import { asksForError, asksForText } from '../syntax/javascript/matchers.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { shapeOf } from './parseSource.ts';
import { isEmptySnapshot } from './textFileRules.ts';
import { patternIn, weakerPattern } from './patterns.ts';
import { words } from './testApi.ts';

interface MatcherFinding {
  readonly rule: 'weaker-matcher' | 'inverted' | 'widened' | 'vacuous-assertion';
  readonly text: string;
}

/** What the change from one assertion to the other takes away; undefined when it says at least as much. */
export function compareMatchers(before: AssertionFact, after: AssertionFact): MatcherFinding | undefined {
  if (before.called && !after.called)
    return { rule: 'vacuous-assertion', text: `The matcher ${after.matcher} is no longer called.` };
  if (before.negated !== after.negated || opposites.has(`${before.matcher}/${after.matcher}`))
    return { rule: 'inverted', text: `The assertion was inverted (${before.matcher}).` };
  if (before.promise !== after.promise && before.promise !== undefined && after.promise !== undefined)
    return { rule: 'inverted', text: `${before.promise} became ${after.promise}.` };
  if (before.promise !== undefined && after.promise === undefined && !isAwaited(after.subject))
    return {
      rule: 'weaker-matcher',
      text: `The assertion compares the promise itself instead of what it ${before.promise} to.`,
    };
  const truth = [truthOf(before), truthOf(after)];
  if (truth[0] !== undefined && truth[1] !== undefined && truth[0] !== truth[1])
    return { rule: 'inverted', text: `The assertion expects ${truth[1]} instead of ${truth[0]}.` };
  if (calledAtAll(before) && after.matcher === 'toHaveBeenCalledTimes' && textOf(after.args[0]) === '0')
    return { rule: 'inverted', text: 'The assertion now expects that nothing was called.' };
  if (before.matcher === after.matcher) return compareArguments(before, after);
  const [was, is] = [strengthOf(before), strengthOf(after)];
  const becomesSnapshot = /Snapshot/.test(after.matcher) && !/Snapshot/.test(before.matcher);
  if (was === undefined || is === undefined || is < was || becomesSnapshot)
    return { rule: 'weaker-matcher', text: `${after.matcher} is weaker than ${before.matcher}.` };
  return undefined;
}

function isAwaited(subject: ts.Expression | undefined): boolean {
  let found = false;
  if (subject !== undefined)
    visitNodes(subject, (node) => {
      found ||= ts.isAwaitExpression(node) || ts.isFunctionLike(node);
    });
  return found || (subject !== undefined && ts.isIdentifier(unwrap(subject)));
}

const opposites: ReadonlySet<string> = new Set(
  words(
    'toBeTruthy/toBeFalsy toBeDefined/toBeUndefined equal/notEqual strictEqual/notStrictEqual',
    'deepEqual/notDeepEqual deepStrictEqual/notDeepStrictEqual ok/notOk isTrue/isFalse true/false',
    'isOk/isNotOk exists/notExists throws/doesNotThrow rejects/doesNotReject match/doesNotMatch',
    'is/isNot is/not truthy/falsy regex/notRegex throws/notThrows include/notInclude',
    'toBeGreaterThan/toBeLessThan toBeGreaterThan/toBeLessThanOrEqual isDefined/isUndefined',
    'toBeGreaterThanOrEqual/toBeLessThan toBeGreaterThanOrEqual/toBeLessThanOrEqual isNull/isNotNull',
    'throwsAsync/notThrowsAsync toBeNull/toBeDefined toBeEnabled/toBeDisabled toBeVisible/toBeHidden',
    'calledOnce/notCalled called/notCalled exist/undefined null/exist',
  ).flatMap((pair) => [pair, pair.split('/').reverse().join('/')]),
);

/** Higher says more. Matchers that are missing here may only stay what they are. */
const strengths: ReadonlyMap<string, number> = new Map(
  (
    [
      [
        100,
        'toBe toBeNull toBeUndefined toBeNaN strictEqual is eq isNull isUndefined isTrue isFalse true false',
      ],
      [95, 'toStrictEqual deepStrictEqual'],
      [93, 'toMatchInlineSnapshot toMatchSnapshot toMatchFileSnapshot'],
      [90, 'toEqual deep.equal eql eqls deep.eq toHaveBeenCalledExactlyOnceWith'],
      [88, 'equal equals'],
      [86, 'toHaveBeenNthCalledWith toHaveNthReturnedWith nthCalledWith'],
      [85, 'toHaveBeenLastCalledWith toHaveLastReturnedWith lastCalledWith toHaveReturnedWith'],
      [84, 'toHaveBeenCalledWith toBeCalledWith calledWith calledWithMatch calledOnceWith'],
      [87, 'calledWithExactly calledOnceWithExactly alwaysCalledWithExactly calledOnceWithMatch'],
      [80, 'deepEqual toThrowErrorMatchingInlineSnapshot toThrowErrorMatchingSnapshot'],
      [
        70,
        'toHaveBeenCalledTimes toBeCalledTimes toHaveBeenCalledOnce toHaveReturnedTimes calledOnce callCount',
      ],
      [65, 'toBeCloseTo closeTo'],
      [60, 'toMatchObject partialDeepStrictEqual like toThrow toThrowError throws rejects throwsAsync throw'],
      [55, 'toContainEqual toHaveLength lengthOf'],
      [50, 'toContain toMatch match include contain includes toHaveProperty property regex toBeOneOf'],
      [
        45,
        'toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan toBeLessThanOrEqual toBeInstanceOf instanceOf above below',
      ],
      [40, 'toHaveBeenCalled toBeCalled toHaveReturned toBeTypeOf called'],
      [30, 'toSatisfy'],
      [20, 'toBeDefined exist exists isDefined'],
      [18, 'toBeFalsy notOk falsy'],
      [15, 'toBeTruthy ok truthy assert isOk'],
    ] as const
  ).flatMap(([strength, names]) => names.split(' ').map((name) => [name, strength] as const)),
);

function strengthOf(fact: AssertionFact): number | undefined {
  const strength = strengths.get(fact.matcher);
  // A matcher that is true of much is false of little: `not.toBeDefined` says more than `not.toBe(1)`.
  return strength !== undefined && fact.negated ? 100 - strength : strength;
}

/** What the assertion says of its subject, where that is true or false. */
export function truthOf({ matcher, args }: AssertionFact): boolean | undefined {
  if (/^(?:toBeTruthy|ok|assert|isTrue|isOk|true|truthy)$/.test(matcher)) return true;
  if (/^(?:toBeFalsy|isFalse|notOk|false|falsy)$/.test(matcher)) return false;
  if (!/equal|^toBe$|^is$|^eq/i.test(matcher)) return undefined;
  const literal = args[0] && unwrap(args[0]);
  if (literal?.kind === ts.SyntaxKind.TrueKeyword) return true;
  return literal?.kind === ts.SyntaxKind.FalseKeyword ? false : undefined;
}

const calledAtAll = ({ matcher, args }: AssertionFact): boolean =>
  /^(?:toHaveBeenCalled|toBeCalled|toHaveBeenCalledOnce|called|calledOnce)$/.test(matcher) ||
  (matcher === 'toHaveBeenCalledTimes' && textOf(args[0]) !== '0');

/** Matchers that check less when an argument is left out. */
const needsArguments =
  /^(?:\.expect|toHaveProperty|property|toBeCloseTo|closeTo|toMatchInlineSnapshot|toThrowErrorMatchingInlineSnapshot)$/;
/** Matchers whose text argument may occur anywhere. */
export const findsText = (matcher: string): boolean =>
  asksForText.test(matcher) || asksForError.test(matcher);

function compareArguments(before: AssertionFact, after: AssertionFact): MatcherFinding | undefined {
  const { matcher } = after;
  const weaker = (text: string): MatcherFinding => ({ rule: 'weaker-matcher', text });
  const widened = (text: string): MatcherFinding => ({ rule: 'widened', text });
  if ((needsArguments.test(matcher) || asksForError.test(matcher)) && after.args.length < before.args.length)
    return weaker(`${matcher} checks less with fewer arguments.`);
  if (before.args.length > 0 && after.args.length === 0 && !/CalledWith|calledWithExactly/.test(matcher))
    return weaker(`${matcher} no longer names the value it compares with.`);
  const flag = looserFlag(before, after);
  if (flag !== undefined) return weaker(flag);
  // Sinon's matchers of calls look at the first arguments only.
  if (/^(?:alwaysC|c)alled\w*With(?:Match)?$/.test(matcher) && after.args.length < before.args.length)
    return weaker(`${matcher} checks fewer arguments than before.`);
  const message = becomesMessage(before, after);
  if (message)
    return weaker(`A string argument of ${matcher} is only its failure message: any error passes.`);
  const positions = matcher === 'throws' || matcher === 'rejects' ? [0] : before.args.keys();
  for (const index of findsText(matcher) ? positions : []) {
    const finding = compareText(before.args[index], after.args[index]);
    if (finding !== undefined) return weaker(finding);
  }
  if (
    /^toMatch(?:File)?Snapshot$|MatchingSnapshot$/.test(matcher) &&
    shapeOfArgs(before) !== shapeOfArgs(after)
  )
    return weaker(`${matcher} now compares with another stored snapshot or with none.`);
  if (matcher.endsWith('InlineSnapshot') && hasText(before) && !hasText(after))
    return weaker(`${matcher} compares with nothing because its text is empty.`);
  if (/closeTo|approximately/i.test(matcher) && precisionOf(after) !== precisionOf(before)) {
    const isDigits = matcher === 'toBeCloseTo';
    if (
      isDigits ? !(precisionOf(after) >= precisionOf(before)) : !(precisionOf(after) <= precisionOf(before))
    )
      return weaker(`${matcher} accepts a larger difference.`);
  }
  if (acceptsMoreNumbers(before, after)) return widened(`${matcher} accepts more values than before.`);
  if (/^(?:toMatchObject|partialDeepStrictEqual|like|toHaveProperty)$/.test(matcher)) {
    const [was, is] = [leaves(before.args[0]), leaves(after.args[0])];
    if (was > 0 && is === 0) return weaker(`${matcher} no longer names any value.`);
    if (is < was) return widened(`${matcher} names fewer values than before.`);
  }
  const wider = /instance_?of/i.test(matcher) ? widerClass(before.args[0], after.args[0]) : undefined;
  if (wider !== undefined) return weaker(wider);
  if (/oneOf$/i.test(matcher) && leaves(after.args[0]) > leaves(before.args[0]))
    return widened('The assertion accepts more values than before.');
  const isPart = (after.flags ?? []).some((word) => /^(?:include|contain)/.test(word));
  if (isPart && sumOfLeaves(after) < sumOfLeaves(before))
    return widened(`${matcher} names fewer values than before.`);
  const takesFunction = after.args.some((arg) => ts.isFunctionLike(unwrap(arg)));
  const isHandWritten = matcher === 'toSatisfy' || (takesFunction && !isFollowed(before, after));
  if (isHandWritten && shapeOfArgs(before) !== shapeOfArgs(after))
    return weaker('A hand-written check was replaced by a different one.');
  return undefined;
}

/** `assert.throws(f, 'text')` of Node and AVA; that of chai looks for the text. */
function becomesMessage(before: AssertionFact, after: AssertionFact): boolean {
  if (
    after.family !== 'assert' ||
    !/^(?:throws|rejects|doesNotThrow|doesNotReject|(?:notT|t)hrowsAsync|notThrows)$/.test(after.matcher)
  )
    return false;
  const [was, is] = [before, after].map(({ args: [arg] }) => arg && unwrap(arg));
  const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  return (
    was !== undefined &&
    is !== undefined &&
    !isText(was) &&
    isText(is) &&
    !/['"]chai['"]/.test(is.getSourceFile().text)
  );
}

const sumOfLeaves = ({ args }: AssertionFact): number => args.reduce((sum, arg) => sum + leaves(arg), 0);

/** `any`, `include` ask for less than before; without `all`, `ordered`, `own` so does what follows. */
function looserFlag(before: AssertionFact, after: AssertionFact): string | undefined {
  const [was, is] = [before.flags ?? [], after.flags ?? []];
  const gained = is.find((word) => !was.includes(word) && /^(?:any|include|contain)/.test(word));
  if (gained !== undefined) return `With ${gained}, ${after.matcher} is weaker than before.`;
  const lost = was.find((word) => !is.includes(word) && /^(?:all|ordered|own)$/.test(word));
  return lost === undefined || (lost === 'all' && !is.includes('any'))
    ? undefined
    : `Without ${lost}, ${after.matcher} is weaker than before.`;
}

/** Is a limit further out than it was? True when that cannot be read. */
function acceptsMoreNumbers(before: AssertionFact, after: AssertionFact): boolean {
  if (shapeOfArgs(before) === shapeOfArgs(after)) return false;
  const number = (fact: AssertionFact, index: number): number => Number(textOf(fact.args[index]));
  const rises = (index: number): boolean => number(after, index) >= number(before, index);
  const falls = (index: number): boolean => number(after, index) <= number(before, index);
  if (after.matcher === 'within') return !(rises(0) && falls(1));
  if (/Greater|above|atLeast|^(?:least|gte?)$/i.test(after.matcher)) return !rises(0);
  return /Less|below|atMost|^(?:most|lte?)$/i.test(after.matcher) && !falls(0);
}

const hasText = ({ args }: AssertionFact): boolean =>
  args.some((arg) => {
    const text = unwrap(arg);
    return !ts.isStringLiteralLike(text) || !isEmptySnapshot(text.text);
  });

const shapeOfArgs = ({ args }: AssertionFact): string => args.map((arg) => shapeOf(arg)).join(',');

function textOf(node: ts.Expression | undefined): string {
  return node === undefined ? '' : unwrap(node).getText();
}

/** Every error is an `Error` and every object an `Object`: naming those says less than naming another class. */
function widerClass(before: ts.Node | undefined, after: ts.Node | undefined): string | undefined {
  const [was, is] = [before, after].map((node) => node?.getText().replace(/^globalThis\./, ''));
  if (was === undefined || was === is || was === 'Object') return undefined;
  if (is === 'Object') return 'Everything is an instance of Object.';
  return is === 'Error' && /^[\w$.]+$/.test(was) ? 'Every error is an instance of Error.' : undefined;
}

/** Why a text or pattern that may occur anywhere says less than the one before; undefined where it does not. */
export function compareText(
  before: ts.Expression | undefined,
  after: ts.Expression | undefined,
): string | undefined {
  if (before === undefined || after === undefined || shapeOf(before) === shapeOf(after)) return undefined;
  const [was, is] = [unwrap(before), unwrap(after)];
  const isText = ts.isStringLiteralLike(was) || ts.isRegularExpressionLiteral(was);
  if (isText && isRegExpCall(is)) return 'The pattern is computed, so what it accepts cannot be determined.';
  if (isText && lettersOf(was) >= 4 && isTextual(is) && lettersOf(is) < 3)
    return `${is.getText()} matches almost any text.`;
  if (ts.isRegularExpressionLiteral(is) && matchesAlmostAnything(is.text))
    return `${is.text} matches almost anything.`;
  if (ts.isRegularExpressionLiteral(is) && ts.isRegularExpressionLiteral(was))
    return weakerPattern(patternIn(was.text), patternIn(is.text));
  if (ts.isObjectLiteralExpression(is) && ts.isObjectLiteralExpression(was)) return compareError(was, is);
  if (ts.isRegularExpressionLiteral(is) && ts.isStringLiteralLike(was))
    return 'The pattern is weaker than the text it replaces.';
  if (ts.isStringLiteralLike(is) && is.text.trim() === '') return 'The empty text matches any text.';
  if (
    ts.isStringLiteralLike(was) &&
    ts.isStringLiteralLike(is) &&
    was.text !== is.text &&
    was.text.includes(is.text)
  )
    return `'${is.text}' is only a part of '${was.text}'.`;
  if (isText && ts.isIdentifier(is) && is.text.endsWith('Error'))
    return 'Checking the class of an error is weaker than checking its message.';
  return isText ? undefined : widerClass(was, is);
}

const isTextual = (node: ts.Node): node is ts.StringLiteralLike | ts.RegularExpressionLiteral =>
  ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node);

/** `new RegExp('…')`, `RegExp(…)`. */
export const isRegExpCall = (node: ts.Node): node is ts.CallExpression | ts.NewExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  /^(?:(?:globalThis|window|global)\.)?RegExp$/.test(node.expression.getText());

/** How many characters a text, or a pattern without its flags, has. */
function lettersOf(node: ts.StringLiteralLike | ts.RegularExpressionLiteral): number {
  return ts.isStringLiteralLike(node) ? node.text.length : node.text.lastIndexOf('/') - 1;
}

/** `request.expect(200, (error) => …)` of supertest: what comes after it does the same, and what is expected there is looked at by itself. */
function isFollowed(before: AssertionFact, after: AssertionFact): boolean {
  const [was, is] = [before, after].map(({ args }) => (args.length > 1 ? args.at(-1) : undefined));
  return (
    before.matcher === '.expect' &&
    was !== undefined &&
    is !== undefined &&
    shapeOf(was, { anyLiteral: true }) === shapeOf(is, { anyLiteral: true })
  );
}

/** `{ name, message }` as `throws` takes it: the texts in it are whole, so only patterns and lost keys say less. */
function compareError(
  before: ts.ObjectLiteralExpression,
  after: ts.ObjectLiteralExpression,
): string | undefined {
  if (leaves(after) < leaves(before)) return 'The assertion checks less of the error than before.';
  const [had, has] = [valuesByKey(before), valuesByKey(after)];
  if ([...had.keys()].some((key) => !has.has(key)))
    return 'The assertion checks less of the error than before.';
  // AVA takes anything that is thrown for the error then.
  if (!had.has('any') && has.has('any')) return 'With `any`, the thrown value need not be an error.';
  for (const [key, value] of has)
    if (ts.isFunctionLike(value) && had.get(key)?.getText() !== value.getText())
      return 'The hand-written check is weaker than the text it replaces.';
  const wider = widerClass(had.get('instanceOf'), has.get('instanceOf'));
  if (wider !== undefined) return wider;
  const patternIn = (object: ts.ObjectLiteralExpression): readonly ts.Expression[] =>
    object.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) && ts.isRegularExpressionLiteral(unwrap(property.initializer))
        ? [unwrap(property.initializer)]
        : [],
    );
  const [was, is] = [patternIn(before), patternIn(after)];
  if (is.length > was.length) return 'The pattern is weaker than the text it replaces.';
  return is
    .map((pattern, index) => compareText(was[index], pattern))
    .find((finding) => finding !== undefined);
}

/** What is spread or computed has the key of its own text. */
function valuesByKey({ properties }: ts.ObjectLiteralExpression): ReadonlyMap<string, ts.Node> {
  return new Map(
    properties.map((property) => [
      (property.name ?? property).getText().replace(/^(['"])(.*)\1$/, '$2'),
      ts.isPropertyAssignment(property) ? unwrap(property.initializer) : property,
    ]),
  );
}

function matchesAlmostAnything(literal: string): boolean {
  const end = literal.lastIndexOf('/');
  try {
    const pattern = new RegExp(literal.slice(1, end), literal.slice(end + 1).replace(/[gy]/g, ''));
    return ['', 'q', '\u2603 7'].filter((text) => pattern.test(text)).length >= 2;
  } catch {
    return true;
  }
}

function precisionOf({ matcher, args }: AssertionFact): number {
  const given = args[1];
  return given === undefined ? (matcher === 'toBeCloseTo' ? 2 : 0) : Number(textOf(given));
}

/** How many values an object or array literal names, inner ones too; 1 for anything else. */
function leaves(node: ts.Expression | undefined): number {
  const inner = node === undefined ? undefined : unwrap(node);
  if (inner === undefined) return 0;
  if (ts.isArrayLiteralExpression(inner)) return inner.elements.reduce((sum, item) => sum + leaves(item), 0);
  if (!ts.isObjectLiteralExpression(inner)) return 1;
  return inner.properties.reduce(
    (sum, property) => sum + (ts.isPropertyAssignment(property) ? leaves(property.initializer) : 1),
    0,
  );
}
