// What a factory of `jest.mock` gives as the module, and what one of `vi.mock` must give to be the same.
import ts from 'typescript';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { unwrap, visitNodes } from '../../syntax/javascript/sourceTree.ts';
import { rootOf } from './runnerUses.ts';

export type Factory = ts.ArrowFunction | ts.FunctionExpression;

/** `wrap`: what the factory gives is the default export, and vitest wants that said. */
export type FactoryMeaning =
  | { readonly kind: 'same' }
  | { readonly kind: 'wrap'; readonly value: ts.Expression }
  | { readonly kind: 'other'; readonly reason: string };

const other = (reason: string): FactoryMeaning => ({ kind: 'other', reason });

/** The factory of a call of `mock` or `doMock`, when it is written there. */
export function factoryOf(call: ts.CallExpression): Factory | undefined {
  const given = call.arguments[1] === undefined ? undefined : unwrap(call.arguments[1]);
  return given !== undefined && (ts.isArrowFunction(given) || ts.isFunctionExpression(given))
    ? given
    : undefined;
}

/**
 * In jest what the factory gives is the module, and its default export too where nothing says `__esModule`; in vitest it is the list
 * of exports. Both are the same where nobody takes the default export, or where the difference can be written down.
 */
export function jestFactoryMeaning(call: ts.CallExpression): FactoryMeaning {
  const [module, given, more] = call.arguments;
  if (module === undefined || !ts.isStringLiteralLike(module)) return other('it mocks a computed module');
  if (given === undefined) return { kind: 'same' };
  if (more !== undefined) return other(`the mock of ${module.text} has options, which vitest does not know`);
  const factory = factoryOf(call);
  const value = factory && valueOf(factory);
  if (factory === undefined || value === undefined || factory.parameters.length > 0)
    return other(`what the mock of ${module.text} gives cannot be read`);
  const inner = unwrap(value);
  const imported = importsOf(call.getSourceFile(), module.text);
  if (imported === 'default and others')
    return other(`the test takes the default export of ${module.text} and others beside it`);
  if (ts.isObjectLiteralExpression(inner)) {
    const keys = new Set(inner.properties.flatMap((one) => (one.name && propertyKey(one.name)) ?? []));
    if (keys.has('__esModule')) return { kind: 'same' };
    if (keys.has('default')) return other(`the mock of ${module.text} has a default without __esModule`);
    return imported === 'default' ? { kind: 'wrap', value } : { kind: 'same' };
  }
  if (imported === 'default' || (imported === 'none' && isFunctionOrText(inner)))
    return { kind: 'wrap', value };
  return other(`the mock of ${module.text} gives no object`);
}

/** Jest knows neither what vitest hands to a factory nor factories that give a promise; a default has to be marked there. */
export function vitestFactoryMeaning(call: ts.CallExpression): FactoryMeaning {
  const [module, given] = call.arguments;
  if (module === undefined || !ts.isStringLiteralLike(module))
    return other('it does not name the module that it mocks by a text');
  if (given === undefined) return { kind: 'same' };
  const factory = factoryOf(call);
  const value = factory && valueOf(factory);
  const inner = value && unwrap(value);
  if (factory === undefined || inner === undefined || !ts.isObjectLiteralExpression(inner))
    return other(`what the mock of ${module.text} gives cannot be read`);
  if (factory.parameters.length > 0 || isAsync(factory))
    return other(`the factory of ${module.text} waits for something, which jest does not`);
  const keys = new Set(inner.properties.flatMap((one) => (one.name && propertyKey(one.name)) ?? []));
  return keys.has('default') && !keys.has('__esModule')
    ? other(`the default of ${module.text} has to be marked in jest`)
    : { kind: 'same' };
}

export const isAsync = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;

/** What a function gives, where that is one expression. */
function valueOf({ body }: Factory): ts.Expression | undefined {
  if (!ts.isBlock(body)) return body;
  const returned: ts.ReturnStatement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isReturnStatement(node)) returned.push(node);
    ts.forEachChild(node, visit);
  };
  visit(body);
  const [only, another] = returned;
  return another === undefined ? only?.expression : undefined;
}

const isFunctionOrText = (node: ts.Expression): boolean =>
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node) ||
  ts.isClassExpression(node) ||
  ts.isStringLiteralLike(node) ||
  (ts.isCallExpression(node) && /^(?:jest|vi)$/.test(rootOf(node)?.text ?? ''));

/** What this file takes of the module, types aside. */
function importsOf(
  source: ts.SourceFile,
  module: string,
): 'none' | 'default' | 'others' | 'default and others' {
  let hasDefault = false;
  let hasOthers = false;
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const { importClause: clause } = statement;
    if (statement.moduleSpecifier.text !== module || clause === undefined) continue;
    if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) continue;
    hasDefault ||= clause.name !== undefined;
    const named = clause.namedBindings;
    if (named === undefined) continue;
    if (ts.isNamespaceImport(named)) hasOthers = true;
    else
      for (const { name, propertyName = name, isTypeOnly } of named.elements)
        if (!isTypeOnly && propertyName.text === 'default') hasDefault = true;
        else if (!isTypeOnly) hasOthers = true;
  }
  if (hasDefault) return hasOthers ? 'default and others' : 'default';
  return hasOthers ? 'others' : 'none';
}

/** The awaits that stand directly in the factory. */
export function awaitsIn(factory: Factory): readonly ts.AwaitExpression[] {
  const awaits: ts.AwaitExpression[] = [];
  visitNodes(factory.body, (node) => {
    if (ts.isAwaitExpression(node)) awaits.push(node);
  });
  return awaits;
}
