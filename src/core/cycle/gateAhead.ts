// Lets the gate look at proposed changes before anybody asks for its verdict, which is the same then: texts alone decide it.
import { hashText } from '../base/hash.ts';
import { applyEdit } from '../model/edit.ts';
import type { Fix } from '../model/fix.ts';
import { checkPolicyOfEdits, type FileChange } from '../policy/checkPolicy.ts';
import type { KnownChanges } from '../policy/fileFacts.ts';
import { gateOf } from '../policy/gateOf.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';

interface GateAhead {
  /** Present text of a file relative to the root. */
  readonly readText: (file: string) => Promise<string | undefined>;
  readonly isTestFile: (file: string) => boolean;
  readonly known: KnownChanges;
}

/** Work in pieces of one fix; the texts are read now. What other files decide, too, is left for later. */
export async function gateAhead(fixes: readonly Fix[], gate: GateAhead): Promise<Iterator<void>> {
  const texts = new Map<string, string>();
  for (const file of new Set(fixes.flatMap(({ edits }) => edits.map((edit) => edit.file)))) {
    const text = /\.[cm]?[jt]sx?$/.test(file) ? await gate.readText(file) : undefined;
    if (text !== undefined) texts.set(file, text);
  }
  return judgeEach(fixes, texts, gate);
}

function* judgeEach(
  fixes: readonly Fix[],
  texts: ReadonlyMap<string, string>,
  { isTestFile, known }: GateAhead,
): Generator<void> {
  const hashes = new Map([...texts].map(([file, text]) => [file, hashText(text)]));
  for (const fix of fixes) {
    if (fix.removesTests === true) continue;
    const changes = mergeEdits(fix.edits).flatMap((edit): FileChange[] => {
      const before = texts.get(edit.file);
      if (before === undefined || hashes.get(edit.file) !== edit.before) return [];
      return [{ file: edit.file, before, after: applyEdit(edit, before), known }];
    });
    if (changes.length > 0) checkPolicyOfEdits(changes, isTestFile, gateOf(fix));
    yield;
  }
}
