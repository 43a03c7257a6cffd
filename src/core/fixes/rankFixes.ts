// Puts proposals in order: the same edit for many failures becomes one fix, the best come first, at most three for a failure.
import { hashText } from '../base/hash.ts';
import type { FileEdit } from '../model/edit.ts';
import type { Fix, Grade, Trust } from '../model/fix.ts';

interface RankOptions {
  /** Preferred reach; `surgical` also prefers the shorter edit over the surer one. */
  readonly strategy: Grade;
}

/** Proposals kept for one failure. */
const perFailure = 3;

/** Best first; every failure keeps at most three proposals. */
export function rankFixes(fixes: readonly Fix[], options: RankOptions): readonly Fix[] {
  const sorted = [...mergeIdentical(fixes)].sort(
    (a, b) => compare(orderOf(a, options.strategy), orderOf(b, options.strategy)) || a.id.localeCompare(b.id),
  );
  const kept = new Map<string, number>();
  return sorted.filter((fix) => {
    const open = fix.failures.filter((id) => (kept.get(id) ?? 0) < perFailure);
    for (const id of open) kept.set(id, (kept.get(id) ?? 0) + 1);
    return open.length > 0;
  });
}

/** The same for the same edits, whoever proposes them. */
export function editsKey(edits: readonly FileEdit[]): string {
  const parts = edits.map(({ file, before, changes }) =>
    JSON.stringify([file, before, changes.map(({ start, end, newText }) => [start, end, newText])]),
  );
  return hashText(parts.sort().join('\n'));
}

function mergeIdentical(fixes: readonly Fix[]): readonly Fix[] {
  const merged = new Map<string, Fix>();
  for (const fix of fixes) {
    const key = editsKey(fix.edits);
    const other = merged.get(key);
    merged.set(key, other === undefined ? fix : merge(other, fix));
  }
  return [...merged.values()];
}

/** The surer proposal gives the words; doubts and stops of both remain. */
function merge(a: Fix, b: Fix): Fix {
  const [first, second] = a.confidence >= b.confidence ? [a, b] : [b, a];
  const stops = [...(first.stops ?? []), ...(second.stops ?? [])];
  return {
    ...first,
    trust: trustOrder[first.trust] >= trustOrder[second.trust] ? first.trust : second.trust,
    failures: [...new Set([...first.failures, ...second.failures])],
    evidence: [...new Set([...first.evidence, ...second.evidence])],
    ...(stops.length > 0 && {
      stops: stops.filter((stop, index) => stops.findIndex((each) => each.reason === stop.reason) === index),
    }),
  };
}

const trustOrder: Readonly<Record<Trust, number>> = { mechanical: 0, oracle: 1, propose: 2 };
const gradeOrder: Readonly<Record<Grade, number>> = { surgical: 0, conservative: 1, aggressive: 2 };

function orderOf(fix: Fix, strategy: Grade): readonly number[] {
  const reach = Math.abs(gradeOrder[fix.grade] - gradeOrder[strategy]);
  // What a wrong call gives is no value to expect: calls are mended first.
  const trust = trustOrder[fix.trust] + (fix.expectation === undefined || fix.mendsCalls === true ? 0 : 0.5);
  const size = fix.edits.reduce(
    (sum, edit) =>
      sum + edit.changes.reduce((all, change) => all + change.end - change.start + change.newText.length, 0),
    0,
  );
  return strategy === 'surgical'
    ? [trust, gradeOrder[fix.grade], size, -fix.confidence]
    : [trust, -fix.confidence, reach, size];
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
