// One vocabulary for all: discovery, the fixers and the gate see the same tests, suites, hooks and skips in each framework's files.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { hookPhaseOf, testCallsAround } from '../../../src/core/fixes/assertion/testCalls.ts';
import { frameworks } from '../../../src/core/frameworks/registry.ts';
import type { FrameworkId, ScannedTest } from '../../../src/core/model/testNode.ts';
import { bindingsOf } from '../../../src/core/policy/bindings.ts';
import { checkPolicy } from '../../../src/core/policy/checkPolicy.ts';
import { testTreeOf } from '../../../src/core/policy/testTree.ts';
import { parseTree, visitNodes } from '../../../src/core/syntax/javascript/sourceTree.ts';

interface Spellings {
  readonly head: string;
  readonly tests: readonly string[];
  readonly suites?: readonly string[];
  readonly hooks: readonly string[];
  /** Of tests that do not run, run alone, or pass when they fail. */
  readonly marked: readonly string[];
}

const table: Partial<Record<FrameworkId, Spellings>> = {
  vitest: {
    head: `
import * as v from 'vitest';
import { afterAll, afterEach, aroundEach, beforeAll, beforeEach, describe, it, suite, test } from 'vitest';
import { beforeEach as prepare, describe as group, it as spec, test as check } from 'vitest';
const also = test;
const many = it.concurrent;
const withCart = test.extend({ cart: {} });
const describeIf = (condition) => (condition ? describe : describe.skip);
const later = test.skip;`,
    tests:
      `it test check spec also many withCart v.test it.concurrent test.sequential it.each([1]) test.for([1])
      check.each([1]) test.runIf(true) it.skipIf(false)`.split(/\s+/),
    suites: 'describe suite group v.describe describe.each([1]) describe.shuffle describeIf(true)'.split(' '),
    hooks: 'beforeEach afterEach beforeAll afterAll aroundEach prepare v.beforeEach'.split(' '),
    marked: 'it.skip test.only check.skip later test.fails also.only v.test.skip'.split(' '),
  },
  jest: {
    head: `
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, fdescribe, fit, it, test, xit, xtest } from '@jest/globals';
import { beforeEach as prepare, it as spec, test as check, xit as off } from '@jest/globals';
const also = test;`,
    tests: 'it test check spec also it.each([1]) test.concurrent'.split(' '),
    suites: 'describe describe.each([1])'.split(' '),
    hooks: 'beforeEach afterEach beforeAll afterAll prepare'.split(' '),
    marked: 'it.skip test.only xit xtest fit off check.skip it.failing'.split(' '),
  },
  mocha: {
    head: `const { it: spec, beforeEach: prepare } = require('mocha');\nconst check = test;`,
    tests: 'it specify test check spec'.split(' '),
    suites: 'describe context suite'.split(' '),
    hooks: `before after beforeEach afterEach setup teardown suiteSetup suiteTeardown prepare`.split(' '),
    marked: 'it.skip it.only xit xspecify specify.skip check.skip'.split(' '),
  },
  cypress: {
    head: '',
    tests: 'it specify'.split(' '),
    suites: 'describe context'.split(' '),
    hooks: 'before after beforeEach afterEach'.split(' '),
    marked: 'it.skip it.only xit xspecify specify.only'.split(' '),
  },
  nodeTest: {
    head: `
import whole, { after, afterEach, before, beforeEach, describe, it, suite, test } from 'node:test';
import { before as prepare, test as check } from 'node:test';
const also = it;`,
    tests: 'it test check also whole test.test whole.it'.split(' '),
    suites: 'describe suite test.describe whole.suite'.split(' '),
    hooks: 'before after beforeEach afterEach prepare whole.before'.split(' '),
    marked: 'it.skip test.only check.skip also.todo whole.skip'.split(' '),
  },
  ava: {
    head: `import check, { default as test } from 'ava';\nconst also = test.serial;`,
    tests: 'test check also test.serial check.serial'.split(' '),
    hooks: 'test.before test.after test.beforeEach test.afterEach test.serial.before test.after.always'.split(
      ' ',
    ),
    marked: 'test.skip test.only check.failing also.skip'.split(' '),
  },
  playwright: {
    head: `
import { test as base, test } from '@playwright/test';
const own = test.extend({ shop: {} });
const check = base;`,
    tests: 'test base own check'.split(' '),
    suites: 'test.describe base.describe own.describe test.describe.serial test.describe.parallel'.split(' '),
    hooks: 'test.beforeEach test.afterEach test.beforeAll base.afterAll own.beforeEach'.split(' '),
    marked: 'test.skip test.only check.fixme own.skip test.fail'.split(' '),
  },
};

const quoted = (text: string): string => JSON.stringify(text);

/** A file with every spelling: each test is called after its own. */
function fileOf({ head, tests, suites = [], hooks, marked }: Spellings): string {
  const inner = tests[0] ?? '';
  return [
    head.trim(),
    ...hooks.map((hook) => `${hook}(async () => { mark(${quoted(hook)}); });`),
    ...[...tests, ...marked].map(
      (test) => `${test}(${quoted(test)}, async () => { mark(${quoted(test)}); });`,
    ),
    ...suites.map(
      (suite) =>
        `${suite}(${quoted(suite)}, () => { ${inner}(${quoted(`in ${suite}`)}, () => { mark(1); }); });`,
    ),
    '',
  ].join('\n');
}

const leaves = (tests: readonly ScannedTest[]): readonly ScannedTest[] =>
  tests.flatMap((test) => (test.children.length > 0 ? leaves(test.children) : [test]));

const titleOf = (call: ts.CallExpression): string => {
  const [title] = call.arguments;
  return title !== undefined && ts.isStringLiteralLike(title) ? title.text : '';
};

describe('the vocabulary of a framework', () => {
  for (const framework of frameworks) {
    const spellings = table[framework.id];
    if (spellings === undefined) continue;
    const { tests, suites = [], marked } = spellings;
    const text = fileOf(spellings);
    const file = framework.id === 'mocha' ? 'cart.test.js' : 'cart.test.ts';
    const expected = [...tests, ...marked, ...suites.map((suite) => `in ${suite}`)].toSorted();

    it(`${framework.label}: discovery finds every test, however it is written`, async () => {
      for (const thorough of [false, true]) {
        const { tests: found } = await framework.scan(file, text, { thorough });
        assert.deepEqual(
          leaves(found)
            .map(({ title }) => title)
            .toSorted(),
          expected,
        );
      }
    });

    it(`${framework.label}: the fixers know of every place in which test, suite or hook it stands`, () => {
      const { ast } = parseTree(file, text);
      const found: string[] = [];
      const hooks: string[] = [];
      visitNodes(ast, (node) => {
        if (!ts.isCallExpression(node)) return;
        if (hookPhaseOf(node) !== undefined) hooks.push(node.expression.getText());
        if (node.expression.getText() !== 'mark') return;
        const [own, around] = testCallsAround(node);
        if (own?.kind !== 'test') return;
        found.push(titleOf(own.call));
        if (titleOf(own.call).startsWith('in '))
          assert.equal(around && titleOf(around.call), titleOf(own.call).slice(3));
      });
      assert.deepEqual(found.toSorted(), expected);
      assert.deepEqual(hooks, spellings.hooks);
    });

    it(`${framework.label}: the gate counts the same tests and suites, and the hooks`, () => {
      const { ast } = parseTree(file, text);
      const { definitions } = testTreeOf(ast, bindingsOf(ast));
      const titles = (kind: string): readonly string[] =>
        definitions.flatMap((one) => (one.kind === kind ? [titleOf(one.node)] : [])).toSorted();
      assert.deepEqual(titles('test'), expected);
      assert.deepEqual(titles('suite'), suites.toSorted());
      assert.equal(titles('hook').length, spellings.hooks.length);
    });

    it(`${framework.label}: the gate refuses each way to keep a test from running or failing`, () => {
      const [plain = ''] = tests;
      const whole = (callee: string): string =>
        `${spellings.head.trim()}\n${callee}('adds', async (t) => { const cart = 1; expect(cart).toBe(1); });\n`;
      const missed = marked.filter((callee) => {
        const found = checkPolicy({ file, before: whole(plain), after: whole(callee) });
        return !found.some(({ rule }) => rule === 'skip-or-only');
      });
      assert.deepEqual(missed, []);
    });
  }
});
