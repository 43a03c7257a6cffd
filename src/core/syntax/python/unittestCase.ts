// Classes of unittest whose assertions are certainly the ones of unittest, and what these compare.
import type { SyntaxNode } from '@lezer/common';
import { argumentsOf, type PythonSource } from './parsePython.ts';

/** `unittest.TestCase`, `TestCase` as imported from there, and nothing else of the name. */
export function isTestCaseOfUnittest(base: string, { text }: PythonSource): boolean {
  const [, module, name] = /^(?:(unittest)\.)?(TestCase|IsolatedAsyncioTestCase)$/.exec(base) ?? [];
  const imported =
    module === undefined
      ? /^from[ \t]+unittest[ \t]+import[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*$/m
          .exec(text)?.[1]
          ?.split(/\W+/)
      : /^import[ \t]+unittest[ \t]*$/m.test(text)
        ? [module]
        : [];
  if (name === undefined || imported?.includes(module ?? name) !== true) return false;
  const isReplaced = new RegExp(
    `\\b(?:as|def|class)\\s+(?:unittest|${name})\\b|^[ \\t]*(?:unittest|${name})\\s*=|\\b${name}\\.\\w+\\s*=(?!=)`,
    'm',
  );
  return !isReplaced.test(text);
}

/** In the text of a class: what its assertions say, or what becomes of a failure, may not be what unittest makes of it. */
export const changesAssertions =
  /\b(?:failureException|addTypeEqualityFunc|setattr|__getattr\w*__|_\w+Equal\w*)\b|\bdef\s+(?:assert(?:\w*Equals?|In|IsInstance)|_formatMessage|_truncateMessage|fail|subTest|run|debug|__\w+__)\b|\.assert\w*\s*=(?!=)/;

interface ComparingMethod {
  readonly operator: '==' | 'in';
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
}

/** What `self.assertEqual(a, b)` and its like compare; undefined for every other call. */
export function comparingMethod(call: SyntaxNode, source: PythonSource): ComparingMethod | undefined {
  const callee = call.name === 'CallExpression' ? call.firstChild : null;
  const name = callee === null ? undefined : /^self\.(\w+)$/.exec(source.textOf(callee))?.[1];
  const operator = name === undefined ? undefined : operators.get(name);
  const [left, right, ...more] = argumentsOf(call.getChild('ArgList'), source);
  if (operator === undefined || left === undefined || right === undefined) return undefined;
  const isPlain = [left, right].every((one) => one.name === undefined && !one.spread);
  return isPlain && !more.some(({ spread }) => spread)
    ? { operator, left: left.value, right: right.value }
    : undefined;
}

const operators: ReadonlyMap<string, ComparingMethod['operator']> = new Map([
  ['assertEqual', '=='],
  ['assertEquals', '=='],
  ['assertMultiLineEqual', '=='],
  ['assertSequenceEqual', '=='],
  ['assertListEqual', '=='],
  ['assertTupleEqual', '=='],
  ['assertDictEqual', '=='],
  ['assertSetEqual', '=='],
  ['assertIn', 'in'],
]);
