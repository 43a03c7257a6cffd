// Turns what V8 counted of the scripts into the coverage of the sources they were compiled from.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TraceMap } from '@jridgewell/trace-mapping';
import { toRelativePosix } from '../base/paths.ts';
import type { Counted, FileCoverage, Span } from '../model/coverage.ts';
import { lineMap } from '../syntax/lineMap.ts';
import { compiledPlaces, type PlaceFinder } from './compiledPlaces.ts';
import { sourceShape, type Place, type SourceShape } from './sourceShape.ts';
import type { V8Script } from './v8Reports.ts';

interface V8Coverage {
  readonly files: readonly FileCoverage[];
  /** Sources, relative to the root, whose text is not the one that ran. */
  readonly changed: readonly string[];
}

/**
 * Coverage of the sources for which `isOwn` (relative to the root, POSIX) holds. The places come from the source itself, in
 * whatever dialect of JavaScript or TypeScript it is written, because V8 tells counts without the code that ran; source maps
 * lead from the one to the other. `sourceOf` can be shared by several calls.
 */
export function coverageOfScripts(
  scripts: Iterable<V8Script>,
  root: string,
  isOwn: (file: string) => boolean,
  sourceOf = sourceReader(),
): V8Coverage {
  const files: FileCoverage[] = [];
  const changed = new Set<string>();
  for (const script of scripts) {
    for (const source of sourcesOf(script)) {
      const relative = toRelativePosix(root, source.file);
      if (
        relative.startsWith('../') ||
        path.isAbsolute(relative) ||
        !isCode.test(relative) ||
        !isOwn(relative)
      )
        continue;
      const known = sourceOf(source.file);
      if (!known) continue;
      const { text, marked, shape } = known;
      const find = source.finder(text, marked);
      if (!find) changed.add(relative);
      else files.push(fileCoverage(relative, text, shape(), script, find));
    }
  }
  return { files, changed: [...changed] };
}

const isCode = /\.[cm]?[jt]sx?$/;

interface ScriptSource {
  /** Absolute. */
  readonly file: string;
  /**
   * Leads from offsets of the text to those of what ran; undefined when that was made from another text. `marked`: a byte order
   * mark stands before the text in the file.
   */
  finder(text: string, marked: boolean): PlaceFinder | undefined;
}

function sourcesOf({ file, length, map, lineLengths }: V8Script): readonly ScriptSource[] {
  if (map === undefined) {
    return [{ file, finder: (text, marked) => sameText(length - text.length, marked) }];
  }
  const trace = openMap(map, file);
  if (!trace) return [];
  return trace.resolvedSources.map((_, index) => ({
    file: sourceFile(trace, index, file),
    finder: (text) => compiledPlaces(trace, index, text, lineLengths),
  }));
}

/** Modules are compiled without their byte order mark, scripts with it. */
function sameText(surplus: number, marked: boolean): PlaceFinder | undefined {
  return surplus === 0 || (surplus === 1 && marked) ? ({ at }) => at + surplus : undefined;
}

function openMap(map: V8Script['map'], file: string): TraceMap | undefined {
  try {
    return new TraceMap(map?.data ?? '', map?.url ?? file);
  } catch {
    return undefined;
  }
}

function sourceFile({ resolvedSources }: TraceMap, index: number, script: string): string {
  const source = resolvedSources[index] ?? '';
  try {
    return source.startsWith('file:') ? fileURLToPath(source) : path.resolve(path.dirname(script), source);
  } catch {
    return script;
  }
}

interface Source {
  /** Without a byte order mark, as editors count columns. */
  readonly text: string;
  readonly marked: boolean;
  readonly shape: () => SourceShape;
}

/** Each source is read and parsed once, however many scripts come from it and calls share the reader. */
export function sourceReader(): (file: string) => Source | undefined {
  const known = new Map<string, Source | undefined>();
  return (file) => {
    if (!known.has(file)) known.set(file, readSource(file));
    return known.get(file);
  };
}

function readSource(file: string): Source | undefined {
  try {
    const whole = readFileSync(file, 'utf8');
    const marked = whole.startsWith('\uFEFF');
    const text = marked ? whole.slice(1) : whole;
    let shape: SourceShape | undefined;
    return { text, marked, shape: () => (shape ??= sourceShape(text, file)) };
  } catch {
    return undefined;
  }
}

function fileCoverage(
  file: string,
  text: string,
  { statements, functions, branches }: SourceShape,
  { counts, map }: V8Script,
  find: PlaceFinder,
): FileCoverage {
  const lines = lineMap(text);
  const shift = find({ start: 0, end: 1, at: 0 }) ?? 0;
  const spanOf = ({ start, end }: { readonly start: number; readonly end: number }): Span => {
    const range = lines.range(start, end);
    return [range.start.line, range.start.column, range.end.line, range.end.column];
  };
  const count = (place: Place): number => {
    const at = find(place);
    return at === undefined ? 0 : counts.at(place.before ? at - 1 : at);
  };
  const counted = (place: Place): Counted => ({ span: spanOf(place), count: count(place) });
  return {
    file,
    statements: statements.map(counted),
    functions: functions.map(({ name, functionEnd, ...place }) => {
      const calls = map === undefined ? counts.callsOfFunctionEndingAt(functionEnd + shift) : undefined;
      return { name, span: spanOf(place), count: calls ?? count(place) };
    }),
    branches: branches.map(({ arms, ...whole }) => ({
      span: spanOf(whole),
      arms: arms.map((arm) =>
        'besides' in arm
          ? { span: spanOf(whole), count: Math.max(count(whole) - count(arm.besides), 0) }
          : counted(arm),
      ),
    })),
  };
}
