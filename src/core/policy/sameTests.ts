// Which tests of two versions are the same under another title, and which do the same with other names for their variables.
import ts from 'typescript';
import { applyChanges } from '../model/edit.ts';
import type { TextChange } from '../model/fileEdit.ts';
import { bindingOf } from '../syntax/javascript/declarations.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import type { FileFacts } from './fileFacts.ts';
import { shapeOf } from './parseSource.ts';
import type { TestDefinition } from './testTree.ts';

/** The older text with the titles that tests and suites have now whose bodies are the same. */
export function retitled(was: FileFacts, is: FileFacts): string {
  const keysOf = ({ tree }: FileFacts): ReadonlySet<string> =>
    new Set(tree.definitions.map(({ key }) => key));
  const [then, now] = [keysOf(was), keysOf(is)];
  const open = is.tree.definitions.filter(({ key, kind }) => kind !== 'hook' && !then.has(key));
  const changes: TextChange[] = [];
  for (const old of was.tree.definitions) {
    if (old.kind === 'hook' || now.has(old.key)) continue;
    const index = open.findIndex((one) => bodyOf(one) === bodyOf(old));
    const [found] = index < 0 ? [] : open.splice(index, 1);
    const [from, to] = [old.node.arguments[0], found?.node.arguments[0]];
    if (from === undefined || to === undefined) continue;
    if (![from, to].every((title) => ts.isStringLiteralLike(title))) continue;
    changes.push({ start: from.getStart(), end: from.end, newText: to.getText() });
  }
  return applyChanges(changes, was.text);
}

/** All of a definition but its title. */
function bodyOf({ node }: TestDefinition): string {
  return [node.expression, ...node.arguments.slice(1)].map((part) => shapeOf(part)).join('\n');
}

/** The older text with the names that variables of tests and hooks have now. */
export function withLocalNames(was: FileFacts, is: FileFacts): string {
  const now = new Map(is.tree.definitions.map((definition) => [definition.key, definition]));
  const changes = was.tree.definitions.flatMap(({ key, kind, callback }) => {
    const other = now.get(key)?.callback;
    return kind === 'suite' || callback === undefined || other === undefined ? [] : renamed(callback, other);
  });
  return applyChanges(changes, was.text);
}

function renamed(old: ts.Node, now: ts.Node): readonly TextChange[] {
  if (shapeOf(old) === shapeOf(now) || shapeOf(old, { anyName: true }) !== shapeOf(now, { anyName: true }))
    return [];
  const [names, others] = [identifiersOf(old), identifiersOf(now)];
  const used = new Set(names.map(({ text }) => text));
  const forward = new Map<string, string>();
  const changes: TextChange[] = [];
  for (const [index, name] of names.entries()) {
    const other = others[index];
    if (other === undefined) return [];
    const known = forward.get(name.text);
    if (name.text === other.text && known === undefined) continue;
    if (known === undefined) {
      if (used.has(other.text) || [...forward.values()].includes(other.text)) return [];
      forward.set(name.text, other.text);
    } else if (known !== other.text && !isMember(name)) return [];
    if (isMember(name) && name.text === other.text) continue;
    if (isMember(name) || !isLocal(name, old) || !isLocal(other, now)) return [];
    changes.push({ start: name.getStart(), end: name.end, newText: other.text });
  }
  return changes;
}

/** In the order in which `shapeOf` meets them. */
function identifiersOf(node: ts.Node): readonly ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (given: ts.Node): void => {
    const inner = unwrap(given);
    if (ts.isIdentifier(inner)) found.push(inner);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

/** Not the name of a variable, or also that of a key. */
export function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent) || ts.isBindingElement(parent)) return true;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (
    'name' in parent && parent.name === node && !ts.isVariableDeclaration(parent) && !ts.isParameter(parent)
  );
}

function isLocal(name: ts.Identifier, within: ts.Node): boolean {
  const declared = bindingOf(name)?.name ?? (ts.isVariableDeclaration(name.parent) ? name : undefined);
  let found = false;
  visitNodes(within, (node) => {
    found ||= node === declared;
  });
  return found;
}
