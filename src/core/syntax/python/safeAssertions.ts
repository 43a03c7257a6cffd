// The assertions of a test that are certainly reached and whose failure certainly fails the test.
import type { SyntaxNode } from '@lezer/common';
import { isContextTarget } from './contextTargets.ts';
import type { ExpectationContext } from './expectationContext.ts';
import { helperCalled } from './helperCalls.ts';
import { loopTableOf, type LoopTable } from './loopTables.ts';
import { mockAssertion } from './mockCalls.ts';
import { childrenOf, unwrapPython, visitPython, type PythonSource } from './parsePython.ts';
import type { TestFunction } from './testFunctions.ts';
import { comparingMethod } from './unittestCase.ts';

export interface SafeAssertions {
  /** The compared expressions: each part of an `and` for itself; calls such as `self.assertEqual(a, b)`, `mock.assert_called_with(a)` and those of helpers. */
  readonly assertions: readonly SyntaxNode[];
  /** Calls of `pytest.raises`, `pytest.warns`, `self.assertRaisesRegex` in a `with`. */
  readonly raises: readonly SyntaxNode[];
  /** The loops that some of them stand in. */
  readonly loops: readonly LoopTable[];
}

/** Nothing from conditions, loops over what is not written down, `try`, functions inside, or after something that may end the test early. */
export function safeAssertions(
  test: TestFunction,
  source: PythonSource,
  context: ExpectationContext = {},
): SafeAssertions {
  const { body, isCase } = test;
  const assertions: SyntaxNode[] = [];
  const raises: SyntaxNode[] = [];
  const loops: LoopTable[] = [];
  follow(body);
  return { assertions, raises, loops };

  function follow(block: SyntaxNode): boolean {
    for (const statement of childrenOf(block)) {
      if (endsTest(statement, source)) return false;
      if (statement.name === 'StatementGroup' && !follow(statement)) return false;
      if (statement.name === 'AssertStatement') {
        const [, tested] = childrenOf(statement);
        if (tested !== undefined) assertions.push(...conjuncts(tested, source));
      } else if (statement.name === 'ExpressionStatement') {
        const call = calledIn(statement);
        const isAsking =
          call !== undefined &&
          ((isCase && comparingMethod(call, source) !== undefined) ||
            mockAssertion(call, source) !== undefined ||
            helperCalled(call, test, source, context) !== undefined);
        if (isAsking) assertions.push(call);
      } else if (statement.name === 'ForStatement') inLoop(statement);
      else if (statement.name === 'WithStatement' && !inContext(statement)) return false;
    }
    return true;
  }

  /** Nothing in it ends the test or the loop. */
  function inLoop(statement: SyntaxNode): void {
    const table = loopTableOf(statement, test, source, context);
    if (table === undefined) return;
    loops.push(table);
    follow(table.body);
  }

  function inContext(statement: SyntaxNode): boolean {
    const body = statement.getChild('Body');
    const calls = childrenOf(statement).filter(
      (part) => /Expression$|VariableName/.test(part.name) && !isContextTarget(part, source),
    );
    const [only] = calls;
    const isRaises = (call: SyntaxNode): boolean =>
      call.name === 'CallExpression' &&
      call.firstChild !== null &&
      (isCase
        ? /^(?:pytest\.(?:raises|warns)|self\.assert(?:Raises|Warns)Regex)$/
        : /^pytest\.(?:raises|warns)$/
      ).test(source.textOf(call.firstChild));
    if (only !== undefined && calls.length === 1 && isRaises(only)) {
      raises.push(only);
      return body !== null && !containsEnd(body, source);
    }
    // What swallows errors lets no assertion count.
    const swallows =
      calls.length === 0 ||
      calls.some((call) => !isPlainContext(call, source) && !isSubtest(call, test, source));
    if (body === null) return true;
    return swallows ? !containsEnd(body, source) : follow(body);
  }
}

function calledIn(statement: SyntaxNode): SyntaxNode | undefined {
  const [whole] = childrenOf(statement);
  return whole?.name === 'AwaitExpression' ? childrenOf(whole)[1] : whole;
}

/** One that is known to let a failure through; any other may swallow it. */
function isPlainContext(node: SyntaxNode, source: PythonSource): boolean {
  const callee = node.name === 'CallExpression' ? node.firstChild : null;
  return callee !== null && plainContext.test(source.textOf(callee));
}

const plainContext =
  /^open$|\.(?:open|isolated_filesystem|isolation|as_cwd|chdir|at_level|disabled|test_client|app_context|test_request_context)$|^monkeypatch\.context$|^(?:mock\.|mocker\.)?patch(?:\.(?:object|dict|multiple))?$|^tempfile\.\w+$/;

/** `self.subTest(…)`, `subtests.test(…)`: goes on after a failure, which fails the test all the same. */
export function isSubtest(node: SyntaxNode, test: TestFunction, source: PythonSource): boolean {
  const callee = node.name === 'CallExpression' ? node.firstChild : null;
  const called = callee === null ? '' : source.textOf(callee);
  return (
    (called === 'self.subTest' && test.isCase) ||
    (called === 'subtests.test' &&
      test.parameters.includes('subtests') &&
      !/\bdef\s+subtests\b|\bsubtests\s*=/.test(source.text))
  );
}

const endings = /^(?:Return|Raise|Break|Continue|Yield|Delete)Statement$/;
const endingCall = /\b(?:skip|skipTest|fail|xfail|exit|_exit|abort|importorskip|quit|yield)\b/;

/** May what follows not be reached, or mean something else? */
function endsTest(statement: SyntaxNode, source: PythonSource): boolean {
  if (statement.name === 'WithStatement' || statement.name.endsWith('Definition')) return false;
  return containsEnd(statement, source);
}

function containsEnd(part: SyntaxNode, source: PythonSource): boolean {
  let found = false;
  visitPython(part, (node) => {
    if (/Definition$|^LambdaExpression$/.test(node.name)) return false;
    const callee = node.name === 'CallExpression' ? node.firstChild : null;
    found ||= endings.test(node.name) || /^(?:Yield|yield)/.test(node.name);
    // A `yield` that gives nothing is read as a `pass`, or as None.
    found ||= /^(?:PassStatement|None)$/.test(node.name) && source.text.startsWith('yield', node.from);
    found ||= callee !== null && endingCall.test(source.textOf(callee));
    return !found;
  });
  return found;
}

/** `a == 1 and b == 2` are two. */
function conjuncts(tested: SyntaxNode, source: PythonSource): readonly SyntaxNode[] {
  const node = unwrapPython(tested);
  const parts = childrenOf(node);
  if (node.name !== 'BinaryExpression' || parts[1]?.name !== 'and') return [node];
  return [parts[0], parts[2]].flatMap((part) => (part === undefined ? [] : conjuncts(part, source)));
}
