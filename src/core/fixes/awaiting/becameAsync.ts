// Functions and methods that gave a value before a change and give a promise since.
import ts from 'typescript';
import { unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { placeOf } from '../calls/functionPlace.ts';

export interface AsyncFunction {
  /** `load`, or `default` for what has no other name. */
  readonly name: string;
  /** The class or object that it is a method of. */
  readonly owner?: string;
  readonly isDefault: boolean;
  /** Relative to the root. */
  readonly file: string;
  /** A sentence about a source that does not wait for it: the change is not finished there. */
  readonly misuse?: string;
}

/** Those that both versions have under the same name; a name that is declared twice says nothing. */
export function becameAsync(before: SourceTree, now: SourceTree): readonly AsyncFunction[] {
  const [old, fresh] = [functionsOf(before), functionsOf(now)];
  return [...fresh].flatMap(([key, { name, owner, isDefault, isAsync }]) => {
    const was = old.get(key);
    if (was === undefined || was.isAsync || !isAsync) return [];
    return [
      {
        name,
        ...(owner !== undefined && { owner }),
        isDefault,
        file: now.file,
      },
    ];
  });
}

interface Known extends Omit<AsyncFunction, 'file' | 'misuse'> {
  readonly isAsync: boolean;
}

function functionsOf(tree: SourceTree): ReadonlyMap<string, Known> {
  const found = new Map<string, (Known & { readonly node: ts.SignatureDeclaration }) | undefined>();
  visitNodes(tree.ast, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const place = placeOf(node);
    if (place === undefined) return;
    const key = JSON.stringify([place.owner, place.name]);
    found.set(key, found.has(key) ? undefined : { ...place, isAsync: givesPromise(node), node });
  });
  const known = new Map([...found].flatMap(([key, one]) => (one ? [[key, one] as const] : [])));
  // `const total = () => load()` gives a promise as soon as load does.
  for (let grew = true; grew;) {
    grew = false;
    for (const [key, one] of known) {
      const target = one.isAsync ? undefined : passedOn(one.node, one.owner);
      if (target === undefined || known.get(target)?.isAsync !== true) continue;
      known.set(key, { ...one, isAsync: true });
      grew = true;
    }
  }
  return known;
}

function givesPromise(node: ts.SignatureDeclaration & { readonly body?: ts.Node | undefined }): boolean {
  const isGenerator = 'asteriskToken' in node && node.asteriskToken !== undefined;
  if (isGenerator) return false;
  if (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)
  )
    return true;
  if (node.type !== undefined) return /^Promise(?:Like)?\b/.test(node.type.getText());
  return returnedValues(node.body).some(isPromise);
}

function isPromise(expression: ts.Expression): boolean {
  const node = unwrap(expression);
  if (ts.isNewExpression(node)) return node.expression.getText() === 'Promise';
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression: on, name } = node.expression;
  return on.getText() === 'Promise' || name.text === 'then' || (name.text === 'catch' && isPromise(on));
}

function returnedValues(body: ts.Node | undefined): readonly ts.Expression[] {
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return ts.isExpression(body) ? [body] : [];
  const values: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression) values.push(node.expression);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return values;
}

/** The key of the function whose result this one returns as it is. */
function passedOn(
  node: ts.SignatureDeclaration & { readonly body?: ts.Node | undefined },
  owner: string | undefined,
): string | undefined {
  const [value, ...more] = returnedValues(node.body);
  const call = value === undefined ? undefined : unwrap(value);
  if (call === undefined || more.length > 0 || !ts.isCallExpression(call)) return undefined;
  if (ts.isIdentifier(call.expression)) return JSON.stringify([undefined, call.expression.text]);
  const isOwn =
    ts.isPropertyAccessExpression(call.expression) &&
    call.expression.expression.kind === ts.SyntaxKind.ThisKeyword;
  return isOwn ? JSON.stringify([owner, call.expression.name.text]) : undefined;
}
