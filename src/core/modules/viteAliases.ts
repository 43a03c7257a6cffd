// Reads `resolve.alias` of a vite or vitest configuration from its text, where it is written with literals.
import path from 'node:path';
import type ts from 'typescript';
import { evaluateText } from './configText.ts';

/** `find` is a prefix that ends at the end or at a slash, or a pattern, as in vite. */
export interface PathAlias {
  readonly find: string | RegExp;
  readonly replacement: string;
}

export const viteConfigNames: readonly string[] = ['vitest.config', 'vite.config'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((extension) => `${name}.${extension}`),
);

/** The aliases that can be understood without running the file; the others are left out. */
export function readViteAliases(
  typescript: typeof ts,
  configFile: string,
  text: string,
): readonly PathAlias[] {
  const source = typescript.createSourceFile(configFile, text, typescript.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression>();
  const aliases: PathAlias[] = [];
  const folder = path.dirname(configFile);
  const evaluate = (node: ts.Expression): string | undefined =>
    evaluateText(typescript, node, { folder, configFile, constants });
  const add = (find: string | RegExp | undefined, replacement: string | undefined): void => {
    if (find === undefined || replacement === undefined) return;
    const target = replacement.startsWith('.') ? path.resolve(folder, replacement) : replacement;
    aliases.push({ find, replacement: target });
  };
  const readAliases = (value: ts.Expression): void => {
    if (typescript.isIdentifier(value)) {
      const constant = constants.get(value.text);
      if (constant && !typescript.isIdentifier(constant)) readAliases(constant);
    } else if (typescript.isObjectLiteralExpression(value)) {
      for (const property of value.properties) {
        if (!typescript.isPropertyAssignment(property)) continue;
        const { name } = property;
        if (typescript.isIdentifier(name) || typescript.isStringLiteralLike(name))
          add(name.text, evaluate(property.initializer));
      }
    } else if (typescript.isArrayLiteralExpression(value)) {
      for (const element of value.elements) {
        if (!typescript.isObjectLiteralExpression(element)) continue;
        const find = initializerOf(typescript, element, 'find');
        const replacement = initializerOf(typescript, element, 'replacement');
        if (find && replacement) add(readPattern(typescript, find) ?? evaluate(find), evaluate(replacement));
      }
    }
  };
  const visit = (node: ts.Node): void => {
    if (typescript.isVariableDeclaration(node) && typescript.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
    if (
      typescript.isPropertyAssignment(node) &&
      typescript.isIdentifier(node.name) &&
      node.name.text === 'alias'
    )
      readAliases(node.initializer);
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return aliases;
}

/** The path that the specifier stands for, or undefined when no alias matches. */
export function applyAlias(aliases: readonly PathAlias[], specifier: string): string | undefined {
  for (const { find, replacement } of aliases) {
    if (typeof find === 'string') {
      const ends = find.endsWith('/') || specifier.length === find.length || specifier[find.length] === '/';
      if (specifier.startsWith(find) && ends) return replacement + specifier.slice(find.length);
    } else if (find.test(specifier)) return specifier.replace(find, replacement);
  }
  return undefined;
}

function initializerOf(
  typescript: typeof ts,
  object: ts.ObjectLiteralExpression,
  name: string,
): ts.Expression | undefined {
  for (const property of object.properties) {
    if (
      typescript.isPropertyAssignment(property) &&
      typescript.isIdentifier(property.name) &&
      property.name.text === name
    )
      return property.initializer;
  }
  return undefined;
}

function readPattern(typescript: typeof ts, node: ts.Expression): RegExp | undefined {
  if (!typescript.isRegularExpressionLiteral(node)) return undefined;
  const end = node.text.lastIndexOf('/');
  // Only plain prefixes: an unknown pattern could take any time.
  const body = node.text.slice(1, end);
  return /^\^?(?:[\w@#~-]|\\[/.$-])+\$?$/.test(body) ? new RegExp(body) : undefined;
}
