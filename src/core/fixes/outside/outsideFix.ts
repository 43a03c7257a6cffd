// Makes a fix of what a model or an agent wrote. Nobody vouches for it: the gate takes nothing for granted, and a person agrees.
import path from 'node:path';
import { diffLines } from 'diff';
import { hashText } from '../../base/hash.ts';
import type { TextChange } from '../../model/fileEdit.ts';
import { fileEdit, type FileEdit } from '../../model/edit.ts';
import type { Fix, Outsider } from '../../model/fix.ts';
import { codeLine } from '../../model/visibleText.ts';

interface OutsideChange {
  readonly author: Outsider;
  /** For people. */
  readonly name: string;
  /** What they say of it; untrusted text. */
  readonly explanation: string;
  readonly failures: readonly string[];
  readonly edits: readonly FileEdit[];
}

/** Trust is never more than that of a changed expectation: a person accepts each one, or has said that the source is right. */
export function outsideFix({ author, name, explanation, failures, edits }: OutsideChange): Fix {
  const said = codeLine(explanation.trim());
  const place = edits.map(({ file }) => path.posix.basename(file)).join(', ');
  return {
    id: hashText(JSON.stringify([author, edits])).slice(0, 16),
    title: `change ${place} as ${name} proposes`,
    grade: edits.length === 1 && edits[0]?.changes.length === 1 ? 'surgical' : 'conservative',
    trust: 'oracle',
    edits: [...edits],
    failures: [...failures],
    provider: author,
    origin: { author },
    confidence: 0.3,
    evidence: [
      `${name} wrote this edit; only the sandbox runs and the fix policy support it.`,
      ...(said === '' ? [] : [`${name} says: ${said.length > 300 ? `${said.slice(0, 299)}…` : said}`]),
    ],
    undeclared: true,
  };
}

/** Lines that an edit takes away and adds, together: to find more takes a time that grows with their square, and nobody would read it. */
export const linesAtMost = 2_000;

/**
 * The edit that makes `after` of `before`, line by line; undefined when it is of too many lines. Line ends and the byte order mark stay
 * those of the file: a tool that writes a whole file anew changes them without a thought. It has no changes when nothing else differs.
 */
export function editBetween(file: string, before: string, after: string): FileEdit | undefined {
  const parts = diffLines(plain(before), plain(after), { maxEditLength: linesAtMost });
  if (parts === undefined) return undefined;
  const lines = before.split(/(?<=\n)/);
  const lineEnd = (before.match(/\r\n/g)?.length ?? 0) * 2 > lines.length ? '\r\n' : '\n';
  const changes: TextChange[] = [];
  let line = 0;
  let start = before.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  lines[0] = lines[0]?.slice(start) ?? '';
  let open: { start: number; end: number; newText: string } | undefined;
  const lengthOf = (text: string): number => {
    const count = text.split(/(?<=\n)/).length;
    line += count;
    return lines.slice(line - count, line).join('').length;
  };
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      if (open) changes.push(open);
      open = undefined;
      start += lengthOf(value);
      continue;
    }
    open ??= { start, end: start, newText: '' };
    if (added) open.newText += value.replaceAll('\n', lineEnd);
    if (removed) {
      start += lengthOf(value);
      open.end = start;
    }
  }
  if (open) changes.push(open);
  return fileEdit(file, before, changes);
}

const byteOrderMark = '\uFEFF';

const plain = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
