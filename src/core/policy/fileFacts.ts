// Everything the rules look at in one version of a test file, gathered once.
import type ts from 'typescript';
import { assertionsOf, type AssertionFact } from './assertionFacts.ts';
import { bindingsOf, type Bindings } from './bindings.ts';
import { parseSource } from './parseSource.ts';
import { testTreeOf, type TestTree } from './testTree.ts';

export interface FileChange {
  /** Relative to the root, POSIX separators. */
  readonly file: string;
  /** Text before the fix; undefined when the fix creates the file. */
  readonly before: string | undefined;
  /** Text after the fix; undefined when the fix deletes the file. */
  readonly after: string | undefined;
}

export interface FileFacts {
  readonly file: string;
  readonly text: string;
  readonly source: ts.SourceFile;
  readonly bindings: Bindings;
  readonly tree: TestTree;
  readonly assertions: readonly AssertionFact[];
}

/** A violation before it knows its file. */
export interface Finding {
  readonly rule: string;
  readonly line: number;
  readonly text: string;
}

/** A family of rules: what the newer version does that the older did not. */
export type Rule = (before: FileFacts, after: FileFacts) => Iterable<Finding>;

export function factsOf(file: string, text: string): FileFacts {
  const source = parseSource(file, text);
  const bindings = bindingsOf(source);
  const tree = testTreeOf(source, bindings);
  return { file, text, source, bindings, tree, assertions: assertionsOf(source, bindings, tree) };
}
