// What the rules that name a forbidden change look at in one version of a Python test file.
import type { SyntaxNode } from '@lezer/common';
import {
  argumentsOf,
  childrenOf,
  elementsOf,
  unwrapPython,
  visitPython,
  type PythonSource,
} from '../../syntax/python/parsePython.ts';

export interface PythonFacts {
  readonly source: PythonSource;
  readonly functions: readonly FunctionFacts[];
  readonly classes: readonly string[];
  /** `module.name` by the name that it has here. */
  readonly imports: ReadonlyMap<string, string>;
  readonly comments: readonly Place[];
}

export interface Place {
  readonly text: string;
  readonly line: number;
}

export interface FunctionFacts {
  /** `TestCart.test_total`, `outer.inner`. */
  readonly name: string;
  readonly isTest: boolean;
  readonly line: number;
  readonly decorators: readonly Place[];
  readonly parameters: string;
  readonly assertions: readonly AssertionFacts[];
  /** `pytest.raises(…)` and what `self.assertRaises(…)` is told. */
  readonly raises: readonly SyntaxNode[];
  readonly statements: readonly Place[];
  readonly assigned: ReadonlyMap<string, readonly SyntaxNode[]>;
  /** Rows of its tables, and everything else that they say. */
  readonly tables: readonly { readonly rows: number; readonly rest: string; readonly line: number }[];
}

export interface AssertionFacts {
  readonly node: SyntaxNode;
  readonly line: number;
  /** Without layout. */
  readonly text: string;
  readonly tested: SyntaxNode;
  /** What stands between it and the function: conditions, loops, `try`, … */
  readonly guards: readonly string[];
}

export function factsOf(source: PythonSource): PythonFacts {
  const functions: FunctionFacts[] = [];
  const classes: string[] = [];
  const imports = new Map<string, string>();
  const comments: Place[] = [];
  const walk = (node: SyntaxNode, prefix: string): void =>
    visitPython(node, (inner) => {
      if (inner.name === 'Comment')
        comments.push({ text: source.textOf(inner), line: source.lineOf(inner.from) });
      if (inner.name === 'ImportStatement') readImport(inner, source, imports);
      if (!/^(?:Function|Class)Definition$/.test(inner.name) || inner === node) return true;
      const name = inner.getChild('VariableName');
      const full = prefix + (name === null ? '' : source.textOf(name));
      if (inner.name === 'ClassDefinition') classes.push(full);
      else functions.push(functionFacts(inner, full, source));
      walk(inner, `${full}.`);
      return false;
    });
  walk(source.root, '');
  return { source, functions, classes, imports, comments };
}

/** Source without its layout. */
export function shapeOf(node: SyntaxNode, source: PythonSource): string {
  const words: string[] = [];
  visitPython(node, (inner) => {
    if (inner.name === 'Comment') return false;
    if (inner.name.endsWith('String') || inner.firstChild === null) {
      words.push(source.textOf(inner));
      return inner.name === 'ContinuedString';
    }
    return true;
  });
  return words.join(' ');
}

function functionFacts(node: SyntaxNode, name: string, source: PythonSource): FunctionFacts {
  const whole = node.parent?.name === 'DecoratedStatement' ? node.parent : node;
  const decorators = whole.getChildren('Decorator');
  const place = (inner: SyntaxNode): Place => ({
    text: shapeOf(inner, source),
    line: source.lineOf(inner.from),
  });
  const assertions: AssertionFacts[] = [];
  const raises: SyntaxNode[] = [];
  const statements: Place[] = [];
  const assigned = new Map<string, SyntaxNode[]>();
  const body = node.getChild('Body') ?? node;
  visitPython(body, (inner) => {
    if (/^(?:Function|Class)Definition$/.test(inner.name)) {
      // What a function inside asserts belongs to the test around it, too: moved in there, it is guarded.
      visitPython(inner, (deep) => {
        if (deep.name === 'AssertStatement') assertions.push(assertionFacts(deep, node, source));
      });
      return false;
    }
    const [tested] = childrenOf(inner).slice(1);
    if (inner.name === 'AssertStatement' && tested !== undefined)
      assertions.push(assertionFacts(inner, node, source));
    const callee = inner.name === 'CallExpression' ? inner.firstChild : null;
    if (callee !== null && /(?:^|\.)(?:raises|assertRaises(?:Regex)?)$/.test(source.textOf(callee)))
      raises.push(inner);
    if (inner.name.endsWith('Statement') && inner.getChild('Body') === null) statements.push(place(inner));
    if (/^(?:Assign|Update)Statement$|^NamedExpression$/.test(inner.name)) {
      const target = inner.firstChild;
      const value = inner.lastChild;
      if (target !== null && value !== null)
        visitPython(target, (one) => {
          if (one.name !== 'VariableName') return;
          const key = source.textOf(one);
          assigned.set(key, [...(assigned.get(key) ?? []), value]);
        });
    }
    return true;
  });
  const parameters = node.getChild('ParamList');
  return {
    name,
    isTest: /(?:^|\.)test\w*$/.test(name),
    line: source.lineOf(node.from),
    decorators: decorators.map(place),
    parameters: parameters === null ? '' : shapeOf(parameters, source),
    assertions,
    raises,
    statements,
    assigned,
    tables: decorators.flatMap((decorator) => tableFacts(decorator, source)),
  };
}

function assertionFacts(node: SyntaxNode, owner: SyntaxNode, source: PythonSource): AssertionFacts {
  const [, tested = node] = childrenOf(node);
  return {
    node,
    line: source.lineOf(node.from),
    text: shapeOf(node, source),
    tested: unwrapPython(tested),
    guards: guardsOf(node, owner, source),
  };
}

/** Conditions, loops, error handling and functions around it, and what ends the test before it. */
function guardsOf(node: SyntaxNode, owner: SyntaxNode, source: PythonSource): readonly string[] {
  const guards: string[] = [];
  for (let inner = node; inner.from !== owner.from || inner.name !== owner.name;) {
    for (let before = inner.prevSibling; before !== null; before = before.prevSibling)
      if (/^(?:Return|Raise|Break|Continue)Statement$/.test(before.name)) guards.push('unreachable');
      else if (/^except$/.test(before.name) && inner.name === 'Body') guards.push('except');
      else if (before.name === 'IfStatement' && /\breturn\b/.test(source.textOf(before)))
        guards.push('return before');
    const { parent } = inner;
    if (parent === null) break;
    if (
      /^(?:If|For|While|Try|Match|With)Statement$|^(?:Function|Class)Definition$|^(?:Lambda|Conditional)Expression$/.test(
        parent.name,
      )
    )
      if (parent.from !== owner.from || parent.name !== owner.name)
        guards.push(parent.name === 'WithStatement' ? withGuard(parent, source) : parent.name);
    inner = parent;
  }
  return guards.filter((guard) => guard !== '');
}

function withGuard(node: SyntaxNode, source: PythonSource): string {
  const head = source.text.slice(node.from, node.getChild('Body')?.from ?? node.to);
  return /raises|suppress|assertRaises|warns|catch|ignor/i.test(head) ? 'with that swallows' : '';
}

function tableFacts(decorator: SyntaxNode, source: PythonSource): FunctionFacts['tables'] {
  if (!/parametrize/.test(source.textOf(decorator))) return [];
  const [names, rows, ...rest] = argumentsOf(decorator.getChild('ArgList'), source);
  const line = source.lineOf(decorator.from);
  const elements = rows === undefined ? undefined : elementsOf(rows.value);
  const said = [names, ...rest].map((one) => (one ? `${one.name ?? ''}=${shapeOf(one.value, source)}` : ''));
  const marks =
    (rows === undefined ? '' : shapeOf(rows.value, source)).match(
      /\b(?:id|marks) = (?:"[^"]*"|'[^']*'|[\w.]+)/g,
    ) ?? [];
  return [{ rows: elements?.length ?? 0, rest: [...said, ...marks].join(';'), line }];
}

function readImport(node: SyntaxNode, source: PythonSource, imports: Map<string, string>): void {
  const text = source
    .textOf(node)
    .replaceAll(/#.*/g, '')
    .replaceAll(/[()\\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const from = /^from (\.*\s?[\w.]*) import (.*)$/.exec(text);
  const list = from ? (from[2] ?? '') : text.replace(/^import /, '');
  const module = from ? `${(from[1] ?? '').replaceAll(' ', '')}:` : '';
  for (const item of list.split(',')) {
    const [name = '', alias] = item.trim().split(/ as /);
    if (name !== '') imports.set(alias ?? name, module + name);
  }
}
