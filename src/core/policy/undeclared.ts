// A change that nobody vouches for, of JavaScript and TypeScript: which of it has a meaning that can be read, so that a pass proves something.
import ts from 'typescript';
import { asksElsewhere } from './assertionLooks.ts';
import { changedLiterals } from './changedLiterals.ts';
import { sidesOf, type FileChange, type FileFacts } from './fileFacts.ts';
import { followedNames, mentions, namesOfImport, usesName, type FollowedNames } from './followedNames.ts';
import { differingPlaces, isWritten, sideOf, type DifferingPlace, type Place } from './inputRules.ts';
import { diffOfItems } from '../workspace/lineDiff.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { testModules } from './redirectionRules.ts';
import type { ReadSource } from './repointedImports.ts';
import { rowLists } from './tableRules.ts';
import { isWeighable } from './weighable.ts';
import { valueFlow } from './valueFlow.ts';
import { isStillWritten } from './writtenExpectations.ts';

/** What is left to planted bugs: nothing, more assertions, or more keys and arguments besides. */
export type Weighs = 'nothing' | 'assertions' | 'inputs';

/**
 * Why a pass with this change proves nothing; undefined where all that it changes is what tests expect, names that follow the source,
 * `await`, tests that it adds, and what is left to planted bugs. The rules of the gate say what of that is wrong.
 */
export function whyUndeclared(
  change: FileChange,
  isTestFile: (file: string) => boolean,
  readSource: ReadSource,
  weighs: Weighs = 'nothing',
): string | undefined {
  const { file, before, after } = change;
  // Snapshots have rules of their own; other languages have their own judges.
  if (/\.(?:snap|pyi?|go)$/i.test(file)) return undefined;
  const isScript = /\.[cm]?[jt]sx?$/.test(file);
  if (!isScript) return `${file} is not code: it is unclear whether it contains expected values or inputs.`;
  if (after === undefined) return `${file} would be deleted: it is unclear what tests take from it.`;
  const [was, is] = sidesOf(change);
  const isTests =
    is.tree.definitions.some(({ kind }) => kind === 'test') && !/(?:^|\/)__mocks__\//.test(file);
  const outside = `${file} contains no tests: the effect of a change on the tests that use it is unclear.`;
  if (before === undefined) return isTests ? undefined : outside;
  const isSkill = file.endsWith('.tests.mjs') && [was, is].every(isSkillTest);
  if (pragmasOf(before) !== pragmasOf(after) || headOf(before) !== headOf(after))
    return `${file}: a comment that controls the test run changed.`;
  const { follows, isRows, places } = changesOf(change, was, is, isTestFile, readSource);
  for (const {
    place: [old, today],
    isFree,
  } of places) {
    const isPlain =
      old !== undefined && isStillWritten(old, today, is, (then, now) => isFollowed(then, now, follows));
    if (isFree && isPlain) continue;
    if (isFree) return reasonFor(file, today);
    if (old === undefined ? isHarmlessAddition(today, was, is, isRows) : isFollowed(old, today, follows))
      continue;
    const isLeft = weighs === 'inputs' || (weighs === 'assertions' && old === undefined);
    if (!isLeft || !isWeighable(old, today, is, isRows)) return reasonFor(file, today);
  }
  const doing = newDoings(was, is);
  if (doing !== undefined) return reasonFor(file, doing);
  const asked = asksElsewhere(was, is, follows);
  if (asked !== undefined) return reasonFor(file, asked);
  return isTests || isSkill || onlyFollows(was.source, is.source) ? undefined : outside;
}

/**
 * What a change of JavaScript or TypeScript makes tests expect instead: the innermost values that differ, without names that follow
 * the source. Whether the rest of the change is right is not asked here.
 */
export function* changedValues(
  change: FileChange,
  isTestFile: (file: string) => boolean,
  readSource: ReadSource,
): Generator<readonly [old: ts.Node, now: ts.Node]> {
  if (change.before === undefined || change.after === undefined) return;
  const [was, is] = sidesOf(change);
  const flow = valueFlow(is, testModules(change.file, isTestFile));
  const { follows, places } = changesOf(change, was, is, isTestFile, readSource);
  const told: ts.Node[] = [];
  let isMore = false;
  for (const {
    place: [old, now],
    isFree,
  } of places) {
    isMore ||= !isFree;
    // Titles are free as well.
    if (!isFree || old === undefined || (isWritten(now) && !flow(now).expected)) continue;
    for (const pair of innermost(old, now, follows)) {
      told.push(pair[1]);
      yield pair;
    }
  }
  if (!isMore) return;
  // Within what the patch changes besides, nothing but written values can be held against each other.
  const isTold = (node: ts.Node): boolean => told.some(({ pos, end }) => pos <= node.pos && node.end <= end);
  for (const [old, now] of changedLiterals(was.source, is.source))
    if (flow(now).expected && !isTold(now)) yield [old, now];
}

function* innermost(
  old: ts.Node,
  now: ts.Node,
  follows: FollowedNames,
): Generator<readonly [old: ts.Node, now: ts.Node]> {
  if (shapeOf(old) === shapeOf(now) || isFollowed(old, now, follows)) return;
  const [parts, others] = [childrenOf(old), childrenOf(now)];
  const isAlike = old.kind === now.kind && parts.length === others.length && parts.length > 0;
  const inner = pairs(parts, others).flatMap(([then, today]) =>
    then === undefined ? [] : [...innermost(then, today, follows)],
  );
  // What differs in nothing but a sign or an operator has no part that does.
  if (isAlike && inner.length === 0 && sameButParts(old, now)) return;
  if (isAlike && inner.length > 0 && !isReadAsOne(old)) yield* inner;
  else yield [old, now];
}

/** `-1`, `60 * 60` and `Status.open` say more than their parts. */
const isReadAsOne = (node: ts.Node): boolean =>
  isWritten(node) ||
  ts.isPrefixUnaryExpression(node) ||
  ts.isBinaryExpression(node) ||
  ts.isPropertyAccessExpression(node);

const sameButParts = (old: ts.Node, now: ts.Node): boolean =>
  !ts.isPrefixUnaryExpression(old) || !ts.isPrefixUnaryExpression(now) || old.operator === now.operator;

/**
 * The text after the change without the tests and suites that it adds, and without the imports that only these need; undefined where the
 * change adds the file.
 */
export function withoutAddedTests(change: FileChange, readSource: ReadSource): string | undefined {
  const { file, before, after } = change;
  if (after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return after;
  if (before === undefined) return undefined;
  const [was, is] = sidesOf(change);
  const versions = versionsOf(was, is, readSource);
  const added: ts.Node[] = [];
  const imports: ts.ImportDeclaration[] = [];
  const collect = (old: ts.Node, now: ts.Node): void => {
    if (shapeOf(old) === shapeOf(now)) return;
    for (const [then, today] of partsOf(old, now, versions) ?? []) {
      const bodies = then === undefined ? [] : (suiteOf(then, was, today, is) ?? []);
      for (const pair of bodies) collect(...pair);
      if (then === undefined && keyOf(today, is) !== undefined) added.push(today);
      if (then === undefined && ts.isImportDeclaration(today)) imports.push(today);
    }
  };
  collect(was.source, is.source);
  const isLeft = (node: ts.Node): boolean => !added.some((one) => one.pos <= node.pos && node.end <= one.end);
  const unused = imports.filter((node) =>
    namesOfImport(node).every((name) => !usesName(is.source, name, isLeft)),
  );
  return [...unused, ...added]
    .sort((a, b) => a.pos - b.pos)
    .reduceRight((text, node) => text.slice(0, node.getFullStart()) + text.slice(node.end), after);
}

/** The bodies of one suite in both versions. */
function suiteOf(
  old: ts.Node,
  was: FileFacts,
  now: ts.Node,
  is: FileFacts,
): readonly (readonly [ts.Node, ts.Node])[] | undefined {
  const bodyOf = (node: ts.Node, { tree }: FileFacts): ts.Node | undefined => {
    const found = ts.isExpressionStatement(node) ? tree.definitionAt(node.expression) : undefined;
    return found?.kind === 'suite' ? found.callback?.body : undefined;
  };
  const [then, today] = [bodyOf(old, was), bodyOf(now, is)];
  return then && today && keyOf(old, was) === keyOf(now, is) ? [[then, today]] : undefined;
}

interface Changes extends Versions {
  readonly places: Iterable<DifferingPlace>;
}

function changesOf(
  { file }: FileChange,
  was: FileFacts,
  is: FileFacts,
  isTestFile: (file: string) => boolean,
  readSource: ReadSource,
): Changes {
  const isTestModule = testModules(file, isTestFile);
  const strict = { isStrict: true };
  const [then, now] = [sideOf(was, isTestModule, strict), sideOf(is, isTestModule, strict)];
  const versions = versionsOf(was, is, readSource);
  const parted = (old: ts.Node, today: ts.Node): readonly Place[] | undefined =>
    partsOf(old, today, versions);
  return { ...versions, places: differingPlaces(was.source, is.source, then, now, parted) };
}

function versionsOf(was: FileFacts, is: FileFacts, readSource: ReadSource): Versions {
  return {
    was,
    is,
    wasRows: rowLists(was),
    isRows: rowLists(is),
    follows: followedNames(was, is, readSource),
  };
}

function reasonFor(file: string, node: ts.Node): string {
  const [line = ''] = node.getText().split('\n', 1);
  // A bracket alone says nothing.
  const text = line.length > 3 ? line : node.getText().replace(/\s+/g, ' ');
  return `${file}:${lineOf(node)}: a person must decide whether \`${text.slice(0, 60)}\` is right: it is neither an expected value nor a name that follows the source.`;
}

/** Something that is written over while an expected value is made, in a test that was there before. */
function newDoings(was: FileFacts, is: FileFacts): ts.Node | undefined {
  const doingsOf = ({ assertions }: FileFacts): readonly ts.Node[] =>
    assertions.flatMap(({ args }) => args.filter((arg) => containsKind(arg, writing, isAssignment)));
  const known = new Set(doingsOf(was).map((arg) => shapeOf(arg)));
  return doingsOf(is).find((arg) => !known.has(shapeOf(arg)));
}

/** Its one test is the function that it exports by default. */
const isSkillTest = ({ source, assertions }: FileFacts): boolean =>
  assertions.length > 0 &&
  source.statements.some((statement) =>
    ts.isFunctionDeclaration(statement)
      ? (ts.getCombinedModifierFlags(statement) & ts.ModifierFlags.Default) !== 0
      : ts.isExportAssignment(statement) && isFunction(statement.expression),
  );

/** In a helper every written value may reach a test. */
function onlyFollows(was: ts.SourceFile, is: ts.SourceFile): boolean {
  return shapeOf(was, { anyName: true }) === shapeOf(is, { anyName: true });
}

/** Comments that name an environment, or tell a tool to look away. */
function pragmasOf(text: string): string {
  return [
    ...text.matchAll(
      /(?:\/\/|\/\*|\*).*?(@[\w-]*environment\S*\s+\S+|@ts-\w+|@jsx\w*\s+\S+|@jest-config\S*\s+\S+)/g,
    ),
  ]
    .map(([, found]) => found)
    .join('\n');
}

/** The comments before the first statement, where one of them says how the file is run. */
function headOf(text: string): string {
  const head = /^(?:\s|\/\/.*|\/\*[^]*?\*\/|#!.*)*/.exec(text)?.[0] ?? '';
  return /@\w/.test(head) ? head.replace(/\s+/g, ' ') : '';
}

interface Versions {
  readonly was: FileFacts;
  readonly is: FileFacts;
  /** Tables (`rowLists`) of both. */
  readonly wasRows: ReadonlySet<ts.Node>;
  readonly isRows: ReadonlySet<ts.Node>;
  readonly follows: FollowedNames;
}

/** Lists of statements by what is alike in them; `await` and `async` that came. Undefined: taken as they are. */
function partsOf(
  old: ts.Node,
  now: ts.Node,
  { was, is, wasRows, isRows, follows }: Versions,
): readonly Place[] | undefined {
  if (ts.isImportDeclaration(old) && ts.isImportDeclaration(now) && follows.imports(old, now)) return [];
  if (ts.isAwaitExpression(now) && !ts.isAwaitExpression(old)) return [[old, now.expression]];
  if (
    isFunction(old) &&
    isFunction(now) &&
    isAsync(now) &&
    !isAsync(old) &&
    old.kind === now.kind &&
    isTestBody(now, is)
  )
    return pairs(childrenOf(old), childrenOf(now));
  const isTable = wasRows.has(old) && isRows.has(now);
  const [then, today] = isTable ? [childrenOf(old), childrenOf(now)] : [statementsOf(old), statementsOf(now)];
  if (then === undefined || today === undefined) return undefined;
  const shapes = [then, today].map((all) => all.map((statement) => shapeOf(statement)));
  const places: Place[] = [];
  let [left, right] = [0, 0];
  const gone: ts.Node[] = [];
  const come: ts.Node[] = [];
  const settle = (): boolean => {
    const paired = pairSegments(gone, come, was, is);
    gone.length = 0;
    come.length = 0;
    if (paired === undefined) return false;
    places.push(...paired);
    return true;
  };
  const parts = diffOfItems(shapes[0] ?? [], shapes[1] ?? []);
  if (parts === undefined) return [[undefined, now]];
  for (const { added, removed, count } of parts) {
    if (removed) gone.push(...then.slice(left, left + count));
    else if (added) come.push(...today.slice(right, right + count));
    if (!added) left += count;
    if (!removed) right += count;
    if (!added && !removed && !settle()) return [[undefined, now]];
  }
  return settle() ? places : [[undefined, now]];
}

/** What went and what came between two statements that stayed; undefined when more went than came. */
function pairSegments(
  gone: readonly ts.Node[],
  come: readonly ts.Node[],
  was: FileFacts,
  is: FileFacts,
): readonly Place[] | undefined {
  if (gone.length === come.length) return pairs(gone, come);
  // An import that nothing needs any more may go, unless it was the only one that loads a file which is still there.
  const left = gone.filter((node) => !ts.isImportDeclaration(node) || loadsMore(node, is));
  const open = [...come];
  const places: Place[] = [];
  for (const old of left) {
    const same = open.findIndex((now) => keyOf(now, is) !== undefined && keyOf(now, is) === keyOf(old, was));
    const [now] = open.splice(same < 0 ? 0 : same, 1);
    if (now === undefined) return undefined;
    places.push([old, now]);
  }
  return [...places, ...open.map((now): Place => [undefined, now])];
}

function loadsMore(node: ts.ImportDeclaration, is: FileFacts): boolean {
  const { importClause, moduleSpecifier } = node;
  if (importClause === undefined || !ts.isStringLiteral(moduleSpecifier)) return true;
  // A name that is still used means something else without it.
  if (namesOfImport(node).some((name) => usesName(is.source, name))) return true;
  const { text } = moduleSpecifier;
  return text.startsWith('.') && ![...is.bindings.imports.values()].some(({ module }) => module === text);
}

/** Of a test or a hook: whoever runs it waits for it. */
const isTestBody = (node: ts.Node, { tree }: FileFacts): boolean =>
  tree.definitions.some(({ kind, callback }) => callback === node && kind !== 'suite');

/** Tests and suites by their titles. */
function keyOf(node: ts.Node, { tree }: FileFacts): string | undefined {
  return ts.isExpressionStatement(node) ? tree.definitionAt(node.expression)?.key : undefined;
}

const pairs = (old: readonly ts.Node[], now: readonly ts.Node[]): readonly Place[] =>
  old.length === now.length
    ? old.flatMap((node, index): Place[] => {
        const other = now[index];
        return other === undefined ? [] : [[node, other]];
      })
    : now.slice(0, 1).map((node): Place => [undefined, node]);

const statementsOf = (node: ts.Node): readonly ts.Statement[] | undefined =>
  ts.isSourceFile(node) || ts.isBlock(node) ? node.statements : undefined;

const isFunction = (
  node: ts.Node,
): node is ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node);

const isAsync = (node: ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;

/** Without `async` and types. */
function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    if (child.kind !== ts.SyntaxKind.AsyncKeyword && !ts.isTypeNode(child)) children.push(child);
  });
  return children;
}

/** A test or suite of its own, a row of a table that does nothing, an import of names, a type. */
function isHarmlessAddition(
  node: ts.Node,
  was: FileFacts,
  { tree }: FileFacts,
  rows: ReadonlySet<ts.Node>,
): boolean {
  if (rows.has(node.parent)) return !containsKind(node, doing);
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node)) {
    // Not even as a name of the language: the file would mean something else by it.
    const isNew = (name: string): boolean => !mentions(was.text, name);
    return node.importClause !== undefined && namesOfImport(node).every(isNew);
  }
  if (!ts.isExpressionStatement(node)) return false;
  const kind = tree.definitionAt(node.expression)?.kind;
  return kind === 'test' || kind === 'suite';
}

function isFollowed(old: ts.Node, now: ts.Node, follows: FollowedNames): boolean {
  if (ts.isIdentifier(old) && ts.isIdentifier(now)) return follows.name(old, now);
  if (ts.isStringLiteralLike(old) && ts.isStringLiteralLike(now)) return follows.module(old, now);
  return false;
}

/** What happens while the file loads. */
const doing: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.NewExpression,
  ts.SyntaxKind.TaggedTemplateExpression,
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.DeleteExpression,
  ts.SyntaxKind.BinaryExpression,
  ts.SyntaxKind.PostfixUnaryExpression,
  ts.SyntaxKind.SpreadElement,
  ts.SyntaxKind.SpreadAssignment,
  ts.SyntaxKind.GetAccessor,
]);

const writing: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.DeleteExpression,
  ts.SyntaxKind.PostfixUnaryExpression,
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.GetAccessor,
]);

/** `a = b`, `a += b`, `a, b`. */
const isAssignment = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  ((node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment) ||
    node.operatorToken.kind === ts.SyntaxKind.CommaToken);

function containsKind(
  node: ts.Node,
  kinds: ReadonlySet<ts.SyntaxKind>,
  isOther: (node: ts.Node) => boolean = () => false,
): boolean {
  return (
    kinds.has(node.kind) ||
    isOther(node) ||
    ts.forEachChild(node, (child) => containsKind(child, kinds, isOther) || undefined) === true
  );
}
