// Reads from the text of a jest configuration how it names modules: `moduleNameMapper`, `modulePaths`, `moduleDirectories`.
import path from 'node:path';
import type ts from 'typescript';
import { evaluateText, type EvaluateContext } from './configText.ts';
import { pathPattern, type PathPattern } from './pathPatterns.ts';

export const jestConfigNames: readonly string[] = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json'].map(
  (extension) => `jest.config.${extension}`,
);

export interface JestModules {
  readonly patterns: readonly PathPattern[];
  /** Absolute folders in which bare names are looked up. */
  readonly folders: readonly string[];
}

/** What can be understood without running the file, also of a package.json; the rest is left out. */
export function readJestModules(typescript: typeof ts, configFile: string, text: string): JestModules {
  const isPackage = path.basename(configFile) === 'package.json';
  const source = configFile.endsWith('.json')
    ? typescript.parseJsonText(configFile, text)
    : typescript.createSourceFile(configFile, text, typescript.ScriptTarget.Latest, true);
  const folder = path.dirname(configFile);
  const constants = new Map<string, ts.Expression>();
  const context: EvaluateContext = { folder, configFile, constants };
  const patterns: PathPattern[] = [];
  const folders = new Set<string>();
  const textOf = (node: ts.Expression): string | undefined => evaluateText(typescript, node, context);
  const textsOf = (node: ts.Expression): readonly string[] =>
    (typescript.isArrayLiteralExpression(node) ? [...node.elements] : [node]).flatMap(
      (one) => textOf(one) ?? [],
    );
  let root = folder;
  const placeOf = (written: string): string | undefined => {
    const inRoot = /^<rootDir>\/?(.*)$/s.exec(written)?.[1];
    if (inRoot !== undefined) return path.join(root, inRoot);
    return /^\.{1,2}\//.test(written)
      ? path.resolve(root, written)
      : path.isAbsolute(written)
        ? written
        : undefined;
  };
  const readMapper = (value: ts.Expression): void => {
    if (!typescript.isObjectLiteralExpression(value)) return;
    for (const property of value.properties) {
      if (!typescript.isPropertyAssignment(property)) continue;
      const { name } = property;
      const key = typescript.isStringLiteralLike(name) || typescript.isIdentifier(name) ? name.text : '';
      const written = starPattern(key);
      for (const target of written === undefined ? [] : textsOf(property.initializer)) {
        const place = placeOf(target.replace('$1', '*'));
        if (written !== undefined && place !== undefined)
          patterns.push(pathPattern(written, place, '/', 'jest'));
      }
    }
  };
  const read = (name: string, value: ts.Expression): void => {
    if (name === 'moduleNameMapper') readMapper(value);
    else if (name === 'modulePaths' || name === 'moduleDirectories')
      for (const one of textsOf(value)) {
        const place = placeOf(one) ?? (name === 'moduleDirectories' ? path.join(root, one) : undefined);
        if (place !== undefined && path.basename(place) !== 'node_modules') folders.add(place);
      }
  };
  const visitAll = (node: ts.Node, visit: (node: ts.Node) => void): void => {
    visit(node);
    typescript.forEachChild(node, (child) => visitAll(child, visit));
  };
  const named = (node: ts.Node): readonly [string, ts.Expression] | undefined =>
    typescript.isPropertyAssignment(node) &&
    (typescript.isIdentifier(node.name) || typescript.isStringLiteralLike(node.name))
      ? [node.name.text, node.initializer]
      : undefined;
  const scope = isPackage ? settingsOf(typescript, source) : source;
  visitAll(source, (node) => {
    if (typescript.isVariableDeclaration(node) && typescript.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
  });
  if (scope === undefined) return { patterns, folders: [] };
  visitAll(scope, (node) => {
    const [name, value] = named(node) ?? [];
    if (name === 'rootDir' && value) root = path.resolve(folder, textOf(value) ?? '');
  });
  visitAll(scope, (node) => {
    const [name, value] = named(node) ?? [];
    if (name !== undefined && value) read(name, resolved(typescript, value, constants));
  });
  return { patterns, folders: [...folders] };
}

/** Of a package.json: dependencies are called `jest`, too. */
function settingsOf(typescript: typeof ts, source: ts.SourceFile): ts.Expression | undefined {
  const [statement] = source.statements;
  const whole = statement && typescript.isExpressionStatement(statement) ? statement.expression : undefined;
  if (!whole || !typescript.isObjectLiteralExpression(whole)) return undefined;
  for (const property of whole.properties)
    if (
      typescript.isPropertyAssignment(property) &&
      typescript.isStringLiteralLike(property.name) &&
      property.name.text === 'jest'
    )
      return property.initializer;
  return undefined;
}

function resolved(
  typescript: typeof ts,
  value: ts.Expression,
  constants: ReadonlyMap<string, ts.Expression>,
): ts.Expression {
  const constant = typescript.isIdentifier(value) ? constants.get(value.text) : undefined;
  return constant ?? value;
}

/** `^@/(.*)$` as `@/*`; undefined for any other kind of pattern. */
function starPattern(key: string): string | undefined {
  const parts = /^\^((?:[\w@#~/-]|\\?[.$])*)(?:\(\.[*+]\)((?:[\w@#~/-]|\\?[.$])*?))?\$$/.exec(key);
  if (!parts) return undefined;
  const plain = (part: string): string => part.replaceAll('\\', '');
  const [, prefix = '', suffix] = parts;
  if (prefix === '' && (suffix ?? '') === '') return undefined;
  return suffix === undefined ? plain(prefix) : `${plain(prefix)}*${plain(suffix)}`;
}
