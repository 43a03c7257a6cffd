// Draws found tests as a tree of lines that can be read at a glance.
import type { ScannedTest } from '../../src/core/model/testNode.ts';

/** `kind title [line:column-endLine:endColumn]`, the mode when it is not `run`, children indented. */
export function drawTests(tests: readonly ScannedTest[], indent = ''): string[] {
  return tests.flatMap(({ kind, title, mode, range: { start, end }, children }) => [
    `${indent}${kind} ${title} [${start.line}:${start.column}-${end.line}:${end.column}]${mode === 'run' ? '' : ` ${mode}`}`,
    ...drawTests(children, indent + '  '),
  ]);
}

/** The same without the places. */
export function drawTitles(tests: readonly ScannedTest[]): string[] {
  return drawTests(tests).map((line) => line.replace(/ \[[\d:-]+\]/, ''));
}
