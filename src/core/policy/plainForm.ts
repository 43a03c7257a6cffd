// The same change of a test file in plain words: without new names, helpers, titles and places for what the tests do as before.
import ts from 'typescript';
import { applyChanges } from '../model/edit.ts';
import type { TextChange } from '../model/fileEdit.ts';
import { factsOf, type FileChange, type FileFacts } from './fileFacts.ts';
import { namesIn, withoutHelpers, withoutVariables } from './inlining.ts';
import { syntaxError } from './parseSource.ts';
import { retitled, withLocalNames } from './sameTests.ts';

/** Helpers may call helpers, and variables hold variables, so deep. */
const mostPasses = 12;

interface PlainForm extends FileChange {
  /** Tests run in another order than before. */
  readonly isReordered: boolean;
}

/**
 * Both versions with everything written where it is used, suites that only hold tests left out, and tests in one order. What still
 * differs is what the change means. Undefined where that cannot be made.
 */
export function plainForm(change: FileChange): PlainForm | undefined {
  const { file, before, after } = change;
  if (before === undefined || after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return undefined;
  // These ask for the title.
  if (namedByTitle.test(before) || namedByTitle.test(after)) return undefined;
  const facts = [before, after].map((text) => factsOf(file, text));
  if (facts.some(({ source }) => syntaxError(source) !== undefined)) return undefined;
  const flat = facts.map((one) => withoutSuites(one));
  const names = flat.map((text) => namesIn(factsOf(file, text).source));
  const [was, is] = flat.map((text, index) => writtenOut(file, text, names[1 - index] ?? new Set()));
  if (was === undefined || is === undefined) return undefined;
  const known = retitled(factsOf(file, was), factsOf(file, is));
  const named = withLocalNames(factsOf(file, known), factsOf(file, is));
  const sides = [named, is].map((text) => factsOf(file, text));
  const [old, now] = sides.map((one) => inOrder(one));
  const [then = [], today = []] = sides.map(({ tree }) => tree.definitions.map(({ key }) => key));
  const stayed = today.filter((key) => then.includes(key));
  const isReordered = then.filter((key) => today.includes(key)).some((key, index) => key !== stayed[index]);
  return { file, before: old, after: now, isReordered };
}

const namedByTitle =
  /\b(?:toMatch(?:File|Aria)?Snapshot|matchSnapshot|toThrowErrorMatchingSnapshot|toHaveScreenshot|currentTestName|snapshot)\b|\btask\.name\b|\bfullName\b/;

function writtenOut(file: string, text: string, others: ReadonlySet<string>): string | undefined {
  let written = text;
  for (let pass = 0; pass < mostPasses; pass++) {
    const { source, tree } = factsOf(file, written);
    const changes = withoutHelpers(source, others);
    const more = changes.length > 0 ? changes : withoutVariables(source, tree);
    if (more.length === 0) return written;
    written = applyChanges(more, written);
    if (syntaxError(factsOf(file, written).source) !== undefined) return undefined;
  }
  return undefined;
}

/** Without suites that hold nothing but tests and other suites: `describe('a', () => { … })`. */
function withoutSuites(facts: FileFacts): string {
  const cuts: TextChange[] = [];
  for (const { kind, node, callback, title } of facts.tree.definitions) {
    const body = callback?.body;
    const isPlain =
      kind === 'suite' &&
      /^(?:describe|suite|context)$/.test(node.expression.getText()) &&
      node.arguments.length === 2 &&
      node.arguments[0] !== undefined &&
      ts.isStringLiteralLike(node.arguments[0]) &&
      title !== '' &&
      callback?.parameters.length === 0 &&
      callback.modifiers === undefined &&
      ts.isExpressionStatement(node.parent) &&
      isList(node.parent.parent, facts);
    if (!isPlain || body === undefined || !ts.isBlock(body)) continue;
    if (!body.statements.every((statement) => isDefinition(statement, facts))) continue;
    cuts.push(
      { start: node.parent.getStart(), end: body.statements.pos, newText: '' },
      { start: body.statements.end, end: node.parent.end, newText: '' },
    );
  }
  return applyChanges(cuts, facts.text);
}

/** Tests that stand one behind the other, by their titles. */
function inOrder(facts: FileFacts): string {
  const { source, tree, text } = facts;
  const changes: TextChange[] = [];
  const suites = tree.definitions.flatMap(({ kind, callback }) =>
    kind === 'suite' && callback !== undefined && ts.isBlock(callback.body) ? [callback.body] : [],
  );
  // What is within a suite is put in order by itself: only lists that hold no other one.
  const isInner = (list: ts.Node): boolean =>
    !suites.some((one) => one !== list && list.pos <= one.pos && one.end <= list.end);
  for (const list of [source, ...suites].filter(isInner))
    for (const run of runsOf(list.statements, facts)) {
      const [first, last] = [run[0], run.at(-1)];
      if (first === undefined || last === undefined) continue;
      const texts = run.map((statement) => statement.getFullText());
      const keys = new Map(run.map((statement, index) => [texts[index], keyOf(statement, facts)]));
      const sorted = texts.toSorted((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1));
      changes.push({ start: first.pos, end: last.end, newText: sorted.join('') });
    }
  return applyChanges(changes, text);
}

function runsOf(statements: readonly ts.Statement[], facts: FileFacts): readonly (readonly ts.Statement[])[] {
  const runs: ts.Statement[][] = [[]];
  for (const statement of statements)
    if (isDefinition(statement, facts)) runs.at(-1)?.push(statement);
    else runs.push([]);
  return runs.filter(({ length }) => length > 1);
}

const keyOf = (statement: ts.Statement, { tree }: FileFacts): string =>
  ts.isExpressionStatement(statement) ? (tree.definitionAt(statement.expression)?.title ?? '') : '';

function isDefinition(statement: ts.Statement, { tree }: FileFacts): boolean {
  if (!ts.isExpressionStatement(statement)) return false;
  const kind = tree.definitionAt(statement.expression)?.kind;
  return kind === 'test' || kind === 'suite';
}

/** The file, or the body of a suite. */
const isList = (node: ts.Node, { tree }: FileFacts): boolean =>
  ts.isSourceFile(node) || (ts.isBlock(node) && tree.isBody(node.parent));
