// Patches as git writes and reads them: from before and after to text, and from text to the new contents of files.
import { applyPatch, formatPatch, OMIT_HEADERS, type StructuredPatch, type StructuredPatchHunk } from 'diff';
import { HumanError } from '../base/humanError.ts';
import { hunksOf } from './lineDiff.ts';

/** One file of a patch, resolved against the texts it was made for; names are relative to the root, POSIX separators. */
export interface PatchedFile {
  readonly file: string;
  /** Former name, when the patch renames it; `before` is then the text under that name. */
  readonly from?: string;
  /** undefined: the file is new. */
  readonly before: string | undefined;
  /** undefined: the file is deleted. */
  readonly after: string | undefined;
}

/** Unified diff of one file with git's headers, so that `git apply` takes it; empty when nothing differs. */
export function unifiedDiff(file: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return '';
  const left = quoteName(`a/${file}`);
  const right = quoteName(`b/${file}`);
  const head = [`diff --git ${left} ${right}`];
  if (before === undefined) head.push('new file mode 100644');
  if (after === undefined) head.push('deleted file mode 100644');
  const hunks = hunksOf(before ?? '', after ?? '');
  if (hunks.length === 0) return head.join('\n') + '\n';
  head.push(
    `--- ${before === undefined ? '/dev/null' : left}`,
    `+++ ${after === undefined ? '/dev/null' : right}`,
  );
  return head.join('\n') + '\n' + formatPatch(patchOf(file, hunks), OMIT_HEADERS);
}

/**
 * The files a patch would leave behind, read through `read` (undefined = no such file). Throws a HumanError: `bad-input` for
 * what is no text patch or names a file outside the root, `stale` when it does not fit the files as they are.
 */
export async function resolvePatch(
  text: string,
  read: (file: string) => Promise<string | undefined>,
): Promise<readonly PatchedFile[]> {
  const current = new Map<string, string | undefined>();
  const first = new Map<string, PatchedFile>();
  const textOf = async (file: string): Promise<string | undefined> =>
    current.has(file) ? current.get(file) : read(file);
  for (const section of parsePatch(text)) {
    const source = section.from ?? section.file;
    const before = section.kind === 'new' ? await textOf(section.file) : await textOf(source);
    if (section.kind === 'new' && before !== undefined) throw doesNotFit(section.file, 'it exists already');
    if (section.kind !== 'new' && before === undefined) throw doesNotFit(source, 'there is no such file');
    const patched = applyHunks(section, before ?? '');
    const after = section.kind === 'deleted' ? undefined : patched;
    if (section.kind === 'deleted' && section.hunks.length > 0 && patched !== '')
      throw doesNotFit(section.file, 'the deletion is for another text');
    const from = section.kind === 'renamed' ? source : undefined;
    const earlier = first.get(source);
    first.delete(source);
    const origin = earlier?.from ?? from;
    first.set(section.file, {
      file: section.file,
      ...(origin === undefined ? {} : { from: origin }),
      before: earlier === undefined ? (section.kind === 'copied' ? undefined : before) : earlier.before,
      after,
    });
    if (earlier !== undefined && section.kind === 'copied') first.set(source, earlier);
    current.set(section.file, after);
    if (from !== undefined) current.set(from, undefined);
  }
  if (first.size === 0) throw notAPatch('it has no changed file');
  return [...first.values()];
}

/** One `diff` section as written. */
interface FilePatch {
  readonly kind: 'modified' | 'new' | 'deleted' | 'renamed' | 'copied';
  readonly file: string;
  readonly from?: string;
  readonly hunks: readonly StructuredPatchHunk[];
}

/** Sections of a patch; text before, between and after them (a mail's head, a signature) is ignored, as git does. */
function parsePatch(text: string): readonly FilePatch[] {
  const lines = text.split('\n');
  const sections: FilePatch[] = [];
  let headers: string[] = [];
  let hunks: StructuredPatchHunk[] = [];
  const flush = (): void => {
    const section = headers.length === 0 ? undefined : readSection(headers, hunks);
    if (section !== undefined) sections.push(section);
    headers = [];
    hunks = [];
  };
  for (let i = 0; i < lines.length;) {
    const line = lines[i] ?? '';
    const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunkHead && headers.length > 0) {
      const { hunk, next } = readHunk(lines, i, hunkHead);
      hunks.push(hunk);
      i = next;
      continue;
    }
    const startsPair = line.startsWith('--- ') && (lines[i + 1] ?? '').startsWith('+++ ');
    const startsGit = line.startsWith('diff --git ');
    if (startsGit || (startsPair && (hunks.length > 0 || !headers[0]?.startsWith('diff --git ')))) flush();
    if (startsGit || startsPair) headers.push(line.replace(/\r$/, ''));
    else if (headers.length > 0 && hunks.length === 0) headers.push(line.replace(/\r$/, ''));
    i++;
  }
  flush();
  return sections;
}

function readHunk(
  lines: readonly string[],
  start: number,
  head: RegExpExecArray,
): { hunk: StructuredPatchHunk; next: number } {
  const oldLines = Number(head[2] ?? 1);
  const newLines = Number(head[4] ?? 1);
  const body: string[] = [];
  let [removed, added, i] = [0, 0, start + 1];
  for (; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const complete = removed >= oldLines && added >= newLines;
    if (line.startsWith('\\')) body.push(line);
    else if (complete) break;
    else if (line.startsWith('+')) [added] = [added + 1, body.push(line)];
    else if (line.startsWith('-')) [removed] = [removed + 1, body.push(line)];
    else if (line.startsWith(' ') || ((line === '' || line === '\r') && i < lines.length - 1)) {
      [removed, added] = [removed + 1, added + 1, body.push(line.startsWith(' ') ? line : ` ${line}`)];
    } else break;
  }
  if (removed !== oldLines || added !== newLines)
    throw notAPatch(`the hunk at line ${start + 1} has other line counts than it says`);
  // In the format an empty side counts from the line before it.
  return {
    hunk: {
      oldStart: Number(head[1]) + (oldLines === 0 ? 1 : 0),
      oldLines,
      newStart: Number(head[3]) + (newLines === 0 ? 1 : 0),
      newLines,
      lines: body,
    },
    next: i,
  };
}

function readSection(
  headers: readonly string[],
  hunks: readonly StructuredPatchHunk[],
): FilePatch | undefined {
  const header = (start: string): string | undefined =>
    headers.find((line) => line.startsWith(start))?.slice(start.length);
  const [first = ''] = headers;
  const isGit = first.startsWith('diff --git ');
  if (headers.some((line) => /^(GIT binary patch|Binary files )/.test(line)))
    throw notAPatch('it changes a binary file');
  const mode = header('new file mode ') ?? header('new mode ');
  if (mode !== undefined && !mode.startsWith('100')) throw notAPatch('it makes a link or a submodule');
  const [oldName, newName] = stripPrefixes(
    unquoteName(stripTime(header('--- '))) ?? gitNames(first)?.[0],
    unquoteName(stripTime(header('+++ '))) ?? gitNames(first)?.[1],
  );
  const renamedFrom = unquoteName(header('rename from '));
  const copiedFrom = unquoteName(header('copy from '));
  const from = renamedFrom ?? copiedFrom;
  const to = unquoteName(header('rename to ') ?? header('copy to '));
  if (from !== undefined && to !== undefined) {
    return {
      kind: renamedFrom === undefined ? 'copied' : 'renamed',
      file: safe(to),
      from: safe(from),
      hunks,
    };
  }
  if (oldName === undefined || newName === undefined) throw notAPatch('a changed file has no name');
  if (oldName === '/dev/null' || (isGit && header('new file mode ') !== undefined))
    return { kind: 'new', file: safe(newName), hunks };
  if (newName === '/dev/null' || (isGit && header('deleted file mode ') !== undefined))
    return { kind: 'deleted', file: safe(oldName), hunks };
  if (oldName !== newName) return { kind: 'renamed', file: safe(newName), from: safe(oldName), hunks };
  return { kind: 'modified', file: safe(newName), hunks };
}

/** Names of `diff --git a/x b/x`, the only ones a section without hunks has. */
function gitNames(line: string): [string, string] | undefined {
  const names = line.slice('diff --git '.length);
  const quoted = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(names);
  if (quoted) return [unquoteName(quoted[1]) ?? '', unquoteName(quoted[2]) ?? ''];
  const half = (names.length - 1) / 2;
  const [left, right] = [names.slice(0, half), names.slice(half + 1)];
  return Number.isInteger(half) && left.slice(2) === right.slice(2) ? [left, right] : undefined;
}

function stripPrefixes(
  left: string | undefined,
  right: string | undefined,
): [string | undefined, string | undefined] {
  const pairs = ['ab', 'iw', 'ci', 'cw', 'ow', 'ba'];
  const fits = pairs.some(
    ([l, r]) =>
      (left === '/dev/null' || left?.startsWith(`${l}/`)) &&
      (right === '/dev/null' || right?.startsWith(`${r}/`)),
  );
  return fits ? [withoutPrefix(left), withoutPrefix(right)] : [left, right];
}

const withoutPrefix = (name: string | undefined): string | undefined =>
  name === '/dev/null' ? name : name?.slice(2);

/** `diff -u` writes a time after a tab; git writes a bare tab after names with spaces. */
const stripTime = (name: string | undefined): string | undefined => name?.replace(/\t.*$/, '');

function safe(name: string): string {
  const parts = name.split('/');
  const outside =
    name === '' ||
    name.startsWith('/') ||
    /^[A-Za-z]:/.test(name) ||
    /[\\\u0000]/.test(name) ||
    parts.some((part) => part === '..' || part === '.' || part === '' || part.toLowerCase() === '.git');
  if (!outside) return name;
  throw new HumanError(
    'bad-input',
    `The patch names ${JSON.stringify(name)}, which is not a file inside the root.`,
    {
      value: name,
      remedy: 'Make the patch with paths relative to the root.',
    },
  );
}

function applyHunks(section: FilePatch, before: string): string {
  if (section.hunks.length === 0) return section.kind === 'deleted' ? '' : before;
  const patch = patchOf(section.file, section.hunks);
  const patched = applyPatch(before, patch, { autoConvertLineEndings: false });
  if (patched !== false) return patched;
  const isOtherwiseSame = applyPatch(before, patch) !== false;
  const [own, others] = before.includes('\r\n') ? ['CRLF', 'LF'] : ['LF', 'CRLF'];
  throw doesNotFit(
    section.from ?? section.file,
    isOtherwiseSame ? `its lines end in ${own}, those of the patch in ${others}` : 'its text differs',
  );
}

const patchOf = (file: string, hunks: readonly StructuredPatchHunk[]): StructuredPatch => ({
  oldFileName: file,
  newFileName: file,
  oldHeader: undefined,
  newHeader: undefined,
  hunks: [...hunks],
});

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

function quoteName(name: string): string {
  return /[\u0000-\u001f"\\\u007f]/.test(name)
    ? `"${name.replace(/["\\\n\t\r]/g, (c) => escapes[c] ?? c)}"`
    : name;
}

/** Undoes git's C-style quoting, octal bytes of UTF-8 included. */
function unquoteName(name: string | undefined): string | undefined {
  if (name === undefined || !(name.startsWith('"') && name.endsWith('"') && name.length > 1)) return name;
  const bytes: Buffer[] = [];
  for (const [part, octal, single] of name.slice(1, -1).matchAll(/\\([0-7]{1,3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 255]));
    else if (single !== undefined) bytes.push(Buffer.from({ n: '\n', t: '\t', r: '\r' }[single] ?? single));
    else bytes.push(Buffer.from(part));
  }
  return Buffer.concat(bytes).toString('utf8');
}

function notAPatch(reason: string): HumanError {
  return new HumanError('bad-input', `This is no patch that can be verified: ${reason}.`, {
    remedy: 'Give a unified diff of text files, as git diff prints it.',
  });
}

function doesNotFit(file: string, reason: string): HumanError {
  return new HumanError('stale', `The patch does not fit ${file}: ${reason}.`, {
    file,
    remedy: 'Make the patch against the files as they are now.',
  });
}
