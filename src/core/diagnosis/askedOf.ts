// The names that an assertion of JavaScript asks for: on its actual side, in its matcher, and in what a name was given.
import ts from 'typescript';
import { askedNames } from './outcomeNames.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';

export interface AskingAssertion {
  readonly matcher: string;
  /** Undefined where the matcher alone says what is asked: supertest's `.expect(200)`. */
  readonly actual: ts.Expression | undefined;
  /** What the matcher is called with. */
  readonly args: readonly ts.Expression[];
}

export function askedOf({ matcher, actual, args }: AskingAssertion): readonly string[] {
  const [first] = args;
  const named =
    args.length > 1 && first !== undefined && ts.isStringLiteralLike(first) ? askedNames(first.text) : [];
  const byMatcher = /^(?:status|\.expect|expectStatus)$/.test(matcher)
    ? ['status']
    : /^(?:toHaveLength|length|lengthOf|toHaveCount)$/.test(matcher)
      ? ['length']
      : /[pP]roperty$/.test(matcher)
        ? named
        : [];
  return [...byMatcher, ...(actual === undefined ? [] : namesOf(actual, 0))];
}

function namesOf(expression: ts.Expression, depth: number): readonly string[] {
  const node = unwrap(expression);
  const own = askedNames(node.getText());
  if (!ts.isIdentifier(node) || depth > 2) return own;
  return [...own, ...given(node).flatMap((value) => namesOf(value, depth + 1)), ...pickedAs(node)];
}

/** All that a variable of the name is given where it is declared, wherever that is in the file. */
function given(name: ts.Identifier): readonly ts.Expression[] {
  const found: ts.Expression[] = [];
  visitNodes(name.getSourceFile(), (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name.text)
      found.push(...(node.initializer === undefined ? [] : [node.initializer]));
  });
  return found;
}

/** `const { status: code } = …` */
function pickedAs(name: ts.Identifier): readonly string[] {
  const found: string[] = [];
  visitNodes(name.getSourceFile(), (node) => {
    if (ts.isBindingElement(node) && ts.isIdentifier(node.name) && node.name.text === name.text)
      found.push(...(node.propertyName === undefined ? [] : askedNames(node.propertyName.getText())));
  });
  return found;
}
