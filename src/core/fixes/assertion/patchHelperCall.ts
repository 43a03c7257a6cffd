// Patches the arguments of a helper of the test file that builds an expected value: `user({ name: 'Ada' })`, `row('Ada', 3)`.
import ts from 'typescript';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { isRefusal, refuse, unread, type Patch } from './literalChange.ts';
import { at, shorten, type PatchContext, type PatchInner, type PatchRequest } from './patchRequest.ts';

/** What the helper itself writes down is shared by all that call it, so only what this call hands in may change. */
export async function patchHelperCall(
  node: ts.CallExpression,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const { tree, path } = request;
  const name = shorten(textOf(tree, node));
  const computed = unread(refuse(`The expected value${at(path)} is computed by \`${name}\`.`));
  const helper = helperOf(node.expression);
  const result = helper === undefined ? undefined : resultOf(helper);
  if (helper === undefined || result === undefined) return computed;
  if (node.arguments.some((argument) => ts.isSpreadElement(argument))) return computed;
  const patch = await patchInner(
    { ...request, node: result },
    {
      ...context,
      async trace(expression, from, wanted) {
        const handed = handedIn(expression, helper, node, tree);
        return handed ?? context.trace(expression, from, wanted);
      },
    },
  );
  if (isRefusal(patch)) return patch;
  const isShared = patch.some(
    ({ tree: changed, start, end }) => changed.file === tree.file && helper.pos <= start && end <= helper.end,
  );
  return isShared
    ? refuse(
        `The changed value${at(path)} is written in \`${shorten(textOf(tree, node.expression))}\`, which other tests call too.`,
      )
    : patch;
}

type Helper = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction;

/** A function of the same file, declared once. */
function helperOf(callee: ts.Expression): Helper | undefined {
  const node = unwrap(callee);
  if (!ts.isIdentifier(node)) return undefined;
  const declaration = bindingOf(node)?.declaration;
  if (declaration === undefined) return undefined;
  if (ts.isFunctionDeclaration(declaration)) return declaration;
  const value =
    ts.isVariableDeclaration(declaration) && ts.isIdentifier(declaration.name) && declaration.initializer
      ? unwrap(declaration.initializer)
      : undefined;
  return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : undefined;
}

/** The one thing the function gives, when it does nothing else. */
function resultOf({ body, modifiers, asteriskToken }: Helper): ts.Expression | undefined {
  if (
    body === undefined ||
    asteriskToken ||
    modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)
  )
    return undefined;
  if (!ts.isBlock(body)) return unwrap(body);
  const [only] = body.statements;
  const isReturn = body.statements.length === 1 && only !== undefined && ts.isReturnStatement(only);
  return isReturn && only.expression ? unwrap(only.expression) : undefined;
}

/** The argument that a parameter of the helper stands for in this call. */
function handedIn(
  expression: ts.Expression,
  helper: Helper,
  call: ts.CallExpression,
  tree: SourceTree,
): { node: ts.Expression; tree: SourceTree } | undefined {
  const use = unwrap(expression);
  const binding = ts.isIdentifier(use) ? bindingOf(use) : undefined;
  const parameter = binding?.declaration;
  if (parameter === undefined || !ts.isParameter(parameter) || parameter.parent !== helper) return undefined;
  const index = helper.parameters.indexOf(parameter);
  const argument = call.arguments[index];
  const [step, ...more] = binding?.path ?? [];
  if (argument === undefined || parameter.dotDotDotToken || binding?.path === undefined) return undefined;
  if (step === undefined) return { node: argument, tree };
  const object = unwrap(argument);
  if (more.length > 0 || !('key' in step) || !ts.isObjectLiteralExpression(object)) return undefined;
  const property = object.properties.find(
    (other) => ts.isPropertyAssignment(other) && ts.isIdentifier(other.name) && other.name.text === step.key,
  );
  return property && ts.isPropertyAssignment(property) ? { node: property.initializer, tree } : undefined;
}
