// Proposes, for each Python test file that fails for a member, argument or key that is gone, the names that took their places.
import { hashText } from '../../base/hash.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { parsePython, type PythonSource } from '../../syntax/python/parsePython.ts';
import type { FixContext } from '../fixProvider.ts';
import { followApiRenames, type FollowedApiRenames, type RenameToFollow } from './followApiRenames.ts';
import { missedMember, type MissedMember } from './lostName.ts';
import { openPythonHistory } from './pythonHistory.ts';

/** At most two fixes for each file: of what is certain, and with what only a person can tell. */
export async function proposePythonMembers(context: FixContext): Promise<readonly Fix[]> {
  const history = await openPythonHistory(context);
  if (history === undefined) return [];
  const byFile = new Map<string, Missed[]>();
  for (const { result } of context.failing) {
    if (!result.file.endsWith('.py') || !context.isTestFile(result.file)) continue;
    const missed = missedMember(result, (file) => context.isTestFile(file));
    if (missed !== undefined)
      byFile.set(missed.file, [...(byFile.get(missed.file) ?? []), { result, missed }]);
  }
  const fixes: Fix[] = [];
  for (const [file, all] of byFile) {
    const text = context.signal.aborted ? undefined : await context.readText(file);
    if (text === undefined) continue;
    const missed = all.map((one) => one.missed);
    const certain = await followApiRenames(file, text, history, { doubtful: false, missed });
    const source = parsePython(text);
    const left = all.filter((one) => !isAbout(one, certain, source));
    const hit = all.filter((one) => !left.includes(one));
    if (hit.length > 0) fixes.push(fixFrom(file, text, certain, hit, history.when));
    const more =
      left.length === 0 ? certain : await followApiRenames(file, text, history, { doubtful: true, missed });
    const asked = left.filter((one) => isAbout(one, more, source));
    if (asked.length > 0) fixes.push(fixFrom(file, text, more, asked, history.when));
    for (const one of left.filter((each) => !asked.includes(each))) {
      const { name } = one.missed;
      const reason =
        more.reasons.find((each) => each.name === name)?.reason ?? unclear(name, more, history.when);
      if (reason !== undefined) context.refuse?.(one.result.id, reason);
    }
  }
  return fixes;
}

interface Missed {
  readonly result: TestResult;
  readonly missed: MissedMember;
}

/** Does it fail for a name that another one has the place of, in a statement that is changed? */
function isAbout(
  { result: { failure }, missed: { file, name } }: Missed,
  { renames, changes }: FollowedApiRenames,
  source: PythonSource,
): boolean {
  if (!renames.some(({ old }) => old === name)) return false;
  const lines = failure?.stack.filter((frame) => frame.file === file).map(({ line }) => line) ?? [];
  const changed = changes.map(({ start }) => linesAround(start, source));
  // What fails while decorators are at work has no line of the file.
  return lines.length === 0 || lines.some((line) => changed.some(([from, to]) => from <= line && line <= to));
}

/** Of the statement that the place stands in, without the block under it. */
function linesAround(offset: number, source: PythonSource): readonly [from: number, to: number] {
  let node = source.root.resolveInner(offset, 1);
  while (node.parent !== null && !/Statement$|Definition$|^Decorator$/.test(node.name)) node = node.parent;
  const end = node.getChild('Body')?.from ?? node.to;
  return [source.lineOf(node.from), source.lineOf(end)];
}

/** The name is gone, but the failing line may speak of another object. */
function unclear(name: string, { renames }: FollowedApiRenames, when: string): string | undefined {
  const rename = renames.find(({ old, owner }) => old === name && owner !== '');
  return (
    rename &&
    `${rename.owner}.${rename.old} is ${rename.now} ${when}, but the test may fail in a use of another ${rename.old}.`
  );
}

function fixFrom(
  file: string,
  text: string,
  { changes, renames, hidden }: FollowedApiRenames,
  hit: readonly Missed[],
  when: string,
): Fix {
  const edit = fileEdit(file, text, changes);
  // A test that expects an error passes by a name that is gone, too.
  const doubts = [...new Set([...renames.flatMap(({ doubt }) => doubt ?? []), ...hidden])];
  const [first] = renames.filter(({ old }) => hit.some(({ missed }) => missed.name === old));
  const more = renames.length > 1 ? ` and ${renames.length - 1} more` : '';
  return {
    id: hashText(JSON.stringify(['python-members', edit])),
    title: `use ${first?.now} instead of ${first?.old}${more}`,
    grade: changes.length === 1 ? 'surgical' : 'conservative',
    trust: doubts.length > 0 ? 'propose' : 'mechanical',
    edits: [edit],
    failures: hit.map(({ result }) => result.id),
    provider: 'python-members',
    confidence: doubts.length > 0 ? 0.4 : 0.9,
    evidence: [
      ...renames.map(({ kind, old, now, owner, doubt }) => doubt ?? told(kind, old, now, owner, when)),
      ...hidden,
    ],
  };
}

function told(kind: RenameToFollow['kind'], old: string, now: string, owner: string, when: string): string {
  const what = {
    member: `${owner}.${old}`,
    argument: `The argument ${old} of ${owner}`,
    key: `The key ${old} in the result of ${owner}`,
  }[kind];
  return `${what} was removed ${when}, and ${now} replaces it with the same code.`;
}
