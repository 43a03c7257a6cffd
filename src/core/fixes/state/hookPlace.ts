// Where a statement goes that is to run before or after each test of a suite, and what the file needs for it.
import ts from 'typescript';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { erasing, isQuiet as isQuietCode, loudBeforeTests } from '../../syntax/javascript/quietCode.ts';
import {
  indentAt,
  startOf,
  styleOf,
  visitNodes,
  type SourceTree,
} from '../../syntax/javascript/sourceTree.ts';
import type { TextChange } from '../../model/edit.ts';
import { scriptVocabulary } from '../../frameworks/vocabularies.ts';
import { hookPhaseOf, kindOfCall, type TestCall } from '../assertion/testCalls.ts';
import { refuse, type Refusal } from '../assertion/literalChange.ts';

type Hook = 'beforeEach' | 'afterEach';

interface HookRequest {
  readonly tree: SourceTree;
  readonly hook: Hook;
  /** Without its semicolon. */
  readonly statement: string;
  /** The suites around all tests that need it, innermost first. */
  readonly suites: readonly ts.CallExpression[];
  /** What the statement names, and must see. */
  readonly names?: ts.Node;
}

/**
 * The changes for the innermost suite where the statement runs before all set-up, or after each test. A hook that is there takes it
 * in; else there is a new one.
 */
export function hookChanges(request: HookRequest): readonly TextChange[] | Refusal {
  const { tree, hook, statement, suites, names = tree.ast } = request;
  const forgets = erasing.test(/(\w+)\(\)$/.exec(statement)?.[1] ?? '');
  if (forgets && loudBeforeTests(tree.ast, scriptVocabulary) !== undefined)
    return refuse('Code that runs before all tests may use the mock: its calls would be cleared as well.');
  const levels = [...suites.flatMap((suite) => statementsOf(suite) ?? []), tree.ast];
  if (hook === 'afterEach') return atLevel(request, levels[0] ?? tree.ast);
  const home = levels.find((level) => level.pos <= names.pos && names.end <= level.end) ?? tree.ast;
  const chosen = levels
    .slice(0, levels.indexOf(home) + 1)
    .find((_level, index) =>
      levels.slice(index + 1).every((outer) => hooksIn(outer, hook).every((one) => isQuiet(one))),
    );
  return chosen === undefined
    ? refuse('The setup around the suite runs before the calls can be cleared.')
    : atLevel(request, chosen);
}

/** The suites that hold all of the tests, innermost first. `calls`: of each test, from the innermost outwards. */
export function commonSuites(calls: readonly (readonly TestCall[])[]): readonly ts.CallExpression[] {
  const [first = [], ...others] = calls;
  return first
    .filter(
      ({ kind, call }) => kind === 'group' && others.every((own) => own.some((one) => one.call === call)),
    )
    .map(({ call }) => call);
}

type Level = ts.SourceFile | ts.Block;
type Callback = ts.ArrowFunction | ts.FunctionExpression;

function statementsOf(suite: ts.CallExpression): ts.Block | undefined {
  const callback = callbackOf(suite);
  return callback !== undefined && ts.isBlock(callback.body) ? callback.body : undefined;
}

function callbackOf(call: ts.CallExpression): Callback | undefined {
  return call.arguments.findLast(
    (argument): argument is Callback => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument),
  );
}

function hooksIn(level: Level, hook: Hook): readonly ts.CallExpression[] {
  return level.statements.flatMap((statement) => {
    const call = ts.isExpressionStatement(statement) ? statement.expression : undefined;
    const isHook = call !== undefined && ts.isCallExpression(call) && call.expression.getText() === hook;
    return isHook ? [call] : [];
  });
}

/** Does this hook do nothing but prepare mocks and timers? Whatever else it calls may be the code under test. */
function isQuiet(hook: ts.CallExpression): boolean {
  const callback = callbackOf(hook);
  return callback !== undefined && isQuietCode(callback.body);
}

function atLevel(request: HookRequest, level: Level): readonly TextChange[] | Refusal {
  const { tree, hook, statement } = request;
  const existing = hooksIn(level, hook);
  const chosen = hook === 'beforeEach' ? existing[0] : existing.at(-1);
  const body = chosen === undefined ? undefined : callbackOf(chosen)?.body;
  const { eol, indent } = styleOf(tree);
  const end = usesSemicolons(tree) ? ';' : '';
  if (chosen !== undefined && body !== undefined && ts.isBlock(body) && body.statements.length > 0)
    return [intoBlock(tree, body, statement + end, hook)];
  if (hook === 'beforeEach' && !existing.every((one) => isQuiet(one)))
    return refuse('No code can be inserted before the setup of the tests.');
  const imported = importOf(tree, hook);
  if (imported === 'elsewhere')
    return refuse(`The tests import their functions from a file that does not provide ${hook}.`);
  const at = newHookAt(tree, level, existing);
  const written = `${hook}(() => {${eol}${at.indent}${indent}${statement}${end}${eol}${at.indent}})${end}`;
  return [...imported, { start: at.offset, end: at.offset, newText: at.around(written) }];
}

/** First before each test, last after it. */
function intoBlock(tree: SourceTree, body: ts.Block, statement: string, hook: Hook): TextChange {
  const [first] = body.statements;
  const last = body.statements.at(-1);
  const place = hook === 'beforeEach' ? first : last;
  if (place === undefined) throw new Error('an empty block');
  const isOneLine = !tree.text.slice(startOf(tree, body), body.end).includes('\n');
  const gap = isOneLine ? ' ' : styleOf(tree).eol + indentAt(tree, startOf(tree, place));
  if (hook === 'beforeEach') {
    const offset = startOf(tree, place);
    return { start: offset, end: offset, newText: statement + gap };
  }
  const offset = endWithComment(tree, place);
  return { start: offset, end: offset, newText: gap + statement };
}

/** Behind the last hook of its kind, else behind what stands before the first test of the level. */
function newHookAt(
  tree: SourceTree,
  level: Level,
  existing: readonly ts.CallExpression[],
): { readonly offset: number; readonly indent: string; readonly around: (text: string) => string } {
  const { eol, indent } = styleOf(tree);
  const last = existing.at(-1);
  const first = level.statements.findIndex(isDefinition);
  const before = last === undefined ? level.statements[first - 1] : last.parent;
  if (before !== undefined) {
    const own = indentAt(tree, startOf(tree, before));
    return {
      offset: endWithComment(tree, before),
      indent: own,
      around: (text) => `${eol}${eol}${own}${text}`,
    };
  }
  if (ts.isSourceFile(level)) return { offset: 0, indent: '', around: (text) => `${text}${eol}${eol}` };
  const own = indentAt(tree, startOf(tree, level.parent)) + indent;
  const offset = startOf(tree, level) + 1;
  return { offset, indent: own, around: (text) => `${eol}${own}${text}${eol}` };
}

function isDefinition(statement: ts.Statement): boolean {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return false;
  const call = statement.expression;
  return kindOfCall(call) !== undefined || hookPhaseOf(call) !== undefined;
}

function endWithComment({ text }: SourceTree, node: ts.Node): number {
  return ts.getTrailingCommentRanges(text, node.end)?.at(-1)?.end ?? node.end;
}

function usesSemicolons({ ast }: SourceTree): boolean {
  const last = ast.statements.map((statement) => statement.getText().endsWith(';'));
  return last.filter(Boolean).length * 2 >= last.length;
}

/** What must be imported so that the hook can be used; `elsewhere` where that cannot be told. */
function importOf(tree: SourceTree, hook: Hook): readonly TextChange[] | 'elsewhere' {
  const functions = testFunctions(tree);
  if (functions.some((name) => name.text === hook)) return [];
  const bindings = functions.map((name) => bindingOf(name));
  if (bindings.every((binding) => binding === undefined)) return [];
  for (const binding of bindings) {
    const specifier = binding?.declaration;
    if (specifier === undefined || !ts.isImportSpecifier(specifier)) continue;
    const { moduleSpecifier } = specifier.parent.parent.parent;
    const isLibrary =
      ts.isStringLiteral(moduleSpecifier) && /^(?:vitest|@jest\/globals)$/.test(moduleSpecifier.text);
    if (isLibrary) return [newSpecifier(tree, specifier.parent, hook)];
  }
  return 'elsewhere';
}

/** The names by which the file defines tests, suites and hooks; the hook itself also where it is only imported. */
function testFunctions({ ast }: SourceTree): readonly ts.Identifier[] {
  const names: ts.Identifier[] = [];
  visitNodes(ast, (node) => {
    if (ts.isImportSpecifier(node) && isKnown((node.propertyName ?? node.name).text)) names.push(node.name);
    if (!ts.isCallExpression(node) || (kindOfCall(node) === undefined && hookPhaseOf(node) === undefined))
      return;
    let callee: ts.Expression = node.expression;
    while (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) callee = callee.expression;
    if (ts.isIdentifier(callee)) names.push(callee);
  });
  return names;
}

const isKnown = (name: string): boolean =>
  scriptVocabulary.roots.has(name) || scriptVocabulary.hooks.has(name);

/** In its place where the names are sorted, else behind the last one. */
export function newSpecifier(tree: SourceTree, { elements }: ts.NamedImports, name: string): TextChange {
  const names = elements.map((element) => element.name.text);
  const isSorted = names.every((one, index) => index === 0 || (names[index - 1] ?? '') <= one);
  const next = isSorted ? elements.find((element) => element.name.text > name) : undefined;
  const offset = next === undefined ? (elements.at(-1)?.end ?? 0) : startOf(tree, next);
  return { start: offset, end: offset, newText: next === undefined ? `, ${name}` : `${name}, ` };
}
