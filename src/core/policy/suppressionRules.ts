// No new comment that silences a tool, and no new type that silences the compiler.
import ts from 'typescript';
import type { FileFacts } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf } from './parseSource.ts';

const silencing =
  /@ts-(?:ignore|expect-error|nocheck)|\b(?:eslint|oxlint|tslint|biome|stylelint|deno-lint)-(?:disable|ignore)[\w-]*|\bbiome-ignore[\w-]*|\b(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)|\bprettier-ignore\b|\$FlowFixMe/g;

export const suppressionRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  yield* comments(facts);
  yield* looseTypes(facts);
});

function comments(facts: FileFacts): readonly Mark[] {
  const marks: Mark[] = [];
  // Most files hold no such word anywhere, and their tokens need not be looked at.
  if (facts.text.search(silencing) < 0) return marks;
  for (const [comment, start, node] of commentsOf(facts)) {
    for (const [found] of comment.matchAll(silencing)) {
      const line = facts.source.getLineAndCharacterOfPosition(start).line + 1;
      const key = found.replace(/\s+/g, ' ');
      const text = `The comment ${key} silences a tool.`;
      marks.push({ rule: 'suppression', owner: facts.tree.ownerOf(node), key, line, text });
    }
  }
  return marks;
}

/** Text between tokens is white space and comments only; yields it with its start and the token after it. */
function commentsOf({ source, text }: FileFacts): readonly (readonly [string, number, ts.Node])[] {
  const found: [string, number, ts.Node][] = [];
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    if (children.length > 0) return children.forEach(visit);
    const start = node.getStart(source);
    if (node.kind !== ts.SyntaxKind.JsxText && start > node.pos) {
      const gap = text.slice(node.pos, start);
      if (gap.trim() !== '') found.push([gap, node.pos + gap.search(/\S/), node]);
    }
  };
  visit(source);
  return found;
}

function looseTypes({ source, tree }: FileFacts): readonly Mark[] {
  const marks: Mark[] = [];
  const add = (node: ts.Node, key: string): void => {
    const text = `${key} hides compiler errors.`;
    marks.push({ rule: 'loose-type', owner: tree.ownerOf(node), key, line: lineOf(node), text });
  };
  visitNodes(source, (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) add(node, 'any');
    else if (ts.isNonNullExpression(node)) add(node, 'non-null `!`');
    else if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) {
      if (node.type.kind === ts.SyntaxKind.UnknownKeyword) add(node, 'as unknown');
      if (node.type.kind === ts.SyntaxKind.NeverKeyword) add(node, 'as never');
    } else if (isDefinite(node)) add(node, 'definite `!`');
  });
  return marks;
}

function isDefinite(node: ts.Node): boolean {
  return (
    (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) && node.exclamationToken !== undefined
  );
}
