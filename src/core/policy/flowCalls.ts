// What a call makes of its arguments and of what it is called on: rows of tables, parameters of helpers, input of the code under test.
import { isBuiltin } from 'node:module';
import ts from 'typescript';
import { rootIdentifier, unwrap } from '../syntax/javascript/sourceTree.ts';
import { chainOf } from './bindings.ts';
import { boundTo, type FlowWorld, type Onward, type Step } from './flowNames.ts';
import { isSourceModule, isTestLibrary, testNames } from './testApi.ts';

const nowhere: Onward = { steps: [] };
const asked: Onward = { steps: [], reached: 'asked' };

type Call = ts.CallExpression | ts.NewExpression;

/** For an argument of the call. */
export function argumentSteps(step: Step, call: Call, world: FlowWorld): Onward {
  const index = call.arguments?.findIndex((argument) => argument === step.node) ?? -1;
  const { facts } = world;
  const definition = facts.tree.definitionAt(call);
  if (definition !== undefined) return definitionSteps(step, definition.node, index, world);
  const rows = rowSteps(step, call, world);
  if (rows !== undefined) return { steps: rows };
  const functions = functionsCalled(call.expression, world);
  if (functions.length > 0)
    return { steps: functions.flatMap((one) => parameterSteps(one, index, step, world)) };
  if (ts.isCallExpression(call) && ts.isPropertyAccessExpression(call.expression)) {
    const known = methodArgument(step, call, call.expression, world);
    if (known !== undefined) return known;
  }
  return foreignCall(call, call.expression, world);
}

/** Titles are no input; what stands behind a macro of AVA is handed to it. */
function definitionSteps(step: Step, call: ts.CallExpression, index: number, world: FlowWorld): Onward {
  if (index === 0 || step.path[0] === '()') return nowhere;
  for (const [first, argument] of call.arguments.entries()) {
    const isName = ts.isIdentifier(unwrap(argument));
    const macros = first < index && isName ? functionsCalled(argument, world) : [];
    if (macros.length > 0)
      return { steps: macros.flatMap((one) => parameterSteps(one, index - first, step, world)) };
  }
  return asked;
}

/** `test.each(table)('title', callback)`: rows of a list are spread over the parameters. */
function rowSteps(step: Step, call: Call, world: FlowWorld): readonly Step[] | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee) || !/^(?:each|for)$/.test(callee.name.text)) return undefined;
  const outer = call.parent;
  if (!ts.isCallExpression(outer) || !testNames.has(chainOf(callee, world.facts.bindings)?.root ?? ''))
    return undefined;
  const callbacks = outer.arguments.slice(1).flatMap((argument) => functionsCalled(argument, world));
  const [, ...cell] = step.path;
  return callbacks.flatMap((callback) => {
    const [column, ...rest] = cell;
    const isList = callee.name.text === 'each' && column !== undefined && /^(?:\d+|\*)$/.test(column);
    if (!isList) return parameterSteps(callback, 0, { ...step, path: cell }, world);
    return column === '*'
      ? callback.parameters.flatMap((_, at) => parameterSteps(callback, at, { ...step, path: rest }, world))
      : parameterSteps(callback, Number(column), { ...step, path: rest }, world);
  });
}

/** A whole table, of which no row is known, goes to all parameters. */
export function parameterSteps(
  { parameters }: ts.SignatureDeclaration,
  index: number,
  step: Step,
  world: FlowWorld,
): readonly Step[] {
  if (index < 0 || ts.isSpreadElement(step.node))
    return parameters.flatMap(({ name }) => boundTo(name, { ...step, path: step.path.slice(1) }, world));
  const own = parameters[index];
  if (own !== undefined && own.dotDotDotToken === undefined) return boundTo(own.name, step, world);
  const rest = parameters.find(({ dotDotDotToken }) => dotDotDotToken !== undefined);
  if (rest === undefined) return [];
  const path = [String(index - parameters.indexOf(rest)), ...step.path];
  return boundTo(rest.name, { ...step, path }, world);
}

/** Functions of the file that the expression stands for. */
export function functionsCalled(expression: ts.Node, world: FlowWorld): readonly ts.SignatureDeclaration[] {
  const node = unwrap(expression);
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return [node];
  if (ts.isIdentifier(node)) {
    const binding = world.bindingOf(node);
    if (binding === undefined) return [];
    const { declaration } = binding;
    if (ts.isFunctionDeclaration(declaration)) return [declaration];
    const value =
      ts.isVariableDeclaration(declaration) && ts.isIdentifier(declaration.name) && declaration.initializer;
    return value ? functionsIn(value) : [];
  }
  if (!ts.isPropertyAccessExpression(node)) return [];
  const on = unwrap(node.expression);
  const holder = ts.isIdentifier(on) ? world.bindingOf(on)?.declaration : undefined;
  const object =
    holder && ts.isVariableDeclaration(holder) && holder.initializer && unwrap(holder.initializer);
  if (!object || !ts.isObjectLiteralExpression(object)) return [];
  return object.properties.flatMap((property) => {
    if (property.name?.getText() !== node.name.text) return [];
    if (ts.isMethodDeclaration(property)) return [property];
    return ts.isPropertyAssignment(property) ? functionsIn(property.initializer) : [];
  });
}

/** A function, or the one in `test.macro(callback)` and `test.macro({ exec: callback })`. */
function functionsIn(value: ts.Expression): readonly ts.SignatureDeclaration[] {
  const node = unwrap(value);
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return [node];
  const isMacro = ts.isCallExpression(node) && node.expression.getText().endsWith('.macro');
  const given = isMacro ? node.arguments[0] : undefined;
  if (given === undefined) return [];
  if (!ts.isObjectLiteralExpression(given)) return functionsIn(given);
  return given.properties.flatMap((property) => {
    if (property.name?.getText() !== 'exec') return [];
    if (ts.isMethodDeclaration(property)) return [property];
    return ts.isPropertyAssignment(property) ? functionsIn(property.initializer) : [];
  });
}

/** Methods of lists that take a function or an item, and those of `Object` that give parts of theirs. */
function methodArgument(
  step: Step,
  call: ts.CallExpression,
  { expression, name }: ts.PropertyAccessExpression,
  world: FlowWorld,
): Onward | undefined {
  const { path } = step;
  const on = unwrap(expression);
  const to = (node: ts.Node, next: readonly string[]): Onward => ({ steps: [{ node, path: next }] });
  if (ts.isIdentifier(on) && on.text === 'console' && world.bindingOf(on) === undefined) return nowhere;
  if (ts.isIdentifier(on) && on.text === 'Object' && world.bindingOf(on) === undefined) {
    const [key = '*', ...rest] = path;
    if (name.text === 'entries')
      return to(call, path.length === 0 ? [] : ['*', key === '*' ? '*' : '1', ...rest]);
    if (name.text === 'keys') return path.length === 0 ? to(call, []) : nowhere;
    if (name.text === 'values') return to(call, path.length === 0 ? [] : ['*', ...rest]);
    if (/^(?:freeze|seal|assign)$/.test(name.text)) return to(call, path);
  }
  if (path[0] === '()') {
    if (/^(?:map|flatMap)$/.test(name.text)) return to(call, ['*', ...path.slice(1)]);
    if (/^(?:then|catch|finally)$/.test(name.text)) return to(call, path.slice(1));
    if (name.text === 'forEach') return nowhere;
    if (/^(?:filter|find|some|every|sort|toSorted)$/.test(name.text)) return to(call, []);
  }
  const isOwnList = ts.isIdentifier(on) && isWritten(on, world);
  if (isOwnList && /^(?:push|unshift|add)$/.test(name.text)) return to(on, ['=', '*', ...path]);
  return undefined;
}

/** Is the name a list or an object that the file writes out? */
function isWritten(name: ts.Identifier, world: FlowWorld): boolean {
  const declaration = world.bindingOf(name)?.declaration;
  const value =
    declaration && ts.isVariableDeclaration(declaration) && declaration.initializer
      ? unwrap(declaration.initializer)
      : undefined;
  return value !== undefined && (ts.isArrayLiteralExpression(value) || ts.isObjectLiteralExpression(value));
}

/** For what a tag makes a value of. */
export function tagSteps(tagged: ts.TaggedTemplateExpression, world: FlowWorld): Onward {
  const isOwn = functionsCalled(tagged.tag, world).length > 0;
  return isOwn ? { steps: [{ node: tagged, path: [] }] } : foreignCall(tagged, tagged.tag, world);
}

/** A function that is not in the file: of a test library, of other tests, of the language or a package, or the code under test. */
function foreignCall(call: ts.Node, callee: ts.Expression, world: FlowWorld): Onward {
  const { facts } = world;
  const chain = chainOf(call, facts.bindings);
  if (chain?.root === 'expect') return { steps: [{ node: call, path: [] }] };
  const start = rootIdentifier(callee);
  const imported = start === undefined ? undefined : facts.bindings.imports.get(start.text);
  const derived: Step = { node: call, path: [] };
  if (imported !== undefined && world.isTestModule(imported.module)) return { steps: [derived] };
  if (chain !== undefined && /^(?:vi|vitest|jest|mock|sinon)$/.test(chain.root)) return asked;
  if (imported !== undefined && isTestLibrary(imported.module)) return asked;
  const result = world.destinationsOf(call);
  if (!result.expected || result.asked)
    return start !== undefined && isOfSources(start, world) ? { steps: [], reached: 'given' } : asked;
  const isPlain =
    start === undefined ||
    (imported === undefined
      ? world.bindingOf(start) === undefined
      : isBuiltin(imported.module) || !isSourceModule(imported.module));
  return isPlain ? { steps: [derived] } : { steps: [], reached: 'built' };
}

/** Imported from a source of the project, made by what is, or taken out of it. */
function isOfSources(name: ts.Identifier, world: FlowWorld, depth = 0): boolean {
  const imported = world.facts.bindings.imports.get(name.text);
  if (imported !== undefined) return isSourceModule(imported.module);
  const declaration = world.bindingOf(name)?.declaration;
  const origin = declaration === undefined ? undefined : originOf(declaration);
  return (
    depth < 4 && origin !== undefined && partsOf(origin).some((part) => isOfSources(part, world, depth + 1))
  );
}

/** What a variable is given, also by a pattern or a loop. */
function originOf(declaration: ts.Node): ts.Expression | undefined {
  let node = declaration;
  while (ts.isBindingElement(node) || ts.isBindingName(node)) node = node.parent;
  if (ts.isForOfStatement(node)) return node.expression;
  return ts.isVariableDeclaration(node) ? node.initializer : undefined;
}

/** The names that a value begins with: `a` of `await a.b(c)`, `a` and `b` of `[a, b]`, `{ a, c: b }` and `Object.values({ a, b })`. */
function partsOf(value: ts.Expression): readonly ts.Identifier[] {
  const given = unwrap(value);
  const node = ts.isAwaitExpression(given) ? unwrap(given.expression) : given;
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(partsOf);
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap((property) => {
      if (ts.isShorthandPropertyAssignment(property)) return [property.name];
      return ts.isPropertyAssignment(property) ? partsOf(property.initializer) : [];
    });
  const isOfObject =
    ts.isCallExpression(node) && /^Object\.(?:values|entries)$/.test(node.expression.getText());
  if (isOfObject) return node.arguments.flatMap(partsOf);
  const root = rootIdentifier(node);
  return root === undefined ? [] : [root];
}

const picking = /^(?:find|findLast|at|pop|shift)$/;
const keeping = /^(?:filter|slice|sort|reverse|toSorted|toReversed|concat|values|flat|splice|with)$/;
const visiting = /^(?:forEach|map|flatMap|filter|find|findLast|some|every|findIndex|reduce)$/;

/** For what the method is called on. */
export function receiverSteps(
  path: readonly string[],
  call: ts.CallExpression,
  method: string,
  world: FlowWorld,
): Onward {
  const [first, ...row] = path;
  const items = first === undefined ? [] : ['*', ...row];
  const result = (next: readonly string[]): Onward => ({ steps: [{ node: call, path: next }] });
  if (visiting.test(method)) {
    const place = method === 'reduce' ? 1 : 0;
    const [callback] = call.arguments;
    const functions = callback === undefined ? [] : functionsCalled(callback, world);
    const steps = functions.flatMap((one) => parameterSteps(one, place, { node: call, path: row }, world));
    if (functions.length === 0) return asked;
    if (keeping.test(method)) steps.push(...result(items).steps);
    if (picking.test(method)) steps.push(...result(row).steps);
    return { steps };
  }
  if (keeping.test(method)) return result(items);
  if (picking.test(method)) return result(row);
  if (method === 'entries') return result(first === undefined ? [] : ['*', '1', ...row]);
  return result([]);
}
