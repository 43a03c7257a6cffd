// Lets the tests of a file be run as often as there are planted bugs to try: their calls, and those of hooks, go through strengthHost.cjs.
import ts from 'typescript';
import { applyChanges } from '../model/edit.ts';
import type { TextChange } from '../model/fileEdit.ts';
import { testApiOf } from '../frameworks/testApiOf.ts';
import { scriptVocabulary } from '../frameworks/vocabularies.ts';
import {
  lineOf,
  parseTree,
  startOf,
  textOf,
  visitNodes,
  type SourceTree,
} from '../syntax/javascript/sourceTree.ts';

/** A call that makes tests: one test, or all that a table or a loop makes of it. */
export interface TestSite {
  /** Of its own among all sites of one copy. */
  readonly id: number;
  /** Relative to the root, POSIX separators. */
  readonly file: string;
  readonly line: number;
  /** As it is written; titles in a table keep their placeholders. */
  readonly title: string;
  /** Titles of the suites around it, the outermost first, as they are written. */
  readonly suites: readonly string[];
  /** The whole call. */
  readonly text: string;
}

interface RepeatedFile {
  readonly text: string;
  readonly sites: readonly TestSite[];
  /** What of the file is in no site and loads no module. */
  readonly rest: string;
}

/** Throws a `bad-input` HumanError for a text that is nested too deeply. */
export function repeatTests(file: string, text: string, switchName: string, firstId: number): RepeatedFile {
  const tree = parseTree(file, text);
  const resolver = testApiOf(tree.ast);
  const object = `${/\.[cm]?tsx?$/.test(file) ? '(globalThis as any)' : 'globalThis'}.${switchName}`;
  const changes: TextChange[] = [];
  const sites: TestSite[] = [];
  const wrap = ({ expression }: ts.CallExpression, call: string, more = ''): void => {
    const start = startOf(tree, expression);
    // A member is asked of its object, as it was.
    const isMember = ts.isPropertyAccessExpression(expression);
    const any = object.startsWith('(') ? ': any[]' : '';
    const before = isMember ? `${call}(...given${any}) => ` : call;
    changes.push(
      { start, end: start, newText: before },
      { start: expression.end, end: expression.end, newText: `${isMember ? '(...given)' : ''}${more})` },
    );
  };
  const bodies = new Set<ts.Node>();
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node)) return;
    const hook = resolver.hookOf(node);
    const phase = hook === undefined ? undefined : scriptVocabulary.hooks.get(hook);
    if (phase === 'beforeEach' || phase === 'afterEach') return wrap(node, `${object}.hook(`);
    const api = resolver.declaredBy(node);
    if (api?.role !== 'test' || isWithin(node, bodies)) return;
    bodies.add(node);
    const id = firstId + sites.length;
    const [title] = node.arguments;
    sites.push({
      id,
      file,
      line: lineOf(tree, node),
      title: title === undefined ? '' : titleText(title, tree),
      suites: suitesAround(node, tree),
      text: textOf(tree, node),
    });
    wrap(node, `${object}.test(${id}, `, api.each ? ', true' : '');
  });
  return { text: applyChanges(changes, text), sites, rest: textWithout(bodies, tree) };
}

function textWithout(calls: ReadonlySet<ts.Node>, tree: SourceTree): string {
  const imports = tree.ast.statements.filter((one) => ts.isImportDeclaration(one));
  const whole = [...calls].map((node) => (ts.isExpressionStatement(node.parent) ? node.parent : node));
  const cuts = [...whole, ...imports].map((node) => ({ start: node.pos, end: node.end, newText: '' }));
  return applyChanges(cuts, tree.text).replace(/\s+/g, ' ');
}

/** A test in the body of another one is part of that. */
function isWithin(node: ts.Node, calls: ReadonlySet<ts.Node>): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) if (calls.has(at)) return true;
  return false;
}

function suitesAround(node: ts.Node, tree: SourceTree): readonly string[] {
  const titles: string[] = [];
  const resolver = testApiOf(tree.ast);
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (!ts.isCallExpression(at) || resolver.declaredBy(at)?.role !== 'suite') continue;
    const [title] = at.arguments;
    if (title !== undefined) titles.unshift(titleText(title, tree));
  }
  return titles;
}

const titleText = (title: ts.Expression, tree: SourceTree): string =>
  ts.isStringLiteralLike(title) ? title.text : textOf(tree, title);
