// What an assertion of equality is to its fixers: the call and its two sides.
import type ts from 'typescript';
import type { SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { MatchMode } from './sameValue.ts';

export interface AssertionSite {
  readonly tree: SourceTree;
  readonly call: ts.CallExpression;
  readonly matcher: string;
  readonly actual: ts.Expression;
  readonly expected: ts.Expression;
  readonly mode: MatchMode;
  readonly negated: boolean;
  /** assert.equal(expected, actual): the recorded values are the other way round. */
  readonly swapped: boolean;
  /** Digits that toBeCloseTo compares. */
  readonly digits?: number;
}
