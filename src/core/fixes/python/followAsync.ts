// Awaits, in the tests of a Python file, what functions and methods of the source give that became asynchronous.
import type { SyntaxNode } from '@lezer/common';
import type { TextChange } from '../../model/edit.ts';
import { argumentsOf, parsePython, visitPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { pythonUnawaited } from '../renameDoubts/stalePythonUse.ts';
import { OfferHistory } from './apiHistory.ts';
import type { PythonHistory } from './pythonHistory.ts';
import { TestTypes } from './testTypes.ts';

interface FollowedAsync {
  readonly changes: readonly TextChange[];
  /** The tests that change, by the name of their function. */
  readonly tests: readonly string[];
  /** What became asynchronous: `load`, `Cart.load`. */
  readonly functions: readonly string[];
  /** Sentences about sources that do not wait: only a person can tell whether the change is finished. */
  readonly doubts: readonly string[];
  readonly reasons: readonly { readonly test: string; readonly reason: string }[];
}

/** Of every call in a test that is certainly one of these; a test that was none becomes `async` only where such tests certainly run. */
export async function followAsync(
  file: string,
  text: string,
  history: PythonHistory,
): Promise<FollowedAsync> {
  const source = parsePython(text);
  const offers = new OfferHistory(history);
  const types = new TestTypes(file, source, { history, offers });
  const calls: SyntaxNode[] = [];
  if (source.errorLine === undefined)
    visitPython(source.root, (node) => void (node.name === 'CallExpression' && calls.push(node)));
  const changes: TextChange[] = [];
  const [tests, functions] = [new Set<string>(), new Set<string>()];
  const reasons = new Map<string, string>();
  const doubts = new Set<string>();
  for (const call of calls) {
    const test = testAround(call, source);
    if (test === undefined || isWaitedFor(call, test.node, source)) continue;
    const type = call.firstChild && (await types.typeOf(call.firstChild));
    if (type?.kind !== 'function' || !(await offers.becameAsync(type.place))) continue;
    const { name } = type.place;
    if (!test.isAsync && !(await mayBeAsync(test.node, source, history))) {
      reasons.set(
        test.name,
        `${name}() is now asynchronous, but nothing shows that the test can be asynchronous too.`,
      );
      continue;
    }
    if (!test.isAsync && !tests.has(test.name))
      changes.push({ start: test.node.from, end: test.node.from, newText: 'async ' });
    const isPart = call.parent?.name === 'MemberExpression' || call.parent?.name === 'CallExpression';
    changes.push({ start: call.from, end: call.from, newText: isPart ? '(await ' : 'await ' });
    if (isPart) changes.push({ start: call.to, end: call.to, newText: ')' });
    tests.add(test.name);
    functions.add(name);
    const [last = name] = name.split('.').slice(-1);
    const misuse = await pythonUnawaited({ name: last, file: type.place.file }, history.sources);
    if (misuse !== undefined) doubts.add(misuse);
  }
  return {
    changes,
    tests: [...tests],
    functions: [...functions],
    doubts: [...doubts],
    reasons: [...reasons].map(([test, reason]) => ({ test, reason })),
  };
}

interface TestAround {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly isAsync: boolean;
}

/** The test whose own step the call is a part of; none in functions inside, and in what runs later. */
function testAround(call: SyntaxNode, source: PythonSource): TestAround | undefined {
  for (let node: SyntaxNode | null = call; node !== null; node = node.parent) {
    if (/^(?:LambdaExpression|ComprehensionExpression|ParamList|Decorator)$/.test(node.name))
      return undefined;
    if (node.name !== 'FunctionDefinition') continue;
    const own = node.getChild('VariableName');
    const name = own === null ? '' : source.textOf(own);
    return name.startsWith('test') ? { node, name, isAsync: node.firstChild?.name === 'async' } : undefined;
  }
  return undefined;
}

/** Also where it is handed to something that waits, or kept under a name that the test waits for. */
function isWaitedFor(call: SyntaxNode, test: SyntaxNode, source: PythonSource): boolean {
  for (let node = call; node.parent !== null && node.from !== test.from; node = node.parent) {
    const { parent } = node;
    if (parent.name === 'AwaitExpression') return true;
    const callee = parent.name === 'ArgList' ? parent.parent?.firstChild : undefined;
    if (
      callee &&
      /\b(?:asyncio|anyio|trio|loop|runner|gather|wait_for|create_task|ensure_future|run\w*)\b/.test(
        source.textOf(callee),
      )
    )
      return true;
    if (parent.name !== 'AssignStatement') continue;
    const target = parent.firstChild;
    const name = target === null ? '' : source.textOf(target);
    const waits = new RegExp(
      `\\bawait\\s+\\(?${name}\\b|\\b(?:gather|wait_for|create_task|run\\w*)\\([^)]*\\b${name}\\b`,
    );
    return /^\w+$/.test(name) && waits.test(source.textOf(test));
  }
  return false;
}

/** A class of unittest for that, a mark over the test, its class or the module, or a project that runs all such tests. */
async function mayBeAsync(test: SyntaxNode, source: PythonSource, history: PythonHistory): Promise<boolean> {
  const mark = /\bpytest\.mark\.(?:asyncio|anyio)\b/;
  let isMarked = false;
  for (let node: SyntaxNode | null = test; node !== null; node = node.parent) {
    const decorators = node.name === 'DecoratedStatement' ? node.getChildren('Decorator') : [];
    isMarked ||= decorators.some((one) => mark.test(source.textOf(one)));
    const bases = node.name === 'ClassDefinition' ? argumentsOf(node.getChild('ArgList'), source) : [];
    // A coroutine in any other case of unittest is never waited for, and passes.
    if (bases.length > 0)
      return bases.some(({ value }) => /^(?:unittest\.)?IsolatedAsyncioTestCase$/.test(source.textOf(value)));
  }
  if (isMarked || /^pytestmark\s*=\s*\[?\s*pytest\.mark\.(?:asyncio|anyio)\b/m.test(source.text)) return true;
  for (const file of ['pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini'])
    if (/^\s*asyncio_mode\s*=\s*["']?auto\b/m.test((await history.text(file, 'now')) ?? '')) return true;
  return false;
}
