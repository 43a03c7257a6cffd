// The assertions of a test that are certainly reached and whose failure certainly fails the test.
import type { SyntaxNode } from '@lezer/common';
import { mockAssertion } from './mockCalls.ts';
import { childrenOf, unwrapPython, visitPython, type PythonSource } from './parsePython.ts';
import type { TestFunction } from './testFunctions.ts';
import { comparingMethod } from './unittestCase.ts';

export interface SafeAssertions {
  /** The compared expressions: each part of an `and` for itself; calls such as `self.assertEqual(a, b)` and `mock.assert_called_with(a)`. */
  readonly assertions: readonly SyntaxNode[];
  /** Calls of `pytest.raises` in a `with`. */
  readonly raises: readonly SyntaxNode[];
}

/** Nothing from conditions, loops, `try`, functions inside, or after something that may end the test early. */
export function safeAssertions({ body, isCase }: TestFunction, source: PythonSource): SafeAssertions {
  const assertions: SyntaxNode[] = [];
  const raises: SyntaxNode[] = [];
  follow(body);
  return { assertions, raises };

  function follow(block: SyntaxNode): boolean {
    for (const statement of childrenOf(block)) {
      if (endsTest(statement, source)) return false;
      if (statement.name === 'StatementGroup' && !follow(statement)) return false;
      if (statement.name === 'AssertStatement') {
        const [, tested] = childrenOf(statement);
        if (tested !== undefined) assertions.push(...conjuncts(tested, source));
      } else if (statement.name === 'ExpressionStatement') {
        const [call] = childrenOf(statement);
        const isAsking =
          call !== undefined &&
          ((isCase && comparingMethod(call, source) !== undefined) ||
            mockAssertion(call, source) !== undefined);
        if (isAsking) assertions.push(call);
      } else if (statement.name === 'WithStatement' && !inContext(statement)) return false;
    }
    return true;
  }

  function inContext(statement: SyntaxNode): boolean {
    const parts = childrenOf(statement);
    const body = statement.getChild('Body');
    const items = parts.filter(({ name }, index) => name !== 'Body' && parts[index - 1]?.name !== 'as');
    const calls = items.filter(({ name }) => /Expression$|VariableName/.test(name));
    const [only] = calls;
    const isRaises = (call: SyntaxNode): boolean =>
      call.name === 'CallExpression' &&
      call.firstChild !== null &&
      source.textOf(call.firstChild) === 'pytest.raises';
    if (only !== undefined && calls.length === 1 && isRaises(only)) {
      raises.push(only);
      return body !== null && !containsEnd(body, source);
    }
    // What swallows errors lets no assertion count.
    const swallows = calls.length === 0 || calls.some((call) => !isPlainContext(call, source));
    if (body === null) return true;
    return swallows ? !containsEnd(body, source) : follow(body);
  }
}

/** One that is known to let a failure through; any other may swallow it. */
function isPlainContext(node: SyntaxNode, source: PythonSource): boolean {
  const callee = node.name === 'CallExpression' ? node.firstChild : null;
  return callee !== null && plainContext.test(source.textOf(callee));
}

const plainContext =
  /^open$|\.(?:open|isolated_filesystem|isolation|as_cwd|chdir|at_level|disabled|test_client|app_context|test_request_context)$|^monkeypatch\.context$|^(?:mock\.|mocker\.)?patch(?:\.(?:object|dict|multiple))?$|^tempfile\.\w+$/;

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
    // A lone `yield` is read as a `pass`.
    found ||= node.name === 'PassStatement' && !source.text.startsWith('pass', node.from);
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
