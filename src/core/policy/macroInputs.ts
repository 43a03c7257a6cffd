// What a test of AVA hands to its macro besides what the macro only expects: that is what the test asks.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import type { FileFacts } from './fileFacts.ts';
import { shapeOf } from './parseSource.ts';

/** Layout-free text of these arguments of `test('title', macro, …values)`; all of the call where the macro is not in the file. */
export function macroInputs(
  call: ts.CallExpression,
  { bindings, assertions }: Pick<FileFacts, 'bindings' | 'assertions'>,
): string {
  for (const [first, argument] of call.arguments.entries()) {
    const macro = ts.isIdentifier(argument) ? functionOf(argument.text, bindings) : undefined;
    if (macro?.body === undefined) continue;
    // Which of the arguments of a helper are expected is not known.
    const expected = assertions.flatMap(({ family, args }) => (family === 'helper' ? [] : args));
    const values = call.arguments.slice(first + 1);
    const inputs = values.filter((_, index) => {
      const name = macro.parameters[index + 1]?.name;
      return name === undefined || !ts.isIdentifier(name) || !isOnlyExpected(name.text, macro, expected);
    });
    return [argument, ...inputs].map((each) => shapeOf(each)).join(',');
  }
  return shapeOf(call);
}

function functionOf(name: string, bindings: FileFacts['bindings']): ts.FunctionLikeDeclaration | undefined {
  const [declared] = bindings.declared.get(name) ?? [];
  const [value] = bindings.values.get(name) ?? [];
  const node = value === undefined ? declared : unwrap(value);
  if (node === undefined) return undefined;
  // test.macro(callback), test.macro({ exec: callback })
  const given = ts.isCallExpression(node) ? node.arguments[0] : undefined;
  if (given === undefined || !ts.isObjectLiteralExpression(given)) return asFunction(given ?? node);
  const exec = given.properties.find((property) => property.name?.getText() === 'exec');
  return exec && asFunction(ts.isPropertyAssignment(exec) ? exec.initializer : exec);
}

function asFunction(node: ts.Node): ts.FunctionLikeDeclaration | undefined {
  return ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node)
    ? node
    : undefined;
}

/** Is the name never asked of anything: only compared with, and not by way of a call (`t.is(wanted, slug(input))`)? */
function isOnlyExpected(
  name: string,
  macro: ts.FunctionLikeDeclaration,
  expected: readonly ts.Expression[],
): boolean {
  let uses = 0;
  let others = 0;
  visitNodes(macro, (node) => {
    if (!ts.isIdentifier(node) || node.text !== name) return;
    if (ts.isParameter(node.parent) && node.parent.parent === macro && node.parent.name === node) return;
    uses++;
    const place = expected.find(({ pos, end }) => pos <= node.pos && node.end <= end);
    if (place === undefined || isInCall(node, place)) others++;
  });
  return uses > 0 && others === 0;
}

function isInCall(node: ts.Node, within: ts.Node): boolean {
  for (let up = node; ; up = up.parent) {
    if (ts.isCallExpression(up) || ts.isNewExpression(up) || ts.isTaggedTemplateExpression(up)) return true;
    if (up === within) return false;
  }
}
