// The factories with which a test file mocks modules, and how one of them takes the rest from the real module.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { startOf, textOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';

export interface FactorySite {
  readonly library: 'vi' | 'jest';
  /** As written, with its quotes. */
  readonly specifier: string;
  readonly module: string;
  readonly factory: ts.ArrowFunction | ts.FunctionExpression;
  readonly object: ts.ObjectLiteralExpression;
  readonly keys: ReadonlySet<string>;
}

/** Those that are nothing but an object: whatever else a factory does, it has a reason of its own. */
export function factorySites(tree: SourceTree): readonly FactorySite[] {
  const sites: FactorySite[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { expression, name } = node.expression;
    const library = ts.isIdentifier(expression) ? expression.text : '';
    if ((library !== 'vi' && library !== 'jest') || !/^(?:mock|doMock)$/.test(name.text)) return;
    const [specifier, factory] = node.arguments;
    if (specifier === undefined || !ts.isStringLiteralLike(specifier) || factory === undefined) return;
    if ((!ts.isArrowFunction(factory) && !ts.isFunctionExpression(factory)) || factory.parameters.length > 0)
      return;
    const object = objectOf(factory);
    if (object === undefined || object.properties.some((one) => ts.isSpreadAssignment(one))) return;
    const keys = new Set(object.properties.flatMap((one) => (one.name && propertyKey(one.name)) ?? []));
    const module = specifier.text;
    sites.push({ library, specifier: textOf(tree, specifier), module, factory, object, keys });
  });
  return sites;
}

function objectOf({ body }: FactorySite['factory']): ts.ObjectLiteralExpression | undefined {
  const [only, ...more] = ts.isBlock(body) ? body.statements : [];
  const value = ts.isBlock(body)
    ? only !== undefined && more.length === 0 && ts.isReturnStatement(only)
      ? only.expression
      : undefined
    : body;
  const inner = value === undefined ? undefined : unwrap(value);
  return inner !== undefined && ts.isObjectLiteralExpression(inner) ? inner : undefined;
}

/** Every name that the factory gives stays mocked; undefined for factories that take the real module in another way. */
export function completeFactory(tree: SourceTree, site: FactorySite): readonly TextChange[] | undefined {
  const { factory, object, library, specifier } = site;
  const isTyped = /\.[cm]?tsx?$/.test(tree.file);
  const type = isTyped ? `<typeof import(${specifier})>` : '';
  const real =
    library === 'vi' ? `...(await importOriginal${type}()),` : `...jest.requireActual${type}(${specifier}),`;
  const start = startOf(tree, object) + 1;
  const [first] = object.properties;
  const gap = first === undefined ? ' ' : tree.text.slice(start, startOf(tree, first));
  // A comment between the brace and the first key stays where it is.
  const space = /^\s*$/.test(gap) ? (gap === '' ? ' ' : gap) : ' ';
  const spread = { start, end: start, newText: (gap === '' ? '' : space) + real + (gap === '' ? ' ' : '') };
  if (library === 'jest') return [spread];
  const open = tree.text.indexOf('(', startOf(tree, factory) + (isAsync(factory) ? 'async'.length : 0));
  if (open < 0 || tree.text[open + 1] !== ')') return undefined;
  const head = startOf(tree, factory);
  return [
    ...(isAsync(factory) ? [] : [{ start: head, end: head, newText: 'async ' }]),
    { start: open + 1, end: open + 1, newText: 'importOriginal' },
    spread,
  ];
}

const isAsync = ({ modifiers }: FactorySite['factory']): boolean =>
  modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
