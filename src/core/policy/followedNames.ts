// Does a name of a test file follow one that the source gave up? Only where the old one is gone from all that the file can reach.
import path from 'node:path';
import ts from 'typescript';
import type { Imported } from './bindings.ts';
import type { FileFacts } from './fileFacts.ts';
import type { ReadSource } from './repointedImports.ts';

export interface FollowedNames {
  /** An identifier in place of another: of an import, a member, a key. */
  name(old: ts.Identifier, now: ts.Identifier): boolean;
  /** A path of keys in place of another of which one name differs. */
  path(old: string, now: string): boolean;
  /** A text: the path of a module, or the name of a member, in place of another. */
  module(old: ts.StringLiteralLike, now: ts.StringLiteralLike): boolean;
  /** One import in place of another. */
  imports(old: ts.ImportDeclaration, now: ts.ImportDeclaration): boolean;
}

/** Files that are looked through for a name, at most. */
const mostFiles = 300;

export function followedNames(was: FileFacts, is: FileFacts, readSource: ReadSource): FollowedNames {
  const sources = createSources(was.file, readSource);
  let reached: readonly string[] | undefined;
  const texts = (): readonly string[] =>
    (reached ??= sources.reachedFrom([...modulesOf(was), ...modulesOf(is)]));

  /** Of a member or key: gone from everything that is reached, and there under the new name. */
  const isRenamed = (old: string, now: string): boolean =>
    texts().every((text) => !mentions(text, old)) && texts().some((text) => mentions(text, now));

  const isMoved = (old: Imported, now: Imported): boolean => {
    if (!old.module.startsWith('.') || !now.module.startsWith('.')) return false;
    const left = sources.textOf(old.module);
    if (old.name === '*' || now.name === '*') return left === undefined && old.name === now.name;
    const right = sources.textOf(now.module);
    if (right === undefined) return false;
    if (left === undefined) return true;
    return old.module === now.module
      ? !mentions(left, old.name) && mentions(right, now.name)
      : !exportsName(left, old.name) && (now.name === 'default' || mentions(right, now.name));
  };

  const nameFollows = (old: ts.Identifier, now: ts.Identifier): boolean => {
    const [then, today] = [was.bindings.imports.get(old.text), is.bindings.imports.get(now.text)];
    if (isImportName(old) && isImportName(now)) {
      const local = [localOf(old), localOf(now)];
      const [from, to] = [was.bindings.imports.get(local[0] ?? ''), is.bindings.imports.get(local[1] ?? '')];
      return from !== undefined && to !== undefined && (sameImport(from, to) || isMoved(from, to));
    }
    if (isMemberName(old) && isMemberName(now)) return isRenamed(old.text, now.text);
    return then !== undefined && today !== undefined && (sameImport(then, today) || isMoved(then, today));
  };

  return {
    name: nameFollows,
    module: (old, now) => {
      const { parent } = old;
      if (isMemberArgument(old) && isMemberArgument(now)) return isRenamed(old.text, now.text);
      if (ts.isImportDeclaration(parent) && ts.isImportDeclaration(now.parent))
        return importsFollow(parent, now.parent);
      return (
        old.text.startsWith('.') &&
        now.text.startsWith('.') &&
        isModuleArgument(old) &&
        sources.textOf(old.text) === undefined &&
        sources.textOf(now.text) !== undefined
      );
    },
    path: (old, now) => {
      const [then, today] = [old.split('.'), now.split('.')];
      const follows = (name: string, index: number): boolean =>
        name === today[index] || isRenamed(name, today[index] ?? '');
      return then.length === today.length && then.every(follows);
    },
    imports: (old, now) => importsFollow(old, now),
  };

  /** Each name that both bind comes from where the old one is gone; what only the newer binds is an addition. */
  function importsFollow(old: ts.ImportDeclaration, now: ts.ImportDeclaration): boolean {
    if (now.importClause === undefined || old.importClause === undefined) return false;
    const lost = namesOfImport(old).filter((name) => !is.bindings.imports.has(name));
    const gained = namesOfImport(now).filter((name) => !was.bindings.imports.has(name));
    const isKept = namesOfImport(old)
      .filter((name) => is.bindings.imports.has(name))
      .every((name) => {
        const [from, to] = [was.bindings.imports.get(name), is.bindings.imports.get(name)];
        return from !== undefined && to !== undefined && (sameImport(from, to) || isMoved(from, to));
      });
    // A name that is gone and one that came: what is written for it is judged where it is used.
    return isKept && lost.length + gained.length <= 20;
  }
}

const sameImport = (a: Imported, b: Imported): boolean => a.module === b.module && a.name === b.name;

function createSources(
  file: string,
  readSource: ReadSource,
): {
  textOf(module: string, from?: string): string | undefined;
  reachedFrom(modules: readonly string[]): readonly string[];
} {
  const find = (module: string, from: string): readonly [string, string] | undefined => {
    const target = path.posix.join(path.posix.dirname(from), module);
    const bare = target.replace(/\.[cm]?[jt]sx?$/, '');
    const endings = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cts', '.cjs', '/index.ts', '/index.js'];
    for (const name of new Set([target, ...endings.map((ending) => bare + ending)])) {
      const text = /\.[cm]?[jt]sx?$/.test(name) ? readSource(name) : undefined;
      if (text !== undefined) return [name, text];
    }
    return undefined;
  };
  return {
    textOf: (module, from = file) => find(module, from)?.[1],
    reachedFrom: (modules) => {
      const texts = new Map<string, string>();
      const open =
        modules.flatMap((module) => find(module, file) ?? []).length > 0
          ? [...modules].map((module) => [module, file] as const)
          : [];
      for (let next = open.pop(); next && texts.size < mostFiles; next = open.pop()) {
        const found = find(...next);
        if (found === undefined || texts.has(found[0])) continue;
        texts.set(...found);
        for (const [, module] of found[1].matchAll(/(?:from|import|require\()\s*['"](\.[^'"]+)['"]/g))
          if (module !== undefined) open.push([module, found[0]]);
      }
      return [...texts.values()];
    },
  };
}

const modulesOf = ({ bindings }: FileFacts): readonly string[] => [
  ...new Set(
    [...bindings.imports.values()].map(({ module }) => module).filter((module) => module.startsWith('.')),
  ),
];

/** As a whole word, wherever it stands. */
function mentions(text: string, name: string): boolean {
  const word = name.replace(/[$]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w$])${word}(?![\w$])`).test(text);
}

/** In an export of the text, or one that passes on all of another module. */
function exportsName(text: string, name: string): boolean {
  if (name === 'default') return /\bexport\s+default\b|\bmodule\.exports\b|\bas\s+default\b/.test(text);
  return mentions(text, name) || /\bexport\s*\*/.test(text);
}

/** The names that an import binds. */
export function namesOfImport({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings;
  const named =
    bindings === undefined
      ? []
      : ts.isNamespaceImport(bindings)
        ? [bindings.name.text]
        : bindings.elements.map(({ name }) => name.text);
  return [...(importClause?.name ? [importClause.name.text] : []), ...named];
}

const isImportName = (node: ts.Node): boolean =>
  ts.isImportSpecifier(node.parent) || ts.isImportClause(node.parent);

function localOf({ parent }: ts.Identifier): string {
  return ts.isImportSpecifier(parent) || ts.isImportClause(parent) ? (parent.name?.text ?? '') : '';
}

const isMemberName = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isBindingElement(parent);

/** `vi.mock('./x.js')`, `require('./x.js')`, `import('./x.js')`. */
function isModuleArgument(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  return (
    parent.expression.kind === ts.SyntaxKind.ImportKeyword ||
    /(?:^|\.)(?:mock|unmock|doMock|doUnmock|requireActual|importActual|require)$/.test(
      parent.expression.getText(),
    )
  );
}

/** `spyOn(object, 'name')` and its like. */
function isMemberArgument(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) &&
    parent.arguments[1] === node &&
    /(?:^|\.)(?:spyOn|replaceProperty|stub|spy|method)$/.test(parent.expression.getText())
  );
}
