// Where the clearing of a shared mock is written, by the shape of the test file; the gate holds for each.
import assert from 'node:assert/strict';
import { commonSuites, hookChanges } from '../../../../src/core/fixes/state/hookPlace.ts';
import { mockLookedAt } from '../../../../src/core/fixes/state/recordSite.ts';
import { sharedMock } from '../../../../src/core/fixes/state/sharedMock.ts';
import { testScope } from '../../../../src/core/fixes/members/testScope.ts';
import { applyChanges } from '../../../../src/core/model/edit.ts';
import type { Failure } from '../../../../src/core/model/testResult.ts';
import { checkPolicy } from '../../../../src/core/policy/checkPolicy.ts';
import { parseTree } from '../../../../src/core/syntax/javascript/sourceTree.ts';

const file = 'a.test.ts';

/** The text with the mock cleared that its last assertion looks at; undefined where none is shared, a reason where there is no place. */
function cleared(text: string): string | undefined {
  const tree = parseTree(file, text);
  const at = text.lastIndexOf('expect(');
  const lines = text.slice(0, at).split('\n');
  const location = { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  const looked = mockLookedAt(tree, { location });
  const mock = looked && sharedMock(looked, tree, 'vi');
  if (mock === undefined) return undefined;
  const { calls } = testScope(tree, { file, line: 0, failure: failureAt(location) });
  const changes = hookChanges({
    tree,
    hook: 'beforeEach',
    statement: `${mock.asMock}.mockClear()`,
    suites: commonSuites([calls]),
    names: mock.declaration,
  });
  if ('reason' in changes) return changes.reason;
  const after = applyChanges(changes, text);
  assert.deepEqual(checkPolicy({ file, before: text, after }), [], after);
  return after;
}

const failureAt = (location: NonNullable<Failure['location']>): Failure => ({
  message: '',
  kind: 'assertion',
  severity: 'medium',
  stack: [],
  location,
});

const head = `import { describe, expect, it, vi } from 'vitest';\n`;
const counts = `it('a', () => {\n  run(log);\n  expect(log).toHaveBeenCalledTimes(1);\n});\n`;

describe('the place where a mock is cleared', () => {
  it('is a new hook behind what stands before the first test', () => {
    assert.equal(
      cleared(`${head}const log = vi.fn(); // shared\n\n// counts\n${counts}`),
      `${head.replace('{ describe', '{ beforeEach, describe')}const log = vi.fn(); // shared\n\nbeforeEach(() => {\n  log.mockClear();\n});\n\n// counts\n${counts}`,
    );
  });

  it('is the suite of the test, with its indentation and without semicolons where there are none', () => {
    const suite = (hook: string): string =>
      `const log = jest.fn()\n\ndescribe('x', () => {\n\tconst n = 1${hook}\n\n\tit('a', () => {\n\t\texpect(log.mock.calls).toHaveLength(n)\n\t})\n})\n`;
    assert.equal(
      cleared(suite('').replace('jest.fn', 'vi.fn')),
      suite('\n\n\tbeforeEach(() => {\n\t\tlog.mockClear()\n\t})').replace('jest.fn', 'vi.fn'),
    );
  });

  it('is the first hook that is there, before all it does', () => {
    const text = (first: string): string =>
      `const api = { save: vi.fn() };\nbeforeEach(async () => { ${first}await start(api); });\nit('a', () => { expect(api.save).not.toHaveBeenCalled(); });\n`;
    assert.equal(cleared(text('')), text('api.save.mockClear(); '));
  });

  it('is further out where an outer set-up calls the code', () => {
    const text = (first: string): string =>
      `const log = vi.fn();\nbeforeEach(() => {\n  ${first}start(log);\n});\ndescribe('x', () => {\n  it('a', () => {\n    expect(log).toHaveBeenCalledTimes(1);\n  });\n});\n`;
    assert.equal(cleared(text('')), text('log.mockClear();\n  '));
    assert.match(
      cleared(text('').replace('{\n  start(log);\n}', 'start(log)')) ?? '',
      /No code can be inserted before the setup/,
    );
  });

  it('is refused where the mock is not known further out', () => {
    assert.match(
      cleared(
        `beforeEach(() => { start(); });\ndescribe('x', () => {\n  const log = vi.fn();\n  it('a', () => {\n    expect(log).toHaveBeenCalledTimes(1);\n  });\n});\n`,
      ) ?? '',
      /runs before the calls can be cleared/,
    );
  });

  it('is refused where something runs before all tests', () => {
    for (const code of [
      'beforeAll(() => { start(log); });',
      'start(log);',
      'beforeEach(() => { app.started; });',
    ])
      assert.match(
        cleared(`const log = vi.fn();\n${code}\ndescribe('x', () => {\n${counts}});\n`) ?? '',
        /before all tests|mockClear\(\); app/,
      );
  });

  it('is known for mocks of every kind that all tests share', () => {
    for (const [declared, used, asMock] of [
      [`const { log } = vi.hoisted(() => ({ log: vi.fn() }));`, 'log', 'log'],
      [
        `const mocks = vi.hoisted(() => { return { log: vi.fn().mockReturnValue(1) }; });`,
        'mocks.log',
        'mocks.log',
      ],
      [`import * as m from './m';\nvi.mock('./m', () => ({ log: vi.fn() }));`, 'm.log', 'vi.mocked(m.log)'],
      [`import m from './m';\nvi.mock('./m');`, 'vi.mocked(m.log)', 'vi.mocked(m.log)'],
      [`vi.spyOn(console, 'log');`, 'console.log', 'vi.mocked(console.log)'],
      [`beforeAll(() => { vi.spyOn(console, 'log'); });`, 'console.log', 'vi.mocked(console.log)'],
      [`const spy = vi.spyOn(console, 'log').mockImplementation(() => {});`, 'spy', 'spy'],
    ] as const) {
      const text = cleared(
        `${declared}\nit('a', () => {\n  expect(${used}).toHaveBeenCalledTimes(1);\n});\n`,
      );
      assert.ok(text?.includes(`\n  ${asMock}.mockClear();\n`), `${declared}\n${text}`);
    }
  });

  it('is not sought for a mock that each test has for itself, or that may be something else', () => {
    for (const declared of [
      `let log: Mock;\nbeforeEach(() => { log = vi.fn(); });`,
      `import { log } from './m';`,
      `const log = make();`,
      `beforeEach(() => { vi.spyOn(console, 'log'); });\nconst log = console.log;`,
    ])
      assert.equal(cleared(`${declared}\n${counts}`), undefined, declared);
    assert.equal(
      cleared(`it('a', () => {\n  const log = vi.fn();\n  expect(log).toHaveBeenCalledTimes(1);\n});\n`),
      undefined,
    );
    assert.equal(
      cleared(`const log = vi.fn();\nit('a', () => {\n  expect(total).toBe(1);\n});\n`),
      undefined,
    );
  });
});
