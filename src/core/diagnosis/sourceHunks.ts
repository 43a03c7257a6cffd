// The changed lines of the sources that reach a test.
import { structuredPatch } from 'diff';
import type { SourceChanges } from './sourceChanges.ts';
import { changesReaching } from './stops.ts';

export interface Hunk {
  readonly file: string;
  /** First changed line of the present file, 1-based. */
  readonly line: number;
  readonly endLine: number;
  readonly lines: readonly string[];
  readonly added: string;
  readonly removed: string;
  readonly size: number;
}

/** In the order of the files; of at most 50 files, none that is gone. */
export async function hunksReaching(
  testFile: string,
  changes: SourceChanges,
  readText: (file: string) => Promise<string | undefined>,
): Promise<readonly Hunk[]> {
  const { reaching, base } = await changesReaching(testFile, changes);
  const hunks: Hunk[] = [];
  for (const { file, from, status } of reaching.slice(0, 50)) {
    if (status === 'deleted') continue;
    const before = (await base.baseText(from ?? file)) ?? '';
    hunks.push(...knownHunks(base, file, before, (await readText(file)) ?? ''));
  }
  return hunks;
}

interface ComparedTexts {
  readonly before: string;
  readonly now: string;
  readonly hunks: readonly Hunk[];
}

/** By changed file: every test that a change reaches asks for the same lines. */
const compared = new WeakMap<SourceChanges, Map<string, ComparedTexts>>();

function knownHunks(changes: SourceChanges, file: string, before: string, now: string): readonly Hunk[] {
  const files = compared.get(changes) ?? new Map<string, ComparedTexts>();
  compared.set(changes, files);
  const known = files.get(file);
  if (known?.before === before && known.now === now) return known.hunks;
  const hunks = hunksOf(file, before, now);
  files.set(file, { before, now, hunks });
  return hunks;
}

/** Runs of changed lines with nothing unchanged between them. */
function hunksOf(file: string, before: string, now: string): readonly Hunk[] {
  if (before.length + now.length > 2_000_000) return [];
  const patch = structuredPatch(file, file, before, now, '', '', { context: 0, timeout: 1000 });
  return (patch?.hunks ?? []).map((hunk) => {
    const lines = hunk.lines.filter((line) => !line.startsWith('\\'));
    const having = (sign: string): string =>
      lines
        .filter((line) => line.startsWith(sign))
        .map((line) => line.slice(1))
        .join('\n');
    const line = Math.max(hunk.newStart, 1);
    const endLine = line + Math.max(hunk.newLines - 1, 0);
    return { file, line, endLine, lines, added: having('+'), removed: having('-'), size: lines.length };
  });
}
