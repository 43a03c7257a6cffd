// Names of one file: what they are imported from, what they were given, and which of them mean a test library.
import ts from 'typescript';
import { avaContexts, isOfAva, type AvaContexts } from './avaNames.ts';
import { apiNames, isAssertModule, isSourceModule, isTestLibrary } from './testApi.ts';
import { replacedNames, valueConstructors } from '../syntax/javascript/globalNames.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';

export interface Imported {
  readonly module: string;
  /** `default`, `*`, or the exported name. */
  readonly name: string;
  readonly node: ts.Node;
  /** Nothing is left of it when the file runs. */
  readonly isTypeOnly?: boolean;
}

export interface Bindings {
  readonly imports: ReadonlyMap<string, Imported>;
  /** Every expression a name was declared with or assigned. */
  readonly values: ReadonlyMap<string, readonly ts.Expression[]>;
  /** Every declaration of a name, imports left out. */
  readonly declared: ReadonlyMap<string, readonly ts.Node[]>;
  /** Names of a test library under another name: `e` → ['expect'], `later` → ['test', 'skip']. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Constructors of the language, and `String`, that may be something else in this file. */
  readonly replaced: ReadonlySet<string>;
}

export type Link =
  | { readonly kind: 'name'; readonly name: string; readonly optional: boolean }
  | {
      readonly kind: 'call';
      readonly args: readonly ts.Expression[];
      readonly node: ts.Node;
      readonly optional: boolean;
    }
  | { readonly kind: 'computed' };

/** `expect(x).not.toBe(1)` as its root and the links after it. */
export interface Chain {
  readonly root: string;
  readonly links: readonly Link[];
}

export function bindingsOf(source: ts.SourceFile): Bindings {
  const imports = new Map<string, Imported>();
  const values = new Map<string, ts.Expression[]>();
  const declared = new Map<string, ts.Node[]>();
  const aliases = new Map<string, readonly string[]>();
  const replaced = replacedNames(source, new Set([...valueConstructors, 'String']));
  const bindings: Bindings = { imports, values, declared, aliases, replaced };
  const add = <T>(map: Map<string, T[]>, name: string, item: T): void => {
    const list = map.get(name);
    if (list === undefined) map.set(name, [item]);
    else list.push(item);
  };
  const bind = (name: ts.BindingName, value: ts.Expression | undefined, key?: string): void => {
    if (ts.isIdentifier(name)) {
      add(declared, name.text, name);
      if (value !== undefined) {
        add(values, name.text, value);
        const alias = aliasOf(value, key, bindings);
        if (alias !== undefined && alias.join() !== name.text) aliases.set(name.text, alias);
      }
      return;
    }
    for (const element of name.elements) {
      if (ts.isOmittedExpression(element)) continue;
      const own = element.propertyName ?? element.name;
      bind(element.name, value, ts.isIdentifier(own) || ts.isStringLiteral(own) ? own.text : undefined);
      if (element.initializer !== undefined) bind(element.name, element.initializer);
    }
  };
  visitNodes(source, (node) => {
    if (ts.isImportDeclaration(node)) {
      for (const [local, imported] of importsOf(node)) {
        imports.set(local, imported);
        const alias = importedAlias(imported);
        if (alias !== undefined && alias.join() !== local) aliases.set(local, alias);
      }
    } else if (ts.isVariableDeclaration(node)) {
      const required = [...requiresOf(node)];
      for (const [local, imported] of required) {
        imports.set(local, imported);
        const alias = importedAlias(imported) ?? (apiNames.has(imported.name) ? [imported.name] : undefined);
        if (alias !== undefined && alias.join() !== local) aliases.set(local, alias);
      }
      if (required.length === 0) bind(node.name, node.initializer);
    }
    if (ts.isParameter(node)) bind(node.name, node.initializer);
    else if ((ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name !== undefined)
      add(declared, node.name.text, node);
    else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const target = unwrap(node.left);
      if (ts.isIdentifier(target)) add(values, target.text, node.right);
    }
  });
  for (const name of contextsOf(source, bindings).names) if (name !== 't') aliases.set(name, ['t']);
  return bindings;
}

/** The contexts of AVA's tests in this file. */
export function contextsOf(source: ts.SourceFile, bindings: Bindings): AvaContexts {
  return avaContexts(
    source,
    (local) => bindings.imports.get(local)?.module === 'ava' || isOfAva(local, bindings),
  );
}

/** Does the file take anything of this module, be it types only? */
export function importsFrom(module: string, { imports }: Bindings): boolean {
  return [...imports.values()].some((imported) => imported.module === module);
}

/** Reads a chain of accesses and calls from its outermost expression; undefined when it does not start at a name. */
export function chainOf(expression: ts.Node, bindings: Bindings): Chain | undefined {
  const links: Link[] = [];
  let node = unwrap(expression);
  for (;;) {
    if (ts.isCallExpression(node)) {
      links.unshift({
        kind: 'call',
        args: node.arguments,
        node,
        optional: node.questionDotToken !== undefined,
      });
      node = unwrap(node.expression);
    } else if (ts.isTaggedTemplateExpression(node)) {
      links.unshift({ kind: 'call', args: [node.template], node, optional: false });
      node = unwrap(node.tag);
    } else if (ts.isPropertyAccessExpression(node)) {
      links.unshift({ kind: 'name', name: node.name.text, optional: node.questionDotToken !== undefined });
      node = unwrap(node.expression);
    } else if (ts.isElementAccessExpression(node)) {
      const key = unwrap(node.argumentExpression);
      links.unshift(
        ts.isStringLiteralLike(key)
          ? { kind: 'name', name: key.text, optional: node.questionDotToken !== undefined }
          : { kind: 'computed' },
      );
      node = unwrap(node.expression);
    } else break;
  }
  if (node.kind === ts.SyntaxKind.ThisKeyword) return { root: 'this', links };
  if (!ts.isIdentifier(node)) return links.length === 0 ? undefined : { root: '', links };
  const alias = bindings.aliases.get(node.text);
  if (alias !== undefined)
    return { root: alias[0] ?? node.text, links: [...alias.slice(1).map(nameLink), ...links] };
  const [first, second] = links;
  // `t.assert.equal(…)` of node:test, whatever the context is called.
  if (first?.kind === 'name' && first.name === 'assert' && second?.kind === 'name')
    if (!bindings.imports.has(node.text)) return { root: 'assert', links: links.slice(1) };
  const imported = bindings.imports.get(node.text);
  const isNamespace =
    (imported !== undefined &&
      isTestLibrary(imported.module) &&
      (imported.name === '*' || imported.name === 'default')) ||
    node.text === 'globalThis' ||
    node.text === 'chai';
  if (isNamespace && first?.kind === 'name' && apiNames.has(first.name) && node.text !== 'assert')
    return { root: first.name, links: links.slice(1) };
  return { root: node.text, links };
}

const nameLink = (name: string): Link => ({ kind: 'name', name, optional: false });

function* importsOf(node: ts.ImportDeclaration): Generator<[string, Imported]> {
  if (!ts.isStringLiteral(node.moduleSpecifier)) return;
  const module = node.moduleSpecifier.text;
  const clause = node.importClause;
  const isTypes = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  const typeOnly = (isType: boolean): { isTypeOnly?: boolean } => (isType ? { isTypeOnly: true } : {});
  if (clause?.name !== undefined)
    yield [clause.name.text, { module, name: 'default', node, ...typeOnly(isTypes) }];
  const named = clause?.namedBindings;
  if (named === undefined) return;
  if (ts.isNamespaceImport(named)) yield [named.name.text, { module, name: '*', node, ...typeOnly(isTypes) }];
  else
    for (const element of named.elements) {
      const name = (element.propertyName ?? element.name).text;
      yield [element.name.text, { module, name, node: element, ...typeOnly(isTypes || element.isTypeOnly) }];
    }
}

/** `const { a } = require('m')`, `const m = await import('m')`, `const a = require('m').a`. */
function* requiresOf(node: ts.VariableDeclaration): Generator<[string, Imported]> {
  if (node.initializer === undefined) return;
  let value = unwrap(node.initializer);
  const member = ts.isPropertyAccessExpression(value) ? value.name.text : undefined;
  if (ts.isPropertyAccessExpression(value)) value = unwrap(value.expression);
  const module = requiredModule(value);
  if (module === undefined) return;
  if (ts.isIdentifier(node.name)) {
    const whole = ts.isAwaitExpression(value) ? '*' : 'default';
    yield [node.name.text, { module, name: member ?? whole, node: node.name }];
  } else if (ts.isObjectBindingPattern(node.name) && member === undefined) {
    for (const { name, propertyName = name } of node.name.elements)
      if (ts.isIdentifier(name) && (ts.isIdentifier(propertyName) || ts.isStringLiteral(propertyName)))
        yield [name.text, { module, name: propertyName.text, node: name }];
  }
}

/** The module that `require('m')` or `await import('m')` loads. */
function requiredModule(value: ts.Expression): string | undefined {
  const call = ts.isAwaitExpression(value) ? unwrap(value.expression) : value;
  if (!ts.isCallExpression(call)) return undefined;
  const isImport = ts.isAwaitExpression(value) && call.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = ts.isIdentifier(call.expression) && call.expression.text === 'require';
  const [module] = call.arguments;
  return (isImport || isRequire) && module !== undefined && ts.isStringLiteralLike(module)
    ? module.text
    : undefined;
}

function importedAlias({ module, name }: Imported): readonly string[] | undefined {
  if (isSourceModule(module)) return undefined;
  if (isAssertModule(module)) {
    const strict = module.endsWith('/strict') ? ['strict'] : [];
    if (name === 'default' || name === '*' || name === 'assert') return ['assert', ...strict];
    return ['assert', ...strict, name];
  }
  if (isTestLibrary(module) && name === 'default')
    return module.endsWith('test') || module === 'ava' ? ['test'] : undefined;
  return apiNames.has(name) ? [name] : undefined;
}

/** What a variable means when it is only another name for a part of a test library. */
function aliasOf(
  value: ts.Expression,
  key: string | undefined,
  bindings: Bindings,
): readonly string[] | undefined {
  const inner = unwrap(value);
  const isModule =
    ts.isAwaitExpression(inner) ||
    (ts.isCallExpression(inner) && ts.isIdentifier(inner.expression) && inner.expression.text === 'require');
  if (isModule) return key !== undefined && apiNames.has(key) ? [key] : requiredAlias(inner);
  const chain = chainOf(inner, bindings);
  if (chain === undefined) return undefined;
  const names = chain.links.flatMap((link) => (link.kind === 'name' ? [link.name] : []));
  const isExtended = chain.links.at(-1)?.kind === 'call' && names.at(-1) === 'extend';
  if (!apiNames.has(chain.root))
    return key !== undefined && ['vitest', 'globalThis'].includes(chain.root) && apiNames.has(key)
      ? [key]
      : undefined;
  if (names.length !== chain.links.length && !isExtended) return undefined;
  const path = isExtended ? [chain.root] : [chain.root, ...names];
  return key === undefined ? path : [...path, key];
}

function requiredAlias(node: ts.Node): readonly string[] | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const module = node.arguments[0];
  if (module === undefined || !ts.isStringLiteral(module)) return undefined;
  return importedAlias({ module: module.text, name: 'default', node });
}
