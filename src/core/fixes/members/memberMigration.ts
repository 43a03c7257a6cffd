// Where a method went that a class no longer has: read from the class before and after the change.
import ts from 'typescript';
import { startOf, textOf, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';

export interface MemberMigration {
  readonly className: string;
  /** Relative to the root. */
  readonly file: string;
  /** What does the same now; undefined when nothing certainly does. */
  readonly to?: string;
  /** forwards: the old method only called the other one · renamed: the same text has a new name. */
  readonly because?: 'forwards' | 'renamed';
}

/** One for each class that had the method and, under the same name and in the same file, has it no longer. */
export function memberMigration(before: SourceTree, now: SourceTree, member: string): MemberMigration[] {
  const current = classesOf(now);
  return [...classesOf(before)].flatMap(([className, old]) => {
    const fresh = current.get(className);
    const lost = old.get(member);
    if (lost === undefined || fresh === undefined || fresh.has(member)) return [];
    const known = { className, file: now.file };
    const target = forwardTarget(lost);
    if (target !== undefined && fresh.has(target)) return [{ ...known, to: target, because: 'forwards' }];
    const same = [...fresh].filter(
      ([name, method]) => !old.has(name) && sameBut(before, lost, now, method, member, name),
    );
    const [renamed] = same;
    return same.length === 1 && renamed !== undefined
      ? [{ ...known, to: renamed[0], because: 'renamed' }]
      : [known];
  });
}

type Methods = ReadonlyMap<string, ts.MethodDeclaration>;

/** Methods by name for each class with a name; a class that is declared twice says nothing. */
function classesOf(tree: SourceTree): ReadonlyMap<string, Methods> {
  const classes = new Map<string, Methods | undefined>();
  visitNodes(tree.ast, (node) => {
    if (!ts.isClassLike(node)) return;
    const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
    if (named === undefined || !ts.isIdentifier(named)) return;
    const methods = new Map<string, ts.MethodDeclaration>();
    for (const one of node.members)
      if (ts.isMethodDeclaration(one) && ts.isIdentifier(one.name) && one.body)
        methods.set(one.name.text, one);
    classes.set(named.text, classes.has(named.text) ? undefined : methods);
  });
  return new Map([...classes].flatMap(([name, methods]) => (methods ? [[name, methods] as const] : [])));
}

/** `target` of a method that is nothing but `return this.target(…its own parameters…)`. */
function forwardTarget({ parameters, body, asteriskToken }: ts.MethodDeclaration): string | undefined {
  const [statement, ...more] = body?.statements ?? [];
  if (statement === undefined || more.length > 0 || asteriskToken !== undefined) return undefined;
  const returned =
    ts.isReturnStatement(statement) || ts.isExpressionStatement(statement) ? statement.expression : undefined;
  const call = returned !== undefined && ts.isAwaitExpression(returned) ? returned.expression : returned;
  if (call === undefined || !ts.isCallExpression(call)) return undefined;
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || callee.expression.kind !== ts.SyntaxKind.ThisKeyword)
    return undefined;
  const passes =
    call.arguments.length === parameters.length &&
    parameters.every(({ name, initializer, dotDotDotToken }, index) => {
      const argument = call.arguments[index];
      const value = argument && ts.isSpreadElement(argument) ? argument.expression : argument;
      return (
        value !== undefined &&
        ts.isIdentifier(value) &&
        ts.isIdentifier(name) &&
        value.text === name.text &&
        initializer === undefined &&
        (dotDotDotToken !== undefined) === (value !== argument)
      );
    });
  return passes ? callee.name.text : undefined;
}

/** The same declaration but for its name, also where it calls itself. */
function sameBut(
  before: SourceTree,
  old: ts.MethodDeclaration,
  now: SourceTree,
  fresh: ts.MethodDeclaration,
  oldName: string,
  newName: string,
): boolean {
  return withoutName(before, old, oldName) === withoutName(now, fresh, newName);
}

function withoutName(tree: SourceTree, method: ts.MethodDeclaration, own: string): string {
  const start = startOf(tree, method);
  const text = textOf(tree, method);
  const names: number[] = [];
  visitNodes(method, (node) => {
    const isCall =
      ts.isPropertyAccessExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ThisKeyword &&
      node.name.text === own;
    if (isCall) names.push(startOf(tree, node.name) - start);
  });
  names.push(startOf(tree, method.name) - start);
  const renamed = names
    .sort((a, b) => b - a)
    .reduce((rest, at) => `${rest.slice(0, at)}#${rest.slice(at + own.length)}`, text);
  return renamed.replace(/\s+/g, ' ');
}
