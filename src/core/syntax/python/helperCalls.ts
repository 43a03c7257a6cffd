// Functions of the tests that a test calls to compare for it: `self.check(src, expected)`, `assert_html(text, "<b>…</b>")`.
import type { SyntaxNode } from '@lezer/common';
import { valuesIn } from './boundNames.ts';
import type { ExpectationContext } from './expectationContext.ts';
import { definitionNamed, type PlacedDefinition } from './namedDefinitions.ts';
import { argumentsOf, childrenOf, type PythonSource } from './parsePython.ts';
import { methodNamed } from './testClasses.ts';
import type { TestFunction } from './testFunctions.ts';

interface HelperCall {
  readonly helper: TestFunction;
  readonly source: PythonSource;
  /** What each parameter is given here; undefined where its default counts. */
  readonly given: ReadonlyMap<string, SyntaxNode | undefined>;
}

/** A helper may call one more. */
const deepest = 2;

/** Undefined where it is not certain which function that is, what its parameters are given, or that its body runs at once. */
export function helperCalled(
  call: SyntaxNode,
  test: TestFunction,
  source: PythonSource,
  context: ExpectationContext,
): HelperCall | undefined {
  const depth = (test.depth ?? 0) + 1;
  const callee = call.name === 'CallExpression' ? call.firstChild : null;
  if (callee === null || depth > deepest) return undefined;
  const own = /^self\.(\w+)$/.exec(source.textOf(callee))?.[1];
  const found =
    own === undefined
      ? functionNamed(source.textOf(callee), test, source, context)
      : test.parameters[0] === 'self' && test.classes && methodNamed(own, test.classes);
  const body = found ? found.node.getChild('Body') : null;
  if (!found || body === null || found.node.from === test.node.from) return undefined;
  const isAsync = found.node.firstChild?.name === 'async';
  if (isAsync !== (call.parent?.name === 'AwaitExpression')) return undefined;
  if (/\byield\b/.test(found.source.textOf(body))) return undefined;
  const given = bind(call, found, own !== undefined, source);
  if (given === undefined) return undefined;
  const helper = {
    name: found.source.textOf(found.node.getChild('VariableName') ?? found.node),
    node: found.node,
    body,
    parameters: [...(own === undefined ? [] : ['self']), ...given.keys()],
    tables: [],
    isCase: own !== undefined && test.isCase,
    classes: own === undefined ? undefined : test.classes,
    file: found.file,
    depth,
  };
  return { helper, source: found.source, given };
}

function functionNamed(
  name: string,
  test: TestFunction,
  source: PythonSource,
  context: ExpectationContext,
): PlacedDefinition | undefined {
  const [first = ''] = name.split('.');
  // A fixture, or something of the test, comes before what the module has under the name.
  if (!/^\w+(?:\.\w+)?$/.test(name) || valuesIn(test, source).has(first)) return undefined;
  return definitionNamed(name, 'Function', { source, file: test.file }, context);
}

interface Parameter {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isKeyword: boolean;
}

function bind(
  call: SyntaxNode,
  { node, source: owner }: PlacedDefinition,
  isMethod: boolean,
  source: PythonSource,
): HelperCall['given'] | undefined {
  const all = parametersIn(node.getChild('ParamList'), owner);
  const [self, ...rest] = all ?? [];
  if (all === undefined || (isMethod && self?.name !== 'self')) return undefined;
  const parameters = isMethod ? rest : all;
  const given = new Map<string, SyntaxNode | undefined>();
  for (const [index, { name, spread, value }] of argumentsOf(call.getChild('ArgList'), source).entries()) {
    const parameter = name === undefined ? parameters[index] : parameters.find((one) => one.name === name);
    if (spread || parameter === undefined || given.has(parameter.name)) return undefined;
    if (name === undefined && parameter.isKeyword) return undefined;
    given.set(parameter.name, value);
  }
  for (const { name, isOptional } of parameters) {
    if (given.has(name)) continue;
    if (!isOptional) return undefined;
    given.set(name, undefined);
  }
  return given;
}

/** Undefined where one takes all that is left. */
function parametersIn(list: SyntaxNode | null, source: PythonSource): readonly Parameter[] | undefined {
  const found: Parameter[] = [];
  let isKeyword = false;
  const parts = list === null ? [] : childrenOf(list).filter(({ name }) => name !== 'TypeDef');
  for (const [index, part] of parts.entries()) {
    const [before, after] = [parts[index - 1]?.name, parts[index + 1]?.name];
    if (part.name === '**' || (part.name === '*' && after === 'VariableName')) return undefined;
    if (part.name === '*') isKeyword = true;
    if (part.name === 'VariableName' && before !== 'AssignOp')
      found.push({ name: source.textOf(part), isOptional: after === 'AssignOp', isKeyword });
  }
  return found;
}
