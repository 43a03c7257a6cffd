// Test files as people really have them: marks, tabs, JSX, decorators, huge and odd values, helpers and macros, in whole cycles.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const source = `export const greet = (name: string): string => 'Hi, ' + name;
export const huge = (): string => 'x'.repeat(1_000_000) + 'Hi';
export class Money {
  constructor(readonly amount: number, readonly unit: string) {}
}
const held: Record<string, unknown> = { name: 'Hi' };
held.self = held;
export const cycle = (): unknown => held;
export const money = (): unknown => ({ price: new Money(2, 'Hi') });
export const named = (): unknown => ({ name: 'Hi', kind: Symbol('Hi') });
export const maker = (): unknown => ({ name: 'Hi', make: () => 'Hi' });
export const map = (): unknown => new Map<string, unknown>([['a', { text: 'Hi' }], ['b', new Set(['Hi'])]]);
export const day = (text = 'Hi'): unknown => ({ at: new Date(text === 'Hi' ? 0 : 86_400_000) });
export const zero = (text = 'Hi'): number => (text === 'Hi' ? 0 : -0);
export const rate = (text = 'Hi'): number => (text === 'Hi' ? 1 : NaN);
export const count = (text = 'Hi'): unknown => ({ n: text === 'Hi' ? 1n : 2n ** 80n });
`;

const head = (names: string, from = '../src/shop.ts'): string =>
  `import { expect, it, describe } from 'vitest';\nimport { ${names} } from '${from}';\n\n`;
const test = (title: string, ...lines: readonly string[]): string =>
  `it('${title}', () => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`;
const long = 'x'.repeat(1_000_000);

const tests: Readonly<Record<string, string>> = {
  'windows.test.tsx':
    `\uFEFF/** @jsxRuntime classic */\n/** @jsx h */\n${head('greet')}const h = (tag: string, { name }: { name: string }): string => '<' + tag + '>' + greet(name);\n\n${test('draws', `\texpect(<b name="Ada" />).toBe('<b>Hi, Ada');\t// drawn`)}`.replaceAll(
      '\n',
      '\r\n',
    ),
  'decorators.test.ts': `${head('greet')}const said: string[] = [];\nfunction says(_: unknown, key: string): void {\n  said.push(greet(key));\n}\nclass Host {\n  @says\n  ada(): void {}\n}\n\n${test('decorates', `new Host().ada();`, `expect(said).toEqual(['Hi, ada']);`)}`,
  'satisfies.test.ts': `${head('greet')}type Line = { readonly text: string };\n\n${test('satisfies', `const line = { text: 'Hi, Ada' } satisfies Line;`, `expect({ text: greet('Ada') }).toEqual(line);`, `expect({ text: greet('Bob') }).toEqual({ text: 'Hi, Bob' } satisfies Line);`, `expect({ text: greet('Cy') }).toEqual(<Line>{ text: 'Hi, Cy' });`)}`,
  'templates.test.ts':
    head('greet') +
    test(
      'fills in',
      'const name = `A${1 + 1}`;',
      'expect(greet(name)).toBe(`Hi, ${name}`);',
      'expect(greet(`${name}`)).toEqual(`Hi, ${`${name}`}`);',
    ),
  'line.test.ts': `${head('greet')}it('a', () => { expect(greet('A')).toBe('Hi, A'); expect(greet('B')).toBe('Hi, B'); }); it('b', () => { expect(greet('C')).toBe('Hi, C'); });\n`,
  'huge.test.ts': head('huge') + test('is huge', `expect(huge()).toBe('${long}Hi');`),
  'odd.test.ts':
    head('cycle, money, named, maker, map, day, zero, rate, count, Money') +
    test(
      'cycle',
      `const want: any = { name: 'Hi' };`,
      `want.self = want;`,
      `expect(cycle()).toEqual(want);`,
    ) +
    test('instance', `expect(money()).toEqual({ price: new Money(2, 'Hi') });`) +
    test('symbol', `expect(named()).toEqual({ name: 'Hi', kind: expect.any(Symbol) });`) +
    test('function', `expect(maker()).toEqual({ name: 'Hi', make: expect.any(Function) });`) +
    test(
      'map',
      `expect(map()).toEqual(new Map<string, unknown>([['a', { text: 'Hi' }], ['b', new Set(['Hi'])]]));`,
    ) +
    test('day', `expect(day()).toEqual({ at: new Date('1970-01-01T00:00:00.000Z') });`) +
    test('zero', `expect(zero()).toBe(0);`) +
    test('rate', `expect(rate()).toBe(1);`) +
    test('count', `expect(count()).toEqual({ n: 1n });`),
  'helped.test.ts':
    head('greet') +
    `import { checks, greets } from './checks.ts';\n\n` +
    test('is checked', `checks(greet('Ada'), 'Hi, Ada');`) +
    `it.each([\n  ['Bob', 'Hi, Bob'],\n  ['Cy', 'Hi, Cy'],\n])('checks %s', (name, want) => checks(greet(name), want));\n` +
    `greets('Dan', 'Hi, Dan');\ngreets('Eve', 'Hi, Eve');\n` +
    `const own = (name: string, want: string): void => {\n  it('greets the own ' + name, () => expect(greet(name)).toBe(want));\n};\nown('Fay', 'Hi, Fay');\nown('Gus', 'Hi, Gus');\n`,
};
const checks = `import { expect, it } from 'vitest';
import { greet } from '../src/shop.ts';

export function checks(actual: string, want: string): void {
  expect(actual).toBe(want);
}
export function greets(name: string, want: string): void {
  it('greets ' + name, () => {
    expect(greet(name)).toBe(want);
  });
}
`;

describe('a fix cycle over rough test files', function () {
  this.timeout(300_000);
  let report: CycleReport;
  before(async () => {
    const files = Object.fromEntries(Object.entries(tests).map(([name, text]) => [`test/${name}`, text]));
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "4" } }',
        'tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true } }',
        'src/shop.ts': source,
        'test/checks.ts': checks,
        ...files,
      },
      { git: true, vitest: true },
    );
    try {
      await workspace.write(
        'src/shop.ts',
        source
          .replaceAll(/'Hi(?=[,'])/g, (hi) => hi.replace('Hi', 'Hello'))
          .replaceAll("=== 'Hello'", "=== 'Hi'"),
      );
      report = await mendWorkspace(workspace, { assume: 'source-is-right' });
    } finally {
      await workspace.dispose();
    }
  });

  const added = (file: string): readonly string[] => {
    const [, diff = ''] = report.patch.split(`+++ b/test/${file}\n`);
    const lines = (diff.split('diff --git')[0] ?? '').split('\n');
    return lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
  };
  const reasonOf = (title: string): string =>
    report.remaining.find((left) => left.title === title)?.reason ?? 'nothing';

  it('keeps marks, line ends and tabs to the byte', () => {
    assert.deepEqual(added('windows.test.tsx'), [
      `  \texpect(<b name="Ada" />).toBe('<b>Hello, Ada');\t// drawn\r`,
    ]);
  });

  it('reads decorators, `satisfies`, casts in angle brackets and templates with expressions', () => {
    assert.deepEqual(added('decorators.test.ts'), [`  expect(said).toEqual(['Hello, ada']);`]);
    assert.deepEqual(added('satisfies.test.ts'), [
      `  const line = { text: 'Hello, Ada' } satisfies Line;`,
      `  expect({ text: greet('Bob') }).toEqual({ text: 'Hello, Bob' } satisfies Line);`,
      `  expect({ text: greet('Cy') }).toEqual(<Line>{ text: 'Hello, Cy' });`,
    ]);
    assert.deepEqual(added('templates.test.ts'), [
      '  expect(greet(name)).toBe(`Hello, ${name}`);',
      '  expect(greet(`${name}`)).toEqual(`Hello, ${`${name}`}`);',
    ]);
  });

  it('mends several assertions and several tests of one line', () => {
    assert.deepEqual(added('line.test.ts'), [
      `it('a', () => { expect(greet('A')).toBe('Hello, A'); expect(greet('B')).toBe('Hello, B'); }); it('b', () => { expect(greet('C')).toBe('Hello, C'); });`,
    ]);
  });

  it('writes sets, maps, dates, instances, negative zeros and large integers, and keeps symbols, functions and cycles', () => {
    assert.deepEqual(added('odd.test.ts'), [
      `  const want: any = { name: 'Hello' };`,
      `  expect(money()).toEqual({ price: new Money(2, 'Hello') });`,
      `  expect(named()).toEqual({ name: 'Hello', kind: expect.any(Symbol) });`,
      `  expect(maker()).toEqual({ name: 'Hello', make: expect.any(Function) });`,
      `  expect(map()).toEqual(new Map<string, unknown>([['a', { text: 'Hello' }], ['b', new Set(['Hello'])]]));`,
      `  expect(day()).toEqual({ at: new Date('1970-01-02T00:00:00.000Z') });`,
      '  expect(zero()).toBe(-0);',
      '  expect(count()).toEqual({ n: 1208925819614629174706176n });',
    ]);
  });

  it('tells why a literal of a megabyte is left, and proposes no NaN by itself', () => {
    assert.match(reasonOf('is huge'), /cannot be written as a literal: text too long/);
    const nan = report.fixes.find(({ title }) => title === 'expect NaN (was 1)');
    assert.deepEqual([nan?.trust, nan?.state], ['propose', 'declined']);
  });

  it('changes what a test hands to a helper or to what declares it, never the helper', () => {
    assert.deepEqual(added('helped.test.ts'), [
      `  checks(greet('Ada'), 'Hello, Ada');`,
      `  ['Bob', 'Hello, Bob'],`,
      `  ['Cy', 'Hello, Cy'],`,
      `greets('Dan', 'Hello, Dan');`,
      `greets('Eve', 'Hello, Eve');`,
      `own('Fay', 'Hello, Fay');`,
      `own('Gus', 'Hello, Gus');`,
    ]);
    assert.doesNotMatch(report.patch, /checks\.ts\n@@/);
  });
});
