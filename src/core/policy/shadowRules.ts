// What an assertion looks at keeps its meaning: no declaration in an inner block takes a name from what stood behind it.
import ts from 'typescript';
import type { FileFacts } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { lineOf } from './parseSource.ts';
import { countBefore } from './stepRules.ts';
import { reachOf } from './valueFacts.ts';

/** `const r = total(x); { const r = 12; expect(r).toBe(12); }`: also a parameter, also for names behind what is looked at. */
export const shadowRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const hiding = hidingDeclarations(facts);
  if (hiding.length === 0) return;
  const places = mentions(facts, new Set(hiding.map(({ name }) => name)));
  for (const { name, node, scope } of hiding) {
    if (!isAnyWithin(places.get(name) ?? [], scope)) continue;
    const text = `In this place, ${name} refers to something other than in the surrounding test.`;
    yield { rule: 'replaced-value', owner: facts.tree.ownerOf(node), key: name, line: lineOf(node), text };
  }
});

interface Declaration {
  readonly name: string;
  readonly node: ts.Node;
  readonly scope: ts.Node;
}

/** Declarations within the scope of another one of the same name; the scope of an import is the file. */
function hidingDeclarations({ bindings, source }: FileFacts): readonly Declaration[] {
  return [...bindings.declared].flatMap(([name, nodes]) => {
    if (nodes.length < 2 && !bindings.imports.has(name)) return [];
    const own = nodes.map((node): Declaration => ({ name, node, scope: scopeOf(node) }));
    const scopes = new Set(own.map(({ scope }) => scope));
    if (bindings.imports.has(name)) scopes.add(source);
    return own.filter(({ scope }) => isInsideOf(scope, scopes));
  });
}

function isInsideOf(scope: ts.Node, scopes: ReadonlySet<ts.Node>): boolean {
  for (let up = scope.parent; up !== undefined; up = up.parent) if (scopes.has(up)) return true;
  return false;
}

function scopeOf(declared: ts.Node): ts.Node {
  let up = declared.parent;
  while (!ts.isSourceFile(up) && !opensScope(up)) up = up.parent;
  return up;
}

const opensScope = (node: ts.Node): boolean =>
  ts.isFunctionLike(node) ||
  ts.isBlock(node) ||
  ts.isCaseBlock(node) ||
  ts.isCatchClause(node) ||
  ts.isModuleBlock(node) ||
  ts.isClassStaticBlockDeclaration(node) ||
  ts.isForStatement(node) ||
  ts.isForOfStatement(node) ||
  ts.isForInStatement(node);

/** Where assertions are that look at one of these names, directly or through others: ascending, by name. */
function mentions(facts: FileFacts, wanted: ReadonlySet<string>): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const { owner, subject, args, node } of facts.assertions) {
    const found = new Set<string>();
    for (const expression of subject === undefined ? args : [subject, ...args])
      for (const name of reachOf(expression, facts.bindings, facts.valuesFor(owner)).names)
        if (wanted.has(name)) found.add(name);
    for (const name of found) {
      const known = places.get(name);
      if (known === undefined) places.set(name, [node.pos]);
      else known.push(node.pos);
    }
  }
  return places;
}

function isAnyWithin(places: readonly number[], { pos, end }: ts.Node): boolean {
  const first = places[countBefore(places, pos)];
  return first !== undefined && first < end;
}
