// Adds and removes elements of an array or object literal in its own layout: lines stay lines, commas stay as they were.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { indentAt, startOf, type SourceTree, type TextStyle } from '../../syntax/javascript/sourceTree.ts';

export interface ListInsertion {
  /** Index of the element that stays right before it; -1 for the beginning. */
  readonly after: number;
  /** Text of the element, given the indentation of its line. */
  render(indent: string): string;
}

export type ListLiteral = ts.ArrayLiteralExpression | ts.ObjectLiteralExpression;

/** Text changes that remove the elements with these indices and add the insertions, in order. */
export function listEdits(
  tree: SourceTree,
  list: ListLiteral,
  removed: ReadonlySet<number>,
  insertions: readonly ListInsertion[],
  style: TextStyle,
): TextChange[] {
  if (removed.size === 0 && insertions.length === 0) return [];
  const elements = elementsOf(list);
  const kept = elements.filter((_, index) => !removed.has(index));
  if (kept.length === 0) return rewriteAll(tree, list, insertions, style);
  return ownLines(tree, list)
    ? lineEdits(tree, list, removed, insertions, style)
    : inlineEdits(tree, list, removed, insertions);
}

function elementsOf(list: ListLiteral): readonly ts.Node[] {
  return ts.isArrayLiteralExpression(list) ? list.elements : list.properties;
}

function hasTrailingComma(list: ListLiteral): boolean {
  return (ts.isArrayLiteralExpression(list) ? list.elements : list.properties).hasTrailingComma;
}

/** True when every element begins a line of its own. */
function ownLines(tree: SourceTree, list: ListLiteral): boolean {
  return elementsOf(list).every((element) => {
    const start = startOf(tree, element);
    return /(?:^|\n)[ \t]*$/.test(tree.text.slice(0, start).slice(-200));
  });
}

function rewriteAll(
  tree: SourceTree,
  list: ListLiteral,
  insertions: readonly ListInsertion[],
  style: TextStyle,
): TextChange[] {
  const start = startOf(tree, list) + 1;
  const end = list.end - 1;
  if (insertions.length === 0) return [{ start, end, newText: '' }];
  const outer = indentAt(tree, start);
  const sources = insertions.map((insertion) => insertion.render(outer + style.indent));
  const pad = ts.isObjectLiteralExpression(list) && style.spaced ? ' ' : '';
  const line = pad + sources.join(', ') + pad;
  if (!line.includes('\n') && line.length <= 60 && !/\n/.test(tree.text.slice(start, end)))
    return [{ start, end, newText: line }];
  const glue = style.eol + outer + style.indent;
  const comma = style.json ? '' : ',';
  return [{ start, end, newText: glue + sources.join(`,${glue}`) + comma + style.eol + outer }];
}

function inlineEdits(
  tree: SourceTree,
  list: ListLiteral,
  removed: ReadonlySet<number>,
  insertions: readonly ListInsertion[],
): TextChange[] {
  const elements = elementsOf(list);
  const changes: TextChange[] = [];
  const lastKept = elements.findLastIndex((_, index) => !removed.has(index));
  elements.forEach((element, index) => {
    const next = elements[index + 1];
    if (!removed.has(index) || index > lastKept || next === undefined) return;
    changes.push({ start: startOf(tree, element), end: startOf(tree, next), newText: '' });
  });
  const last = elements[lastKept];
  const end = elements.at(-1);
  if (last !== undefined && end !== undefined && last !== end)
    changes.push({ start: last.end, end: end.end, newText: '' });
  for (const insertion of insertions) {
    const anchor = elements[insertion.after];
    const first = elements.find((_, index) => !removed.has(index));
    if (anchor !== undefined)
      changes.push({
        start: anchor.end,
        end: anchor.end,
        newText: `, ${insertion.render(indentAt(tree, anchor.end))}`,
      });
    else if (first !== undefined) {
      const start = startOf(tree, first);
      changes.push({ start, end: start, newText: `${insertion.render(indentAt(tree, start))}, ` });
    }
  }
  return mergeInsertions(changes);
}

function lineEdits(
  tree: SourceTree,
  list: ListLiteral,
  removed: ReadonlySet<number>,
  insertions: readonly ListInsertion[],
  style: TextStyle,
): TextChange[] {
  const elements = elementsOf(list);
  const changes: TextChange[] = [];
  const trailing = hasTrailingComma(list);
  const lastKept = elements.findLastIndex((_, index) => !removed.has(index));
  const insertedAtEnd = insertions.some((insertion) => insertion.after === lastKept);
  elements.forEach((element, index) => {
    const comma = commaAfter(tree, element, list);
    if (removed.has(index)) {
      const start = tree.text.lastIndexOf('\n', startOf(tree, element)) + 1;
      changes.push({ start, end: lineEnd(tree, comma ?? element.end, list) + 1, newText: '' });
      return;
    }
    if (index !== lastKept) return;
    if (comma === undefined && insertedAtEnd)
      changes.push({ start: element.end, end: element.end, newText: ',' });
    if (comma !== undefined && !trailing && !insertedAtEnd)
      changes.push({ start: comma - 1, end: comma, newText: '' });
  });
  for (const [position, insertion] of insertions.entries()) {
    const anchor = elements[insertion.after];
    const isLast = insertion.after === lastKept && insertions[position + 1]?.after !== insertion.after;
    const comma = isLast && !trailing ? '' : ',';
    if (anchor !== undefined) {
      const indent = indentAt(tree, startOf(tree, anchor));
      const at = lineEnd(tree, commaAfter(tree, anchor, list) ?? anchor.end, list);
      const place = tree.text[at - 1] === '\r' ? at - 1 : at;
      changes.push({
        start: place,
        end: place,
        newText: `${style.eol}${indent}${insertion.render(indent)}${comma}`,
      });
    } else {
      const first = elements[0];
      if (first === undefined) continue;
      const indent = indentAt(tree, startOf(tree, first));
      const at = tree.text.indexOf('\n', startOf(tree, list)) + 1;
      changes.push({ start: at, end: at, newText: `${indent}${insertion.render(indent)},${style.eol}` });
    }
  }
  return mergeInsertions(changes);
}

/** Offset right after the comma that follows the element, if one does. */
function commaAfter(tree: SourceTree, element: ts.Node, list: ListLiteral): number | undefined {
  const rest = tree.text.slice(element.end, list.end - 1);
  const match = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*,/.exec(rest);
  return match === null ? undefined : element.end + match[0].length;
}

/** Offset of the newline that ends the line, or the closing bracket when it comes first. */
function lineEnd(tree: SourceTree, offset: number, list: ListLiteral): number {
  const newline = tree.text.indexOf('\n', offset);
  return newline < 0 ? list.end - 1 : Math.min(newline, list.end - 1);
}

/** Several insertions at one place become one, in order. */
function mergeInsertions(changes: readonly TextChange[]): TextChange[] {
  const merged: TextChange[] = [];
  for (const change of changes) {
    const same = merged.findIndex(
      (other) => other.start === change.start && other.end === other.start && change.end === change.start,
    );
    const other = merged[same];
    if (other === undefined) merged.push(change);
    else merged[same] = { ...other, newText: other.newText + change.newText };
  }
  return merged;
}
