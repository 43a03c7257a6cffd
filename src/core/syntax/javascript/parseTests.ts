// Finds the tests of a JavaScript or TypeScript file in its full syntax tree: slower than scanTests, and sure.
import ts from 'typescript';
import { errorMessage } from '../../base/humanError.ts';
import type { ScannedTest } from '../../model/testNode.ts';
import { lineMap } from '../lineMap.ts';
import type { TestVocabulary } from '../vocabulary.ts';
import { kindOf, modeOf, type TestApi } from './testApi.ts';
import { parseSourceFile } from './sourceFile.ts';
import { createApiResolver, isFunctionArgument, skipTypeWrappers, type ApiResolver } from './testBindings.ts';

interface ParsedTests {
  readonly tests: readonly ScannedTest[];
  /** Syntax errors with their lines. */
  readonly warnings: readonly string[];
}

interface Place {
  readonly found: ScannedTest[];
  /** Inside a loop or a function that is no describe callback: how often it runs is unknown. */
  readonly repeated: boolean;
}

/** Tests of the text; `file` decides the language (ts, tsx, js). Throws nothing on broken text: it tells what it could read. */
export function parseTests(text: string, file: string, vocabulary: TestVocabulary): ParsedTests {
  let source: ts.SourceFile;
  try {
    source = parseSourceFile(file, text, scriptKind(file));
  } catch (error) {
    return { tests: [], warnings: [errorMessage(error)] };
  }
  const tests: ScannedTest[] = [];
  const resolver = createApiResolver(vocabulary);
  const context = { source, lines: lineMap(text), resolver, subtests: vocabulary.subtests === true };
  const places = inSourceBlocks(source) ?? [source];
  for (const node of places) visitChildren(node, { found: tests, repeated: false }, context);
  return { tests, warnings: syntaxErrors(source) };
}

interface Context {
  readonly source: ts.SourceFile;
  readonly lines: ReturnType<typeof lineMap>;
  readonly resolver: ApiResolver;
  readonly subtests: boolean;
}

/** The language of a file by its name; JavaScript may hold JSX. */
export function scriptKind(file: string): ts.ScriptKind {
  if (/\.[cm]?ts$/.test(file)) return ts.ScriptKind.TS;
  return file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.JSX;
}

function visitChildren(node: ts.Node, place: Place, context: Context): void {
  ts.forEachChild(node, (child) => visit(child, place, context));
}

function visit(node: ts.Node, place: Place, context: Context): void {
  if (ts.isCallExpression(node)) {
    const api = context.resolver.declaredBy(node);
    if (api) return declare(node, api, place, context);
    const untitled = context.resolver.untitledSuite(node);
    if (untitled) return visit(untitled.body, place, context);
  }
  const repeats = ts.isFunctionLike(node) || ts.isIterationStatement(node, false);
  visitChildren(node, repeats && !place.repeated ? { ...place, repeated: true } : place, context);
}

function declare(call: ts.CallExpression, api: TestApi, place: Place, context: Context): void {
  const [titleNode] = call.arguments;
  if (!titleNode) return;
  const title = titleOf(titleNode, context.source);
  const children: ScannedTest[] = [];
  place.found.push({
    kind: kindOf(api, title.isStatic, place.repeated),
    title: title.text,
    mode: modeOf(withOptions(api, call), call.arguments.length),
    range: context.lines.range(call.getStart(context.source), call.end),
    children,
  });
  if (api.role === 'test' && !context.subtests) return;
  for (const argument of call.arguments) {
    const callback = skipTypeWrappers(argument);
    const inside = { found: children, repeated: false };
    if (isFunctionArgument(callback)) visit(callback.body, inside, context);
    else visit(argument, inside, context);
  }
}

/** `it('title', { skip: true }, …)`. */
function withOptions(api: TestApi, call: ts.CallExpression): TestApi {
  let result = api;
  for (const argument of call.arguments.slice(1)) {
    if (!ts.isObjectLiteralExpression(argument)) continue;
    for (const property of argument.properties) {
      if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name)) continue;
      const isReason = ts.isStringLiteral(property.initializer) && property.initializer.text !== '';
      if (property.initializer.kind !== ts.SyntaxKind.TrueKeyword && !isReason) continue;
      const name = property.name.text;
      if (name === 'skip' || name === 'only' || name === 'todo') result = { ...result, [name]: true };
    }
  }
  return result;
}

function titleOf(node: ts.Expression, source: ts.SourceFile): { text: string; isStatic: boolean } {
  const text = staticText(node);
  if (text !== undefined) return { text, isStatic: true };
  const raw = node.getText(source);
  return { text: ts.isTemplateExpression(node) ? raw.slice(1, -1) : raw, isStatic: false };
}

function staticText(node: ts.Expression): string | undefined {
  const inner = ts.isParenthesizedExpression(node) ? node.expression : skipTypeWrappers(node);
  if (inner !== node) return staticText(inner);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const left = staticText(node.left);
  const right = left === undefined ? undefined : staticText(node.right);
  return right === undefined ? undefined : `${left}${right}`;
}

/** The blocks of `if (import.meta.vitest)`, when the file has such: then tests are nowhere else. */
function inSourceBlocks(source: ts.SourceFile): ts.Statement[] | undefined {
  if (!source.text.includes('import.meta.vitest')) return undefined;
  const blocks = source.statements.filter(ts.isIfStatement).filter((statement) => {
    const condition = statement.expression.getText(source);
    return /\bimport\.meta\.vitest\b/.test(condition) && !condition.includes('!import');
  });
  return blocks.length > 0 ? blocks.map((statement) => statement.thenStatement) : undefined;
}

function syntaxErrors(source: ts.SourceFile): string[] {
  // The parser keeps its findings on the tree without declaring them; a program would cost far more.
  const { parseDiagnostics = [] } = source as ts.SourceFile & {
    readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
  };
  return parseDiagnostics.slice(0, 5).map((diagnostic) => {
    const { line } = source.getLineAndCharacterOfPosition(diagnostic.start);
    return `Syntax error at line ${line + 1}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
  });
}
