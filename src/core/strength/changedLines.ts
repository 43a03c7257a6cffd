// Planted bugs in what changed of a source: those that a test met there before it changed itself, it must not walk around now.
import ts from 'typescript';
import { parseTree, positionOf, startOf, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { formerLines, type ChangedSourceText } from './sameBugs.ts';
import type { PlantedBug } from './plantBugs.ts';

/** Is the bug in a line of its source, as it is now, that is new or changed? `changed`: the sources that differ. */
export function inChangedLines(
  changed: ReadonlyMap<string, ChangedSourceText>,
): (bug: PlantedBug) => boolean {
  const linesOf = new Map([...changed].map(([file, texts]) => [file, formerLines(texts)]));
  return ({ file, line }) => linesOf.get(file)?.has(line) === false;
}

/** Is the bug in what a source throws, or in a block that ends with that? A test that was refused there is to get past it. */
export function inRefusals(changed: ReadonlyMap<string, ChangedSourceText>): (bug: PlantedBug) => boolean {
  const placesOf = new Map([...changed].map(([file, { after }]) => [file, refusals(file, after)]));
  return ({ file, line, column }) =>
    placesOf.get(file)?.some(([from, to]) => isUpTo(from, [line, column]) && isUpTo([line, column], to)) ??
    false;
}

/** Both count from 1. */
type Position = readonly [line: number, column: number];

const isUpTo = ([line, column]: Position, [other, otherColumn]: Position): boolean =>
  line < other || (line === other && column <= otherColumn);

function refusals(file: string, text: string): readonly (readonly [from: Position, to: Position])[] {
  const tree = parseTree(file, text);
  const found: (readonly [Position, Position])[] = [];
  const place = (offset: number): Position => {
    const { line, column } = positionOf(tree, offset);
    return [line, column];
  };
  visitNodes(tree.ast, (node) => {
    const last = ts.isBlock(node) ? node.statements.at(-1) : node;
    if (last !== undefined && ts.isThrowStatement(last))
      found.push([place(startOf(tree, node)), place(node.end)]);
  });
  return found;
}
