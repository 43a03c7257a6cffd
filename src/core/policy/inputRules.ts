// Who changes what a test expects may change nothing else: what reaches the code under test, and what the test does, stays.
import ts from 'typescript';
import { sidesOf, type FileChange, type FileFacts, type Finding } from './fileFacts.ts';
import type { Destinations } from './flowNames.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { testModules } from './redirectionRules.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { valueFlow } from './valueFlow.ts';

/**
 * For changes of expectations only; a repaired call is another matter. `isTried`: a trial told that the literal is only expected,
 * where the text does not.
 */
export function* inputRules(
  change: FileChange,
  isTestFile: (file: string) => boolean,
  isTried = false,
): Generator<Finding> {
  const { file, before, after } = change;
  if (before === undefined || after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return;
  const isTestModule = testModules(file, isTestFile);
  const [was, is] = sidesOf(change).map((facts) => sideOf(facts, isTestModule, { isTried }));
  if (was === undefined || is === undefined) return;
  const places = [...otherPlaces(was.facts.source, is.facts.source, was, is)].map(([, now]) => now);
  for (const line of new Set(places.map(lineOf)))
    yield {
      rule: 'changed-input',
      line,
      text: 'A fix that changes an expectation must not change what the test does or which inputs it passes to the code.',
    };
}

/** One version of a file, and what its values are for. `isStrict`: what is written may not be another text where it goes nowhere. */
export function sideOf(
  facts: FileFacts,
  isTestModule: (module: string) => boolean,
  { isTried = false, isStrict = false }: { readonly isTried?: boolean; readonly isStrict?: boolean } = {},
): Side {
  const flow = valueFlow(facts, isTestModule);
  return {
    facts,
    isAsked: (node) => isAsked(flow(node), isTried),
    isFree: (node) => isFree(flow(node), isTried, isWritten(node) && !isStrict),
    compared: new Set(facts.assertions.map(({ args }) => args)),
    isStrict,
  };
}

interface Side {
  readonly facts: FileFacts;
  readonly isAsked: (node: ts.Node) => boolean;
  /** May this value be another one? */
  readonly isFree: (node: ts.Node) => boolean;
  /** Functions that are called where something is expected may be no others either. */
  readonly isStrict: boolean;
  /** The lists of arguments of matchers. */
  readonly compared: ReadonlySet<readonly ts.Node[]>;
}

const isAsked = ({ expected, built, asked }: Destinations, isTried: boolean): boolean =>
  isTried ? asked && !expected && !built : asked || built;

/** Only written texts and numbers may go nowhere: in titles, messages. */
const isFree = (found: Destinations, isTried: boolean, isText: boolean): boolean =>
  !isAsked(found, isTried) && (found.expected || found.built || isText);

/** A place of the older version, where there is one, and what stands there now. */
export type Place = readonly [old: ts.Node | undefined, now: ts.Node];

type Parted = (old: ts.Node, now: ts.Node) => readonly Place[] | undefined;

/**
 * The innermost places where the newer version asks or does something else. `parted`: takes lists of statements apart where they
 * differ; else a list of another length is one place.
 */
function* otherPlaces(left: ts.Node, right: ts.Node, was: Side, is: Side, parted?: Parted): Generator<Place> {
  for (const { place, isFree } of differingPlaces(left, right, was, is, parted)) if (!isFree) yield place;
}

/** `isFree`: another value stands there, and nothing else is asked or done. */
export interface DifferingPlace {
  readonly place: Place;
  readonly isFree: boolean;
}

/** The same places, and those where another value is free to stand. */
export function* differingPlaces(
  left: ts.Node,
  right: ts.Node,
  was: Side,
  is: Side,
  parted?: Parted,
): Generator<DifferingPlace> {
  const [old, now] = [unwrap(left), unwrap(right)];
  if (old.getText() === now.getText() || shapeOf(old) === shapeOf(now)) return;
  const [expectedThen, expectedNow] = [comparedArguments(old, was), comparedArguments(now, is)];
  if (expectedThen !== undefined && expectedNow !== undefined) {
    yield* differingPlaces(expectedThen.callee, expectedNow.callee, was, is, parted);
    if (!asksNothingNew(expectedThen.args, expectedNow.args, was, is))
      yield { place: [old, now], isFree: false };
    else yield* freeArguments([old, now], expectedThen.args, expectedNow.args);
    return;
  }
  if (isValue(old) && isValue(now) && was.isFree(old) && is.isFree(now)) {
    yield { place: [old, now], isFree: asksNothingNew([old], [now], was, is) };
    return;
  }
  const pieces = parted?.(old, now);
  if (pieces !== undefined) {
    for (const [then, today] of pieces)
      if (then === undefined) yield { place: [then, today], isFree: false };
      else yield* differingPlaces(then, today, was, is, parted);
    return;
  }
  const [parts, others] = [partsOf(old), partsOf(now)];
  const isAlike = old.kind === now.kind && parts.length === others.length && parts.length > 0;
  if (!isAlike || operatorOf(old) !== operatorOf(now)) {
    yield { place: [old, now], isFree: false };
    return;
  }
  for (const [index, part] of parts.entries()) {
    const other = others[index];
    if (other !== undefined) yield* differingPlaces(part, other, was, is, parted);
  }
}

/** Each by itself; the calls as a whole where one has an argument more. */
function* freeArguments(
  calls: Place,
  old: readonly ts.Node[],
  now: readonly ts.Node[],
): Generator<DifferingPlace> {
  if (old.length !== now.length) {
    yield { place: calls, isFree: true };
    return;
  }
  for (const [index, node] of old.entries()) {
    const other = now[index];
    if (other !== undefined && shapeOf(node) !== shapeOf(other)) yield { place: [node, other], isFree: true };
  }
}

/** Of `-x` and `x++`; that of `a + b` is a part. */
const operatorOf = (node: ts.Node): ts.SyntaxKind | undefined =>
  ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node) ? node.operator : undefined;

/** Of `expect(subject).toBe(value)` what comes before the arguments, and these. */
function comparedArguments(
  node: ts.Node,
  { compared }: Side,
): { readonly callee: ts.Node; readonly args: readonly ts.Node[] } | undefined {
  if (!ts.isCallExpression(node) || !compared.has(node.arguments)) return undefined;
  return { callee: node.expression, args: node.arguments };
}

/** Is everything that is asked within the newer values asked in the older ones, too? */
function asksNothingNew(old: readonly ts.Node[], now: readonly ts.Node[], was: Side, is: Side): boolean {
  const known = askedWithin(old, was);
  return askedWithin(now, is).every((shape) => {
    const index = known.indexOf(shape);
    if (index >= 0) known.splice(index, 1);
    return index >= 0;
  });
}

function askedWithin(nodes: readonly ts.Node[], side: Side): string[] {
  const asked: string[] = [];
  for (const node of nodes)
    visitNodes(node, (inner) => {
      const isLeaf = isValue(inner) && (isWritten(inner) || ts.isIdentifier(inner));
      if (isLeaf && side.isAsked(inner)) asked.push(shapeOf(inner));
      if (side.isStrict && (ts.isCallExpression(inner) || ts.isNewExpression(inner)))
        asked.push(`call ${shapeOf(inner.expression)}`);
      if (side.isStrict && ts.isPropertyAccessExpression(inner) && containsCall(inner.expression))
        asked.push(`member ${inner.name.text}`);
    });
  return asked;
}

const containsCall = (node: ts.Node): boolean =>
  ts.isCallExpression(node) || ts.forEachChild(node, (child) => containsCall(child) || undefined) === true;

/** A text, a number, true, false, null, a pattern. */
export const isWritten = (node: ts.Node): boolean =>
  ts.isTemplateExpression(node) ||
  ts.isLiteralExpression(node) ||
  node.kind === ts.SyntaxKind.TrueKeyword ||
  node.kind === ts.SyntaxKind.FalseKeyword ||
  node.kind === ts.SyntaxKind.NullKeyword;

/** An expression that stands for a value, and no name of a member or of what is called. */
export function isValue(node: ts.Node): boolean {
  if (!ts.isExpression(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node) return false;
  return (
    !('name' in parent && parent.name === node) &&
    !(ts.isBindingElement(parent) && parent.propertyName === node)
  );
}

/** Types say nothing to the code. */
function partsOf(node: ts.Node): readonly ts.Node[] {
  const parts: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    if (!ts.isTypeNode(child) || ts.isExpressionWithTypeArguments(child)) parts.push(child);
  });
  return parts;
}
