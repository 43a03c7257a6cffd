// The names that an assertion of JavaScript asks for: on its actual side, in its matcher, and in what a name was given.
import ts from 'typescript';
import { askedNames } from './outcomeNames.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { asksForLength } from '../syntax/javascript/matchers.ts';

interface AskingAssertion {
  readonly matcher: string;
  /** Undefined where the matcher alone says what is asked: supertest's `.expect(200)`. */
  readonly actual: ts.Expression | undefined;
  /** What the matcher is called with. */
  readonly args: readonly ts.Expression[];
}

export function assertedNames({ matcher, actual, args }: AskingAssertion): readonly string[] {
  const [first] = args;
  const named =
    args.length > 1 && first !== undefined && ts.isStringLiteralLike(first) ? askedNames(first.text) : [];
  const byMatcher = /^(?:status|\.expect|expectStatus)$/.test(matcher)
    ? ['status']
    : asksForLength.test(matcher)
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
  return [...own, ...askedThrough(node, depth)];
}

/** By the name of a variable, and how many are followed behind it. */
function askedThrough(name: ts.Identifier, depth: number): readonly string[] {
  const { asked } = namesGiven(name.getSourceFile());
  const key = `${depth} ${name.text}`;
  const known = asked.get(key);
  if (known !== undefined) return known;
  const names = [...given(name).flatMap((value) => namesOf(value, depth + 1)), ...pickedAs(name)];
  const distinct = [...new Set(names)];
  asked.set(key, distinct);
  return distinct;
}

/** All that a variable of the name is given where it is declared, wherever that is in the file. */
const given = (name: ts.Identifier): readonly ts.Expression[] =>
  namesGiven(name.getSourceFile()).values.get(name.text) ?? [];

/** `const { status: code } = …` */
const pickedAs = (name: ts.Identifier): readonly string[] =>
  (namesGiven(name.getSourceFile()).picked.get(name.text) ?? []).flatMap((key) => askedNames(key.getText()));

interface NamesGiven {
  readonly values: ReadonlyMap<string, readonly ts.Expression[]>;
  readonly picked: ReadonlyMap<string, readonly ts.PropertyName[]>;
  /** What was found already. */
  readonly asked: Map<string, readonly string[]>;
}

/** A file is asked for by every assertion in it, and gone through once. */
const knownNames = new WeakMap<ts.SourceFile, NamesGiven>();

function namesGiven(source: ts.SourceFile): NamesGiven {
  const known = knownNames.get(source);
  if (known !== undefined) return known;
  const values = new Map<string, ts.Expression[]>();
  const picked = new Map<string, ts.PropertyName[]>();
  const add = <T>(map: Map<string, T[]>, name: string, one: T): void => {
    const list = map.get(name);
    if (list === undefined) map.set(name, [one]);
    else list.push(one);
  };
  visitNodes(source, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined)
      add(values, node.name.text, node.initializer);
    if (ts.isBindingElement(node) && ts.isIdentifier(node.name) && node.propertyName !== undefined)
      add(picked, node.name.text, node.propertyName);
  });
  const found: NamesGiven = { values, picked, asked: new Map() };
  knownNames.set(source, found);
  return found;
}
