// The edits that take tests or rows of a table out of a file, with nothing left over: empty suites and imports of what is gone.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { startOf, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { testCallsAround } from '../assertion/testCalls.ts';
import type { TestSubject } from './testSubject.ts';

/** Undefined where a test is no statement of its own, or nothing would be left of a table or of the file. */
export function deletionOf(
  subjects: readonly TestSubject[],
  goneNames: readonly string[],
): TextChange[] | undefined {
  const [first] = subjects;
  if (first === undefined) return undefined;
  const { tree } = first;
  const nodes = new Set<ts.Node>();
  for (const { call, row } of subjects) {
    const node = row ?? statementOf(call);
    if (node === undefined) return undefined;
    nodes.add(node);
  }
  const whole = withEmptySuites(nodes);
  for (const node of whole)
    if (ts.isArrayLiteralExpression(node.parent) && node.parent.elements.every((each) => whole.has(each)))
      return undefined;
  if (!hasTestOutside(tree, whole)) return undefined;
  const changes = [...whole].map((node) => (isRow(node) ? rowRange(tree, node) : statementRange(tree, node)));
  return united([...changes, ...unusedImports(tree, whole, goneNames)]).map((range) => ({
    ...range,
    newText: '',
  }));
}

/** Two tests beside each other may both take the blank line between them. */
function united(ranges: readonly Range[]): readonly Range[] {
  const found: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last !== undefined && range.start < last.end)
      found[found.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else found.push(range);
  }
  return found;
}

const isRow = (node: ts.Node): node is ts.Expression => ts.isArrayLiteralExpression(node.parent);

function statementOf(call: ts.CallExpression): ts.Statement | undefined {
  return ts.isExpressionStatement(call.parent) ? call.parent : undefined;
}

/** A suite that has nothing left but them goes as a whole: an empty one fails in most frameworks. */
function withEmptySuites(nodes: ReadonlySet<ts.Node>): ReadonlySet<ts.Node> {
  const whole = new Set(nodes);
  for (const node of whole) {
    const block = node.parent;
    if (!ts.isBlock(block) || !block.statements.every((statement) => whole.has(statement))) continue;
    const [suite] = testCallsAround(block);
    const statement =
      suite?.kind === 'group' && block.parent.parent === suite.call ? statementOf(suite.call) : undefined;
    if (statement === undefined) continue;
    for (const inner of block.statements) whole.delete(inner);
    whole.add(statement);
  }
  return whole;
}

function hasTestOutside(tree: SourceTree, gone: ReadonlySet<ts.Node>): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (gone.has(node) || found) return;
    if (ts.isFunctionLike(node) && testCallsAround(node)[0]?.kind === 'test') found = true;
    ts.forEachChild(node, visit);
  };
  visit(tree.ast);
  return found;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whole lines with the comment right above; of two blank lines around them one stays. */
function statementRange(tree: SourceTree, node: ts.Node): Range {
  const { text } = tree;
  const comments = ts.getLeadingCommentRanges(text, node.pos) ?? [];
  let start = startOf(tree, node);
  for (const { pos, end } of [...comments].reverse()) {
    if (/\n[ \t\r]*\n/.test(text.slice(end, start)) || !isLineStart(text, pos)) break;
    start = pos;
  }
  return linesAround(text, { start, end: node.end });
}

/** With its comma; the lines too when nothing else stands on them. */
function rowRange(tree: SourceTree, row: ts.Expression): Range {
  const { text } = tree;
  const elements = ts.isArrayLiteralExpression(row.parent) ? row.parent.elements : [];
  const index = elements.findIndex((element) => element === row);
  const comma = /^\s*,/.exec(text.slice(row.end))?.[0].length ?? 0;
  const own = { start: startOf(tree, row), end: row.end + comma };
  const lines = linesAround(text, own, false);
  if (lines.start !== own.start) return lines;
  const [before, after] = [elements[index - 1], elements[index + 1]];
  if (after !== undefined) return { start: own.start, end: startOf(tree, after) };
  return { start: before?.end ?? own.start, end: row.end };
}

const isLineStart = (text: string, offset: number): boolean =>
  text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';

/** The range as whole lines, as it is when something else stands on them. */
function linesAround(text: string, { start, end }: Range, withBlank = true): Range {
  const rest = /^[ \t]*(?:;[ \t]*)?(?:\r?\n|$)/.exec(text.slice(end));
  if (!isLineStart(text, start) || rest === null) return { start, end };
  const first = text.lastIndexOf('\n', start - 1) + 1;
  const last = end + rest[0].length;
  const blankAfter = /^[ \t]*\r?\n/.exec(text.slice(last));
  if (withBlank && blankAfter !== null) return { start: first, end: last + blankAfter[0].length };
  const blankBefore = /\n([ \t]*\r?\n)$/.exec(text.slice(0, first));
  // The last of a suite takes the blank line above with it.
  if (withBlank && blankBefore?.[1] !== undefined && /^\s*(?:\}|$)/.test(text.slice(last)))
    return { start: first - blankBefore[1].length, end: last };
  return { start: first, end: last };
}

/** Imported names that the source no longer has and that nothing else in the file uses. */
function unusedImports(tree: SourceTree, gone: ReadonlySet<ts.Node>, names: readonly string[]): Range[] {
  if (names.length === 0) return [];
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (gone.has(node) || ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(tree.ast);
  const ranges: Range[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isNamedImports(node)) return;
    const isUnused = (one: ts.ImportSpecifier): boolean =>
      names.includes((one.propertyName ?? one.name).text) && !used.has(one.name.text);
    const { elements } = node;
    const clause = node.parent;
    if (elements.some(isUnused) && elements.every(isUnused) && clause.name === undefined)
      return void ranges.push(
        linesAround(tree.text, { start: startOf(tree, clause.parent), end: clause.parent.end }, false),
      );
    for (const [index, one] of elements.entries()) {
      if (!isUnused(one)) continue;
      const [before, after] = [elements[index - 1], elements[index + 1]];
      ranges.push(
        after !== undefined
          ? { start: startOf(tree, one), end: startOf(tree, after) }
          : { start: before?.end ?? startOf(tree, one), end: one.end },
      );
    }
  });
  return ranges;
}
