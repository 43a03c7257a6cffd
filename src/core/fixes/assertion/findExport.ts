// Finds the value that an imported name was given in another file of the workspace.
import path from 'node:path';
import ts from 'typescript';
import type { Binding } from '../../syntax/javascript/declarations.ts';
import type { SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { refuse, type Refusal } from './literalChange.ts';

/** The exported expression, or why it is not known. Follows relative imports only. */
export async function findExport(
  tree: SourceTree,
  binding: Binding,
  world: { readTree(file: string): Promise<SourceTree | undefined> },
): Promise<{ readonly expression: ts.Expression; readonly tree: SourceTree } | Refusal> {
  const { declaration } = binding;
  const statement = importOf(declaration);
  const unknown = refuse(`\`${binding.name.text}\` is imported from a place that Testmend cannot follow.`);
  if (statement === undefined || !ts.isStringLiteral(statement.moduleSpecifier)) return unknown;
  const specifier = statement.moduleSpecifier.text;
  if (!specifier.startsWith('.') || ts.isNamespaceImport(declaration)) return unknown;
  const imported = ts.isImportSpecifier(declaration)
    ? (declaration.propertyName ?? declaration.name).text
    : 'default';
  for (const file of moduleCandidates(path.posix.join(path.posix.dirname(tree.file), specifier))) {
    const target = await world.readTree(file);
    if (target === undefined) continue;
    const expression = exported(target.ast, imported);
    return expression === undefined ? unknown : { expression, tree: target };
  }
  return unknown;
}

function importOf(node: ts.Node): ts.ImportDeclaration | undefined {
  let current: ts.Node | undefined = node;
  while (current !== undefined && !ts.isImportDeclaration(current)) current = current.parent;
  return current;
}

/** Files that a relative import of `base` (relative to the root) may mean, in order. */
export function moduleCandidates(base: string): string[] {
  const stem = base.replace(/\.[cm]?jsx?$/, '');
  const written = base === stem ? [] : [stem + base.slice(stem.length).replace('js', 'ts')];
  const endings = ['.ts', '.tsx', '.mts', '.js', '.mjs', '.jsx', '.cts', '.cjs', '.json'];
  return [
    base,
    ...written,
    ...endings.map((ending) => base + ending),
    ...endings.map((ending) => `${base}/index${ending}`),
  ];
}

function exported(ast: ts.SourceFile, name: string): ts.Expression | undefined {
  const [only] = ast.statements;
  if (ast.fileName.endsWith('.json'))
    return name === 'default' && only !== undefined && ts.isExpressionStatement(only)
      ? only.expression
      : undefined;
  for (const statement of ast.statements) {
    if (ts.isExportAssignment(statement) && name === 'default' && !statement.isExportEquals)
      return statement.expression;
    if (
      ts.isExportDeclaration(statement) &&
      statement.moduleSpecifier === undefined &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    ) {
      const element = statement.exportClause.elements.find((other) => other.name.text === name);
      if (element !== undefined) return constant(ast, (element.propertyName ?? element.name).text);
    }
    if (!ts.isVariableStatement(statement)) continue;
    if (!statement.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)) continue;
    const found = declared(statement, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function constant(ast: ts.SourceFile, name: string): ts.Expression | undefined {
  for (const statement of ast.statements) {
    const found = ts.isVariableStatement(statement) ? declared(statement, name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function declared(statement: ts.VariableStatement, name: string): ts.Expression | undefined {
  const declaration = statement.declarationList.declarations.find(
    (other) => ts.isIdentifier(other.name) && other.name.text === name,
  );
  return declaration?.initializer;
}
