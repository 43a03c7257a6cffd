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
  /** What is known of other changes, whose texts this one may share; without it all is gathered for this change alone. */
  readonly known?: KnownChanges;
}

export interface FileFacts {
  readonly file: string;
  readonly text: string;
  readonly source: ts.SourceFile;
  readonly bindings: Bindings;
  readonly tree: TestTree;
  readonly assertions: readonly AssertionFact[];
  /** What names stand for in the test (or hook, or function) with this key: its own variables and those around all tests. */
  valuesFor(owner: string): (name: string) => readonly ts.Expression[];
}

/** A violation before it knows its file. */
export interface Finding {
  readonly rule: string;
  readonly line: number;
  readonly text: string;
}

/** A family of rules: what the newer version does that the older did not. */
export type Rule = (before: FileFacts, after: FileFacts) => Iterable<Finding>;

/** What the gate remembers of the changes that it judged; it is given to everybody who judges changes of one workspace. */
export interface KnownChanges {
  factsOf(file: string, text: string): FileFacts;
  /** What these rules say of the change, which is asked once for the same two texts: nothing else may decide. */
  saidOf(change: FileChange, rules: string, judge: () => readonly Finding[]): readonly Finding[];
}

/** Gathers something of one version of a file, once however often it is asked for. */
export function oncePerFile<T>(gather: (facts: FileFacts) => T): (facts: FileFacts) => T {
  const gathered = new WeakMap<FileFacts, { readonly found: T }>();
  return (facts) => {
    let known = gathered.get(facts);
    if (known === undefined) {
      known = { found: gather(facts) };
      gathered.set(facts, known);
    }
    return known.found;
  };
}

const factsOfChanges = new WeakMap<FileChange, readonly [was: FileFacts, is: FileFacts]>();

/** Both versions of a changed file, gathered once for all rules; a file that is not there is empty. */
export function sidesOf(change: FileChange): readonly [was: FileFacts, is: FileFacts] {
  const gathered = factsOfChanges.get(change);
  if (gathered !== undefined) return gathered;
  const { file, before = '', after = '', known } = change;
  const sides = [known?.factsOf(file, before) ?? factsOf(file, before), factsOf(file, after)] as const;
  factsOfChanges.set(change, sides);
  return sides;
}

export function factsOf(file: string, text: string): FileFacts {
  const source = parseSource(file, text);
  const bindings = bindingsOf(source);
  const tree = testTreeOf(source, bindings);
  const assertions = assertionsOf(source, bindings, tree);
  return { file, text, source, bindings, tree, assertions, valuesFor: scopedValues(bindings, tree) };
}

function scopedValues({ values }: Bindings, tree: TestTree): FileFacts['valuesFor'] {
  const tests = new Set(tree.definitions.flatMap(({ key, kind }) => (kind === 'test' ? [key] : [])));
  const byName = new Map<string, Map<string, ts.Expression[]>>();
  for (const [name, expressions] of values) {
    const byScope = new Map<string, ts.Expression[]>();
    for (const expression of expressions) {
      const owner = tree.ownerOf(expression);
      const scope = tests.has(owner) ? owner : '';
      const known = byScope.get(scope);
      if (known === undefined) byScope.set(scope, [expression]);
      else known.push(expression);
    }
    byName.set(name, byScope);
  }
  return (owner) => (name) => {
    const byScope = byName.get(name);
    const shared = byScope?.get('') ?? [];
    return tests.has(owner) ? [...(byScope?.get(owner) ?? []), ...shared] : shared;
  };
}
