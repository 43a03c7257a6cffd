// Makes one fix of steps that were found one on top of another, each with the edits that it needs of its own.
import { hashText } from '../base/hash.ts';
import { applyChanges } from '../model/edit.ts';
import type { FileEdit, TextChange } from '../model/fileEdit.ts';
import type { Fix, FixPart, Grade, Trust } from '../model/fix.ts';
import { afterChanges, composeChanges, withoutChanges } from '../workspace/stackedEdits.ts';

/** A fix with its changes by file, made for the texts that the steps below it lead to. */
export interface Step {
  readonly fix: FixPart;
  readonly changes: ReadonlyMap<string, readonly TextChange[]>;
}

interface Stack {
  /** In the order in which they were made. */
  readonly steps: readonly Step[];
  /** Those that are wanted, of the stack. */
  readonly wanted: ReadonlySet<Step>;
  /** The text below all of them; undefined of a file that only one of them changes, which has its own edit. */
  readonly textOf: (file: string) => string | undefined;
}

interface Composed {
  /** Of the text below, all at once. */
  readonly edits: readonly FileEdit[];
  /** One after another, in the order of the steps. */
  readonly parts: readonly (readonly FileEdit[])[];
}

/** The wanted steps without the others; undefined where they touch others. */
export function composeSteps({ steps, wanted, textOf }: Stack): Composed | undefined {
  const chosen = steps.filter((step) => wanted.has(step));
  const parts = chosen.map((): FileEdit[] => []);
  const edits: FileEdit[] = [];
  for (const file of new Set(chosen.flatMap(({ changes }) => [...changes.keys()]))) {
    const below = textOf(file);
    if (below === undefined) {
      const [only, other] = steps.filter(({ changes }) => changes.has(file));
      const own = only?.fix.edits.filter((edit) => edit.file === file);
      if (only === undefined || own === undefined || other !== undefined) return undefined;
      parts[chosen.indexOf(only)]?.push(...own);
      edits.push(...own);
      continue;
    }
    let text = below;
    let all: readonly TextChange[] = [];
    /** What leads from `text` to the text with the other steps, too. */
    let omitted: readonly TextChange[] = [];
    for (const step of steps) {
      const changes = step.changes.get(file);
      if (changes === undefined) continue;
      if (!wanted.has(step)) {
        omitted = composeChanges(text, omitted, changes);
        continue;
      }
      const own = withoutChanges(changes, omitted);
      const rest = own && afterChanges(omitted, own);
      if (own === undefined || rest === undefined) return undefined;
      parts[chosen.indexOf(step)]?.push({ file, before: hashText(text), changes: [...own] });
      all = composeChanges(below, all, own);
      text = applyChanges(own, text);
      omitted = rest;
    }
    edits.push({ file, before: hashText(below), changes: [...all] });
  }
  return { edits, parts };
}

/** The last step with those that lead to it, as one fix of the lowest trust among them. `files`: test files that it makes load. */
export function chainFix(steps: readonly Step[], { edits, parts }: Composed, files: readonly string[]): Fix {
  const fixes = steps.map(({ fix }, index): FixPart => ({ ...fix, edits: [...(parts[index] ?? [])] }));
  const last = fixes.at(-1);
  if (last === undefined) throw new Error('a chain without steps');
  const { sourceChange, cause, otherSide } = last;
  const changed = fixes.flatMap(({ expectation }) => expectation ?? []);
  const stops = fixes.flatMap((fix) => fix.stops ?? []);
  const { provider, origin, failures } = last;
  return {
    id: hashText(JSON.stringify(['chain', provider, edits])),
    title: [...new Set(fixes.map(({ title }) => title))].join(', and '),
    grade: highest(
      grades,
      fixes.map(({ grade }) => grade),
    ),
    trust: highest(
      trusts,
      fixes.map(({ trust }) => trust),
    ),
    edits: [...edits],
    failures: [...new Set([...failures, ...files])],
    provider,
    ...(origin !== undefined && { origin }),
    confidence: Math.min(...fixes.map(({ confidence }) => confidence)),
    evidence: [...new Set(fixes.flatMap(({ evidence }) => evidence))],
    ...(changed.length > 0 && {
      expectation: {
        old: changed.map(({ old }) => old).join(', '),
        new: changed.map((change) => change.new).join(', '),
      },
    }),
    ...(stops.length > 0 && { stops }),
    ...(otherSide !== undefined && { otherSide }),
    ...(cause !== undefined && { cause }),
    ...(sourceChange !== undefined && { sourceChange }),
    parts: fixes,
  };
}

const grades: readonly Grade[] = ['surgical', 'conservative', 'aggressive'];
const trusts: readonly Trust[] = ['mechanical', 'oracle', 'propose'];

function highest<T>(order: readonly T[], values: readonly T[]): T {
  const all = values.map((value) => order.indexOf(value));
  const value = order[Math.max(...all)];
  if (value === undefined) throw new Error('no value to compare');
  return value;
}
