// The words of a piece of Python without its layout, told apart by what they name: what is compared when a name was changed.
import type { SyntaxNode } from '@lezer/common';
import { visitPython, type PythonSource } from './parsePython.ts';

export interface Token {
  readonly text: string;
  /** variable: a name by itself · member: after a dot, and what a definition is called · keyword: `name=` of a call · text: a text that is a name. */
  readonly kind: 'variable' | 'member' | 'keyword' | 'text' | 'other';
}

/** Comments and what documents a definition are left out; `own`: what the definition is called, a member as well. */
export function tokensOf(node: SyntaxNode, source: PythonSource, own?: string): readonly Token[] {
  const found: Token[] = [];
  visitPython(node, (inner) => {
    if (inner.name === 'Comment' || isDocumentation(inner)) return false;
    if (inner.name === 'FormatString') {
      found.push(...tokensOfText(inner, source));
      return false;
    }
    if (inner.firstChild !== null) return true;
    const text = source.textOf(inner);
    found.push({ text, kind: text === own && isDefined(inner, node) ? 'member' : kindOf(inner, text) });
    return false;
  });
  return found;
}

/** The name after `def`, in `@name.setter`, or before the `=` of a field. */
function isDefined({ name, parent, from }: SyntaxNode, whole: SyntaxNode): boolean {
  if (name !== 'VariableName' || parent === null) return false;
  const isField = parent.name === 'AssignStatement' && from === whole.from;
  return isField || /^(?:FunctionDefinition|Decorator)$/.test(parent.name);
}

function kindOf({ name, parent, nextSibling, prevSibling }: SyntaxNode, text: string): Token['kind'] {
  if (name === 'PropertyName') return 'member';
  if (name === 'String') return saidName(text) === undefined ? 'other' : 'text';
  if (name !== 'VariableName') return 'other';
  // Of `@a.b`, both are names of this kind.
  if (prevSibling?.name === '.') return 'member';
  return parent?.name === 'ArgList' && nextSibling?.name === 'AssignOp' ? 'keyword' : 'variable';
}

/** The fixed parts of a text, and what is put in between. */
function tokensOfText(node: SyntaxNode, source: PythonSource): readonly Token[] {
  const found: Token[] = [];
  let at = node.from;
  const fixed = (to: number): void => void found.push({ text: source.text.slice(at, to), kind: 'other' });
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    fixed(child.from);
    found.push(...tokensOf(child, source));
    at = child.to;
  }
  fixed(node.to);
  return found;
}

/** A text that is a statement by itself, which says nothing to Python. */
export function isDocumentation(node: SyntaxNode): boolean {
  return (
    node.name === 'ExpressionStatement' &&
    node.firstChild?.nextSibling === null &&
    /^(?:String|ContinuedString)$/.test(node.firstChild?.name ?? '')
  );
}

/** New names by old ones; of kinds that are not given none is new. */
export type NewNames = Readonly<Partial<Record<Token['kind'], ReadonlyMap<string, string>>>>;

/** One text for all tokens, with the new names in the places of the old ones. */
export function written(tokens: readonly Token[], names: NewNames = {}): string {
  return tokens
    .map(({ text, kind }) => {
      if (kind !== 'text') return names[kind]?.get(text) ?? text;
      const said = saidName(text) ?? '';
      return text.replace(said, names.text?.get(said) ?? said);
    })
    .join(' ');
}

/** `total` of `"total"` */
const saidName = (text: string): string | undefined => /^(['"])([A-Za-z_]\w*)\1$/.exec(text)?.[2];
