// Finds the assertion call that failed, by the place in its stack, and tells its two sides apart.
import ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { staticValue } from '../../syntax/javascript/literalSource.ts';
import { unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { assertName, chainNames, chainRoot, isExpect, sitesAt } from './assertionCalls.ts';
import type { AssertionSite } from './assertionSite.ts';
import { contextSite } from './contextAssertions.ts';
import { sameValue, type MatchMode } from './sameValue.ts';
import type { StackPlace } from './stackPlaces.ts';

/** The one equality assertion at the place; undefined when there is none, or more than one that it could be. */
export function assertionAt(
  tree: SourceTree,
  place: StackPlace,
  captured: { readonly matcher: string; readonly expected: Value },
): AssertionSite | undefined {
  const { exact, onLine } = sitesAt(
    tree,
    place,
    (call) => siteOf(tree, call) ?? requestSite(tree, call, captured.expected),
  );
  if (exact.length === 1) return exact[0];
  const named = onLine.filter((site) => captured.matcher === '' || site.matcher === captured.matcher);
  const likely = named.length > 1 ? named.filter((site) => expects(site, captured.expected)) : named;
  return likely.length === 1 ? likely[0] : undefined;
}

/** Every equality assertion of the file. */
export function assertionSites(tree: SourceTree): AssertionSite[] {
  const sites: AssertionSite[] = [];
  visitNodes(tree.ast, (node) => {
    const site = ts.isCallExpression(node) ? siteOf(tree, node) : undefined;
    if (site !== undefined) sites.push(site);
  });
  return sites;
}

function expects(site: AssertionSite, expected: Value): boolean {
  const value = staticValue(site.expected);
  return value !== undefined && sameValue(value, expected, 'loose');
}

/** Which argument holds the expected value, and how it is compared. */
const matchers: ReadonlyMap<string, readonly [argument: number, mode: MatchMode]> = new Map([
  ['toBe', [0, 'strict']],
  ['toEqual', [0, 'loose']],
  ['toStrictEqual', [0, 'strict']],
  ['toMatchObject', [0, 'subset']],
  ['toHaveLength', [0, 'strict']],
  ['toHaveProperty', [1, 'loose']],
  ['toBeCloseTo', [0, 'strict']],
  ['toContain', [0, 'strict']],
  ['toContainEqual', [0, 'loose']],
  ['toMatch', [0, 'strict']],
  ['equal', [0, 'strict']],
  ['equals', [0, 'strict']],
  ['eq', [0, 'strict']],
  ['eql', [0, 'strict']],
  ['eqls', [0, 'strict']],
  ['length', [0, 'strict']],
  ['lengthOf', [0, 'strict']],
  ['property', [1, 'strict']],
]);

const assertNames = /^(?:equal|strictEqual|deepEqual|deepStrictEqual|match)$/;

function siteOf(tree: SourceTree, call: ts.CallExpression): AssertionSite | undefined {
  return (
    expectSite(tree, call) ?? shouldSite(tree, call) ?? assertSite(tree, call) ?? contextSite(tree, call)
  );
}

/** `x.should.equal(y)`, of chai and of should.js. */
function shouldSite(tree: SourceTree, call: ts.CallExpression): AssertionSite | undefined {
  const [matcherName, ...modifiers] = chainNames(call);
  const [argument, mode] = matchers.get(matcherName?.text ?? '') ?? [];
  const expected = argument === undefined ? undefined : call.arguments[argument];
  const should = modifiers.findIndex((name) => name.text === 'should');
  const access = modifiers[should]?.parent;
  if (matcherName === undefined || expected === undefined || mode === undefined) return undefined;
  if (access === undefined || !ts.isPropertyAccessExpression(access)) return undefined;
  const negated = modifiers.slice(0, should).some((name) => name.text === 'not');
  const matcher = matcherName.text;
  return { tree, call, matcher, actual: access.expression, expected, mode, negated, swapped: false };
}

/** `request(app).get('/').expect(200, body)` of supertest: what was recorded tells which of the arguments is meant. */
function requestSite(tree: SourceTree, call: ts.CallExpression, recorded: Value): AssertionSite | undefined {
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'expect') return undefined;
  if (!ts.isCallExpression(callee.expression)) return undefined;
  const meant = call.arguments.filter((argument) => {
    const value = staticValue(argument);
    return value !== undefined && sameValue(value, recorded, 'strict');
  });
  // What is put together is known only by what it gave: the one argument that is neither written out nor a callback.
  const computed = call.arguments.filter((argument) => {
    const node = unwrap(argument);
    return ts.isTemplateExpression(node) || ts.isBinaryExpression(node);
  });
  const [expected] = meant.length === 0 && recorded.kind === 'string' ? computed : meant;
  if (expected === undefined || meant.length > 1 || (meant.length === 0 && computed.length > 1))
    return undefined;
  const matcher = '.expect';
  return {
    tree,
    call,
    matcher,
    actual: callee.expression,
    expected,
    mode: 'strict',
    negated: false,
    swapped: false,
  };
}

function expectSite(tree: SourceTree, call: ts.CallExpression): AssertionSite | undefined {
  const names = chainNames(call);
  const root = chainRoot(call);
  const [matcherName, ...modifiers] = names;
  if (root === undefined || matcherName === undefined || !isExpect(root.expression)) return undefined;
  const [argument, mode] = matchers.get(matcherName.text) ?? [];
  const expected = argument === undefined ? undefined : call.arguments[argument];
  const [actual] = root.arguments;
  if (expected === undefined || actual === undefined || mode === undefined) return undefined;
  const precision = call.arguments[1] === undefined ? undefined : staticValue(call.arguments[1]);
  return {
    tree,
    call,
    matcher: matcherName.text,
    actual,
    expected,
    mode,
    negated: modifiers.some((name) => name.text === 'not'),
    swapped: false,
    ...(matcherName.text === 'toBeCloseTo' && {
      digits: precision?.kind === 'number' ? Number(precision.text) : 2,
    }),
  };
}

function assertSite(tree: SourceTree, call: ts.CallExpression): AssertionSite | undefined {
  const [first, second] = call.arguments;
  const name = assertName(call.expression, assertNames);
  if (first === undefined || second === undefined || name === undefined) return undefined;
  // Some write the expected side first.
  const swapped =
    staticValue(first) !== undefined && staticValue(second) === undefined && !ts.isIdentifier(unwrap(second));
  return {
    tree,
    call,
    matcher: name,
    actual: swapped ? second : first,
    expected: swapped ? first : second,
    mode: 'strict',
    negated: false,
    swapped,
  };
}
