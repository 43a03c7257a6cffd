// Tests that passed before need no other expectation and no waiting; and what comes before them must not settle what they are about.
import path from 'node:path';
import ts from 'typescript';
import { readSourceChanges } from '../diagnosis/sourceChanges.ts';
import { becameAsync } from '../fixes/awaiting/becameAsync.ts';
import { isFileId } from '../model/testId.ts';
import { fullName } from '../model/testName.ts';
import type { TestResult } from '../model/testResult.ts';
import { createImportGraph } from '../modules/importGraph.ts';
import { sidesOf, type FileChange, type FileFacts } from '../policy/fileFacts.ts';
import { lineOf, shapeOf } from '../policy/parseSource.ts';
import { moduleState } from '../syntax/javascript/moduleState.ts';
import { parseTree, unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';

type ChangedFile = FileChange & { readonly from?: string };

type Definition = FileFacts['tree']['definitions'][number];

interface Known {
  /** The folder that the files are relative to, absolute. */
  readonly root: string;
  /** What the tests did without the change, by id. */
  readonly baseline: ReadonlyMap<string, TestResult>;
  /** Where the tests would expect something else. */
  readonly expectations: readonly { readonly file: string; readonly line: number }[];
  /** Evidence is to allow more keys or arguments: that is for tests that fail. */
  readonly givesMore: boolean;
  /** Files whose tests run in another order. */
  readonly reordered: ReadonlySet<string>;
  readonly isTestFile: (file: string) => boolean;
  readonly readText: (file: string) => Promise<string | undefined>;
  readonly signal: AbortSignal;
}

/** Why a pass proves nothing about tests that passed without the change too; undefined where it leaves them as strong as they were. */
export async function whyNeedless(files: readonly ChangedFile[], known: Known): Promise<string | undefined> {
  for (const change of files) {
    if (change.before === undefined || change.after === undefined) continue;
    const reason = /\.[cm]?[jt]sx?$/.test(change.file)
      ? await whyScript(change, known)
      : whyAllGreen(change, known);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const formerValue = (title: string): string =>
  `"${title}" passed with the value that it expected before: it says less with another one that passes as well.`;

/** Of other languages the tests of a file are not told apart. */
function whyAllGreen(
  { file, from = file }: ChangedFile,
  { baseline, expectations }: Known,
): string | undefined {
  const own = [...baseline.values()].filter((test) => test.file === from);
  const first = own.find(({ outcome }) => outcome === 'passed');
  if (first === undefined || own.some(isRed) || !expectations.some((one) => one.file === file))
    return undefined;
  return formerValue(first.title);
}

async function whyScript(change: ChangedFile, known: Known): Promise<string | undefined> {
  const [was, is] = sidesOf(change);
  const { file, from = file } = change;
  const wasRed = redIn(from, is, known.baseline);
  const former = new Map(was.tree.definitions.map((definition) => [definition.key, definition]));
  const anyRed = is.tree.definitions.some((definition) => definition.kind === 'test' && wasRed(definition));
  for (const { line } of known.expectations.filter((one) => one.file === file)) {
    const at = is.tree.definitions.findLast(
      ({ kind, node }) => kind === 'test' && lineOf(node) <= line && line <= endLineOf(node),
    );
    if (at ? former.has(at.key) && !wasRed(at) : !anyRed) return formerValue(at?.title ?? file);
  }
  for (const now of is.tree.definitions) {
    const old = former.get(now.key);
    if (old === undefined || now.kind === 'suite') continue;
    const more = moreAwaited(old, now);
    if (now.kind === 'test' ? wasRed(now) : anyRed) {
      const sync = more.length > 0 ? await firstSync(more, known) : undefined;
      if (sync !== undefined)
        return `"${now.title}" gets an \`await\` for \`${sync}\`, which did not become asynchronous: it would no longer notice what happens too late.`;
      continue;
    }
    if (more.length > 0)
      return `"${now.title}" passed without the \`await\` that it gets: it no longer notices what happens too late.`;
    if (known.givesMore && shapeOf(now.node) !== shapeOf(old.node))
      return `"${now.title}" passed before: nobody can tell whether it still notices what is left out.`;
  }
  const early = known.reordered.has(file) ? 'The new order of tests' : settlesEarly(was, is);
  if (early === undefined) return undefined;
  const state = await stateOf(from, is, known);
  return (
    state &&
    `${early} may settle what the tests after it are about, because they share \`${state.name}\` in ${state.file}: put it after them.`
  );
}

/** Did this test fail before, or not run because its file did not load? A title that is computed stands for all that have no other. */
function redIn(
  file: string,
  { tree }: FileFacts,
  baseline: ReadonlyMap<string, TestResult>,
): (definition: Definition) => boolean {
  const own = [...baseline.values()].filter((test) => test.file === file);
  const written = new Set(tree.definitions.map(({ key }) => key));
  const red = own.filter(isRed);
  const names = new Set(red.map(fullName));
  const isFileRed = red.some(({ id }) => isFileId(id));
  const isOther = red.some((test) => !isFileId(test.id) && !written.has(fullName(test)));
  const isComputed = ({ node }: Definition): boolean => {
    const [title] = node.arguments;
    return title === undefined || !ts.isStringLiteralLike(title) || /[%$]/.test(title.text);
  };
  return (definition) => isFileRed || names.has(definition.key) || (isOther && isComputed(definition));
}

const isRed = ({ outcome }: TestResult): boolean => outcome === 'failed' || outcome === 'errored';

const endLineOf = (node: ts.Node): number =>
  node.getSourceFile().getLineAndCharacterOfPosition(node.end).line + 1;

/** What a test or hook waits for and did not wait for before: names of functions, or texts. */
function moreAwaited(old: Definition, now: Definition): readonly string[] {
  const [before, present] = [awaitedIn(old), awaitedIn(now)];
  // What has another name now is waited for as before.
  if (present.length <= before.length) return [];
  return present.filter((name) => {
    const at = before.indexOf(name);
    if (at >= 0) before.splice(at, 1);
    return at < 0;
  });
}

function awaitedIn({ node }: Definition): string[] {
  const names: string[] = [];
  visitNodes(node, (inner) => {
    if (ts.isForOfStatement(inner) && inner.awaitModifier) names.push(inner.expression.getText());
    if (!ts.isAwaitExpression(inner)) return;
    const what = unwrap(inner.expression);
    const callee = ts.isCallExpression(what) ? unwrap(what.expression) : what;
    names.push(ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText());
  });
  return names;
}

/** The first of these that no changed source made asynchronous. */
async function firstSync(
  names: readonly string[],
  { root, isTestFile, readText, signal }: Known,
): Promise<string | undefined> {
  const graph = createImportGraph({ root, signal });
  const since = await readSourceChanges({ root, isTestFile, graph, signal });
  const changes = since.files.length > 0 ? since : await since.sincePreviousCommit?.();
  const became = new Set<string>();
  for (const { file, from = file } of changes?.files ?? []) {
    const [before, now] = [await changes?.baseText(from), await readText(file)];
    if (before === undefined || now === undefined || !/\.[cm]?[jt]sx?$/.test(file)) continue;
    for (const { name } of becameAsync(parseTree(file, before), parseTree(file, now))) became.add(name);
  }
  return names.find((name) => !became.has(name));
}

/** What is done before tests that were there, and was not before: an added test, a test in another place, one more assertion. */
function settlesEarly(was: FileFacts, is: FileFacts): string | undefined {
  const [then, now] = [was, is].map(({ tree }) => tree.definitions.filter(({ kind }) => kind === 'test'));
  if (then === undefined || now === undefined) return undefined;
  const [old, fresh] = [new Set(then.map(({ key }) => key)), new Set(now.map(({ key }) => key))];
  const stayed = now.filter(({ key }) => old.has(key));
  const kept = then.filter(({ key }) => fresh.has(key));
  const moved = stayed.find(({ key }, index) => key !== kept[index]?.key);
  if (moved) return `"${moved.title}", which has another place,`;
  const suite = is.tree.definitions.find(
    (one) =>
      one.kind === 'suite' && !was.tree.definitions.some(({ key }) => key === one.key) && doesMore(one, is),
  );
  if (suite) return `The body of "${suite.title}"`;
  const last = stayed.at(-1);
  // A test with another title stands where it stood.
  if (now.length > then.length) {
    const added = now.find(
      (one) => !old.has(one.key) && last !== undefined && now.indexOf(one) < now.indexOf(last),
    );
    if (added) return `"${added.title}", which is added,`;
  }
  const asserted = ({ assertions }: FileFacts, { node }: Definition): number =>
    assertions.filter((one) => node.pos <= one.node.pos && one.node.end <= node.end).length;
  const more = stayed.find((one, index) => {
    const before = kept[index];
    return before !== undefined && asserted(is, one) > asserted(was, before);
  });
  return more && `What "${more.title}" asks besides`;
}

/** Does the body of this suite do something itself, before any test runs? */
function doesMore({ callback }: Definition, { tree }: FileFacts): boolean {
  if (callback === undefined || !ts.isBlock(callback.body)) return false;
  return callback.body.statements.some((statement) => {
    if (ts.isExpressionStatement(statement)) return tree.definitionAt(statement.expression) === undefined;
    return !ts.isFunctionDeclaration(statement) && /[(`]/.test(statement.getText());
  });
}

const endings = ['', '.js', '.ts', '.tsx', '.jsx', '/index.js', '/index.ts'];

/** What sources that the file runs, with the change or without, keep between calls. */
async function stateOf(
  file: string,
  is: FileFacts,
  { root, isTestFile, readText, signal }: Known,
): Promise<{ readonly file: string; readonly name: string } | undefined> {
  const graph = createImportGraph({ root, signal });
  const reached = new Set(await graph.reaches(file));
  for (const { module } of is.bindings.imports.values()) {
    if (!module.startsWith('.')) continue;
    const asked = path.posix.join(path.posix.dirname(is.file), module);
    for (const ending of endings) {
      const source = asked.replace(/\.js$/, '') + ending;
      if ((await readText(source)) !== undefined)
        for (const one of await graph.reaches(source)) reached.add(one);
    }
  }
  for (const source of reached) {
    if (isTestFile(source) || !/\.[cm]?[jt]sx?$/.test(source)) continue;
    const text = await readText(source);
    const name = text === undefined ? undefined : moduleState(source, text);
    if (name !== undefined) return { file: source, name };
  }
  return undefined;
}
