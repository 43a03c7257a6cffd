// Leads from a place in a source to the offset of the compiled code, by the source map that the compiler wrote.
import { eachMapping, type TraceMap } from '@jridgewell/trace-mapping';
import type { Place } from './sourceShape.ts';

/** The offset in what ran at which the count of the place stands; undefined when nothing came of it. */
export type PlaceFinder = (place: Place) => number | undefined;

/** Undefined when the map says that it was made from another text than this one. */
export function compiledPlaces(
  trace: TraceMap,
  source: number,
  text: string,
  lineLengths: readonly number[],
): PlaceFinder | undefined {
  const content = trace.sourcesContent?.[source];
  if (typeof content === 'string' && normal(content) !== normal(text)) return undefined;
  const lineStarts = startsOfLines(text);
  const generated = [0];
  for (const length of lineLengths) generated.push((generated.at(-1) ?? 0) + length + 1);
  // What is mapped to a place several times counts where it comes first.
  const byPlace = new Map<number, number>();
  eachMapping(trace, (mapping) => {
    if (mapping.source === null || mapping.source !== trace.resolvedSources[source]) return;
    const from = (lineStarts[mapping.originalLine - 1] ?? NaN) + mapping.originalColumn;
    const to = (generated[mapping.generatedLine - 1] ?? NaN) + mapping.generatedColumn;
    if (Number.isNaN(from + to)) return;
    byPlace.set(from, Math.min(byPlace.get(from) ?? Infinity, to));
  });
  const froms = [...byPlace.keys()].sort((a, b) => a - b);
  return ({ at, end }) => {
    const first = froms[firstFrom(froms, at)];
    return first !== undefined && first < Math.max(end, at + 1) ? byPlace.get(first) : undefined;
  };
}

/** Index of the first number that is not below the limit. */
function firstFrom(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Maps count lines by their line feeds. */
function startsOfLines(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Without what compilers leave out. */
const normal = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
