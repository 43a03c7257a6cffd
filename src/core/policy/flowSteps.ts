// One step of a value through the text of a test: from an expression to what holds it, names it, or takes a part of it.
import ts from 'typescript';
import { propertyKey, staticValue } from '../syntax/javascript/literalSource.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { argumentSteps, parameterSteps, functionsCalled, receiverSteps, tagSteps } from './flowCalls.ts';
import { boundTo, type FlowWorld, type Onward, type Step } from './flowNames.ts';

const nowhere: Onward = { steps: [] };

/** Where the value goes from here; nowhere when it is only thrown away. */
export function stepsFrom(step: Step, world: FlowWorld): Onward {
  const { node, path } = step;
  if (world.expected.has(node)) return { steps: [], reached: 'expected' };
  if (world.subjects.has(node)) return { steps: [], reached: 'asked' };
  if (path[0] === '=') return writtenTo({ node, path: path.slice(1) }, world);
  const { parent } = node;
  const to: To = (next, nextPath = path) => ({ steps: [{ node: next, path: nextPath }] });
  if (unwrap(parent) !== parent || ts.isAwaitExpression(parent)) return to(parent);
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    if (parent.expression !== node) return argumentSteps(step, parent, world);
    return path[0] === '()' ? to(parent, path.slice(1)) : nowhere;
  }
  return (
    heldBy(step, world, to) ?? takenFrom(step, world, to) ?? namedBy(step, world) ?? left(step, world, to)
  );
}

type To = (next: ts.Node, path?: readonly string[]) => Onward;

/** What it is written into: lists, objects, texts, markup. */
function heldBy({ node, path }: Step, world: FlowWorld, to: To): Onward | undefined {
  const { parent } = node;
  if (ts.isArrayLiteralExpression(parent)) {
    const index = parent.elements.findIndex((element) => element === node);
    const isMoved = parent.elements.slice(0, index).some((element) => ts.isSpreadElement(element));
    if (ts.isSpreadElement(node)) return to(parent, path.length === 0 ? [] : ['*', ...path.slice(1)]);
    return to(parent, [isMoved ? '*' : String(index), ...path]);
  }
  if (ts.isSpreadElement(parent)) return to(parent, path);
  if (ts.isPropertyAssignment(parent) && parent.initializer === node)
    return to(parent.parent, [propertyKey(parent.name) ?? '*', ...path]);
  if (ts.isComputedPropertyName(parent) && ts.isObjectLiteralExpression(parent.parent.parent))
    return to(parent.parent.parent, []);
  if (ts.isShorthandPropertyAssignment(parent)) return to(parent.parent, [parent.name.text, ...path]);
  if (ts.isSpreadAssignment(parent)) return to(parent.parent);
  if (ts.isTemplateSpan(parent)) return columnOf(parent, path, world) ?? to(parent.parent, []);
  if (ts.isTaggedTemplateExpression(parent)) return tagSteps(parent, world);
  if (
    ts.isJsxExpression(parent) ||
    ts.isJsxAttribute(parent) ||
    ts.isJsxAttributes(parent) ||
    ts.isJsxSpreadAttribute(parent) ||
    ts.isJsxElement(parent) ||
    ts.isJsxFragment(parent) ||
    ts.isJsxOpeningLikeElement(parent)
  )
    return to(parent, []);
  return undefined;
}

/** A cell of a tagged table goes by the name of its column. */
function columnOf(span: ts.TemplateSpan, path: readonly string[], world: FlowWorld): Onward | undefined {
  const tagged = span.parent.parent;
  const call = tagged.parent;
  if (!ts.isTaggedTemplateExpression(tagged) || !tagged.tag.getText().endsWith('.each')) return undefined;
  if (!ts.isCallExpression(call)) return undefined;
  const [titles = ''] = span.parent.head.text.trim().split('\n');
  const columns = titles.split('|').map((title) => title.trim());
  const index = span.parent.templateSpans.indexOf(span);
  const step: Step = { node: span.expression, path: [columns[index % columns.length] ?? '*', ...path] };
  const callbacks = call.arguments.slice(1).flatMap((argument) => functionsCalled(argument, world));
  return { steps: callbacks.flatMap((callback) => parameterSteps(callback, 0, step, world)) };
}

/** What is taken out of it, or made of it by an operator. */
function takenFrom({ node, path }: Step, world: FlowWorld, to: To): Onward | undefined {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) {
    const call = parent.parent;
    if (ts.isCallExpression(call) && call.expression === parent && path[0] !== parent.name.text)
      return receiverSteps(path, call, parent.name.text, world);
    return member(parent, path, parent.name.text, to);
  }
  if (ts.isElementAccessExpression(parent)) {
    if (parent.expression !== node) return to(parent, []);
    const key = staticValue(parent.argumentExpression);
    const text = key?.kind === 'string' ? key.value : key?.kind === 'number' ? key.text : undefined;
    return member(parent, path, text ?? '*', to);
  }
  if (ts.isConditionalExpression(parent) && parent.condition !== node) return to(parent);
  if (ts.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken;
    if (isAssignment(kind)) return parent.right === node ? assigned(parent.left, path, to) : nowhere;
    return to(parent, isChoice(kind) ? path : []);
  }
  if (
    ts.isPrefixUnaryExpression(parent) ||
    ts.isPostfixUnaryExpression(parent) ||
    ts.isTypeOfExpression(parent) ||
    ts.isVoidExpression(parent) ||
    ts.isDeleteExpression(parent)
  )
    return to(parent, []);
  return undefined;
}

function member(access: ts.Node, [first, ...rest]: readonly string[], key: string, to: To): Onward {
  if (first === undefined) return to(access, []);
  return first === '*' || key === '*' || first === key ? to(access, rest) : nowhere;
}

const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

const isChoice = (kind: ts.SyntaxKind): boolean =>
  kind === ts.SyntaxKind.BarBarToken ||
  kind === ts.SyntaxKind.QuestionQuestionToken ||
  kind === ts.SyntaxKind.AmpersandAmpersandToken ||
  kind === ts.SyntaxKind.CommaToken;

/** The written place stands for its value from then on. */
function assigned(left: ts.Expression, path: readonly string[], to: To): Onward {
  let target = unwrap(left);
  let inner = path;
  while (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target)) {
    inner = [ts.isPropertyAccessExpression(target) ? target.name.text : '*', ...inner];
    target = unwrap(target.expression);
  }
  return to(target, ['=', ...inner]);
}

/** What gives it a name: a variable, a parameter's default, a loop; and what a function gives back. */
function namedBy(step: Step, world: FlowWorld): Onward | undefined {
  const { node, path } = step;
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent))
    return { steps: boundTo(parent.name, step, world) };
  if (ts.isForOfStatement(parent) && parent.expression === node)
    return { steps: loopSteps(parent.initializer, { ...step, path: path.slice(1) }, world) };
  if (ts.isForInStatement(parent) && parent.expression === node)
    return path.length > 0 ? nowhere : { steps: loopSteps(parent.initializer, step, world) };
  if (ts.isYieldExpression(parent))
    return givenBack({ node, path: parent.asteriskToken === undefined ? ['*', ...path] : path }, world);
  const given = ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node);
  if (given) return givenBack(step, world);
  if (ts.isFunctionDeclaration(node) && node.name !== undefined)
    return { steps: boundTo(node.name, step, world) };
  return undefined;
}

/** `name = value`, `name.key = value`: the other uses of the name; of what is no variable of the file, anyone's. */
function writtenTo(step: Step, world: FlowWorld): Onward {
  const binding = ts.isIdentifier(step.node) ? world.bindingOf(step.node) : undefined;
  if (binding === undefined || binding.kind === 'import') return { steps: [], reached: 'asked' };
  return { steps: boundTo(binding.name, step, world) };
}

function loopSteps(initializer: ts.ForInitializer, step: Step, world: FlowWorld): readonly Step[] {
  if (!ts.isVariableDeclarationList(initializer))
    return [{ ...step, node: initializer, path: ['=', ...step.path] }];
  return initializer.declarations.flatMap(({ name }) => boundTo(name, step, world));
}

/** A function with this result; what the body of a test gives back is only waited for. */
function givenBack(step: Step, { facts }: FlowWorld): Onward {
  let up = step.node.parent;
  while (up !== undefined && !ts.isFunctionLike(up)) up = up.parent;
  if (up === undefined || facts.tree.isBody(up)) return nowhere;
  const path = ['()', ...step.path];
  if (ts.isArrowFunction(up) || ts.isFunctionExpression(up) || ts.isFunctionDeclaration(up))
    return { steps: [{ ...step, node: up, path }] };
  if (ts.isMethodDeclaration(up) && ts.isObjectLiteralExpression(up.parent))
    return { steps: [{ ...step, node: up.parent, path: [propertyKey(up.name) ?? '*', ...path] }] };
  return { steps: [], reached: 'asked' };
}

/** Conditions, thrown errors, and what only stands there. */
function left(step: Step, { facts }: FlowWorld, to: To): Onward {
  const { parent } = step.node;
  if (ts.isExpressionStatement(parent) || ts.isTypeQueryNode(parent) || ts.isExportAssignment(parent))
    return nowhere;
  if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent)) {
    const manual = facts.assertions.filter(({ family }) => family === 'manual');
    let decides = false;
    visitNodes(parent, (inner) => {
      decides ||= manual.some((fact) => fact.node === inner);
    });
    return { steps: [], reached: decides ? 'expected' : 'asked' };
  }
  return ts.isThrowStatement(parent) ? thrown(step, to) : { steps: [], reached: 'asked' };
}

/** As if the function around gave it back. */
function thrown({ node }: Step, to: To): Onward {
  let up = node.parent;
  while (up !== undefined && !ts.isFunctionLike(up)) up = up.parent;
  return up === undefined ? nowhere : to(up, ['()']);
}
