// How a workspace writes its tests in JavaScript and TypeScript, as the nearest of them show it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { FrameworkProject } from '../model/frameworkProject.ts';
import type { FrameworkId } from '../model/testNode.ts';
import { readPackageJson } from '../frameworks/packageJson.ts';
import { parseTree, styleOf, textOf, visitNodes, type SourceTree } from '../syntax/javascript/sourceTree.ts';

export interface ScriptStyle {
  readonly format: 'esm' | 'cjs';
  readonly quote: "'" | '"';
  readonly indent: string;
  readonly eol: '\n' | '\r\n';
  readonly semicolons: boolean;
  /** Does it import describe, it and expect, or find them as globals? */
  readonly imports: boolean;
  readonly suite: 'describe' | 'suite';
  readonly test: 'it' | 'test';
  readonly assertions: Assertions;
  /** Of specifiers of own modules, the likeliest first: '' none · own: that of the file · compiled: `.js` for `.ts`. */
  readonly endings: readonly string[];
  /** Of modules, as the tests write them. */
  readonly specifiers: readonly string[];
}

/** expect: of vitest and jest · chai: its expect · ava: of the test's own `t` · otherwise a module like node:assert. */
type Assertions = 'expect' | 'chai' | 'ava' | AssertModule;
interface AssertModule {
  readonly module: string;
}

interface StyleRequest {
  readonly root: string;
  readonly project: FrameworkProject;
  /** Existing tests, relative to the root, the nearest first. */
  readonly tests: readonly string[];
  readonly source: SourceTree;
  readonly sourceFormat: 'esm' | 'cjs';
  /** Of the new test, relative to the root. */
  readonly place: string;
}

/** So many of the nearest tests are looked at. */
const lookedAt = 8;

export function scriptStyle(request: StyleRequest): ScriptStyle {
  const { root, project, tests, source, place } = request;
  const models = tests
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .slice(0, lookedAt)
    .flatMap((file) => modelOf(root, file));
  const facts = models.map(factsOf);
  const own = styleOf(models[0] ?? source);
  const format = formatFor(request, facts);
  const { framework } = project;
  const { suite, test } = wordsOf(facts);
  return {
    format,
    quote: own.quote,
    indent: own.indent.length > 8 ? '  ' : own.indent,
    eol: own.eol,
    semicolons: writesSemicolons(models[0] ?? source),
    imports: importsApi(request, facts),
    suite: framework === 'mocha' ? suite : 'describe',
    test,
    assertions: assertionsOf(framework, facts),
    endings: endingsOf(request, facts, path.extname(place)),
    specifiers: facts.flatMap(({ specifiers }) => specifiers),
  };
}

interface Facts {
  readonly specifiers: readonly string[];
  /** Ways in which modules are named, by number. */
  readonly imports: number;
  readonly requires: number;
  readonly calls: ReadonlyMap<string, number>;
}

function modelOf(root: string, file: string): readonly SourceTree[] {
  try {
    return [parseTree(file, readFileSync(path.join(root, file), 'utf8'))];
  } catch {
    return [];
  }
}

function factsOf(tree: SourceTree): Facts {
  const specifiers: string[] = [];
  const calls = new Map<string, number>();
  let [imports, requires] = [0, 0];
  visitNodes(tree.ast, (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      imports++;
      specifiers.push(node.moduleSpecifier.text);
    }
    if (!ts.isCallExpression(node)) return;
    const [first] = node.arguments;
    const callee = textOf(tree, node.expression);
    if (callee === 'require' && first && ts.isStringLiteral(first)) {
      requires++;
      specifiers.push(first.text);
    }
    const name = callee.split('.')[0] ?? '';
    if (/^(?:describe|suite|it|test|expect|assert)$/.test(name)) calls.set(name, (calls.get(name) ?? 0) + 1);
  });
  return { specifiers, imports, requires, calls };
}

function formatFor(
  { project, place, sourceFormat, root }: StyleRequest,
  facts: readonly Facts[],
): 'esm' | 'cjs' {
  const extension = path.extname(place);
  if (extension === '.mjs' || extension === '.mts') return 'esm';
  if (extension === '.cjs' || extension === '.cts') return 'cjs';
  if (project.framework === 'vitest') return 'esm';
  const imports = facts.filter((one) => one.imports > 0).length;
  const requires = facts.filter((one) => one.imports === 0 && one.requires > 0).length;
  if (imports + requires > 0) return imports >= requires ? 'esm' : 'cjs';
  if (/^\.tsx?$/.test(extension) || sourceFormat === 'esm') return 'esm';
  return isModulePackage(root, place) ? 'esm' : 'cjs';
}

/** Does Node take `.js` there for an ES module? */
function isModulePackage(root: string, place: string): boolean {
  for (let folder = path.posix.dirname(place); ; folder = path.posix.dirname(folder)) {
    const { packageJson } = readPackageJson(path.join(root, folder), root);
    if (packageJson) return packageJson.type === 'module';
    if (folder === '.') return false;
  }
}

function wordsOf(facts: readonly Facts[]): Pick<ScriptStyle, 'suite' | 'test'> {
  const sum = (name: string): number => facts.reduce((all, { calls }) => all + (calls.get(name) ?? 0), 0);
  return {
    suite: sum('suite') > sum('describe') ? 'suite' : 'describe',
    test: sum('test') > sum('it') ? 'test' : 'it',
  };
}

const apiModule: Readonly<Partial<Record<FrameworkId, string>>> = { vitest: 'vitest', jest: '@jest/globals' };

function importsApi({ project }: StyleRequest, facts: readonly Facts[]): boolean {
  const { framework, configFile } = project;
  if (framework === 'nodeTest' || framework === 'ava') return true;
  const module = apiModule[framework];
  if (module === undefined) return false;
  if (facts.length > 0)
    return facts.filter(({ specifiers }) => specifiers.includes(module)).length * 2 > facts.length;
  const config = configFile === undefined ? '' : readOr(configFile);
  return framework === 'vitest'
    ? !/\bglobals\s*:\s*true\b/.test(config)
    : /["']?injectGlobals["']?\s*:\s*false\b/.test(config);
}

function assertionsOf(framework: FrameworkId, facts: readonly Facts[]): Assertions {
  if (framework === 'vitest' || framework === 'jest') return 'expect';
  if (framework === 'ava') return 'ava';
  const used = facts.flatMap(({ specifiers }) => specifiers);
  const chai = used.includes('chai') && facts.some(({ calls }) => (calls.get('expect') ?? 0) > 0);
  const assert = used.find((name) => /^(?:node:)?assert(?:\/strict)?$/.test(name));
  if (assert !== undefined) return { module: assert };
  return chai && framework === 'mocha' ? 'chai' : { module: 'node:assert/strict' };
}

function endingsOf(
  { source, project, root }: StyleRequest,
  facts: readonly Facts[],
  extension: string,
): string[] {
  const specifiers = facts.flatMap((one) => one.specifiers).filter((name) => /^\.\.?\//.test(name));
  const own =
    specifiers.length > 0 ? specifiers : factsOf(source).specifiers.filter((name) => /^\.\.?\//.test(name));
  const count = new Map<string, number>();
  for (const name of own) {
    const ending = /\.([cm]?[jt]sx?)$/.exec(name)?.[0] ?? '';
    const kind = ending === '' ? '' : /t/.test(ending) ? 'own' : 'compiled';
    count.set(kind, (count.get(kind) ?? 0) + 1);
  }
  const learned = [...count].sort(([, a], [, b]) => b - a).map(([kind]) => kind);
  // Node itself wants the whole name; what transforms tests takes any.
  const isNative = project.framework !== 'vitest' && project.framework !== 'jest';
  const isTyped = /^\.[cm]?tsx?$/.test(extension);
  const usual =
    isNative && isTyped
      ? ['own', 'compiled', '']
      : isNative || usesFullNames(root)
        ? ['compiled', 'own', '']
        : isTyped
          ? ['', 'compiled', 'own']
          : ['own', 'compiled', ''];
  return [...new Set([...learned, ...usual])];
}

/** Does tsconfig.json ask for the names of compiled files? */
const usesFullNames = (root: string): boolean =>
  /"module(?:Resolution)?"\s*:\s*"node(?:16|18|20|next)"/i.test(readOr(path.join(root, 'tsconfig.json')));

function writesSemicolons({ text }: SourceTree): boolean {
  const ended = text.match(/;[ \t]*$/gm)?.length ?? 0;
  const open = text.match(/[)\w'"`][ \t]*$/gm)?.length ?? 0;
  return ended > 0 ? ended * 3 > open : text.trim() === '' || open === 0;
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
