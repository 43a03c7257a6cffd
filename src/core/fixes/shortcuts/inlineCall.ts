// Writes the body of a deleted function in the place of one of its calls, with the arguments of the call in it.
import ts from 'typescript';
import { isLiteral } from '../../syntax/javascript/literalSource.ts';
import { textOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { isUse, type Shortcut } from './removedShortcuts.ts';

/** The text for the place of the call, or why the body cannot stand there. `nameOf` says how a name of the body is written. */
export function inlineCall(
  tree: SourceTree,
  call: ts.CallExpression,
  shortcut: Shortcut,
  nameOf: (name: string) => string,
): string | { readonly reason: string } {
  const { body, parameters, name } = shortcut;
  const given = call.arguments;
  if (given.some((one) => ts.isSpreadElement(one)))
    return { reason: `a call of ${name}() spreads its arguments.` };
  if (given.length > parameters.length || call.questionDotToken !== undefined)
    return { reason: `a call of ${name}() gives more than it took.` };
  const uses = usesOf(shortcut);
  const isConditional = mayStop(body);
  const texts = new Map<string, Argument>();
  for (const [index, parameter] of parameters.entries()) {
    const own = parameter.name.getText();
    const count = uses.filter(({ text }) => text === own).length;
    const argument = argumentFor(given[index], parameter, tree);
    if (argument === undefined) return { reason: `nothing tells what ${own} of ${name}() was in a call.` };
    if (count !== 1 && !argument.isPlain)
      return {
        reason: `${name}() used ${own} ${count === 0 ? 'not at all' : 'more than once'}, and a call computes it.`,
      };
    if (isConditional && !argument.isPlain)
      return { reason: `${name}() may have stopped before it used ${own}, and a call computes it.` };
    texts.set(own, argument);
  }
  const text = substituted(shortcut, uses, (use) => {
    const argument = texts.get(use.text);
    if (argument === undefined) return nameOf(use.text);
    const isBare = isCreated(use) ? argument.isName : argument.isClosed;
    return isBare || isWhole(use) ? argument.text : `(${argument.text})`;
  });
  const whole = isClosed(body) || isWhole(call) ? text : `(${text})`;
  // At the start of a line it would go on with the line above, or be an object that is a block.
  return beginsStatement(call) && !/^[\w$]/.test(whole)
    ? { reason: `what ${name}() was cannot stand for itself.` }
    : whole;
}

/** Is there a `?.` in it? */
function mayStop(body: ts.Expression): boolean {
  let found = false;
  visitNodes(body, (node) => {
    found ||= ts.isOptionalChain(node);
  });
  return found;
}

/** Names in the body that are not members: parameters and what they need. */
function usesOf({ body, parameters, needs }: Shortcut): readonly ts.Identifier[] {
  const names = new Set([...parameters.map((one) => one.name.getText()), ...needs.keys()]);
  const uses: ts.Identifier[] = [];
  visitNodes(body, (node) => {
    if (ts.isIdentifier(node) && names.has(node.text) && isUse(node)) uses.push(node);
  });
  return uses;
}

interface Argument {
  readonly text: string;
  /** It may be written any number of times. */
  readonly isPlain: boolean;
  /** Nothing around it can take it apart. */
  readonly isClosed: boolean;
  /** It may be what `new` creates. */
  readonly isName: boolean;
}

function argumentFor(
  given: ts.Expression | undefined,
  { initializer }: ts.ParameterDeclaration,
  tree: SourceTree,
): Argument | undefined {
  if (given !== undefined) {
    // What may be undefined would have become the default.
    if (initializer !== undefined && !isDefined(given)) return undefined;
    return { ...howWritten(given), text: textOf(tree, given) };
  }
  if (initializer === undefined) return { text: 'undefined', isPlain: true, isClosed: true, isName: true };
  return isLiteral(unwrap(initializer))
    ? { ...howWritten(initializer), text: initializer.getText() }
    : undefined;
}

function howWritten(node: ts.Expression): Omit<Argument, 'text'> {
  return { isPlain: isPlain(node), isClosed: isClosed(node), isName: ts.isIdentifier(node) };
}

function substituted(
  { body, tree }: Shortcut,
  uses: readonly ts.Identifier[],
  textFor: (use: ts.Identifier) => string,
): string {
  const start = body.getStart(tree.ast);
  let text = tree.text.slice(start, body.end);
  for (const use of uses.toReversed()) {
    const shorthand = ts.isShorthandPropertyAssignment(use.parent) ? `${use.text}: ` : '';
    const written = textFor(use);
    let from = use.getStart(tree.ast);
    // What was not given need not be said at the end of a call.
    const { parent } = use;
    const isLast =
      (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.arguments?.at(-1) === use;
    if (isLast && written === 'undefined') {
      from = parent.arguments?.at(-2)?.end ?? from;
      text = text.slice(0, from - start) + text.slice(use.end - start);
    } else text = text.slice(0, from - start) + shorthand + written + text.slice(use.end - start);
  }
  return text;
}

function isPlain(expression: ts.Expression): boolean {
  const node = unwrap(expression);
  return isLiteral(node) || ts.isIdentifier(node);
}

function isDefined(expression: ts.Expression): boolean {
  const node = unwrap(expression);
  return (
    isLiteral(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isTemplateExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isArrowFunction(node)
  );
}

/** Whatever is written after it goes on with all of it. */
function isClosed(node: ts.Expression): boolean {
  // After `a?.b` an access is left out together with it.
  if (ts.isOptionalChain(node)) return false;
  return (
    ts.isIdentifier(node) ||
    ts.isStringLiteralLike(node) ||
    ts.isCallExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isTemplateExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    (ts.isNewExpression(node) && node.arguments !== undefined)
  );
}

/** Is it in what `new` creates: `C` of `new C()`, `o` of `new o.C()`? */
function isCreated(use: ts.Identifier): boolean {
  let node: ts.Node = use;
  while (isHead(node)) node = node.parent;
  return ts.isNewExpression(node.parent) && node.parent.expression === node;
}

function beginsStatement(call: ts.Node): boolean {
  const start = call.getStart();
  let node = call;
  while (node.parent.getStart() === start && !ts.isStatement(node)) node = node.parent;
  return ts.isExpressionStatement(node);
}

/** Is something asked of it? */
function isHead(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ((ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) &&
      parent.expression === node) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isNonNullExpression(parent)
  );
}

/** Is it a whole argument, or the whole of what a name is given? */
function isWhole(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node;
  return (
    (ts.isVariableDeclaration(parent) && parent.initializer === node) ||
    (ts.isPropertyAssignment(parent) && parent.initializer === node) ||
    (ts.isShorthandPropertyAssignment(parent) && parent.name === node)
  );
}
