// What the classes and functions of a Python module offer to who uses them: members, parameters, and the keys of what they give.
import type { SyntaxNode } from '@lezer/common';
import { argumentsOf, childrenOf, unwrapPython, visitPython, type PythonSource } from './parsePython.ts';
import { readPythonLiteral } from './pythonLiteral.ts';
import { isTelling } from './tellingBody.ts';
import { tokensOf, type Token } from './tokens.ts';

export interface PythonMember {
  readonly name: string;
  /** field: written in the class itself · attribute: only given to `self` by its methods. */
  readonly kind: 'method' | 'field' | 'attribute';
  readonly tokens: readonly Token[];
  /** Its text says so much that another one with the same is no coincidence. */
  readonly tells: boolean;
  /** Among the members of its kind. */
  readonly index: number;
}

export interface Parameter {
  readonly name: string;
  /** Annotation and default. */
  readonly rest: readonly Token[];
}

export interface PythonFunction {
  /** Without `self` and `cls`. */
  readonly parameters: readonly Parameter[];
  /** It takes what it does not name: `**more`. */
  readonly isOpen: boolean;
  readonly isAsync: boolean;
  readonly decorators: string;
  readonly body: readonly Token[];
  /** Its text says so much that another one with the same is no coincidence. */
  readonly tells: boolean;
  /** The name after `->`, or of the class that each `return` makes something of; `Self` for what it was called on, or another one of its class. */
  readonly gives: string | undefined;
  /** Of `return {"key": value}`, where that is all that it returns. */
  readonly keys: ReadonlyMap<string, readonly Token[]> | undefined;
}

export interface PythonClass {
  /** As written; without keywords. */
  readonly bases: readonly string[];
  readonly members: ReadonlyMap<string, PythonMember>;
  readonly methods: ReadonlyMap<string, PythonFunction>;
  /** It may have members that are not written in it. */
  readonly isOpen: boolean;
}

export interface ModuleApi {
  readonly classes: ReadonlyMap<string, PythonClass>;
  readonly functions: ReadonlyMap<string, PythonFunction>;
}

/** Of what stands at the top of the module; a name that is defined twice is left out. */
export function moduleApiOf(source: PythonSource): ModuleApi {
  const classes = new Map<string, PythonClass>();
  const functions = new Map<string, PythonFunction>();
  const seen = new Set<string>();
  if (source.errorLine !== undefined) return { classes, functions };
  for (const whole of childrenOf(source.root)) {
    const { definition, name } = definitionIn(whole, source) ?? {};
    if (definition === undefined || name === undefined) continue;
    const isTwice = seen.has(name);
    seen.add(name);
    classes.delete(name);
    functions.delete(name);
    if (isTwice) continue;
    if (definition.name === 'ClassDefinition') classes.set(name, classOf(definition, source));
    else functions.set(name, functionOf(definition, source));
  }
  return { classes, functions };
}

interface Defined {
  readonly definition: SyntaxNode;
  readonly name: string;
}

export function definitionIn(whole: SyntaxNode, source: PythonSource): Defined | undefined {
  const definition =
    whole.name === 'DecoratedStatement'
      ? (whole.getChild('FunctionDefinition') ?? whole.getChild('ClassDefinition'))
      : whole;
  const name = definition?.getChild('VariableName');
  return definition && name && /^(?:Function|Class)Definition$/.test(definition.name)
    ? { definition, name: source.textOf(name) }
    : undefined;
}

function classOf(definition: SyntaxNode, source: PythonSource): PythonClass {
  const members = new Map<string, PythonMember>();
  const methods = new Map<string, PythonFunction>();
  const bases = argumentsOf(definition.getChild('ArgList'), source);
  let isOpen = bases.some(({ spread }) => spread);
  const body = definition.getChild('Body');
  const add = (name: string, kind: PythonMember['kind'], node: SyntaxNode, tells: boolean): void => {
    const known = members.get(name);
    const tokens = [...(known?.tokens ?? []), ...tokensOf(node, source, name)];
    const index = known?.index ?? [...members.values()].filter((one) => one.kind === kind).length;
    // A setter beside its property; a field that a method fills.
    if (known === undefined || known.kind === kind) members.set(name, { name, kind, tokens, tells, index });
  };
  const own: SyntaxNode[] = [];
  for (const whole of body === null ? [] : childrenOf(body)) {
    const { definition: inner, name } = definitionIn(whole, source) ?? {};
    if (inner?.name === 'FunctionDefinition' && name !== undefined) {
      add(name, 'method', whole, isTelling(inner));
      methods.set(name, functionOf(inner, source, true));
      own.push(inner);
    } else if (whole.name === 'AssignStatement' && whole.firstChild?.name === 'VariableName')
      add(source.textOf(whole.firstChild), 'field', whole, false);
    else if (!/^(?::|Expression|Pass)/.test(whole.name)) isOpen = true;
  }
  for (const method of own)
    for (const { name, statement } of givenToSelf(method, source)) add(name, 'attribute', statement, false);
  isOpen ||= ['__getattr__', '__getattribute__', '__setattr__'].some((name) => methods.has(name));
  return {
    bases: bases.flatMap(({ name, value }) => (name === undefined ? [source.textOf(value)] : [])),
    members,
    methods,
    isOpen,
  };
}

/** `self.name = …` in a method, under whatever name it has itself. */
function givenToSelf(
  method: SyntaxNode,
  source: PythonSource,
): readonly { readonly name: string; readonly statement: SyntaxNode }[] {
  const found: { name: string; statement: SyntaxNode }[] = [];
  const self = method.getChild('ParamList')?.getChild('VariableName');
  if (!self) return found;
  visitPython(method, (node) => {
    if (node.name !== 'AssignStatement') return;
    for (const target of childrenOf(node)) {
      const { nextSibling } = target;
      if (!/^(?:AssignOp|TypeDef|,)$/.test(nextSibling?.name ?? '')) continue;
      const [object, , property] = target.name === 'MemberExpression' ? childrenOf(target) : [];
      if (object && property?.name === 'PropertyName' && source.textOf(object) === source.textOf(self))
        found.push({ name: source.textOf(property), statement: node });
    }
  });
  return found;
}

function functionOf(definition: SyntaxNode, source: PythonSource, isMethod = false): PythonFunction {
  const { parent } = definition;
  const decorators =
    parent?.name === 'DecoratedStatement'
      ? parent.getChildren('Decorator').map((one) => source.textOf(one))
      : [];
  const isBound = isMethod && !decorators.some((text) => /^@\s*staticmethod\b/.test(text));
  const list = definition.getChild('ParamList');
  const body = definition.getChild('Body');
  const returned = body === null ? [] : returnedIn(body);
  return {
    parameters: list === null ? [] : parametersIn(list, source).slice(isBound ? 1 : 0),
    isOpen: list !== null && childrenOf(list).some(({ name }) => name === '**'),
    isAsync: definition.firstChild?.name === 'async',
    decorators: decorators.join('\n'),
    body: body === null ? [] : tokensOf(body, source),
    tells: isTelling(definition),
    gives:
      annotationOf(definition, source) ??
      (isBound && givesItself(definition, decorators, returned, source) ? 'Self' : madeBy(returned, source)),
    keys: keysOf(returned, source),
  };
}

function parametersIn(list: SyntaxNode, source: PythonSource): readonly Parameter[] {
  const found: { name: string; rest: Token[] }[] = [];
  let isSpread = false;
  let isName = true;
  for (const part of childrenOf(list).slice(1, -1))
    if (part.name === ',') [isName, isSpread] = [true, false];
    else if (/^\*\*?$/.test(part.name)) isSpread = true;
    else if (isName && part.name === 'VariableName') {
      if (!isSpread) found.push({ name: source.textOf(part), rest: [] });
      isName = false;
    } else if (!isSpread) found.at(-1)?.rest.push(...tokensOf(part, source));
  return found;
}

/** What its own `return` statements give. */
function returnedIn(body: SyntaxNode): readonly (SyntaxNode | undefined)[] {
  const found: (SyntaxNode | undefined)[] = [];
  visitPython(body, (node) => {
    if (/^(?:Function|Class)Definition$|^LambdaExpression$/.test(node.name)) return false;
    if (/^(?:Yield|yield)/.test(node.name)) found.push(undefined);
    if (node.name === 'ReturnStatement') found.push(childrenOf(node)[1]);
    return true;
  });
  return found;
}

function annotationOf(definition: SyntaxNode, source: PythonSource): string | undefined {
  const type = definition.getChild('TypeDef');
  const text =
    type === null
      ? ''
      : source
          .textOf(type)
          .replace(/^->\s*/, '')
          .trim();
  return /^(['"]?)([A-Za-z_][\w.]*)\1$/.exec(text)?.[2];
}

/** Does each `return` give `self`, or of a class method `cls(…)`, under whatever name, and does that only ever have its own value? */
function givesItself(
  definition: SyntaxNode,
  decorators: readonly string[],
  returned: readonly (SyntaxNode | undefined)[],
  source: PythonSource,
): boolean {
  const own = definition.getChild('ParamList')?.getChild('VariableName');
  const isClass = decorators.every((text) => /^@\s*classmethod\b/.test(text)) && decorators.length > 0;
  if (!own || returned.length === 0 || (decorators.length > 0 && !isClass)) return false;
  const isSelf = (node: SyntaxNode | null | undefined): boolean =>
    node?.name === 'VariableName' && source.textOf(node) === source.textOf(own);
  let isOnlyRead = true;
  visitPython(definition, (node) => {
    if (isSelf(node) && node.from !== own.from)
      isOnlyRead &&= /^(?:Member|Call)Expression$|^ReturnStatement$|^ArgList$/.test(node.parent?.name ?? '');
  });
  return (
    isOnlyRead &&
    returned.every((node) => {
      const inner = node && unwrapPython(node);
      return isSelf(isClass && inner?.name === 'CallExpression' ? inner.firstChild : isClass ? null : inner);
    })
  );
}

function madeBy(returned: readonly (SyntaxNode | undefined)[], source: PythonSource): string | undefined {
  const names = new Set(
    returned.map((node) => {
      const inner = node && unwrapPython(node);
      const callee = inner?.name === 'CallExpression' ? inner.firstChild : undefined;
      return callee?.name === 'VariableName' ? source.textOf(callee) : undefined;
    }),
  );
  const [only] = names;
  return names.size === 1 ? only : undefined;
}

function keysOf(returned: readonly (SyntaxNode | undefined)[], source: PythonSource): PythonFunction['keys'] {
  const [value, ...more] = returned;
  const display = value && unwrapPython(value);
  if (display?.name !== 'DictionaryExpression' || more.length > 0) return undefined;
  const parts = childrenOf(display);
  if (parts.some(({ name }) => name === '**' || name === 'for')) return undefined;
  const keys = new Map<string, readonly Token[]>();
  for (const [index, part] of parts.entries()) {
    const key =
      parts[index + 1]?.name === ':' ? readPythonLiteral(source.text, part.from, part.to) : undefined;
    const given = parts[index + 2];
    if (key?.kind === 'str' && given !== undefined) keys.set(key.value, tokensOf(given, source));
  }
  return keys;
}
