// Everything that a patch changes, piece by piece and each with its kind: whatever the verdict, nothing is silent.
import { diffOfLines } from '../workspace/lineDiff.ts';
import type { PatchedFile } from '../workspace/unifiedDiff.ts';

export type ChangeKind =
  'expectation' | 'input' | 'double' | 'name' | 'await' | 'title' | 'import' | 'test' | 'removed' | 'other';

export interface PatchChange {
  readonly kind: ChangeKind;
  readonly file: string;
  /** In the text after the patch. */
  readonly line: number;
  /** Lines as they were, and as they are; empty where there are none. */
  readonly old: string;
  readonly new: string;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

/** Of each piece no more is shown. */
const mostLetters = 300;

/** `expectations`: where tests would expect something else. Lines that face each other are one change each. */
export function patchChanges(
  files: readonly PatchedFile[],
  expectations: readonly Place[],
): readonly PatchChange[] {
  const expected = new Set(expectations.map(({ file, line }) => `${file}:${line}`));
  return files.flatMap(({ file, before = '', after = '' }) =>
    pieces(before, after).map(({ line, old, now }): PatchChange => {
      const isExpected = now.some((_text, index) => expected.has(`${file}:${line + index}`));
      const kind = isExpected ? 'expectation' : kindOf(old.join('\n').trim(), now.join('\n').trim());
      return { kind, file, line, old: shown(old), new: shown(now) };
    }),
  );
}

interface Piece {
  readonly line: number;
  readonly old: readonly string[];
  readonly now: readonly string[];
}

function pieces(before: string, after: string): readonly Piece[] {
  const found: Piece[] = [];
  let line = 1;
  let gone: readonly string[] = [];
  const settle = (now: readonly string[]): void => {
    if (gone.length === now.length)
      found.push(
        ...now.map((text, index) => ({ line: line + index, old: [gone[index] ?? ''], now: [text] })),
      );
    else if (gone.length > 0 || now.length > 0) found.push({ line, old: gone, now });
    gone = [];
  };
  for (const { added, removed, value, count } of diffOfLines(before, after)) {
    const lines = value.replace(/\n$/, '').split('\n');
    if (removed) {
      gone = lines;
      continue;
    }
    settle(added ? lines : []);
    line += count;
  }
  settle([]);
  const isSaid = ({ old, now }: Piece): boolean => [...old, ...now].some((text) => text.trim() !== '');
  return found.filter(isSaid);
}

function shown(lines: readonly string[]): string {
  const text = lines
    .map((line) => line.trim())
    .join('\n')
    .trim();
  return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text;
}

function kindOf(old: string, now: string): ChangeKind {
  if (now === '') return 'removed';
  if (doubles.test(now) || doubles.test(old)) return 'double';
  if (/^(?:import|from|const .*= require\()/.test(now)) return 'import';
  if (old === '') return tests.test(now) ? 'test' : 'other';
  if (now.replace(/\b(?:await|async)\s+/g, '') === old.replace(/\b(?:await|async)\s+/g, '')) return 'await';
  const [was, is] = [old, now].map((text) => text.match(tokens) ?? []);
  if (was === undefined || is === undefined || was.length !== is.length) return 'other';
  const others = was.flatMap((token, index) => (token === is[index] ? [] : [[token, is[index] ?? '']]));
  if (
    others.every((pair) =>
      pair.every((token) => /^[\w$]/.test(token) && !/^(?:\d|true$|false$|null$)/.test(token)),
    )
  )
    return 'name';
  if (!others.every((pair) => pair.every((token) => /^(?:['"`\d]|true$|false$|null$)/.test(token))))
    return 'other';
  return tests.test(now) ? 'title' : 'input';
}

const doubles =
  /\b(?:vi|jest)\s*\.\s*(?:mock|fn|spyOn|doMock|stub\w+)|\bmock\.(?:fn|method|module)|\.mock(?:Return|Resolved|Rejected|Implementation)\w*|\bsinon\b|\b(?:Magic|Async)?Mock\(|\bmonkeypatch\b|@?\bpatch(?:\.object)?\(/;
const tests =
  /^\s*(?:(?:it|test|describe|suite|context|specify)\b[\w.]*\s*\(|def test|class Test|func Test)/m;
const tokens = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[\w$]+|[^\s\w]/g;
