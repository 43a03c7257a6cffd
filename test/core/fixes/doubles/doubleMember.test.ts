// Hand-written doubles that lack what the changed source asks them for: what they get is offered, in real runs, and never an answer.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

interface Situation {
  readonly source: string;
  readonly test: string;
  readonly change: readonly (readonly [from: string, to: string])[];
  /** Of what is offered: the line that is new; else a reason why nothing is. */
  readonly line?: string;
  readonly reason?: RegExp;
}

const logger = `export interface Logger {
  info(text: string): void;
  // new
}
export function greet(name: string, logger: Logger) {
  logger.info(name);
  // use
  return 'Hi, ' + name;
}
`;
const asked = (member: string, use: string): Situation['change'] => [
  ['// new', member],
  ['// use', use],
];
const greets = (double: string): string => `${double}
it('greets', () => {
  expect(greet('Ada', logger)).toBe('Hi, Ada');
});
`;

const situations: Readonly<Record<string, Situation>> = {
  typed: {
    source: logger,
    test: greets(`const logger: Logger = {\n  info: () => {},\n};`),
    change: asked('debug(text: string): void;', `logger.debug('greeted');`),
    line: '+  debug: () => {},',
  },
  alike: {
    source: logger,
    test: greets('const logger = { info: vi.fn() };'),
    change: asked('debug: (text: string) => void;', `void logger.debug('greeted');`),
    line: '+const logger = { info: vi.fn(), debug: vi.fn() };',
  },
  waiting: {
    source: `export class Store {
  async save(key: string): Promise<void> { throw new Error(key); }
  // new
}
export class Shop {
  constructor(private readonly store: Store) {}
  async buy(key: string) {
    await this.store.save(key);
    // use
    return key;
  }
}
`,
    test: `it('buys', async () => {
  const store = {
    async save() {},
  } as unknown as Store;
  expect(await new Shop(store).buy('a')).toBe('a');
});
`,
    change: asked(`async flush() { await this.save(''); }`, 'await this.store.flush();'),
    line: '+    async flush() {},',
  },
  handed: {
    source: `import { EventEmitter } from 'node:events';
export interface Listener {
  onData(text: string): string;
  // new
}
export function listen(listener: Listener) {
  const events = new EventEmitter();
  events.on('data', listener.onData);
  // use
  return events.listenerCount('data');
}
`,
    test: `class Double implements Listener {
  onData() {
    return 'a';
  }
}
it('listens', () => {
  expect(listen(new Double())).toBe(1);
});
`,
    change: asked('onEnd(): string;', `events.on('end', listener.onEnd);`),
    line: `+  onEnd() { throw new Error('Listener.onEnd has no answer in this test'); }`,
  },
  answering: {
    source: logger,
    test: greets('const logger: Logger = { info: () => {} };'),
    change: asked('isOn(): boolean;', `if (logger.isOn()) logger.info('on');`),
    reason: /lacks isOn, and line 7 of src\/answering\.ts goes on with what that answers/,
  },
  several: {
    source: logger,
    test: greets(
      'const other: Logger = { info: () => {} };\nconst logger: Logger = { info: () => other.info("") };',
    ),
    change: asked('debug(): void;', 'logger.debug();'),
    reason: /2 objects of the test stand for Logger and lack debug: not one candidate/,
  },
  renamed: {
    source: logger,
    test: greets('const logger: Logger = { info: () => {} };'),
    change: [
      ['info(text: string): void;', 'write(text: string, level: number): void;'],
      ['logger.info(name);', 'logger.write(name, 1);'],
    ],
  },
  mistaken: {
    source: logger,
    test: greets('const logger: Logger = { info: () => {} };'),
    change: [['logger.info(name);', '(logger as any).inform(name);']],
  },
};

describe('the fixer of hand-written doubles', function () {
  this.timeout(240_000);
  let workspace: TemporaryWorkspace;
  let report: CycleReport;

  before(async () => {
    const files: Record<string, string> = {
      'package.json': JSON.stringify({ name: 'shop', type: 'module', devDependencies: { vitest: '4' } }),
    };
    for (const [name, { source, test }] of Object.entries(situations)) {
      const names = [...source.matchAll(/^export (?:class|function|interface) (\w+)/gm)].map(
        (one) => one[1] ?? '',
      );
      const used = names.filter((one) => new RegExp(String.raw`\b${one}\b`).test(test)).join(', ');
      files[`src/${name}.ts`] = source;
      files[`test/${name}.test.ts`] =
        `import { expect, it, vi } from 'vitest';\nimport { ${used} } from '../src/${name}';\nvi.setConfig({});\n${test}`;
    }
    workspace = await temporaryWorkspace(files, { git: true, vitest: true });
    for (const [name, { source, change }] of Object.entries(situations)) {
      const changed = change.reduce((text, [from, to]) => text.replace(from, () => to), source);
      await workspace.write(`src/${name}.ts`, changed);
    }
    report = await mendWorkspace(workspace, { assume: 'source-is-right' });
  });
  after(() => workspace.dispose());

  const fixesOf = (name: string) =>
    report.fixes.filter(
      ({ provider, edits }) =>
        provider === 'doubles' && edits.some(({ file }) => file === `test/${name}.test.ts`),
    );

  for (const [name, { line, reason }] of Object.entries(situations))
    it(`${line === undefined ? 'leaves' : 'offers'} what is ${name}`, () => {
      const [fix, another] = fixesOf(name);
      assert.equal(another, undefined);
      if (line === undefined) {
        assert.equal(fix, undefined, JSON.stringify(fix));
        const left = report.remaining.find(({ file }) => file === `test/${name}.test.ts`);
        if (reason !== undefined) assert.match(left?.reason ?? '', reason);
        return;
      }
      assert.ok(fix, JSON.stringify(report.remaining.filter(({ file }) => file.includes(name))));
      assert.equal(fix.trust, 'propose');
      assert.equal(fix.verdict.verdict, 'verified', fix.verdict.reason);
      assert.ok(fix.diff.split('\n').includes(line), fix.diff);
    });

  it('applies none of it', () => {
    assert.equal(report.patch, '');
  });

  it('is held by the gate to what is not the code under test', () => {
    const file = 'test/a.test.ts';
    const head = `import { expect, it } from 'vitest';\nimport { cart, greet } from '../src/a';\n`;
    const test = `it('a', () => { const logger = { info() {} }; expect(greet('a', logger)).toBe('Hi'); });\n`;
    const rules = (to: string, from = '{ info() {} };') =>
      checkPolicyOfEdits(
        [{ file, before: head + test, after: head + test.replace(from, () => to) }],
        () => true,
        { isCall: true },
      ).map(({ rule }) => rule);
    assert.deepEqual(rules('{ info() {}, debug() {} };'), []);
    assert.ok(rules('{ info() {} }; cart.debug = () => {};').includes('mocked-source'));
    assert.ok(rules(`{ info() {} }; Object.assign(cart, { debug() {} });`).includes('mocked-source'));
    assert.ok(rules(`toBe('Ho')`, `toBe('Hi')`).includes('changed-expectation'));
    const [edit] = fixesOf('typed')[0]?.edits ?? [];
    assert.ok(edit);
    return workspace.read(edit.file).then((text) => assert.notEqual(applyEdit(edit, text), text));
  });
});
