// Who changes how the code under test is called may not change what is expected of it.
import { isBuiltin } from 'node:module';
import ts from 'typescript';
import { alignAssertions } from './alignAssertions.ts';
import type { AssertionFact } from './assertionFacts.ts';
import { chainOf } from './bindings.ts';
import { sidesOf, type FileChange, type FileFacts, type Finding } from './fileFacts.ts';
import { shapeOf } from './parseSource.ts';
import { testModules } from './redirectionRules.ts';
import { isTestLibrary } from './testApi.ts';
import { isMemberName } from './valueFacts.ts';
import { rootIdentifier, unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';

/** For changes of calls only: every expected value stays, also behind names and in tables, but for the calls that stand in it. */
export function* callRules(change: FileChange, isTestFile: (file: string) => boolean): Generator<Finding> {
  const { file, before, after } = change;
  if (before === undefined || after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return;
  const [was, is] = sidesOf(change);
  const isTestModule = testModules(file, isTestFile);
  for (const owner of new Set(was.assertions.map((fact) => fact.owner))) {
    const [old, now] = [was, is].map(({ assertions }) => assertions.filter((fact) => fact.owner === owner));
    for (const [left, right] of alignAssertions(old ?? [], now ?? []).pairs) {
      // The condition of a hand-made check holds the call itself; what is no helper of the tests may be the code under test.
      if (left.family === 'manual' || (left.family === 'helper' && !isOwnHelper(left, was, isTestModule)))
        continue;
      if (left.matcher !== right.matcher || expectationOf(left, was) !== expectationOf(right, is))
        yield {
          rule: 'changed-expectation',
          line: right.line,
          text: 'A fix that changes a call must not change an expectation.',
        };
    }
  }
}

/** A helper of this file or of another one of the tests; `.expect` belongs to supertest. */
function isOwnHelper(
  { matcher }: AssertionFact,
  { bindings }: FileFacts,
  isTestModule: (module: string) => boolean,
): boolean {
  const { declared, imports } = bindings;
  return matcher === '.expect' || declared.has(matcher) || isTestModule(imports.get(matcher)?.module ?? '');
}

/** Layout-free text of what is expected, with the values of every name in it; calls of the code are all the same. */
function expectationOf({ args, owner }: AssertionFact, facts: FileFacts): string {
  const { bindings } = facts;
  const valuesOf = facts.valuesFor(owner);
  const isAsked = (node: ts.Node): boolean => isCallOfCode(node, facts);
  const texts: string[] = [];
  const seen = new Set<string>();
  let hasTables = false;
  const follow = (expression: ts.Node): void => {
    texts.push(shapeOf(expression, { isSame: isAsked }));
    visitNodes(expression, (node) => {
      if (!ts.isIdentifier(node) || isMemberName(node) || seen.has(node.text)) return;
      if (isWithin(node, expression, isAsked)) return;
      seen.add(node.text);
      const values = valuesOf(node.text);
      for (const value of values) follow(value);
      if (values.length > 0 || hasTables || !bindings.declared.has(node.text)) return;
      hasTables = true;
      for (const table of tablesOf(facts)) follow(table);
    });
  };
  for (const arg of args) follow(arg);
  return texts.join('\n');
}

/**
 * A call whose function is imported from elsewhere than a test library, or comes of what is. What a function of the file is given
 * does not change with the code: calls of code that stand in there are seen there.
 */
export function isCallOfCode(node: ts.Node, { bindings }: FileFacts): boolean {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const root = rootIdentifier(node)?.text;
  // What starts at something written down is none; calls of code within are seen for themselves.
  if (root === undefined) return false;
  const imported = bindings.imports.get(root);
  if (imported !== undefined) return !isTestLibrary(imported.module) && !isBuiltin(imported.module);
  const isOwn = [
    ...(bindings.declared.get(root) ?? []),
    ...(bindings.values.get(root) ?? []).map(unwrap),
  ].some((each) => ts.isFunctionLike(each));
  return bindings.declared.has(root) && !isOwn && chainOf(node, bindings)?.root === root;
}

/** Is the node part of something inside of `limit` for which this holds? */
function isWithin(node: ts.Node, limit: ts.Node, holds: (node: ts.Node) => boolean): boolean {
  for (let up = node; ; up = up.parent) {
    if (holds(up)) return true;
    if (up === limit) return false;
  }
}

/** What parameters of tests and names of loops stand for. */
function tablesOf({ source, tree }: FileFacts): readonly ts.Expression[] {
  const tables = tree.definitions.flatMap(({ tables: own }) => own);
  visitNodes(source, (node) => {
    if (ts.isForOfStatement(node)) tables.push(node.expression);
    else if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'forEach'
    )
      tables.push(node.expression.expression);
  });
  return tables;
}
