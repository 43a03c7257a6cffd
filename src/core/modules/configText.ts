// The value of a text expression of a configuration file, as people write paths there; nothing of the file is run.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type ts from 'typescript';

export interface EvaluateContext {
  readonly folder: string;
  readonly configFile: string;
  readonly constants: ReadonlyMap<string, ts.Expression>;
}

/** The value of a text expression as people write paths in configurations, or undefined. */
export function evaluateText(
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
