// Which names of a file are the `t` of AVA's tests: parameters of tests, hooks, macros and attempts, whatever they are called.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';

interface Names {
  readonly imports: ReadonlyMap<string, { readonly module: string; readonly isTypeOnly?: boolean }>;
  readonly values: ReadonlyMap<string, readonly ts.Expression[]>;
  readonly declared: ReadonlyMap<string, readonly ts.Node[]>;
}

/** Does this name hold AVA's own function: imported as a value, or `const test = anyTest as TestFn<Context>`? */
export function isOfAva(name: string, names: Names, seen: ReadonlySet<string> = new Set()): boolean {
  const imported = names.imports.get(name);
  const declarations = names.declared.get(name)?.length ?? 0;
  if (imported !== undefined)
    return imported.module === 'ava' && imported.isTypeOnly !== true && declarations === 0;
  const values = names.values.get(name) ?? [];
  if (values.length === 0 || declarations > values.length || seen.has(name)) return false;
  return values.every((value) => {
    const root = rootOf(value);
    return root !== undefined && isOfAva(root, names, new Set([...seen, name]));
  });
}

export interface AvaContexts {
  /** What contexts are called. */
  readonly names: ReadonlySet<string>;
  /** The names of parameters that AVA itself fills. */
  readonly given: ReadonlySet<ts.Node>;
}

/** `isAva` tells of the names that are imported from AVA; a parameter of the type `ExecutionContext` is one in any file. */
export function avaContexts(source: ts.SourceFile, isAva: (name: string) => boolean): AvaContexts {
  const contexts = new Set<string>();
  const given = new Set<ts.Node>();
  const macros = new Set<string>();
  const functions = new Map<string, ts.SignatureDeclaration>();
  const add = (declared: ts.Node | undefined, isGiven = false): void => {
    if (declared === undefined || !ts.isFunctionLike(declared)) return;
    const name = declared.parameters[0]?.name;
    if (name === undefined || !ts.isIdentifier(name)) return;
    contexts.add(name.text);
    if (isGiven) given.add(name);
  };
  const addArgument = (argument: ts.Expression, index: number, all: readonly ts.Expression[]): void => {
    const value = unwrap(argument);
    // What follows the function of a test is handed to it by that function, not by AVA.
    const isGiven =
      index === 0 || (index === 1 && all[0] !== undefined && !ts.isFunctionLike(unwrap(all[0])));
    if (ts.isIdentifier(value)) macros.add(value.text);
    if (!ts.isObjectLiteralExpression(value)) return add(value, isGiven);
    // test.macro({ exec, title })
    for (const property of value.properties)
      if (property.name?.getText() === 'exec')
        add(ts.isPropertyAssignment(property) ? unwrap(property.initializer) : property, isGiven);
  };
  visitNodes(source, (node) => {
    if (ts.isParameter(node) && node.type?.getText().startsWith('ExecutionContext')) add(node.parent);
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) functions.set(node.name.text, node);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      const value = unwrap(node.initializer);
      if (ts.isFunctionLike(value)) functions.set(node.name.text, value);
    }
    if (!ts.isCallExpression(node)) return;
    const isAttempt = ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'try';
    const root = rootOf(node.expression);
    if (root !== undefined && (isAva(root) || (isAttempt && contexts.has(root))))
      node.arguments.forEach(addArgument);
  });
  for (const name of macros) add(functions.get(name), true);
  return { names: contexts, given };
}

/** The name at which a chain of accesses starts. */
export function rootOf(callee: ts.Expression): string | undefined {
  let node = unwrap(callee);
  while (ts.isPropertyAccessExpression(node)) node = unwrap(node.expression);
  return ts.isIdentifier(node) ? node.text : undefined;
}
