// Classes of unittest whose assertions are certainly the ones of unittest, and what these compare.
import type { SyntaxNode } from '@lezer/common';
import { argumentsOf, type PythonSource } from './parsePython.ts';

/** Does the class have `unittest.TestCase` as its only base, and nothing that could change what an assertion means? */
export function isTestCase(definition: SyntaxNode, source: PythonSource): boolean {
  const [base, ...more] = argumentsOf(definition.getChild('ArgList'), source);
  if (base === undefined || more.length > 0 || base.name !== undefined || base.spread) return false;
  const { text } = source;
  const [, module, name] =
    /^(?:(unittest)\.)?(TestCase|IsolatedAsyncioTestCase)$/.exec(source.textOf(base.value)) ?? [];
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
  ).test(text);
  return !isReplaced && !changesAssertions.test(source.textOf(definition));
}

const changesAssertions =
  /\b(?:failureException|addTypeEqualityFunc|setattr|__getattr\w*__|_\w+Equal\w*)\b|\bdef\s+(?:assert\w*|subTest|run|debug|__\w+__)\b|\.assert\w*\s*=(?!=)/;

export interface ComparingMethod {
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
