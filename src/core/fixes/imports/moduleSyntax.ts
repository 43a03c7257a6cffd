// What the text of one module says of its exports; nothing outside of the file is looked at.
import type ts from 'typescript';
import { shapeOf } from './declarationShape.ts';

/** Something of another module (`*` is all of it), or a declaration of this one. */
export type ExportEntry =
  | { readonly specifier: string; readonly name: string }
  | { readonly name: string; readonly typeOnly: boolean; readonly shape: readonly string[] };

/** A module whose exports are passed on. */
export interface Star {
  readonly specifier: string;
  /** Not the module is passed on, but what its function gives when it is called. */
  readonly isCalled?: true;
  /** One of several, of which a run takes one. */
  readonly isAlternative?: true;
}

export interface Surface {
  /** Several entries of one name where it is given a value more than once. */
  readonly exports: ReadonlyMap<string, readonly ExportEntry[]>;
  readonly stars: readonly Star[];
  /** There may be more than could be seen. */
  readonly open: boolean;
}

export interface ModuleSyntax extends Surface {
  readonly isCommonJs: boolean;
  /** Of a CommonJS module that is a function: what a call of it gives. */
  readonly result?: Surface | undefined;
}

/** The exports of an ES module; undefined for a text that is none. */
export function readEsModule(typescript: typeof ts, source: ts.SourceFile): ModuleSyntax | undefined {
  const local = new Map<string, ExportEntry>();
  const exports = new Map<string, ExportEntry>();
  const stars: Star[] = [];
  let isEsm = false;
  const declare = (name: string, node: ts.Node, typeOnly = false): void => {
    const earlier = local.get(name);
    // Overloads and merged declarations are one thing.
    const before = earlier && 'shape' in earlier ? earlier : undefined;
    local.set(name, {
      name,
      typeOnly: typeOnly && (before?.typeOnly ?? true),
      shape: [...(before?.shape ?? []), ...shapeOf(typescript, node, name)],
    });
  };
  // First what is declared, because an export list may stand before its declarations.
  for (const statement of source.statements) {
    if (typescript.isImportDeclaration(statement)) {
      isEsm = true;
      readImport(typescript, statement, local);
    } else if (typescript.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations)
        for (const name of boundNames(typescript, declaration.name)) declare(name, declaration);
    } else if (
      typescript.isFunctionDeclaration(statement) ||
      typescript.isClassDeclaration(statement) ||
      typescript.isEnumDeclaration(statement) ||
      typescript.isModuleDeclaration(statement)
    ) {
      if (statement.name) declare(statement.name.text, statement);
    } else if (typescript.isInterfaceDeclaration(statement) || typescript.isTypeAliasDeclaration(statement)) {
      declare(statement.name.text, statement, true);
    }
  }
  for (const statement of source.statements) {
    if (typescript.isExportDeclaration(statement)) {
      isEsm = true;
      const specifier =
        statement.moduleSpecifier && typescript.isStringLiteral(statement.moduleSpecifier)
          ? statement.moduleSpecifier.text
          : undefined;
      const clause = statement.exportClause;
      if (!clause) {
        if (specifier !== undefined) stars.push({ specifier });
      } else if (typescript.isNamespaceExport(clause)) {
        if (specifier !== undefined) exports.set(clause.name.text, { specifier, name: '*' });
      } else {
        for (const element of clause.elements) {
          const name = (element.propertyName ?? element.name).text;
          const entry = specifier === undefined ? local.get(name) : { specifier, name };
          exports.set(element.name.text, entry ?? { name, typeOnly: false, shape: ['unknown', name] });
        }
      }
    } else if (typescript.isExportAssignment(statement)) {
      if (statement.isExportEquals) return undefined;
      isEsm = true;
      const { expression } = statement;
      const entry = typescript.isIdentifier(expression) ? local.get(expression.text) : undefined;
      exports.set(
        'default',
        entry ?? { name: '', typeOnly: false, shape: shapeOf(typescript, expression, '') },
      );
    } else if (hasModifier(typescript, statement, typescript.SyntaxKind.ExportKeyword)) {
      isEsm = true;
      const isDefault = hasModifier(typescript, statement, typescript.SyntaxKind.DefaultKeyword);
      const names = typescript.isVariableStatement(statement)
        ? statement.declarationList.declarations.flatMap((one) => boundNames(typescript, one.name))
        : isNamedDeclaration(typescript, statement) && statement.name
          ? [statement.name.text]
          : [];
      for (const name of names) {
        const entry = local.get(name);
        if (entry) exports.set(isDefault ? 'default' : name, entry);
      }
      if (isDefault && names.length === 0)
        exports.set('default', { name: '', typeOnly: false, shape: shapeOf(typescript, statement, '') });
    }
  }
  if (!isEsm) return undefined;
  const entries = new Map([...exports].map(([name, entry]) => [name, [entry]]));
  return { exports: entries, stars, open: false, isCommonJs: false };
}

function readImport(
  typescript: typeof ts,
  statement: ts.ImportDeclaration,
  local: Map<string, ExportEntry>,
): void {
  const clause = statement.importClause;
  if (!clause || !typescript.isStringLiteral(statement.moduleSpecifier)) return;
  const specifier = statement.moduleSpecifier.text;
  if (clause.name) local.set(clause.name.text, { specifier, name: 'default' });
  const bindings = clause.namedBindings;
  if (bindings && typescript.isNamespaceImport(bindings))
    local.set(bindings.name.text, { specifier, name: '*' });
  else if (bindings)
    for (const element of bindings.elements)
      local.set(element.name.text, { specifier, name: (element.propertyName ?? element.name).text });
}

function isNamedDeclaration(
  typescript: typeof ts,
  node: ts.Statement,
): node is
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.EnumDeclaration
  | ts.ModuleDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration {
  return (
    typescript.isFunctionDeclaration(node) ||
    typescript.isClassDeclaration(node) ||
    typescript.isEnumDeclaration(node) ||
    typescript.isModuleDeclaration(node) ||
    typescript.isInterfaceDeclaration(node) ||
    typescript.isTypeAliasDeclaration(node)
  );
}

function boundNames(typescript: typeof ts, name: ts.BindingName): string[] {
  if (typescript.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    typescript.isOmittedExpression(element) ? [] : boundNames(typescript, element.name),
  );
}

function hasModifier(typescript: typeof ts, statement: ts.Statement, kind: ts.SyntaxKind): boolean {
  return (
    typescript.canHaveModifiers(statement) &&
    (typescript.getModifiers(statement)?.some((modifier) => modifier.kind === kind) ?? false)
  );
}
