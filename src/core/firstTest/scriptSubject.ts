// Reads what a JavaScript or TypeScript module exports: names, kinds and parameters, from its text and those it re-exports from.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { HumanError } from '../base/humanError.ts';
import { createExportReader, type Declaration } from '../fixes/imports/moduleExports.ts';
import { lineOf, parseTree, textOf, unwrap, type SourceTree } from '../syntax/javascript/sourceTree.ts';
import { diskView } from '../modules/fileView.ts';
import { createModuleResolver, type ModuleResolver } from '../modules/moduleResolver.ts';
import {
  refuseEmpty,
  runsOnLoadAt,
  type Exported,
  type Kind,
  type Method,
  type RunsOnLoad,
  type SourceFile,
} from './subject.ts';

export interface ScriptSubject {
  readonly tree: SourceTree;
  readonly exported: readonly Exported[];
  readonly format: 'esm' | 'cjs';
  /** CommonJS: the module is this one function or class. */
  readonly whole?: Exported;
  readonly runsOnLoad?: RunsOnLoad;
  readonly resolver: ModuleResolver;
}

/** Throws a `bad-input` HumanError for broken code, programs, and files that export nothing. */
export async function readScript(root: string, source: SourceFile): Promise<ScriptSubject> {
  refuseBroken(source);
  const view = diskView();
  const resolver = createModuleResolver(ts, root, view);
  const reader = createExportReader(ts, {
    resolver,
    readText: (file) => Promise.resolve(view.read(file)),
  });
  const { names } = await reader(source.absolute);
  const tree = parseTree(source.file, source.text);
  const trees = new Map([[source.absolute, tree]]);
  const treeOf = (file: string): SourceTree | undefined => {
    const known = trees.get(file);
    if (known !== undefined || !path.isAbsolute(file) || !/\.[cm]?[jt]sx?$/.test(file)) return known;
    const read = parseTree(file, readFileSync(file, 'utf8'));
    trees.set(file, read);
    return read;
  };
  const all = [...names]
    .filter(([, declaration]) => !declaration.typeOnly)
    .map(([name, declaration]) => {
      const one = exportedAs(name, declaration, treeOf(declaration.file));
      return one && (declaration.file === source.absolute ? one : { ...one, isPassedOn: true as const });
    })
    .filter((one) => one !== undefined);
  const format = isEsModule(tree.ast) ? 'esm' : 'cjs';
  const whole = format === 'cjs' ? all.find(({ name }) => name === 'default') : undefined;
  const isWhole = whole?.kind === 'function' || whole?.kind === 'class';
  const exported = all.filter((one) => one !== whole);
  const runsOnLoad = firstOnLoad(tree);
  const isProgram = source.text.startsWith('#!');
  refuseEmpty(source, runsOnLoad, isProgram, exported.length + (isWhole ? 1 : 0));
  return {
    tree,
    exported,
    format,
    ...(isWhole && { whole }),
    ...(runsOnLoad && { runsOnLoad }),
    resolver,
  };
}

function refuseBroken({ file, text }: SourceFile): void {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { allowJs: true, jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.Latest },
  });
  const [first] = diagnostics.filter(({ category }) => category === ts.DiagnosticCategory.Error);
  if (first === undefined) return;
  const line = text.slice(0, first.start ?? 0).split('\n').length;
  const message = ts.flattenDiagnosticMessageText(first.messageText, ' ');
  throw new HumanError('bad-input', `${file} is broken at line ${line}: ${message}`, {
    file,
    remedy: 'Repair it first: its exports cannot be read.',
  });
}

const isEsModule = (ast: ts.SourceFile): boolean => ast.statements.some(isModuleStatement);

function isModuleStatement(statement: ts.Statement): boolean {
  return (
    ts.isImportDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isExportAssignment(statement) ||
    isMarked(statement, ts.SyntaxKind.ExportKeyword)
  );
}

function isMarked(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((one) => one.kind === kind) ?? false);
}

/** Undefined for what does not exist when the program runs. */
function exportedAs(
  name: string,
  declaration: Declaration,
  tree: SourceTree | undefined,
): Exported | undefined {
  const found = tree && (declaredAs(tree, declaration.name) ?? assignedAs(tree, declaration.name));
  if (found === undefined) return { name, kind: 'unknown', parameters: [], methods: [] };
  if (found === 'erased') return undefined;
  return { name, ...shapeOf(found) };
}

type Declared = ts.FunctionDeclaration | ts.ClassDeclaration | ts.EnumDeclaration | ts.Expression | 'unset';

/** What is declared at the top of the file under the name; '' is the default export. */
function declaredAs(tree: SourceTree, name: string): Declared | 'erased' | undefined {
  let found: Declared | 'erased' | undefined;
  for (const statement of tree.ast.statements) {
    if (ts.isExportAssignment(statement) && name === '') return unwrap(statement.expression);
    if (ts.isVariableStatement(statement)) {
      const own = statement.declarationList.declarations.find(
        (one) => ts.isIdentifier(one.name) && one.name.text === name,
      );
      if (own === undefined) continue;
      if (isMarked(statement, ts.SyntaxKind.DeclareKeyword)) return 'erased';
      return own.initializer === undefined ? 'unset' : unwrap(own.initializer);
    }
    const isCode =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isEnumDeclaration(statement);
    if (!isCode || (statement.name?.text ?? '') !== name) continue;
    const isErased =
      isMarked(statement, ts.SyntaxKind.DeclareKeyword) ||
      (ts.isEnumDeclaration(statement) && isMarked(statement, ts.SyntaxKind.ConstKeyword));
    // Of overloads the one with the body counts.
    if (isErased) found ??= 'erased';
    else if (!ts.isFunctionDeclaration(statement) || statement.body) return statement;
  }
  return found;
}

/** What CommonJS code gives its exports under the name; `default` is the module itself. */
function assignedAs(tree: SourceTree, name: string): Declared | undefined {
  for (const statement of tree.ast.statements) {
    if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) continue;
    const { left, right } = statement.expression;
    const target = textOf(tree, left);
    const value = unwrap(lastOfChain(right));
    if (target === 'module.exports' && name === 'default') return value;
    if (target === `exports.${name}` || target === `module.exports.${name}`) return value;
    if (target !== 'module.exports' || !ts.isObjectLiteralExpression(value)) continue;
    for (const property of value.properties) {
      if (property.name === undefined || !ts.isIdentifier(property.name) || property.name.text !== name)
        continue;
      if (ts.isPropertyAssignment(property)) return unwrap(property.initializer);
    }
  }
  return undefined;
}

/** The value of `a = b = value`. */
function lastOfChain(node: ts.Expression): ts.Expression {
  let last = node;
  while (ts.isBinaryExpression(last) && last.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    last = last.right;
  return last;
}

function shapeOf(found: Declared): Omit<Exported, 'name'> {
  const plain = (kind: Kind): Omit<Exported, 'name'> => ({ kind, parameters: [], methods: [] });
  if (found === 'unset') return plain('unset');
  if (ts.isEnumDeclaration(found)) return plain('object');
  if (ts.isFunctionDeclaration(found) || ts.isArrowFunction(found) || ts.isFunctionExpression(found))
    return { kind: 'function', parameters: parametersOf(found), methods: [] };
  if (ts.isClassDeclaration(found) || ts.isClassExpression(found)) {
    const builder = found.members.find(
      (member): member is ts.ConstructorDeclaration =>
        ts.isConstructorDeclaration(member) && member.body !== undefined,
    );
    return { kind: 'class', parameters: builder ? parametersOf(builder) : [], methods: methodsOf(found) };
  }
  return plain(kindOf(found));
}

function kindOf(node: ts.Expression): Kind {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return 'string';
  if (ts.isNumericLiteral(node)) return 'number';
  if (ts.isBigIntLiteral(node)) return 'bigint';
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) return 'boolean';
  if (ts.isPrefixUnaryExpression(node)) return kindOf(node.operand) === 'number' ? 'number' : 'unknown';
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) return 'boolean';
  if (ts.isIdentifier(node) && node.text === 'undefined') return 'unset';
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Symbol')
    return 'symbol';
  const isObject =
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isRegularExpressionLiteral(node) ||
    node.kind === ts.SyntaxKind.NullKeyword;
  return isObject ? 'object' : 'unknown';
}

/** Names as a caller reads them; what is destructured by its keys. */
function parametersOf({ parameters }: ts.SignatureDeclaration): readonly string[] {
  return parameters.flatMap(({ name, dotDotDotToken }) => {
    if (!ts.isIdentifier(name)) return [shownPattern(name)];
    if (name.text === 'this') return [];
    return [dotDotDotToken ? `...${name.text}` : name.text];
  });
}

function shownPattern(pattern: ts.BindingPattern): string {
  const names = pattern.elements.flatMap((element) => {
    if (ts.isOmittedExpression(element)) return [];
    const key = element.propertyName ?? element.name;
    return ts.isIdentifier(key) ? [(element.dotDotDotToken ? '...' : '') + key.text] : [];
  });
  return ts.isObjectBindingPattern(pattern) ? `{ ${names.join(', ')} }` : `[${names.join(', ')}]`;
}

/** Those that a caller may use. */
function methodsOf(found: ts.ClassLikeDeclaration): readonly Method[] {
  return found.members.flatMap((member) => {
    if (!ts.isMethodDeclaration(member) || !member.body || !ts.isIdentifier(member.name)) return [];
    const isHidden =
      isMarked(member, ts.SyntaxKind.PrivateKeyword) ||
      isMarked(member, ts.SyntaxKind.ProtectedKeyword) ||
      member.name.text.startsWith('_');
    return isHidden ? [] : [{ name: member.name.text, parameters: parametersOf(member) }];
  });
}

/** The first statement at the top of the file that calls something, other than to make what it exports. */
function firstOnLoad(tree: SourceTree): RunsOnLoad | undefined {
  const found = tree.ast.statements.find((statement) => isWork(statement, tree));
  return found && runsOnLoadAt(lineOf(tree, found), textOf(tree, found));
}

const onlyWhenStarted = /\brequire\.main\b|\bimport\.meta\b|\bprocess\.argv\b/;
const setsUp = /^(?:Object|Reflect)\.\w+\(|^(?:require|import)\(/;

function isWork(statement: ts.Statement, tree: SourceTree): boolean {
  if (ts.isIfStatement(statement) && onlyWhenStarted.test(textOf(tree, statement.expression))) return false;
  const isLoop =
    ts.isIterationStatement(statement, false) || ts.isIfStatement(statement) || ts.isTryStatement(statement);
  if (isLoop) return callsNow(statement);
  if (!ts.isExpressionStatement(statement) || setsUp.test(textOf(tree, statement))) return false;
  const { expression } = statement;
  if (ts.isBinaryExpression(expression) && /^(?:module\.)?exports\b/.test(textOf(tree, expression.left)))
    return false;
  return callsNow(expression);
}

/** Does it call anything itself, not in a function that it only makes? */
function callsNow(node: ts.Node): boolean {
  if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isAwaitExpression(node)) return true;
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  return ts.forEachChild(node, (child) => callsNow(child) || undefined) === true;
}
