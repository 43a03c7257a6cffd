// Which names of a file are the `t` of AVA's tests: parameters of tests, hooks, macros and attempts, whatever they are called.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';

/** `isAva` tells of the names that are imported from AVA; a parameter of the type `ExecutionContext` is one in any file. */
export function avaContexts(source: ts.SourceFile, isAva: (name: string) => boolean): ReadonlySet<string> {
  const contexts = new Set<string>();
  const macros = new Set<string>();
  const functions = new Map<string, ts.SignatureDeclaration>();
  const add = (declared: ts.Node | undefined): void => {
    if (declared === undefined || !ts.isFunctionLike(declared)) return;
    const name = declared.parameters[0]?.name;
    if (name !== undefined && ts.isIdentifier(name)) contexts.add(name.text);
  };
  const addGiven = (argument: ts.Expression): void => {
    const given = unwrap(argument);
    if (ts.isIdentifier(given)) macros.add(given.text);
    if (!ts.isObjectLiteralExpression(given)) return add(given);
    // test.macro({ exec, title })
    for (const property of given.properties)
      if (property.name?.getText() === 'exec')
        add(ts.isPropertyAssignment(property) ? unwrap(property.initializer) : property);
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
      node.arguments.forEach(addGiven);
  });
  for (const name of macros) add(functions.get(name));
  return contexts;
}

function rootOf(callee: ts.Expression): string | undefined {
  let node = unwrap(callee);
  while (ts.isPropertyAccessExpression(node)) node = unwrap(node.expression);
  return ts.isIdentifier(node) ? node.text : undefined;
}
