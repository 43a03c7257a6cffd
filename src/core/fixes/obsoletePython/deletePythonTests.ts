// The edits that take tests out of a Python file, with nothing left over: empty classes and imports of what is gone.
import type { SyntaxNode } from '@lezer/common';
import type { TextChange } from '../../model/edit.ts';
import { readImports, type ImportStatement } from '../../syntax/python/importStatements.ts';
import { childrenOf, visitPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { testDefinitionsIn, type TestDefinition } from '../../syntax/python/testDefinitions.ts';

/** Undefined where no test would be left in the file. */
export function pythonDeletion(
  source: PythonSource,
  tests: readonly TestDefinition[],
  goneNames: ReadonlySet<string>,
): readonly TextChange[] | undefined {
  const all = testDefinitionsIn(source);
  if (tests.length === 0 || all.every(({ name }) => tests.some((gone) => gone.name === name)))
    return undefined;
  const nodes = new Map<number, SyntaxNode>();
  for (const { node, suite } of tests) {
    const whole = suite !== undefined && holdsOnly(suite, tests) ? suite : node;
    nodes.set(whole.from, whole);
  }
  const ranges = [...nodes.values()].map((node) => linesOf(source.text, node));
  const isGone = (offset: number): boolean =>
    ranges.some(({ start, end }) => start <= offset && offset < end);
  const unused = unusedImports(source, goneNames, isGone);
  return [...ranges, ...unused].sort((a, b) => a.start - b.start).map((range) => ({ ...range, newText: '' }));
}

/** Is there nothing else in the class than these tests, and what documents it? */
function holdsOnly(suite: SyntaxNode, tests: readonly TestDefinition[]): boolean {
  const definition = suite.name === 'DecoratedStatement' ? suite.getChild('ClassDefinition') : suite;
  const body = definition?.getChild('Body');
  return (
    body !== null &&
    body !== undefined &&
    childrenOf(body).every(
      (one) =>
        one.name === ':' ||
        (one.name === 'ExpressionStatement' && one.firstChild?.name === 'String') ||
        tests.some(({ node }) => node.from === one.from),
    )
  );
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whole lines with the comment right above and the blank lines below; those above instead where nothing follows in its block. */
function linesOf(text: string, { from, to }: SyntaxNode): Range {
  let start = text.lastIndexOf('\n', from - 1) + 1;
  const indent = text.slice(start, from);
  for (;;) {
    const above = /(?:^|\n)([ \t]*)#[^\n]*\n$/.exec(text.slice(0, start));
    if (above === null || above[1] !== indent) break;
    start -= above[0].length - (above[0].startsWith('\n') ? 1 : 0);
  }
  const code = from + text.slice(from, to).trimEnd().length;
  const newline = text.indexOf('\n', code);
  const end = newline < 0 ? text.length : newline + 1;
  const blank = /^(?:[ \t]*\r?\n)*/.exec(text.slice(end))?.[0].length ?? 0;
  const next = /^[ \t]*/.exec(text.slice(end + blank))?.[0] ?? '';
  const isLast = end + blank >= text.length || next.length < indent.length;
  if (!isLast) return { start, end: end + blank };
  const before = /(?:(?<=\n)[ \t]*\r?\n)*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return { start: start - before, end };
}

/** Imported names that are gone and that nothing else in the file uses. */
function unusedImports(
  source: PythonSource,
  gone: ReadonlySet<string>,
  isGone: (offset: number) => boolean,
): readonly Range[] {
  const used = new Set<string>();
  visitPython(source.root, (node) => {
    if (node.name === 'ImportStatement' || isGone(node.from)) return node.name === 'Script';
    if (node.name === 'VariableName') used.add(source.textOf(node));
    return true;
  });
  return readImports(source, source.root).flatMap((statement) => {
    if (statement.module === undefined || isGone(statement.node.from)) return [];
    const out = statement.items.filter(
      ({ name, alias }) => gone.has(name) && name !== '*' && !used.has(alias ?? name),
    );
    if (out.length === 0) return [];
    if (out.length === statement.items.length) return [wholeLine(source.text, statement.node)];
    return out.map((item) => itemRange(source.text, statement, item));
  });
}

function wholeLine(text: string, { from, to }: { readonly from: number; readonly to: number }): Range {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const rest = /^[ \t]*(?:#[^\n]*)?(?:\n|$)/.exec(text.slice(to));
  return text.slice(start, from).trim() === '' && rest !== null
    ? { start, end: to + rest[0].length }
    : { start: from, end: to };
}

/** With its comma; with its line where it has one of its own. */
function itemRange(text: string, { items }: ImportStatement, item: ImportStatement['items'][number]): Range {
  const comma = /^[ \t]*,/.exec(text.slice(item.end))?.[0].length ?? 0;
  const line = wholeLine(text, { from: item.from, to: item.end + comma });
  if (line.start !== item.from) return line;
  const index = items.indexOf(item);
  const [before, after] = [items[index - 1], items[index + 1]];
  return after === undefined
    ? { start: before?.end ?? item.from, end: item.end }
    : { start: item.from, end: after.from };
}
