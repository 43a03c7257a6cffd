// Which of the failing tests a changed snapshot belongs to.
import path from 'node:path';
import ts from 'typescript';
import type { TestResult } from '../../model/testResult.ts';
import { lineOf, parseTree, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { SnapshotChange } from './snapshotChanges.ts';
import { testsOfEntry } from './snapshotFile.ts';

/** Empty when neither names nor places tell it; several tests may share one snapshot. */
export function ownersOf(
  change: SnapshotChange,
  tests: readonly TestResult[],
  texts: ReadonlyMap<string, string>,
): readonly TestResult[] {
  const { place, file } = change;
  switch (place.kind) {
    case 'entry':
      return testsOfEntry(place.name, nearestTo(file, tests));
    case 'inline':
      return byPlace(place.snapshot.call, place.snapshot.line, place.tree, tests);
    case 'file':
      return byLiteral(file, tests, texts);
  }
}

/** Tests whose file the snapshot file is named after; all when there is none. */
function nearestTo(file: string, tests: readonly TestResult[]): readonly TestResult[] {
  const name = path.posix.basename(file);
  const named = tests.filter((test) => name.startsWith(`${path.posix.basename(test.file)}.`));
  const folder = path.posix.dirname(file).replace(/(?:^|\/)__snapshots__$/, '') || '.';
  const beside = named.filter((test) => path.posix.dirname(test.file) === folder);
  return [beside, named].find(({ length }) => length > 0) ?? tests;
}

/** The call stands in the test, or in the stack of its failure. */
function byPlace(
  node: ts.Node,
  line: number,
  tree: SourceTree,
  tests: readonly TestResult[],
): readonly TestResult[] {
  const onStack = tests.filter(({ failure, moreFailures = [] }) =>
    [failure, ...moreFailures].some((one) =>
      one?.stack.some((frame) => frame.file === tree.file && frame.line === line),
    ),
  );
  const around = tests.filter((test) => test.file === tree.file && holdsCall(test, node, tree));
  return [...new Set([...onStack, ...around])];
}

/** Does the test begin where a call around the node hands over the function that the node is in? */
function holdsCall(test: TestResult, node: ts.Node, tree: SourceTree): boolean {
  for (let current = node.parent; !ts.isSourceFile(current); current = current.parent) {
    if (!ts.isFunctionLike(current) || !ts.isCallExpression(current.parent)) continue;
    const [from, to] = [lineOf(tree, current.parent), lineOf(tree, current)];
    if (test.line >= from && test.line <= to) return true;
  }
  return false;
}

/** The file is written out in the test: `toMatchFileSnapshot('./button.html')`. */
function byLiteral(
  file: string,
  tests: readonly TestResult[],
  texts: ReadonlyMap<string, string>,
): readonly TestResult[] {
  const owners = new Set<TestResult>();
  for (const testFile of new Set(tests.map((test) => test.file))) {
    const tree = parseTree(testFile, texts.get(testFile) ?? '');
    visitNodes(tree.ast, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      const [first] = node.arguments;
      if (node.expression.name.text !== 'toMatchFileSnapshot' || !first || !ts.isStringLiteralLike(first))
        return;
      if (path.posix.join(path.posix.dirname(testFile), first.text) !== file) return;
      for (const test of byPlace(node, lineOf(tree, node), tree, tests)) owners.add(test);
    });
  }
  return [...owners];
}
