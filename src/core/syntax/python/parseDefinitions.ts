// Finds definitions in Python text by its syntax tree, which stands errors, and says where the first error is.
import type { SyntaxNode, Tree } from '@lezer/common';
import { basesIn, emptyScope, markNames, type Definition, type Scope } from './definitions.ts';
import { parseTree } from './parsePython.ts';

export interface ParsedDefinitions {
  readonly module: Scope;
  /** Offset of the first syntax error. */
  readonly errorAt?: number;
}

export function parseDefinitions(text: string): ParsedDefinitions {
  const tree = parseTree(text);
  const errorAt = firstError(tree);
  const definitions: Definition[] = [];
  const marks = new Map<string, string>();
  collect(tree.topNode, text, { definitions, marks }, false);
  return { module: { definitions, marks }, ...(errorAt === undefined ? {} : { errorAt }) };
}

function firstError(tree: Tree): number | undefined {
  let found: number | undefined;
  tree.iterate({
    enter: (node) => {
      if (found === undefined && node.type.isError) found = node.from;
      return found === undefined;
    },
  });
  return found;
}

interface OpenScope {
  readonly definitions: Definition[];
  readonly marks: Map<string, string>;
}

/** Statements in which others of the same scope stand. */
const compound =
  /^(?:Body|IfStatement|TryStatement|WithStatement|ForStatement|WhileStatement|MatchStatement|MatchBody|MatchClause|StatementGroup)$/;

function collect(parent: SyntaxNode, text: string, scope: OpenScope, conditional: boolean): void {
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    if (node.name === 'FunctionDefinition' || node.name === 'ClassDefinition') {
      add(node, node, text, scope, conditional);
    } else if (node.name === 'DecoratedStatement') {
      const inner = node.getChild('FunctionDefinition') ?? node.getChild('ClassDefinition');
      if (inner !== null) add(inner, node, text, scope, conditional);
    } else if (node.name === 'AssignStatement') addMark(node, text, scope);
    else if (compound.test(node.name))
      collect(node, text, scope, conditional || node.name !== 'StatementGroup');
  }
}

function add(
  node: SyntaxNode,
  whole: SyntaxNode,
  text: string,
  scope: OpenScope,
  conditional: boolean,
): void {
  const name = node.getChild('VariableName');
  if (name === null) return;
  const kind = node.name === 'ClassDefinition' ? 'class' : 'def';
  const decorators = whole === node ? [] : whole.getChildren('Decorator');
  const body: OpenScope = { definitions: [], marks: new Map() };
  const block = node.getChild('Body');
  if (kind === 'class' && block !== null) collect(block, text, body, false);
  const list = kind === 'class' ? node.getChild('ArgList') : null;
  scope.definitions.push({
    kind,
    name: text.slice(name.from, name.to),
    start: whole.from,
    end: codeEnd(node),
    decorators: decorators.map((one) => text.slice(one.from + 1, codeEnd(one)).trim()),
    bases: list === null ? [] : basesIn(text.slice(list.from, list.to)),
    conditional,
    body: kind === 'class' ? body : emptyScope,
  });
}

function addMark(node: SyntaxNode, text: string, scope: OpenScope): void {
  const target = node.firstChild;
  const name = target === null ? '' : text.slice(target.from, target.to);
  if (!markNames.has(name)) return;
  const sign = node.getChild('AssignOp');
  if (sign !== null) scope.marks.set(name, text.slice(sign.to, codeEnd(node)).trim());
}

/** End of the last thing in the node that is no comment and no mere end of a line. */
function codeEnd(node: SyntaxNode): number {
  if (!/Statement|StatementGroup|Definition|Body|Clause|Decorator/.test(node.name)) return node.to;
  for (let last = node.lastChild; last !== null; last = last.prevSibling) {
    if (last.name === 'Comment' || last.from === last.to) continue;
    const end = codeEnd(last);
    if (end > last.from) return end;
  }
  return node.firstChild === null ? node.to : node.from;
}
