// Does a name of a test file follow one that the source gave up? Only where the old one is gone from all that the file can reach.
import ts from 'typescript';
import type { Imported } from './bindings.ts';
import type { FileFacts } from './fileFacts.ts';
import { moduleFiles } from './moduleFiles.ts';
import { isRenamedExport, isRenamedMember } from './renamedNames.ts';
import type { ReadSource } from './repointedImports.ts';
import { visitNodes } from '../syntax/javascript/sourceTree.ts';

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
  let reached: ReadonlyMap<string, string> | undefined;
  const texts = (): ReadonlyMap<string, string> =>
    (reached ??= sources.reachedFrom([...modulesOf(was), ...modulesOf(is)]));

  /** Of a member or key: a source that is reached had it and lost it, none has it now, and the new name stands for it. */
  const isRenamed = (old: string, now: string): boolean => {
    const key = `${old} ${now}`;
    const known = renamed.get(key) ?? judgeMember(old, now);
    renamed.set(key, known);
    return known;
  };
  const renamed = new Map<string, boolean>();

  const judgeMember = (old: string, now: string): boolean => {
    const all = [...texts()];
    if (all.length >= mostFiles || all.some(([, text]) => mentions(text, old))) return false;
    const sources = all.flatMap(([file, text]) => {
      const before = readSource.former?.(file) ?? '';
      return mentions(before, old) ? [{ file, before, now: text }] : [];
    });
    return (
      sources.some((source) => mentions(source.now, now)) && isRenamedMember(old, now, sources, mentions)
    );
  };

  /** The old place had the name and lost it; the new one has it, and had it not. */
  const isMoved = (old: Imported, now: Imported): boolean => {
    if (!old.module.startsWith('.') || !now.module.startsWith('.')) return false;
    if (old.name === '*' || now.name === '*')
      return old.name === now.name && isMovedFile(old.module, now.module);
    const right = sources.find(now.module);
    const before = sources.findFormer(old.module);
    if (right === undefined || before === undefined || !exportsName(before, old.name)) return false;
    const left = sources.find(old.module);
    if (left !== undefined && exportsName(left[1], old.name)) return false;
    const former = readSource.former?.(right[0]) ?? '';
    return (
      exportsName(right[1], now.name) &&
      !exportsName(former, now.name) &&
      isRenamedExport(
        old.name,
        now.name,
        { file: old.module, before, now: left?.[1] ?? '' },
        { file: now.module, before: former, now: right[1] },
      )
    );
  };

  /** One file is gone, and the other was not there. */
  const isMovedFile = (old: string, now: string): boolean => {
    const right = sources.find(now);
    return (
      sources.find(old) === undefined &&
      sources.findFormer(old) !== undefined &&
      right !== undefined &&
      readSource.former?.(right[0]) === undefined
    );
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
        isMovedFile(old.text, now.text)
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
    // What the file meant by it already is something else.
    if (gained.some((name) => mentions(was.text, name))) return false;
    if (lost.some((name) => usesName(is.source, name))) return false;
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

interface Sources {
  /** The file that the test file means by the module, and its text. */
  find(module: string): readonly [file: string, text: string] | undefined;
  /** Its text before the change. */
  findFormer(module: string): string | undefined;
  /** Texts by file. */
  reachedFrom(modules: readonly string[]): ReadonlyMap<string, string>;
}

function createSources(file: string, readSource: ReadSource): Sources {
  const find = (module: string, from: string): readonly [string, string] | undefined => {
    for (const name of moduleFiles(module, from)) {
      const text = /\.[cm]?[jt]sx?$/.test(name) ? readSource(name) : undefined;
      if (text !== undefined) return [name, text];
    }
    return undefined;
  };
  return {
    find: (module) => find(module, file),
    findFormer: (module) => {
      for (const name of moduleFiles(module, file)) {
        const text = /\.[cm]?[jt]sx?$/.test(name) ? readSource.former?.(name) : undefined;
        if (text !== undefined) return text;
      }
      return undefined;
    },
    reachedFrom: (modules) => {
      const texts = new Map<string, string>();
      const open = modules.map((module) => [module, file] as const);
      for (let next = open.pop(); next && texts.size < mostFiles; next = open.pop()) {
        const found = find(...next);
        if (found === undefined || texts.has(found[0])) continue;
        texts.set(...found);
        for (const [, module] of found[1].matchAll(/(?:from|import|require)\s*\(?\s*['"`](\.[^'"`]+)['"`]/g))
          if (module !== undefined) open.push([module, found[0]]);
      }
      return texts;
    },
  };
}

const modulesOf = ({ bindings }: FileFacts): readonly string[] => [
  ...new Set(
    [...bindings.imports.values()].map(({ module }) => module).filter((module) => module.startsWith('.')),
  ),
];

/** Is the name used for a value, outside of imports and as no member? `isWanted`: which uses count. */
export function usesName(
  source: ts.SourceFile,
  name: string,
  isWanted: (node: ts.Node) => boolean = () => true,
): boolean {
  let found = false;
  visitNodes(source, (node) => {
    found ||=
      ts.isIdentifier(node) &&
      node.text === name &&
      !isImportName(node) &&
      !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) &&
      isWanted(node);
  });
  return found;
}

/** As a whole word, wherever it stands. */
export function mentions(text: string, name: string): boolean {
  const word = name.replace(/[$]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w$])${word}(?![\w$])`).test(text);
}

/** Is the name in the text, as an export or otherwise? */
function exportsName(text: string, name: string): boolean {
  if (name === 'default') return /\bexport\s+default\b|\bmodule\.exports\b|\bas\s+default\b/.test(text);
  return mentions(text, name);
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
