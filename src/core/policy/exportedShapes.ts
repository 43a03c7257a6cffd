// What a module exports under names of its own, with the text behind each name.
import ts from 'typescript';
import { textOf, type SourceTree } from '../syntax/javascript/sourceTree.ts';

/** By the exported name: its declaration as words and signs, its own name left out; nothing where it is declared elsewhere. */
export function exportedShapes(tree: SourceTree): ReadonlyMap<string, readonly string[]> {
  const declared = new Map<string, ts.Node>();
  const exported = new Map<string, string>();
  for (const statement of tree.ast.statements) {
    const own = declaredBy(statement);
    for (const [name, node] of own) declared.set(name, node);
    if (isExported(statement)) for (const [name] of own) exported.set(name, name);
    const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
    if (clause === undefined || !ts.isNamedExports(clause)) continue;
    for (const { name, propertyName = name } of clause.elements) exported.set(name.text, propertyName.text);
  }
  return new Map(
    [...exported].map(([name, local]) => {
      const node = declared.get(local);
      const words = node === undefined ? [] : (textOf(tree, node).match(/[\w$]+|[^\s\w$]/g) ?? []);
      return [name, words.map((word) => (word === local ? '#' : word))] as const;
    }),
  );
}

function declaredBy(statement: ts.Statement): readonly (readonly [name: string, node: ts.Node])[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap((node) =>
      ts.isIdentifier(node.name) ? [[node.name.text, node] as const] : [],
    );
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name !== undefined ? [[statement.name.text, statement]] : [];
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
