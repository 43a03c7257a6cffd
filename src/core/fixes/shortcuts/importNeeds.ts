// Lets a test file import what the body of a deleted function needs, in the place of the function.
import path from 'node:path';
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { isUse, type Need, type Shortcut } from './removedShortcuts.ts';

export interface ImportedNeeds {
  /** How a name of the body is written in the test. */
  nameOf(name: string): string;
  readonly changes: readonly TextChange[];
}

/**
 * `use` is the name by which the test imported the function, or the namespace that it took it from; `given` are the names that
 * other functions brought along, by module and name, and becomes more.
 */
export function importNeeds(
  tree: SourceTree,
  shortcut: Shortcut,
  use: ts.Identifier,
  given: Map<string, string>,
): ImportedNeeds | { readonly reason: string } {
  const declaration = bindingOf(use)?.declaration;
  const statement = declaration && importOf(declaration);
  if (declaration === undefined || statement === undefined)
    return { reason: `${shortcut.name} is not imported by a plain import.` };
  const home = specifierOf(statement);
  const meant = [...shortcut.globals].find((name) => isDeclared(tree, name));
  if (meant !== undefined)
    return {
      reason: `${meant}, which ${shortcut.name}() used, is the name of something else in the test.`,
    };
  const namespace = ts.isNamespaceImport(declaration) ? use.text : undefined;
  const names = new Map<string, string>();
  const added = new Map<string, { readonly key: string; readonly need: Need }[]>();
  for (const [key, need] of shortcut.needs) {
    const specifier = need.module === undefined ? home : specifierFor(need.module, tree.file);
    const known =
      namespace !== undefined && need.module === undefined
        ? `${namespace}.${need.name}`
        : (given.get(`${specifier} ${need.name}`) ?? localName(tree, specifier, need.name));
    if (known === undefined && isTaken(tree, key))
      return {
        reason: `${key}, which ${shortcut.name}() called, is the name of something else in the test.`,
      };
    const written = known?.split('.')[0];
    if (written !== undefined && isShadowed(tree, written))
      return { reason: `${written}, which ${shortcut.name}() called, means several things in the test.` };
    names.set(key, known ?? key);
    given.set(`${specifier} ${need.name}`, known ?? key);
    if (known === undefined) added.set(specifier, [...(added.get(specifier) ?? []), { key, need }]);
  }
  return {
    nameOf: (name) => names.get(name) ?? name,
    changes: changesOf(tree, statement, namespace === undefined ? declaration : undefined, added),
  };
}

function importOf(declaration: ts.Node): ts.ImportDeclaration | undefined {
  let node: ts.Node | undefined = declaration;
  if (!ts.isImportSpecifier(node) && !ts.isNamespaceImport(node)) return undefined;
  while (node !== undefined && !ts.isImportDeclaration(node)) node = node.parent;
  return node;
}

const specifierOf = ({ moduleSpecifier }: ts.ImportDeclaration): string =>
  ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';

function specifierFor(module: string, from: string): string {
  if (!module.startsWith('./')) return module;
  const relative = path.posix.relative(path.posix.dirname(from), module.slice(2));
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** The name that the test has given to an export already. */
function localName(tree: SourceTree, specifier: string, name: string): string | undefined {
  for (const statement of tree.ast.statements) {
    if (!ts.isImportDeclaration(statement) || specifierOf(statement) !== specifier) continue;
    const { namedBindings, name: own } = statement.importClause ?? {};
    if (name === 'default' && own !== undefined) return own.text;
    if (namedBindings === undefined || !ts.isNamedImports(namedBindings)) continue;
    const found = namedBindings.elements.find((one) => (one.propertyName ?? one.name).text === name);
    if (found !== undefined && !found.isTypeOnly) return found.name.text;
  }
  return undefined;
}

function isTaken(tree: SourceTree, name: string): boolean {
  return identifiers(tree, name).length > 0;
}

/** Does the test mean by the name anything but what is there in every file? */
function isDeclared(tree: SourceTree, name: string): boolean {
  return identifiers(tree, name).some((one) => bindingOf(one) !== undefined || isNameOf(one));
}

/** The name that something is declared by, whatever it is. */
function isNameOf(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    ('name' in parent && parent.name === node && !ts.isPropertyAccessExpression(parent)) ||
    (ts.isBinaryExpression(parent) && parent.left === node)
  );
}

function isShadowed(tree: SourceTree, name: string): boolean {
  return identifiers(tree, name).some(
    (one) =>
      !ts.isImportSpecifier(one.parent) &&
      !ts.isImportClause(one.parent) &&
      bindingOf(one)?.kind !== 'import',
  );
}

function identifiers(tree: SourceTree, name: string): readonly ts.Identifier[] {
  const found: ts.Identifier[] = [];
  visitNodes(tree.ast, (node) => {
    if (ts.isIdentifier(node) && node.text === name && isUse(node)) found.push(node);
  });
  return found;
}

type Added = ReadonlyMap<string, readonly { readonly key: string; readonly need: Need }[]>;

function changesOf(
  tree: SourceTree,
  statement: ts.ImportDeclaration,
  element: ts.Node | undefined,
  added: Added,
): readonly TextChange[] {
  const home = specifierOf(statement);
  const here = (added.get(home) ?? []).map(elementText);
  const elsewhere = [...added]
    .filter(([specifier]) => specifier !== home || element === undefined)
    .map(([specifier, needs]) => importText(tree, statement, specifier, needs));
  const start = statement.getStart(tree.ast);
  const eol = tree.text.includes('\r\n') ? '\r\n' : '\n';
  const after = {
    start: statement.end,
    end: statement.end,
    newText: elsewhere.map((one) => eol + one).join(''),
  };
  if (element === undefined || here.length > 0)
    return [
      ...(element === undefined
        ? []
        : [{ start: element.getStart(tree.ast), end: element.end, newText: here.join(', ') }]),
      ...(after.newText === '' ? [] : [after]),
    ];
  const { namedBindings, name } = statement.importClause ?? {};
  const elements = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : [];
  const index = elements.findIndex((one) => one === element);
  const [before, next] = [elements[index - 1], elements[index + 1]];
  if (elements.length > 1) {
    const removed =
      next === undefined
        ? { start: before?.end ?? element.getStart(tree.ast), end: element.end, newText: '' }
        : { start: element.getStart(tree.ast), end: next.getStart(tree.ast), newText: '' };
    return [removed, ...(after.newText === '' ? [] : [after])];
  }
  // Nothing of the import is left, unless it has a default.
  if (name !== undefined && namedBindings !== undefined)
    return [{ start: name.end, end: namedBindings.end, newText: '' }, after];
  const lineEnd = tree.text.startsWith(eol, statement.end) ? statement.end + eol.length : statement.end;
  return elsewhere.length > 0
    ? [{ start, end: statement.end, newText: elsewhere.join(eol) }]
    : [{ start, end: lineEnd, newText: '' }];
}

const elementText = ({ key, need }: { readonly key: string; readonly need: Need }): string =>
  key === need.name ? key : `${need.name} as ${key}`;

function importText(
  tree: SourceTree,
  like: ts.ImportDeclaration,
  specifier: string,
  needs: readonly { readonly key: string; readonly need: Need }[],
): string {
  const text = tree.text.slice(like.getStart(tree.ast), like.end);
  const quote = like.moduleSpecifier.getText(tree.ast).charAt(0);
  const space = /\{\S/.test(text) ? '' : ' ';
  const names = needs.map(elementText).join(', ');
  return `import {${space}${names}${space}} from ${quote}${specifier}${quote}${text.endsWith(';') ? ';' : ''}`;
}
