// Puts pauses between the steps of tests in JavaScript and TypeScript, on the lines that are there.
import ts from 'typescript';
import type { TextChange } from '../../model/fileEdit.ts';
import { mostPausedMs, type PauseBefore, type PausedTest } from '../../model/pausing.ts';
import type { TestVocabulary } from '../vocabulary.ts';
import { createApiResolver, type ApiResolver } from './testBindings.ts';
import { lineOf, parseTree, startOf, unwrap, visitNodes, type SourceTree } from './sourceTree.ts';

type TestBody = (ts.ArrowFunction | ts.FunctionExpression) & { readonly body: ts.Block };

/** Tests that say by a callback when they are done, and generators, cannot wait: none of their steps is paused. */
export function pausesInScript(
  file: string,
  text: string,
  tests: readonly PausedTest[],
  ms: PauseBefore,
  vocabulary: TestVocabulary,
): readonly TextChange[] {
  const tree = parseTree(file, text);
  const resolver = createApiResolver(vocabulary);
  const bodies = new Set(tests.flatMap((test) => bodyOf(test, tree, resolver) ?? []));
  const changes = [...bodies].flatMap((body) => pausesIn(body, tree, ms));
  const first = tree.ast.statements.find((statement) => !isDirective(statement));
  if (changes.length === 0 || first === undefined) return [];
  return [insertion(startOf(tree, first), preludeFor(file)), ...changes];
}

/** The function that a test is: the innermost around a line of it that is handed to a call that makes a test. */
function bodyOf({ lines }: PausedTest, tree: SourceTree, resolver: ApiResolver): TestBody | undefined {
  for (const line of lines) {
    let found: TestBody | undefined;
    visitNodes(tree.ast, (node) => {
      if (!ts.isCallExpression(node) || resolver.declaredBy(node)?.role !== 'test') return;
      if (line < lineOf(tree, node) || line > lineAt(tree, node.end)) return;
      const last = node.arguments.map(unwrap).findLast(isFunction);
      if (last !== undefined && hasBlock(last)) found = last;
    });
    if (found !== undefined) return canWait(found) ? found : undefined;
  }
  return undefined;
}

const isFunction = (node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node);

const hasBlock = (node: ts.ArrowFunction | ts.FunctionExpression): node is TestBody => ts.isBlock(node.body);

function canWait(body: TestBody): boolean {
  const isAsync = isAsyncFunction(body);
  const isDone = body.parameters.some(({ name }) => /^(?:done|cb|callback|next|end)$/.test(name.getText()));
  return body.asteriskToken === undefined && !isDone && (isAsync || body.type === undefined);
}

const isAsyncFunction = ({ modifiers }: TestBody): boolean =>
  modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;

function pausesIn(body: TestBody, tree: SourceTree, ms: PauseBefore): TextChange[] {
  const steps = stepsOf(body.body);
  const [first] = steps;
  const changes = steps.flatMap((step) => {
    const pause = ms({ from: lineOf(tree, step), to: lineAt(tree, step.end), of: steps.length });
    return pause === 0 ? [] : [insertion(startOf(tree, step), `await testmendPaused(${pause}); `)];
  });
  if (first === undefined || changes.length === 0) return [];
  return [
    ...(isAsyncFunction(body) ? [] : [insertion(startOf(tree, body), 'async ')]),
    insertion(startOf(tree, first), `const testmendPaused = ${globalOf(tree.file)}.testmendPauses(); `),
    ...changes,
  ];
}

/** The statements that the function itself runs one after the other, also in its blocks. */
function stepsOf(block: ts.Block): readonly ts.Statement[] {
  const steps: ts.Statement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isBlock(node) || ts.isCaseOrDefaultClause(node))
      steps.push(...node.statements.filter((statement) => !isDirective(statement) && !isHoisted(statement)));
    ts.forEachChild(node, visit);
  };
  visit(block);
  return steps;
}

const isDirective = (statement: ts.Statement): boolean =>
  ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);

const isHoisted = (statement: ts.Statement): boolean =>
  ts.isFunctionDeclaration(statement) ||
  ts.isTypeAliasDeclaration(statement) ||
  ts.isInterfaceDeclaration(statement);

const lineAt = (tree: SourceTree, offset: number): number =>
  tree.ast.getLineAndCharacterOfPosition(offset).line + 1;

const insertion = (offset: number, newText: string): TextChange => ({ start: offset, end: offset, newText });

const isTyped = (file: string): boolean => /\.[cm]?tsx?$/.test(file);

const globalOf = (file: string): string => (isTyped(file) ? '(globalThis as any)' : 'globalThis');

/** Node's own timer, taken before the tests run: that of the global object may be in a test's hands. */
function preludeFor(file: string): string {
  const any = isTyped(file) ? ': any' : '';
  const global = globalOf(file);
  return (
    `${global}.testmendPauses ??= ((later${any}) => () => { let left = ${mostPausedMs}; ` +
    `return (ms${any}) => { const wait = Math.min(ms, left); left -= wait; ` +
    `return wait > 0 ? new Promise((done${any}) => later(done, wait)) : undefined; }; })` +
    `(${global}.process?.getBuiltinModule?.('node:timers').setTimeout ?? ${global}.setTimeout); `
  );
}
