// What a fixer of expectations is asked, and what it answers: the words that all of them share.
import type { Stop } from '../../diagnosis/valueStops.ts';
import type { CapturedAssertion } from '../../model/value.ts';
import type { SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import type { Choice } from './chooseCandidate.ts';
import type { LiteralChange, Refusal } from './literalChange.ts';
import type { Probing } from './probing.ts';
import type { TraceCandidate } from './traceLiteral.ts';

/** The way from a name in an assertion to the literal that was changed. */
export interface Trace {
  readonly candidate: TraceCandidate;
  readonly by: Choice['by'] | 'trial';
  readonly inTitle: boolean;
}

/** How one failed assertion can be made to hold. */
export interface Repair {
  readonly changes: readonly LiteralChange[];
  readonly stops: readonly Stop[];
  readonly traces: readonly Trace[];
  readonly evidence: readonly string[];
}

export type ReadTree = (file: string) => Promise<SourceTree | undefined>;

export interface RepairQuestion {
  readonly captured: CapturedAssertion;
  readonly test: FailingTest;
  readonly context: FixContext;
  readonly readTree: ReadTree;
  readonly probing: Probing;
}

/** One fixer of expectations. */
export interface Repairer {
  readonly id: string;
  /** Is this an assertion that it can repair? Tests without one are none of its business. */
  handles(captured: CapturedAssertion): boolean;
  repairOf(question: RepairQuestion): Promise<Repair | Refusal>;
}
