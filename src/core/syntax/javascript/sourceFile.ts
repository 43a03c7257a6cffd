// Parses one JavaScript, TypeScript or JSON text as TypeScript does, and refuses what nests too deeply to be walked.
import ts from 'typescript';
import { deepest, tooDeep, withinDepth } from '../nesting.ts';

const nodesOfSources = new WeakMap<ts.SourceFile, readonly ts.Node[]>();

/** Broken code gives a tree as far as TypeScript can read it, with parents. Throws a `bad-input` HumanError for one that is too deep. */
export function parseSourceFile(file: string, text: string, kind: ts.ScriptKind): ts.SourceFile {
  const source = withinDepth(file, () =>
    file.endsWith('.json')
      ? ts.parseJsonText(file, text)
      : ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind),
  );
  nodesOfSources.set(source, listNodes(source, file));
  return source;
}

/** All nodes of a file, parents first: many look at all of them, and a list is gone through many times as fast as a tree. */
export function nodesOf(source: ts.SourceFile): readonly ts.Node[] {
  const known = nodesOfSources.get(source) ?? listNodes(source, source.fileName);
  nodesOfSources.set(source, known);
  return known;
}

/** Without a call of itself for each level; gives children their parents. */
function listNodes(source: ts.SourceFile, file: string): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const levels: ts.Node[][] = [[source]];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const node = level.pop();
    if (node === undefined) {
      levels.pop();
      continue;
    }
    nodes.push(node);
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => {
      if (child.parent !== node) Object.assign(child, { parent: node });
      children.push(child);
    });
    if (children.length === 0) continue;
    if (levels.push(children.reverse()) > deepest) throw tooDeep(file);
  }
  return nodes;
}
