// Reads `resolve.alias` of a vite or vitest configuration from its text, where it is written with literals.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type ts from 'typescript';

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

interface EvaluateContext {
  readonly folder: string;
  readonly configFile: string;
  readonly constants: ReadonlyMap<string, ts.Expression>;
}

/** The value of a text expression as people write paths in configurations, or undefined. */
function evaluateText(
  typescript: typeof ts,
  node: ts.Expression,
  context: EvaluateContext,
  depth = 0,
): string | undefined {
  if (depth > 8) return undefined;
  const again = (inner: ts.Expression): string | undefined =>
    evaluateText(typescript, inner, context, depth + 1);
  if (typescript.isStringLiteralLike(node)) return node.text;
  if (typescript.isParenthesizedExpression(node) || typescript.isAsExpression(node))
    return again(node.expression);
  if (typescript.isIdentifier(node)) {
    if (node.text === '__dirname') return context.folder;
    const constant = context.constants.get(node.text);
    return constant && again(constant);
  }
  if (typescript.isTemplateExpression(node)) {
    let text = node.head.text;
    for (const span of node.templateSpans) {
      const value = again(span.expression);
      if (value === undefined) return undefined;
      text += value + span.literal.text;
    }
    return text;
  }
  if (typescript.isBinaryExpression(node) && node.operatorToken.kind === typescript.SyntaxKind.PlusToken) {
    const left = again(node.left);
    const right = again(node.right);
    return left === undefined || right === undefined ? undefined : left + right;
  }
  if (typescript.isPropertyAccessExpression(node)) {
    const written = node.getText();
    if (written === 'import.meta.dirname') return context.folder;
    if (written === 'import.meta.filename') return context.configFile;
    if (written === 'import.meta.url') return pathToFileURL(context.configFile).href;
    if (node.name.text !== 'pathname' && node.name.text !== 'href') return undefined;
    const url = again(node.expression);
    return url?.startsWith('file:') && node.name.text === 'pathname' ? fileURLToPath(url) : url;
  }
  if (typescript.isNewExpression(node) && node.expression.getText() === 'URL') {
    const [relative, base] = (node.arguments ?? []).map(again);
    return relative !== undefined && base?.startsWith('file:') ? new URL(relative, base).href : undefined;
  }
  if (typescript.isCallExpression(node)) {
    const name = node.expression.getText().split('.').at(-1);
    if (node.expression.getText() === 'process.cwd') return context.folder;
    const values = node.arguments.map(again);
    if (values.some((value) => value === undefined)) return undefined;
    const texts = values.filter((value) => value !== undefined);
    if (name === 'resolve') return path.resolve(context.folder, ...texts);
    if (name === 'join') return path.join(...texts);
    if (name === 'dirname') return path.dirname(texts[0] ?? '');
    if (name === 'fileURLToPath') return texts[0]?.startsWith('file:') ? fileURLToPath(texts[0]) : undefined;
  }
  return undefined;
}
