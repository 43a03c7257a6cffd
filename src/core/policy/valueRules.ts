// Keeps the two sides of an assertion apart: the expected side stays written down, the actual side stays computed by the code.
import ts from 'typescript';
import type { AssertionFact } from './assertionFacts.ts';
import type { FileFacts } from './fileFacts.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { shapeOf } from './parseSource.ts';
import { isSourceModule } from './testApi.ts';
import { literalBehind, reachOf, type Reach } from './valueFacts.ts';

interface ValueFinding {
  readonly rule:
    'vacuous-assertion' | 'computed-expectation' | 'weakened-subject' | 'weaker-matcher' | 'inverted';
  readonly text: string;
}

export function* compareValues(
  old: AssertionFact,
  now: AssertionFact,
  before: FileFacts,
  after: FileFacts,
): Generator<ValueFinding> {
  const [oldSubject, newSubject] = [subjectReach(old, before), subjectReach(now, after)];
  const [oldExpected, newExpected] = [expectedReach(old, before), expectedReach(now, after)];
  const usesCode = (reach: Reach): boolean => reach.calls.length > 0 || hasOuterName(reach);
  if (isVacuous(now, after) && !isVacuous(old, before))
    yield { rule: 'vacuous-assertion', text: 'This assertion can never fail.' };
  else if (now.subject !== undefined && usesCode(oldSubject) && !usesCode(newSubject))
    yield { rule: 'vacuous-assertion', text: 'The assertion no longer checks the code under test.' };
  else if (leavesSource(oldSubject, newSubject, before, after) || helperLeavesSource(old, now, before, after))
    yield { rule: 'vacuous-assertion', text: 'The assertion checks a stand-in for the code under test.' };
  yield* compareMakeup(old.subject, now.subject);
  yield* compareWrappers(old, now, before, after);
  const added = extra(newExpected.wildcards, oldExpected.wildcards);
  if (added.length > 0) yield { rule: 'weaker-matcher', text: `${added.join(', ')} accepts many values.` };
  const sources = (reach: Reach): readonly string[] => [...reach.calls, ...reach.imports];
  const gained = extra(sources(newExpected), sources(oldExpected));
  const gone = extra(sources(oldExpected), sources(newExpected));
  const shared = (expected: Reach, subject: Reach): number =>
    [...expected.names, ...expected.calls].filter(
      (name) => subject.names.has(name) || subject.calls.includes(name),
    ).length;
  if (gained.length > gone.length || shared(newExpected, newSubject) > shared(oldExpected, oldSubject))
    yield {
      rule: 'computed-expectation',
      text: 'The expected value is now computed instead of stated as a literal.',
    };
  yield* compareOperators(oldSubject.operators, newSubject.operators);
  const [was, is] = [literalOf(old, before), literalOf(now, after)];
  const isFlip = isBoolean(was) && isBoolean(is) && was.kind !== is.kind;
  if (isFlip && !isBoolean(old.args[0] && unwrap(old.args[0])))
    yield { rule: 'inverted', text: 'The expected boolean was inverted.' };
}

function leavesSource(was: Reach, is: Reach, before: FileFacts, after: FileFacts): boolean {
  return usesSource(was, before) && !usesSource(is, after);
}

function helperLeavesSource(
  old: AssertionFact,
  now: AssertionFact,
  before: FileFacts,
  after: FileFacts,
): boolean {
  if (old.family !== 'helper' || now.family !== 'helper') return false;
  return leavesSource(expectedReach(old, before), expectedReach(now, after), before, after);
}

/**
 * Does the value come from a module of the workspace, directly or through a function of this file? A name that the file also
 * declares may mean the one or the other, so it counts as no use of the module.
 */
function usesSource({ names }: Reach, facts: FileFacts): boolean {
  const { bindings } = facts;
  const isSource = (name: string): boolean =>
    !bindings.declared.has(name) && isSourceModule(bindings.imports.get(name)?.module ?? '');
  return [...names].some((name) => {
    let found = isSource(name);
    for (const node of bindings.declared.get(name) ?? [])
      if (ts.isClassDeclaration(node) || (ts.isFunctionDeclaration(node) && !writesItsResult(name, facts)))
        visitNodes(node, (inner) => {
          found ||= ts.isIdentifier(inner) && isSource(inner.text);
        });
    return found;
  });
}

/** `expect(id(total(1)))`: a function of the file between the code and the assertion may give anything. */
function* compareWrappers(
  old: AssertionFact,
  now: AssertionFact,
  before: FileFacts,
  after: FileFacts,
): Generator<ValueFinding> {
  const [was, is] = [wrappersOf(old, before), wrappersOf(now, after)];
  if (is.length > was.length)
    yield {
      rule: 'weakened-subject',
      text: `The test itself defines ${extra(is, was).join(', ')}, which computes the value that it checks.`,
    };
  for (const name of calledNames(now.subject))
    if (
      writesItsResult(name, after) &&
      ownFunctions(name, before).length > 0 &&
      !writesItsResult(name, before)
    )
      yield {
        rule: 'weakened-subject',
        text: `${name} returns a fixed value, whatever the code does.`,
      };
}

/** Functions of the file that are called in what is looked at, and given what comes of the code. */
function wrappersOf({ subject, owner }: AssertionFact, facts: FileFacts): readonly string[] {
  if (subject === undefined) return [];
  const wrappers: string[] = [];
  visitNodes(subject, (node) => {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(unwrap(node.expression))) return;
    const name = node.expression.getText();
    const isOwn = ownFunctions(name, facts).length > 0;
    if (
      isOwn &&
      node.arguments.some((each) => usesSource(reachOf(each, facts.bindings, facts.valuesFor(owner)), facts))
    )
      wrappers.push(name);
  });
  return wrappers;
}

function calledNames(subject: ts.Expression | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  if (subject !== undefined)
    visitNodes(subject, (node) => {
      if (ts.isCallExpression(node)) names.add(node.expression.getText());
    });
  return names;
}

function ownFunctions(name: string, { bindings }: FileFacts): readonly ts.SignatureDeclaration[] {
  const nodes = [...(bindings.declared.get(name) ?? []), ...(bindings.values.get(name) ?? []).map(unwrap)];
  return nodes.filter(ts.isFunctionLike);
}

/** Is all that the function gives back written down in it? */
function writesItsResult(name: string, facts: FileFacts): boolean {
  const results = ownFunctions(name, facts).flatMap(resultsOf);
  const valuesOf = facts.valuesFor(`function ${name}`);
  return (
    results.length > 0 &&
    results.every((result) => {
      const value = literalBehind(result, valuesOf);
      if (value === undefined || !isConstant(value)) return false;
      const { names, calls } = reachOf(value, facts.bindings, valuesOf);
      return names.size === 0 && calls.length === 0;
    })
  );
}

function resultsOf(node: ts.SignatureDeclaration): readonly ts.Expression[] {
  if (!('body' in node) || node.body === undefined) return [];
  if (ts.isExpression(node.body)) return [node.body];
  const results: ts.Expression[] = [];
  const look = (inner: ts.Node): void => {
    if (ts.isFunctionLike(inner)) return;
    if (ts.isReturnStatement(inner) && inner.expression !== undefined) results.push(inner.expression);
    ts.forEachChild(inner, look);
  };
  ts.forEachChild(node.body, look);
  return results;
}

/** What the test itself puts into the value it looks at: functions, lists, errors. */
function* compareMakeup(
  was: ts.Expression | undefined,
  is: ts.Expression | undefined,
): Generator<ValueFinding> {
  if (was === undefined || is === undefined) return;
  if (spyQuestion(is) < spyQuestion(was))
    yield { rule: 'weakened-subject', text: 'The assertion checks less of the calls than before.' };
  const [old, now] = [makeupOf(was), makeupOf(is)];
  if (now.throws > old.throws)
    yield { rule: 'vacuous-assertion', text: 'The test itself throws the error that is expected.' };
  if (now.functions > old.functions || now.literals > old.literals)
    yield { rule: 'weakened-subject', text: 'The test itself creates a part of the value that it checks.' };
}

/** How much `spy.calledWith(1)` and its like ask; Infinity for everything else. */
function spyQuestion(subject: ts.Expression): number {
  const node = unwrap(subject);
  const access = ts.isCallExpression(node) ? unwrap(node.expression) : node;
  const name = ts.isPropertyAccessExpression(access) ? access.name.text : '';
  if (/^(?:alwaysC|c)alled\w*WithExactly$/.test(name)) return 4;
  if (/^(?:alwaysC|c)alled\w*With\w*$/.test(name)) return 3;
  if (/^(?:called(?:Once|Twice|Thrice)|callCount)$/.test(name)) return 2;
  return name === 'called' ? 1 : Infinity;
}

function makeupOf(subject: ts.Expression): { functions: number; literals: number; throws: number } {
  const found = { functions: 0, literals: 0, throws: 0 };
  const whole = unwrap(subject);
  const visit = (node: ts.Node, isArgument: boolean): void => {
    if (ts.isFunctionLike(node) && node !== whole) found.functions++;
    if (ts.isThrowStatement(node)) found.throws++;
    const isLiteral = ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node);
    if (isLiteral && !isArgument) found.literals++;
    ts.forEachChild(node, (child) => {
      const passed = (ts.isCallExpression(node) || ts.isNewExpression(node)) && child !== node.expression;
      visit(child, isArgument || passed || ts.isFunctionLike(node));
    });
  };
  visit(whole, false);
  return found;
}

/** True when the assertion holds whatever the code does. */
export function isVacuous(fact: AssertionFact, facts: FileFacts): boolean {
  const { subject, args } = fact;
  if (fact.family === 'helper' || fact.family === 'manual') return false;
  if (!fact.called) return true;
  if (subject === undefined) return false;
  const expected = args[0];
  if (expected !== undefined && shapeOf(expected) === shapeOf(subject)) return true;
  const reach = subjectReach(fact, facts);
  return (
    reach.calls.length === 0 &&
    reach.names.size === 0 &&
    !fact.matcher.startsWith('fail') &&
    isConstant(subject)
  );
}

function isConstant(node: ts.Node): boolean {
  const inner = unwrap(node);
  if (inner.kind === ts.SyntaxKind.ThisKeyword || ts.isMetaProperty(inner)) return false;
  let constant = !ts.isFunctionLike(inner) || !inner.getText().includes('this');
  ts.forEachChild(inner, (child) => {
    constant &&= isConstant(child);
  });
  return constant;
}

function* compareOperators(was: readonly string[], is: readonly string[]): Generator<ValueFinding> {
  const gained = extra(is, was);
  const gone = extra(was, is);
  if (gained.length === 0) return;
  const isFlip = gone.length === gained.length || gained.every((operator) => operator === '!');
  if (isFlip) yield { rule: 'inverted', text: `The tested condition was inverted (${gained.join(' ')}).` };
  else
    yield {
      rule: 'weakened-subject',
      text: `The assertion checks less than before, or a fallback value (${gained.join(' ')}).`,
    };
}

function subjectReach(fact: AssertionFact, facts: FileFacts): Reach {
  return fact.subject === undefined
    ? nothing
    : reachOf(fact.subject, facts.bindings, facts.valuesFor(fact.owner));
}

function expectedReach(fact: AssertionFact, facts: FileFacts): Reach {
  const reaches = fact.args.map((arg) => reachOf(arg, facts.bindings, facts.valuesFor(fact.owner)));
  return {
    calls: reaches.flatMap(({ calls }) => calls),
    imports: reaches.flatMap(({ imports }) => imports),
    names: new Set(reaches.flatMap(({ names }) => [...names])),
    operators: [],
    wildcards: reaches.flatMap(({ wildcards }) => wildcards),
  };
}

const nothing: Reach = { calls: [], imports: [], names: new Set(), operators: [], wildcards: [] };

/** Does the value depend on anything but variables that were given literals? */
function hasOuterName(reach: Reach): boolean {
  return reach.imports.length > 0 || reach.names.has('this');
}

function literalOf(fact: AssertionFact, facts: FileFacts): ts.Node | undefined {
  return literalBehind(fact.args[0], facts.valuesFor(fact.owner));
}

function isBoolean(node: ts.Node | undefined): node is ts.Node {
  return node?.kind === ts.SyntaxKind.TrueKeyword || node?.kind === ts.SyntaxKind.FalseKeyword;
}

/** What the first list has more often than the second. */
function extra(list: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return list.filter((item) => {
    const index = left.indexOf(item);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
