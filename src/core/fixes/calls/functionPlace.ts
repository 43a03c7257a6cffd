// Under which name the tests know a function of a source: exported, or a method of what is exported.
import ts from 'typescript';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { unwrap } from '../../syntax/javascript/sourceTree.ts';

export interface FunctionPlace {
  readonly name: string;
  /** The class or object that has it. */
  readonly owner?: string;
  readonly isDefault: boolean;
}

/** Undefined for what nobody outside of the file can call: inner functions, constructors. */
export function placeOf(node: ts.SignatureDeclaration): FunctionPlace | undefined {
  if (ts.isConstructorDeclaration(node)) return undefined;
  const { parent } = node;
  if (ts.isMethodDeclaration(node)) {
    const name = propertyKey(node.name);
    const owner = ownerOf(parent);
    return name === undefined || owner === undefined ? undefined : { name, owner, isDefault: false };
  }
  if (ts.isFunctionDeclaration(node)) {
    const isDefault = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true;
    return ts.isSourceFile(parent) ? { name: node.name?.text ?? 'default', isDefault } : undefined;
  }
  if (ts.isExportAssignment(parent)) return { name: 'default', isDefault: true };
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name))
    return ts.isSourceFile(parent.parent.parent.parent)
      ? { name: parent.name.text, isDefault: isDefaultExport(parent.name) }
      : undefined;
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) {
    const name = propertyKey(parent.name);
    const owner = ownerOf(parent.parent);
    return name === undefined || owner === undefined ? undefined : { name, owner, isDefault: false };
  }
  // module.exports = function …, exports.load = …
  if (ts.isBinaryExpression(parent) && parent.right === node) {
    const target = parent.left.getText();
    const name = /^(?:module\.)?exports(?:\.(?<name>[\w$]+))?$/.exec(target);
    return name === null
      ? undefined
      : { name: name.groups?.['name'] ?? 'default', isDefault: !name.groups?.['name'] };
  }
  return undefined;
}

function isDefaultExport(name: ts.Identifier): boolean {
  return name
    .getSourceFile()
    .statements.some(
      (statement) =>
        ts.isExportAssignment(statement) &&
        ts.isIdentifier(statement.expression) &&
        statement.expression.text === name.text,
    );
}

/** The name of a class or of an object in a variable. */
function ownerOf(node: ts.Node): string | undefined {
  if (ts.isClassLike(node) && node.name) return node.name.text;
  let up: ts.Node = node.parent;
  while (unwrap(up) !== up) up = up.parent;
  if (ts.isVariableDeclaration(up) && ts.isIdentifier(up.name)) return up.name.text;
  return ts.isExportAssignment(up) ? 'default' : undefined;
}
