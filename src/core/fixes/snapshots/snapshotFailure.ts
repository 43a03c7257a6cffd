// Tells from its messages whether a test fails over stored snapshots, and over nothing else.
import type { Failure, TestResult } from '../../model/testResult.ts';

type SnapshotFailure =
  | { readonly kind: 'mismatch' }
  /** It fails over a snapshot, but not so that a new one could help. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Undefined when no snapshot has to do with the failure. */
export function snapshotFailureOf(result: TestResult): SnapshotFailure | undefined {
  const failures = result.failure === undefined ? [] : [result.failure, ...(result.moreFailures ?? [])];
  const kinds = failures.map(kindOf);
  const refused = kinds.find((kind) => kind !== 'mismatch' && kind !== 'other');
  if (refused !== undefined) return { kind: 'refused', reason: reasons[refused] };
  if (!kinds.includes('mismatch')) return undefined;
  const other = failures[kinds.indexOf('other')];
  return other === undefined ? { kind: 'mismatch' } : { kind: 'refused', reason: failsOtherwise(other) };
}

/** One sentence about what is wrong beside the snapshots. */
export function failsOtherwise({ message }: Pick<Failure, 'message'>): string {
  const line = message.split('\n')[0]?.trim() ?? '';
  return `The test also fails for a reason other than its snapshots: ${line.slice(0, 160)}`;
}

type Kind = 'mismatch' | 'missing' | 'properties' | 'silent' | 'other';

const reasons: Record<Exclude<Kind, 'mismatch' | 'other'>, string> = {
  missing:
    'Its snapshot is not stored yet: check the actual value, then run the test framework itself to store it.',
  properties: 'The property matchers of its snapshot do not match, which a new stored text cannot change.',
  silent: 'The function no longer throws, so there is no error to compare with the snapshot.',
};

/** As vitest 1 to 5 and jest 28 to 30 say it. */
function kindOf({ message }: Failure): Kind {
  const ofJest =
    /^(?:[^\n]*: )?expect\([^\n]*\.(?:toMatch(?:Inline)?Snapshot|toThrowErrorMatching(?:Inline)?Snapshot)\(/.test(
      message,
    );
  if (ofJest && /^New snapshot was not written/m.test(message)) return 'missing';
  if (/^(?:[^\n]*: )?Snapshot properties mismatched/.test(message)) return 'properties';
  if (ofJest && /^(?:- )?Expected properties\b/m.test(message)) return 'properties';
  if (/^(?:[^\n]*: )?snapshot function didn't throw/.test(message)) return 'silent';
  if (ofJest && /^Received function did not throw/m.test(message)) return 'silent';
  if (ofJest && /^Snapshot name: /m.test(message)) return 'mismatch';
  return /(?:^|: )Snapshot `[\s\S]+?` mismatched/.test(message) ? 'mismatch' : 'other';
}
