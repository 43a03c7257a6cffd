// What tests of a file replace for all that run after them, because nothing takes it back: timers, variables of the environment, globals, answers of mocks.
import ts from 'typescript';
import { visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { hookPhaseOf, testCallsAround, type TestCall } from '../assertion/testCalls.ts';
import type { TestScope } from '../members/testScope.ts';
import { isOutsideOfTests, sharedMock, type MockLibrary, type SharedMock } from './sharedMock.ts';

export interface Leak {
  /** As people call it: "fake timers". */
  readonly what: string;
  /** The statement that takes it back, without a semicolon. */
  readonly restore: string;
  /** Of each test, or hook before each test, that leaves it behind: the calls that declare it and its suites, innermost first. */
  readonly leftBy: readonly (readonly TestCall[])[];
  /** Taking it back may do more than that: a person decides. */
  readonly isAsked?: true;
}

interface Kind {
  readonly what: string;
  readonly sets: RegExp;
  readonly restore: string;
}

const kinds: readonly Kind[] = [
  { what: 'fake timers', sets: /^(?:vi|jest)\.(?:useFakeTimers|setSystemTime)$/, restore: 'useRealTimers' },
  { what: 'stubbed environment variables', sets: /^vi\.stubEnv$/, restore: 'unstubAllEnvs' },
  { what: 'stubbed globals', sets: /^vi\.stubGlobal$/, restore: 'unstubAllGlobals' },
];

/** What the tests before this one leave behind, and it does not set or take back itself. */
export function leaksBeside(tree: SourceTree, own: TestScope, library: MockLibrary): readonly Leak[] {
  const found = kinds.flatMap(({ what, sets, restore }) => {
    const setters = callsIn(tree, sets);
    const restorers = callsIn(tree, new RegExp(`^${library}\\.${restore}$`));
    const leftBy = leftBehind(setters, restorers, own);
    return leftBy.length === 0 ? [] : [{ what, restore: `${library}.${restore}()`, leftBy }];
  });
  return [...found, ...programmedMocks(tree, own, library)];
}

/** Those who leave it behind: the calls around what they set. */
function leftBehind(
  setters: readonly ts.CallExpression[],
  restorers: readonly ts.CallExpression[],
  own: TestScope,
): Leak['leftBy'] {
  const [test] = own.calls;
  if ([...setters, ...restorers].some((call) => own.reaches(call))) return [];
  const left = setters
    .filter(({ pos }) => test !== undefined && pos < test.call.pos)
    .filter((call) => !restorers.some((restorer) => takesBack(restorer, call)))
    .map(declaringCalls);
  return left.some((calls) => calls === undefined) ? [] : left.flatMap((calls) => (calls ? [calls] : []));
}

const programs = /\.mock(?:ReturnValue|ResolvedValue|RejectedValue|Implementation)(?:Once)?$/;
const resets = /\.mock(?:Reset|Restore)$|\.(?:reset|restore)AllMocks$/;

/** Shared mocks that a test told what to give. */
function programmedMocks(tree: SourceTree, own: TestScope, library: MockLibrary): readonly Leak[] {
  const mocks = new Map<string, { readonly mock: SharedMock; readonly setters: ts.CallExpression[] }>();
  for (const call of callsIn(tree, programs)) {
    let on: ts.Expression = call;
    while (
      ts.isCallExpression(on) &&
      ts.isPropertyAccessExpression(on.expression) &&
      /^mock[A-Z]/.test(on.expression.name.text)
    )
      on = on.expression.expression;
    const mock = sharedMock(on, tree, library);
    if (mock === undefined || isOutsideOfTests(call)) continue;
    const known = mocks.get(mock.name);
    if (known === undefined) mocks.set(mock.name, { mock, setters: [call] });
    else known.setters.push(call);
  }
  return [...mocks.values()].flatMap(({ mock, setters }) => {
    const leftBy = leftBehind(setters, callsIn(tree, resets), own);
    const restore = `${mock.asMock}.mockReset()`;
    return leftBy.length === 0
      ? []
      : [{ what: `answers of ${mock.name}`, restore, leftBy, isAsked: true as const }];
  });
}

function callsIn(tree: SourceTree, callee: RegExp): readonly ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  visitNodes(tree.ast, (node) => {
    if (ts.isCallExpression(node) && callee.test(node.expression.getText())) calls.push(node);
  });
  return calls;
}

/** In the same test, or in a hook after the tests of a suite around it. */
function takesBack(restorer: ts.CallExpression, setter: ts.CallExpression): boolean {
  const [holder, test] = [hookAround(restorer), testCallsAround(restorer)[0]];
  if (test?.kind === 'test') return testCallsAround(setter).some(({ call }) => call === test.call);
  if (holder === undefined || hookPhaseOf(holder)?.startsWith('after') !== true) return false;
  const suite = testCallsAround(holder).find(({ kind }) => kind === 'group')?.call;
  return suite === undefined || testCallsAround(setter).some(({ call }) => call === suite);
}

/** Undefined where it stands neither in a test nor in a hook before each test. */
function declaringCalls(setter: ts.CallExpression): readonly TestCall[] | undefined {
  const calls = testCallsAround(setter);
  if (calls[0]?.kind === 'test') return calls;
  const hook = hookAround(setter);
  return hook !== undefined && hookPhaseOf(hook) === 'beforeEach' ? calls : undefined;
}

function hookAround(node: ts.Node): ts.CallExpression | undefined {
  for (let up: ts.Node = node; up.parent !== undefined; up = up.parent)
    if (ts.isCallExpression(up) && hookPhaseOf(up) !== undefined) return up;
  return undefined;
}
