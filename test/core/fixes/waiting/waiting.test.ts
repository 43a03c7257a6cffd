// Assertions that come too early since the source defers work: what is offered, and what no waiting may turn green.
import assert from 'node:assert/strict';
import { askedProviders } from '../../../../src/core/fixes/providers.ts';
import type { CycleFix, CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

interface Situation {
  readonly source: readonly [before: string, after: string];
  readonly names: string;
  readonly body: string;
}

const publish = (how: string): string =>
  `export const publish = (send: (text: string) => void, text: string) => {\n  ${how}\n};\n`;
const basket = (how: string): string =>
  `export const basket = { total: 0, open: true };\nexport const add = (n: number) => {\n  ${how}\n};\n`;
const sent = (assertion: string): string => `const send = vi.fn();\n  publish(send, 'a');\n  ${assertion}`;

const situations: Readonly<Record<string, Situation>> = {
  call: {
    source: [publish('send(text);'), publish('queueMicrotask(() => send(text));')],
    names: 'publish',
    body: sent(`expect(send).toHaveBeenCalledWith('a');`),
  },
  value: {
    source: [basket('basket.total += n;'), basket('setTimeout(() => {\n    basket.total += n;\n  }, 5);')],
    names: 'add, basket',
    body: `add(2);\n  expect(basket.total).toBe(2);`,
  },
  // How often: a second call may follow.
  often: {
    source: [
      publish('send(text);'),
      publish('queueMicrotask(() => send(text));\n  setTimeout(() => send(text), 5);'),
    ],
    names: 'publish',
    body: sent('expect(send).toHaveBeenCalledTimes(1);'),
  },
  // It is never sent any more.
  never: {
    source: [publish('send(text);'), publish('queueMicrotask(() => text);')],
    names: 'publish',
    body: sent(`expect(send).toHaveBeenCalledWith('a');`),
  },
  gone: {
    source: [
      basket('basket.open = n < 0;'),
      basket('setTimeout(() => {\n    basket.open = n < 0;\n  }, 5);'),
    ],
    names: 'add, basket',
    body: `add(2);\n  expect(basket.open).toBe(false);`,
  },
  // Nobody waits for the job any more: waiting would hide it.
  lost: {
    source: [
      `export const run = async (job: () => Promise<void>, send: (text: string) => void) => {\n  await job();\n  send('a');\n};\n`,
      `export const run = async (job: () => Promise<void>, send: (text: string) => void) => {\n  void job().then(() => send('a'));\n};\n`,
    ],
    names: 'run',
    body: `const send = vi.fn();\n  await run(() => new Promise((done) => { setTimeout(done, 5); }), send);\n  expect(send).toHaveBeenCalledWith('a');`,
  },
};

describe('assertions that come too early', () => {
  let report: CycleReport;
  const of = (name: string): readonly CycleFix[] =>
    report.fixes.filter(({ edits }) => edits.some(({ file }) => file === `test/${name}.test.ts`));
  const reasons = (name: string): string =>
    JSON.stringify(report.remaining.find(({ id }) => id.includes(`${name}.test.ts`)));

  before(async function () {
    this.timeout(400_000);
    const entries = Object.entries(situations);
    const files = Object.fromEntries(
      entries.flatMap(([name, { source, names, body }]) => [
        [`src/${name}.ts`, source[0]],
        [
          `test/${name}.test.ts`,
          `import { expect, it, vi } from 'vitest';\nimport { ${names} } from '../src/${name}';\n\nit('works', ${name === 'lost' ? 'async ' : ''}() => {\n  ${body}\n});\n`,
        ],
      ]),
    );
    const workspace = await temporaryWorkspace(
      { 'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }', ...files },
      { git: true, vitest: 'shared' },
    );
    try {
      for (const [name, { source }] of entries) await workspace.write(`src/${name}.ts`, source[1]);
      report = await mendWorkspace(workspace, {
        assume: 'source-is-right',
        providers: askedProviders(['waiting']),
      });
    } finally {
      await workspace.dispose();
    }
  });

  it('are offered to wait until they hold', () => {
    const [call, ...others] = of('call');
    assert.deepEqual(
      [call?.provider, call?.trust, call?.verdict.verdict, others.length],
      ['waiting', 'propose', 'verified', 0],
    );
    assert.match(call?.diff ?? '', /^\+it\('works', async \(\) => \{\n/m);
    assert.match(
      call?.diff ?? '',
      /^\+ {2}await vi\.waitFor\(\(\) => expect\(send\)\.toHaveBeenCalledWith\('a'\)\);$/m,
    );
    assert.match(
      call?.evidence.join(' ') ?? '',
      /publish\(\) in src\/call\.ts defers work .*queueMicrotask is new/,
    );
  });

  it('expect no value that is not yet the last, also when the source is taken as right', () => {
    const [value] = of('value');
    assert.deepEqual([value?.provider, value?.verdict.verdict], ['waiting', 'verified']);
    assert.deepEqual(
      of('value').filter(({ trust }) => trust !== 'propose'),
      [],
    );
    assert.doesNotMatch(report.patch, /value\.test/);
  });

  it('do not wait for a number of calls, for what is not there, or where an await was lost', () => {
    for (const [name, reason] of [
      ['often', /as soon as the number is reached/],
      ['gone', /expects something to be absent/],
      ['lost', /lost an `await` since the last commit/],
    ] as const) {
      assert.deepEqual(
        of(name).filter(({ provider }) => provider === 'waiting'),
        [],
      );
      assert.match(reasons(name), reason);
    }
  });

  it('are not offered to wait for what never comes', () => {
    assert.deepEqual(
      of('never').filter(({ provider }) => provider === 'waiting'),
      [],
    );
  });
});
