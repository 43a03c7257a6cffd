// Texts that a test writes down with an indentation of its own: `textwrap.dedent("""…""")`, `"""…""".lstrip()`.
import type { SyntaxNode } from '@lezer/common';
import { readImports } from './importStatements.ts';
import { argumentsOf, childrenOf, unwrapPython, type PythonSource } from './parsePython.ts';
import { readPythonLiteral } from './pythonLiteral.ts';

export interface WrappedText {
  /** The text as it is written. */
  readonly literal: SyntaxNode;
  /** What the expression makes of such a text. */
  readonly made: (text: string) => string;
}

/** Undefined for everything else, also for a text alone. */
export function wrappedText(whole: SyntaxNode, source: PythonSource): WrappedText | undefined {
  const node = unwrapPython(whole);
  const callee = node.name === 'CallExpression' ? node.firstChild : null;
  if (callee === null) return undefined;
  const given = argumentsOf(node.getChild('ArgList'), source);
  const [first] = given;
  if (isDedent(source.textOf(callee), source))
    return first !== undefined && given.length === 1 && first.name === undefined && !first.spread
      ? inside(first.value, dedent, source)
      : undefined;
  const [text, , method] = callee.name === 'MemberExpression' ? childrenOf(callee) : [];
  const strip = method === undefined ? undefined : strips[source.textOf(method)];
  return text !== undefined && strip !== undefined && given.length === 0
    ? inside(text, strip, source)
    : undefined;
}

function inside(whole: SyntaxNode, step: WrappedText['made'], source: PythonSource): WrappedText | undefined {
  const inner = wrappedText(whole, source);
  if (inner !== undefined) return { ...inner, made: (text) => step(inner.made(text)) };
  const literal = readPythonLiteral(source.text, whole.from, whole.to);
  return literal?.kind === 'str' && literal.parts.length === 1
    ? { literal: unwrapPython(whole), made: step }
    : undefined;
}

/** Of textwrap, and nothing else of that name. */
function isDedent(callee: string, source: PythonSource): boolean {
  if (callee !== 'textwrap.dedent' && callee !== 'dedent') return false;
  const [root = ''] = callee.split('.');
  const isOther = new RegExp(`\\b(?:as|def|class|for|global)\\s+${root}\\b|(?<![.\\w])${root}\\s*=(?!=)`);
  if (isOther.test(source.text)) return false;
  return readImports(source, source.root).some(({ module, items }) =>
    items.some(
      ({ name, alias }) =>
        name === root && alias === undefined && module?.text === (root === 'dedent' ? 'textwrap' : undefined),
    ),
  );
}

/** As Python does it: lines of nothing but blanks count for nothing. */
function dedent(text: string): string {
  const lines = text.split('\n').map((line) => (/^[ \t]+$/.test(line) ? '' : line));
  const margin = marginOf(text);
  return lines.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line)).join('\n');
}

/** The blanks that all lines with something in them begin with. */
export function marginOf(text: string): string {
  const indents = text.split('\n').flatMap((line) => /^([ \t]*)[^ \t]/.exec(line)?.[1] ?? []);
  let margin = indents[0] ?? '';
  for (const indent of indents) while (!indent.startsWith(margin)) margin = margin.slice(0, -1);
  return margin;
}

const strips: Readonly<Record<string, WrappedText['made'] | undefined>> = {
  strip: (text) => text.replace(/^[ \t\n\r\f\v]+|[ \t\n\r\f\v]+$/g, ''),
  lstrip: (text) => text.replace(/^[ \t\n\r\f\v]+/, ''),
  rstrip: (text) => text.replace(/[ \t\n\r\f\v]+$/, ''),
};
