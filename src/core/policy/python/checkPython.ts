// The gate for Python: everything outside of written expectations stays byte for byte as it is, or the change is not judged.
import { changedValue, type ChangedValue } from '../changedValue.ts';
import type { FileChange, Finding } from '../fileFacts.ts';
import type { ReadSource } from '../repointedImports.ts';
import { suspectValue } from '../suspectValue.ts';
import { withinDepth } from '../../syntax/nesting.ts';
import { expectationsOf, type Expectation } from '../../syntax/python/expectations.ts';
import { parsePython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { valueNamesOf } from '../../syntax/python/valueNames.ts';
import { withoutAddedArguments } from './addedArguments.ts';
import { conftestsAround } from './conftests.ts';
import { gateModules } from './gateModules.ts';
import { forbiddenChanges } from './forbiddenChanges.ts';
import { suspectReasons } from './suspectReasons.ts';
import { valueRules } from './valueRules.ts';

interface PythonJudgement {
  readonly findings: readonly Finding[];
  /** Why nothing can be said of what is left when there are no findings. */
  readonly unjudged?: string;
}

/** A text that a file may become, and what only a person can tell about it. */
export interface Followed {
  readonly text: string;
  readonly doubts: readonly Finding[];
}

/** Pure, but for the conftest.py files that it is given. `followed`: what the file may become by following names of the source. */
export function checkPython(
  change: FileChange,
  readSource?: ReadSource,
  followed: readonly Followed[] = [],
): PythonJudgement {
  const { findings, unjudged } = readChange(change, readSource, followed);
  return { findings, ...(unjudged === undefined ? {} : { unjudged }) };
}

/** What the change makes tests expect instead, by the same reading; empty where the gate cannot read it. */
export function changedInPython(
  change: FileChange,
  readSource?: ReadSource,
  followed: readonly Followed[] = [],
): readonly ChangedValue[] {
  return readChange(change, readSource, followed).changed ?? [];
}

function readChange(
  change: FileChange,
  readSource: ReadSource | undefined,
  followed: readonly Followed[],
): PythonJudgement & { readonly changed?: readonly ChangedValue[] } {
  const { file, before, after } = change;
  if (before === after) return { findings: [] };
  if (after === undefined)
    return { findings: [{ rule: 'removed-file', line: 1, text: 'The fix deletes a test file.' }] };
  if (before === undefined)
    return {
      findings: [],
      unjudged: `The fix policy does not support new Python files: it cannot judge ${file}.`,
    };
  const [was, is] = withinDepth(file, () => [parsePython(before), parsePython(after)]);
  if (was.errorLine !== undefined)
    return { findings: [], unjudged: `The fix policy cannot read ${file} (line ${was.errorLine}).` };
  if (is.errorLine !== undefined)
    return { findings: [{ rule: 'syntax-error', line: is.errorLine, text: 'The file no longer parses.' }] };
  const isTaken = readSource?.mayBeTakenByOthers?.(file);
  const context = {
    conftests: conftestsAround(file, readSource),
    readModule: gateModules(file, readSource),
    ...(isTaken === undefined ? {} : { isTaken }),
  };
  // What is expected may have changed beside the names.
  for (const { text, doubts } of [{ text: before, doubts: [] }, ...followed]) {
    if (text === after) return { findings: doubts };
    const base = text === before ? was : parsePython(text);
    const less = withoutAddedArguments(base, is, context);
    if (less === text) return { findings: doubts };
    const now = less === after ? is : parsePython(less);
    const pairs = pairExpectations(
      { source: base, all: expectationsOf(base, context) },
      { source: now, all: expectationsOf(now, context) },
    );
    if (pairs !== undefined)
      return {
        findings: [...doubts, ...findingsOf(pairs, base, now)],
        changed: pairs.flatMap(({ old, now: is }) =>
          changedValue(base.textOf(old), now.textOf(is), now.lineOf(is.from)),
        ),
      };
  }
  return { findings: forbiddenChanges(was, is), unjudged: notUnderstood(file, was, is) };
}

interface Pair {
  readonly old: Expectation;
  readonly now: Expectation;
}

function findingsOf(pairs: readonly Pair[], was: PythonSource, is: PythonSource): readonly Finding[] {
  const names = valueNamesOf(was);
  return pairs.flatMap(({ old, now }) => {
    const [before, after] = [was.textOf(old), is.textOf(now)];
    const line = is.lineOf(now.from);
    const found = valueRules(old.kind, before, after, names);
    if (found.length > 0) return found.map((finding) => ({ ...finding, line }));
    const asked = `${now.asked} ${keyBefore(is.text, now.from)}`;
    return suspectReasons({ kind: old.kind, before, after, asked }, names).map((reason) =>
      suspectValue(reason, line),
    );
  });
}

/** `status` of `{"status": 200}` and `Reply(status=200)`, whose parts are looked at by themselves. */
const keyBefore = (text: string, at: number): string =>
  /(?:["'](\w+)["']\s*:|\b(\w+)\s*=)\s*$/
    .exec(text.slice(Math.max(0, at - 100), at))
    ?.slice(1)
    .find(Boolean) ?? '';

interface Expectations {
  readonly source: PythonSource;
  readonly all: readonly Expectation[];
}

/** Undefined when anything else than the expected literals differs, or when they are no longer the expected ones. */
function pairExpectations(was: Expectations, is: Expectations): readonly Pair[] | undefined {
  if (was.all.length !== is.all.length || was.all.length === 0) return undefined;
  const pairs: Pair[] = [];
  let [left, right] = [0, 0];
  for (const [index, old] of was.all.entries()) {
    const now = is.all[index];
    // One inside of another would be counted twice.
    if (now === undefined || old.from < left || now.from < right) return undefined;
    if (was.source.text.slice(left, old.from) !== is.source.text.slice(right, now.from)) return undefined;
    if (old.kind !== now.kind || old.test.name !== now.test.name || old.origin !== now.origin)
      return undefined;
    pairs.push({ old, now });
    [left, right] = [old.to, now.to];
  }
  return was.source.text.slice(left) === is.source.text.slice(right) ? pairs : undefined;
}

function notUnderstood(file: string, was: PythonSource, is: PythonSource): string {
  let same = 0;
  while (same < was.text.length && was.text[same] === is.text[same]) same++;
  const line = is.lineOf(Math.min(same, is.text.length));
  return `In Python, the fix policy judges only changes of literal expectations and of names that follow the source: it cannot judge the other change in ${file}:${line}.`;
}
