// Finds the assertions of one file: matcher calls, assert functions, calls of helpers that assert, and hand-made checks.
import ts from 'typescript';
import { chainOf, type Bindings, type Chain, type Link } from './bindings.ts';
import { guardsInside, isSettled, type Guard } from './flow.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { assertionRoots, chaiWords, contextAssertions } from './testApi.ts';
import { isFunction, isOutermost, type TestTree } from './testTree.ts';

export interface AssertionFact {
  /** Key of the test, hook or function it belongs to. */
  readonly owner: string;
  readonly family: 'expect' | 'assert' | 'helper' | 'manual';
  /** toBe, strictEqual, `deep.equal`, the helper's name, `throw`. */
  readonly matcher: string;
  readonly negated: boolean;
  readonly promise: 'resolves' | 'rejects' | undefined;
  /** Words of chai before the matcher that change what it asks: `any`, `include`, `ordered`, … */
  readonly flags?: readonly string[];
  /** False for `expect(x).toBe` without its call, which asserts nothing. */
  readonly called: boolean;
  readonly subject: ts.Expression | undefined;
  readonly args: readonly ts.Expression[];
  readonly guards: readonly Guard[];
  /** Is its promise awaited or returned? */
  readonly settled: boolean;
  readonly node: ts.Node;
  readonly line: number;
  /** Layout-free text of the whole assertion. */
  readonly shape: string;
}

export function assertionsOf(
  source: ts.SourceFile,
  bindings: Bindings,
  tree: TestTree,
): readonly AssertionFact[] {
  const facts: AssertionFact[] = [];
  const helpers = assertingFunctions(source, bindings);
  visitNodes(source, (node) => {
    for (const part of partsOf(node, bindings, helpers)) {
      const guards: Guard[] = [...guardsInside(node, tree)];
      if (part.isOptional) guards.push({ rule: 'conditional-assertion', key: '?.' });
      if (part.isCaught) guards.push({ rule: 'swallowed-error', key: 'catch()' });
      const owner = tree.ownerOf(node);
      const settled = isSettled(node);
      facts.push({ ...part, owner, guards, settled, node, line: lineOf(node), shape: shapeOf(node) });
    }
  });
  return facts;
}

type Part = Pick<
  AssertionFact,
  'family' | 'matcher' | 'negated' | 'promise' | 'flags' | 'called' | 'subject' | 'args'
> & { readonly isOptional?: boolean; readonly isCaught?: boolean };

function partsOf(node: ts.Node, bindings: Bindings, helpers: ReadonlySet<string>): readonly Part[] {
  const manual = manualCheck(node);
  if (manual !== undefined) return [manual];
  if (!ts.isCallExpression(node) && !ts.isPropertyAccessExpression(node)) return [];
  if (!isOutermost(node)) return [];
  const chain = chainOf(node, bindings);
  if (chain === undefined) return [];
  if (chain.root.startsWith('expect') && assertionRoots.has(chain.root)) return expectParts(chain);
  if (chain.root === 'assert' || chain.root === 'assertType') return assertParts(chain);
  const should = chain.links.findIndex((link) => link.kind === 'name' && link.name === 'should');
  const isCypress = should >= 0 && chain.links[should + 1]?.kind === 'call';
  if (isCypress) return cypressParts(chain.links);
  if (should >= 0) return matcherParts(chain.links.slice(should + 1), undefined);
  const [first, second] = chain.links;
  if (chain.root === 'sinon' && first?.kind === 'name' && first.name === 'assert')
    return assertParts({ root: 'assert', links: chain.links.slice(1) });
  if (
    chain.root === 't' &&
    first?.kind === 'name' &&
    contextAssertions.has(first.name) &&
    second?.kind === 'call'
  )
    return assertParts({ root: 'assert', links: chain.links });
  const requests = chain.links.flatMap((link, index) => {
    const name = chain.links[index - 1];
    return link.kind === 'call' && name?.kind === 'name' && name.name === 'expect' ? [link] : [];
  });
  if (requests.length > 0) return requests.map(({ args }) => helperPart('.expect', args));
  if (first?.kind === 'call' && (helpers.has(chain.root) || isHelperName(chain.root)))
    return [helperPart(chain.root, first.args)];
  if (first?.kind === 'name' && second?.kind === 'call' && /^(?:expect|assert|verify)[A-Z]/.test(first.name))
    return [helperPart(first.name, second.args)];
  return [];
}

/** Cypress: `cy.get('a').should('not.have.text', 'b').and('be.visible')`; what is asked is written in a text. */
function cypressParts(links: readonly Link[]): readonly Part[] {
  return links.flatMap((link, index) => {
    const name = links[index - 1];
    if (link.kind !== 'call' || name?.kind !== 'name' || !/^(?:should|and)$/.test(name.name)) return [];
    const [chainer, ...args] = link.args;
    const written = chainer === undefined ? undefined : unwrap(chainer);
    // A function asserts for itself.
    if (written === undefined || ts.isFunctionLike(written)) return [];
    const text = ts.isStringLiteralLike(written) ? written.text : '[computed]';
    const negated = /(?:^|\.)not\./.test(text);
    const subject = ts.isCallExpression(link.node) ? link.node.expression : undefined;
    const shared = { family: 'expect' as const, promise: undefined, called: true, isOptional: name.optional };
    return [
      {
        ...shared,
        matcher: text.replace(/(?:^|\.)not\./, ''),
        negated,
        subject: subjectBefore(subject),
        args,
      },
    ];
  });
}

/** `cy.get('a')` of `cy.get('a').should`, also before further questions. */
function subjectBefore(callee: ts.Expression | undefined): ts.Expression | undefined {
  let node = callee;
  while (
    node !== undefined &&
    ts.isPropertyAccessExpression(node) &&
    /^(?:should|and)$/.test(node.name.text)
  ) {
    node = unwrap(node.expression);
    if (!ts.isCallExpression(node)) break;
    const inner = unwrap(node.expression);
    if (!ts.isPropertyAccessExpression(inner) || !/^(?:should|and)$/.test(inner.name.text)) break;
    node = inner;
  }
  return node;
}

const helperPart = (matcher: string, args: readonly ts.Expression[]): Part => ({
  family: 'helper',
  matcher,
  negated: false,
  promise: undefined,
  called: true,
  subject: undefined,
  args,
});

const isHelperName = (name: string): boolean =>
  /^(?:expect|assert|verify|check|ensure|should)(?:[A-Z_]|$)/.test(name);

function expectParts(chain: Chain): readonly Part[] {
  const subjectAt = chain.links.findIndex((link) => link.kind === 'call');
  const lead = chain.links.slice(0, Math.max(subjectAt, 0));
  const subjectLink = chain.links[subjectAt];
  if (subjectLink?.kind !== 'call') return [];
  const name = lead.at(-1);
  if (name?.kind === 'name' && !['soft', 'poll', 'element'].includes(name.name)) {
    const isFail = name.name === 'fail' || name.name === 'unreachable';
    return isFail ? [{ ...helperPart(name.name, []), family: 'expect' }] : [];
  }
  const parts = matcherParts(chain.links.slice(subjectAt + 1), subjectLink.args[0]);
  return subjectLink.optional || lead.some((link) => link.kind !== 'computed' && link.optional)
    ? parts.map((part) => ({ ...part, isOptional: true }))
    : parts;
}

/** Words of chai that turn the next matcher into another question. */
const asksOtherwise = /^(?:any|all|include|includes|contain|contains|ordered|own)$/;

/** One part for each matcher that is called, and one for a property of chai that asserts by itself. */
function matcherParts(links: readonly Link[], subject: ts.Expression | undefined): readonly Part[] {
  const parts: Part[] = [];
  let negated = false;
  let promise: Part['promise'];
  let isOptional = false;
  let deep = '';
  const flags: string[] = [];
  for (const [index, link] of links.entries()) {
    if (link.kind === 'computed') {
      const called = links[index + 1]?.kind === 'call';
      parts.push({ family: 'expect', matcher: '[computed]', negated, promise, called, subject, args: [] });
      continue;
    }
    isOptional ||= link.optional;
    if (link.kind === 'call') continue;
    const next = links[index + 1];
    const isCall = next?.kind === 'call';
    if (isCall && /^(?:then|catch|finally)$/.test(link.name)) {
      const swallows = link.name === 'catch' || (link.name === 'then' && next.args.length > 1);
      if (swallows) parts.splice(0, parts.length, ...parts.map((part) => ({ ...part, isCaught: true })));
      continue;
    }
    if (link.name === 'not' || link.name === 'never') negated = !negated;
    else if (link.name === 'resolves' || link.name === 'rejects') promise = link.name;
    else if (link.name === 'deep' || link.name === 'nested') deep = 'deep.';
    else if (!isCall && asksOtherwise.test(link.name)) flags.push(link.name);
    else if (isCall || !chaiWords.has(link.name)) {
      const called = isCall || !/^to[A-Z]/.test(link.name);
      const args = isCall ? next.args : [];
      parts.push({
        family: 'expect',
        matcher: deep + link.name,
        negated,
        promise,
        flags: [...flags],
        called,
        subject,
        args,
      });
    }
  }
  return isOptional ? parts.map((part) => ({ ...part, isOptional })) : parts;
}

function assertParts(chain: Chain): readonly Part[] {
  const names = chain.links.flatMap((link) => (link.kind === 'name' ? [link.name] : []));
  const call = chain.links.find((link) => link.kind === 'call');
  if (chain.links.some((link) => link.kind === 'computed'))
    return [{ ...helperPart('[computed]', []), family: 'assert', called: false }];
  if (call?.kind !== 'call') return [];
  const isStrict = names.includes('strict');
  const name = names.findLast((each) => each !== 'strict' && each !== 'assert') ?? 'ok';
  const matcher = isStrict ? (strictNames.get(name) ?? name) : name;
  const shared = { negated: false, promise: undefined, called: true, isOptional: call.optional };
  return [{ family: 'assert', matcher, ...shared, subject: call.args[0], args: call.args.slice(1) }];
}

const strictNames: ReadonlyMap<string, string> = new Map([
  ['equal', 'strictEqual'],
  ['notEqual', 'notStrictEqual'],
  ['deepEqual', 'deepStrictEqual'],
  ['notDeepEqual', 'notDeepStrictEqual'],
]);

/** Checks without a library, as skill tests make them: a thrown error, a counted failure, a pushed error. */
function manualCheck(node: ts.Node): Part | undefined {
  if (ts.isThrowStatement(node)) return manual('throw');
  if (ts.isPostfixUnaryExpression(node) && counts.test(last(node.operand))) return manual('count');
  if (
    ts.isPrefixUnaryExpression(node) &&
    node.operator === ts.SyntaxKind.PlusPlusToken &&
    counts.test(last(node.operand))
  )
    return manual('count');
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.PlusEqualsToken &&
    counts.test(last(node.left))
  )
    return manual('count');
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'push'
  )
    return counts.test(last(node.expression.expression)) ? manual('push') : undefined;
  return undefined;
}

const manual = (matcher: string): Part => ({ ...helperPart(matcher, []), family: 'manual' });

const counts = /^(?:fail|failed|failures|errors?)$/i;

const last = (target: ts.Node): string =>
  ts.isPropertyAccessExpression(target) ? target.name.text : ts.isIdentifier(target) ? target.text : '';

/** Names of functions of this file that assert, directly or through one another. */
function assertingFunctions(source: ts.SourceFile, bindings: Bindings): ReadonlySet<string> {
  const bodies = new Map<string, ts.Node>();
  visitNodes(source, (node) => {
    if (ts.isFunctionDeclaration(node) && node.name !== undefined && node.body !== undefined)
      bodies.set(node.name.text, node.body);
    else if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      const value = unwrap(node.initializer);
      if (isFunction(value)) bodies.set(node.name.text, value.body);
    }
  });
  const asserting = new Set<string>();
  for (let size = -1; size !== asserting.size;) {
    size = asserting.size;
    for (const [name, body] of bodies)
      if (!asserting.has(name) && asserts(body, bindings, asserting)) asserting.add(name);
  }
  return asserting;
}

function asserts(body: ts.Node, bindings: Bindings, helpers: ReadonlySet<string>): boolean {
  let found = false;
  visitNodes(body, (node) => {
    found ||= partsOf(node, bindings, helpers).length > 0;
  });
  return found;
}
