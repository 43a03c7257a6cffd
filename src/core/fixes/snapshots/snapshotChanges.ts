// What an update of snapshots changed, snapshot by snapshot, each as an edit that touches nothing else.
import type { TextChange } from '../../model/edit.ts';
import { indentAt, parseTree, styleOf, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext, SnapshotUpdate } from '../fixProvider.ts';
import { inlineSnapshots, type InlineSnapshot } from './inlineSnapshots.ts';
import { readSnapshotFile } from './snapshotFile.ts';

export interface SnapshotChange {
  /** The same in every update: file, and the snapshot's name or place in it. */
  readonly key: string;
  readonly file: string;
  /** The text of the file that the edit is for. */
  readonly text: string;
  readonly place:
    | { readonly kind: 'entry'; readonly name: string }
    | { readonly kind: 'inline'; readonly snapshot: InlineSnapshot; readonly tree: SourceTree }
    | { readonly kind: 'file' };
  readonly edit: TextChange;
  /** Both sides as the snapshot stands for them, line ends as `\n`; `old` is undefined when none was stored. */
  readonly old: string | undefined;
  readonly new: string;
}

type Draft = Omit<SnapshotChange, 'file' | 'text' | 'key'>;

/** Snapshots that the update left as they were, or took away, are not among them. */
export async function snapshotChanges(
  update: SnapshotUpdate,
  context: Pick<FixContext, 'readText' | 'isTestFile'>,
): Promise<readonly SnapshotChange[]> {
  const changes: SnapshotChange[] = [];
  for (const [file, after] of update.changed) {
    const text = await context.readText(file);
    if (text === undefined) continue;
    for (const draft of draftsOf(file, text, after)) {
      const newText = withLineEnds(draft.edit.newText, text);
      const edit = { ...draft.edit, newText };
      changes.push({ ...draft, edit, file, text, key: JSON.stringify([file, placeName(draft)]) });
    }
  }
  // Tests may write other files, too.
  for (const file of update.added.filter((name) => context.isTestFile(name)))
    changes.push({ ...newFile, file, text: '', key: JSON.stringify([file, '']) });
  return changes;
}

const newFile = {
  place: { kind: 'file' },
  edit: { start: 0, end: 0, newText: '' },
  old: undefined,
  new: '',
} as const;

function placeName({ place }: Draft): string | number {
  if (place.kind === 'entry') return place.name;
  return place.kind === 'inline' ? place.snapshot.call.pos : '';
}

function draftsOf(file: string, before: string, after: string): readonly Draft[] {
  if (file.endsWith('.snap')) return entryChanges(before, after);
  if (/\.[cm]?[jt]sx?$/.test(file)) {
    const inline = inlineChanges(file, before, after);
    if (inline !== undefined) return inline;
  }
  const [old, now] = [plain(before), plain(after)];
  const edit = { start: 0, end: before.length, newText: after };
  return old === now ? [] : [{ place: { kind: 'file' }, edit, old, new: now }];
}

function entryChanges(before: string, after: string): readonly Draft[] {
  const was = new Map((readSnapshotFile(before) ?? []).map((entry) => [entry.name, entry]));
  const changes: Draft[] = [];
  for (const entry of readSnapshotFile(after) ?? []) {
    const old = was.get(entry.name);
    if (old?.value === entry.value) continue;
    const { start, end } = old ?? { start: 0, end: 0 };
    const edit = { start, end, newText: entry.raw };
    changes.push({
      place: { kind: 'entry', name: entry.name },
      edit,
      old: old?.value,
      new: entry.value,
    });
  }
  return changes;
}

/** Undefined for a script that has no inline snapshots, or others than before: it is no place of them. */
function inlineChanges(file: string, before: string, after: string): readonly Draft[] | undefined {
  const tree = parseTree(file, before);
  const [was, is] = [inlineSnapshots(tree), inlineSnapshots(parseTree(file, after))];
  if (was.length === 0 || was.length !== is.length) return undefined;
  return was.flatMap((snapshot, index): Draft[] => {
    const now = is[index];
    if (now?.literal === undefined || now.value === snapshot.value) return [];
    const { start, end } = snapshot.literal ?? { start: 0, end: 0 };
    const edit = { start, end, newText: laidOut(now.literal.text, snapshot, tree) };
    const old = snapshot.literal && snapshot.value;
    return [{ place: { kind: 'inline', snapshot, tree }, edit, old, new: now.value }];
  });
}

/** Jest without a formatter writes lines without the indentation of the code around them. */
function laidOut(literal: string, { call, literal: stored }: InlineSnapshot, tree: SourceTree): string {
  const lines = plain(literal).split('\n');
  const inner = lines.slice(1, -1);
  if (inner.length === 0 || lines[0] !== '`' || lines.at(-1) !== '`') return literal;
  const former = /^`\r?\n([ \t]*)[\s\S]*\n([ \t]*)`$/.exec(stored?.text ?? '');
  const end = former?.[2] ?? indentAt(tree, call.end);
  const indent = former?.[1] ?? end + styleOf(tree).indent;
  return ['`', ...inner.map((line) => (line === '' ? '' : indent + line)), end + '`'].join('\n');
}

const plain = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Frameworks write `\n`; the rest of the file may have other line ends. */
function withLineEnds(newText: string, text: string): string {
  const isCrlf = /\r\n/.test(text) && !/[^\r]\n/.test(text);
  return isCrlf ? plain(newText).replaceAll('\n', '\r\n') : newText;
}
