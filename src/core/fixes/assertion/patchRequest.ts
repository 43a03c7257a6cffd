// What a patch is asked for, and what it may ask back: shared by the patches of every kind of expression.
import type ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { codeLine } from '../../model/visibleText.ts';
import type { SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { Patch, Refusal } from './literalChange.ts';
import type { MatchMode } from './sameValue.ts';

export interface PatchContext {
  readonly mode: MatchMode;
  /** Where the value of an identifier or a property comes from, when it can be told which literal it is. */
  trace(
    expression: ts.Expression,
    tree: SourceTree,
    expected: Value | undefined,
  ): Promise<TracedLiteral | Refusal>;
  /** The literal with this recorded value, by trial, where reading does not tell; absent where nothing can be tried. */
  probe?(wanted: Value): Promise<TracedLiteral | Refusal>;
}

export interface TracedLiteral {
  readonly node: ts.Expression;
  readonly tree: SourceTree;
}

export interface PatchRequest {
  readonly node: ts.Expression;
  readonly tree: SourceTree;
  /** What the expression was when the test ran; undefined where only its source is known. */
  readonly expected: Value | undefined;
  readonly actual: Value;
  readonly path: string;
}

/** Patches an expression inside another one. */
export type PatchInner = (request: PatchRequest, context: PatchContext) => Promise<Patch>;

/** ` of total.currency`, or nothing for the whole value. */
export function at(path: string): string {
  return path === '' ? '' : ` of ${path}`;
}

export function shorten(text: string, length = 60): string {
  const line = codeLine(text);
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
