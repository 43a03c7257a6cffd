// What the compiler suggests for errors that are new in a test: what is made of it, what is left, and that the run decides.
import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { compilerSuggestion } from '../../../../src/core/fixes/suggestions/compilerSuggestion.ts';
import { checkTypes } from '../../../../src/core/fixes/types/typeCheck.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import type { Fix } from '../../../../src/core/model/fix.ts';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { windowsText } from '../../../support/windowsText.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const modules = path.resolve(import.meta.dirname, '../../../../node_modules');
const file = 'test/food.test.ts';
const compilerOptions = {
  strict: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  types: [],
  // Without those of browsers the compiler has a third of the work.
  lib: ['es2022'],
};
const head = `declare const it: (title: string, body: () => unknown) => void;
declare const expect: (value: unknown) => { toBe(value: unknown): void };
`;

const emptyFix: Fix = {
  id: 'other',
  title: 'something',
  grade: 'surgical',
  trust: 'mechanical',
  edits: [],
  failures: [],
  provider: 'imports',
  confidence: 1,
  evidence: [],
};

interface Situation {
  readonly was: string;
  readonly now: string;
  readonly test: string;
  /** Of the compiler when absent, as ts-jest reports it. */
  readonly message?: string;
  readonly options?: object;
  readonly proposed?: readonly Pick<Fix, 'failures'>[];
}

async function mend(
  { was, now, test, message, options, proposed }: Situation,
  form = (text: string) => text,
) {
  const text = form(head + test);
  const workspace = await temporaryWorkspace({
    'tsconfig.json': JSON.stringify({ compilerOptions: { ...compilerOptions, ...options } }),
    'src/food.ts': now,
    [file]: text,
  });
  try {
    const { root } = workspace;
    await symlink(modules, path.join(root, 'node_modules'));
    const check = message === undefined ? checkTypes(root, file) : undefined;
    const told = check?.errors.map(
      ({ start, code }) =>
        `${file}:${check.source.getLineAndCharacterOfPosition(start).line + 1}:1 - error TS${code}: no`,
    );
    const refusals: string[] = [];
    const changed = [{ file: 'src/food.ts', status: 'modified' as const }];
    const isTestFile = (name: string): boolean => name === file;
    const kind = message === undefined ? ('load' as const) : ('error' as const);
    const failure = {
      message: message ?? told?.join('\n\n') ?? '',
      kind,
      severity: 'high' as const,
      stack: [],
    };
    const place = { id: `jest:${file}`, file, line: 1, title: file, suites: [], durationMs: 1 };
    const fixes = await compilerSuggestion.propose({
      root,
      failing: [{ result: { ...place, outcome: 'errored', failure }, captured: [] }],
      readText: async (name) => workspace.read(name),
      isTestFile,
      changes: { files: changed, baseText: async () => was, reaching: async () => changed },
      signal: new AbortController().signal,
      refuse: (_id, reason) => refusals.push(reason),
      ...(proposed && { proposed: proposed.map((one) => ({ ...emptyFix, ...one })) }),
    });
    const [fix] = fixes;
    const edit = fix?.edits[0];
    const after = edit && applyEdit(edit, text);
    const rules =
      after === undefined
        ? []
        : checkPolicyOfEdits([{ file, before: text, after }], isTestFile, { isCall: true });
    return { fix, refusals: refusals.join(), rules, after, mended: after?.replace(head, '') };
  } finally {
    await workspace.dispose();
  }
}

const load = `export function load(name: string): { name: string } { return { name }; }\n`;
const later = `export async function load(name: string): Promise<{ name: string }> { return { name }; }\n`;
const loads = `import { load } from '../src/food';\nit('loads', () => {\n  expect(load('a').name).toBe('a');\n});\n`;

const several: Situation = {
  was: `${load}declare global { interface Food { kind: string } }
export const cook = (): Food => ({ kind: 'a' });
export class Plate { size = 1; }
export function Cart() { return { size: 1 }; }
`,
  now: `${later}export interface Food { kind: string }
export const cook = (): Food => ({ kind: 'a' });
export interface Plate { size: number }
export class Cart { size = 1; }
`,
  test: `import { Cart, cook, load, Plate } from '../src/food';
const plate: Plate = { size: 1 };
it('cooks', () => {
  const soup: Food = cook();
  expect(soup.kind).toBe('a');
});
it('loads', () => {
  expect(load('a').name).toBe('a');
});
it('counts', () => expect(Cart().size).toBe(plate.size));
`,
  options: { verbatimModuleSyntax: true },
};

const mended: readonly (readonly [what: string, Situation, after: string, trust: string])[] = [
  [
    'types that are imported now, promises that are waited for, classes that were functions',
    several,
    `import { Cart, cook, load, type Food, type Plate } from '../src/food';
const plate: Plate = { size: 1 };
it('cooks', () => {
  const soup: Food = cook();
  expect(soup.kind).toBe('a');
});
it('loads', async () => {
  expect((await load('a')).name).toBe('a');
});
it('counts', () => expect(new Cart().size).toBe(plate.size));
`,
    'propose',
  ],
  [
    'a member under a similar name, which a person decides',
    {
      was: `export const soup = { colour: 'red' };\n`,
      now: `export const soup = { color: 'red' };\n`,
      test: `import { soup } from '../src/food';\nit('a', () => expect(soup.colour).toBe('red'));\n`,
    },
    `import { soup } from '../src/food';\nit('a', () => expect(soup.color).toBe('red'));\n`,
    'propose',
  ],
  [
    'a class that the engine says needs new, and no other error',
    {
      was: `export function Cart() { return { size: 1 }; }\nexport const gone = 1;\n`,
      now: `export class Cart { size = 1; }\n`,
      test: `import { Cart, gone } from '../src/food';\nit('a', () => expect(Cart().size).toBe(gone));\n`,
      message: `Class constructor Cart cannot be invoked without 'new'`,
    },
    `import { Cart, gone } from '../src/food';\nit('a', () => expect(new Cart().size).toBe(gone));\n`,
    'mechanical',
  ],
];

const left: readonly (readonly [what: string, Situation, reason: RegExp])[] = [
  [
    'what the compiler would declare in the source',
    {
      was: `export class Cart { size = 1; }\n`,
      now: `export class Cart { items = []; }\n`,
      test: `import { Cart } from '../src/food';\nit('a', () => expect(new Cart().size).toBe(1));\n`,
    },
    /Nothing that keeps the test's meaning is suggested where the compiler says of line 4: Property 'size'/,
  ],
  [
    'an error that was there before',
    { was: later, now: `${later}export const more = 1;\n`, test: loads },
    /found errors in the test before the change, too/,
  ],
];

describe('the fixer that asks the compiler', function () {
  this.timeout(300_000);
  for (const [what, situation, after, trust] of mended)
    it(`mends ${what}`, async () => {
      const found = await mend(situation);
      assert.equal(found.mended, after, found.refusals);
      assert.equal(found.fix?.trust, trust);
      assert.deepEqual(found.rules, []);
      assert.match(
        found.fix.evidence[0] ?? '',
        /^Since food\.ts changed since the last commit the compiler says: /,
      );
    });

  for (const [what, situation, reason] of left)
    it(`leaves ${what}`, async () => {
      const found = await mend(situation);
      assert.equal(found.mended, undefined);
      assert.match(found.refusals, reason);
    });

  it('keeps the mark, the tabs and the ends of lines of Windows', async () => {
    const test = (body: string): string => `import { load } from '../src/food';\nit('a', ${body}\n});\n`;
    const { after } = await mend(
      {
        was: load,
        now: later,
        test: test(`() => {\n  expect(load('a').name).toBe('a');`),
      },
      windowsText,
    );
    const awaited = test(`async () => {\n  expect((await load('a')).name).toBe('a');`);
    assert.equal(after, windowsText(head + awaited));
  });

  it('leaves tests that another fixer has something for', async () => {
    const other = { failures: [`jest:${file}`] };
    const { fix, refusals } = await mend({ ...several, message: 'Food is not defined', proposed: [other] });
    assert.deepEqual([fix, refusals], [undefined, '']);
  });

  it('proves what turns a test of ts-jest green in a real run, and leaves awaits to a person', async () => {
    const { jest, ...options } = { ...compilerOptions, jest: { preset: 'ts-jest', testEnvironment: 'node' } };
    const workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({
          name: 'shop',
          devDependencies: { jest: '29', 'ts-jest': '29' },
          jest,
        }),
        'tsconfig.json': JSON.stringify({
          compilerOptions: {
            ...options,
            module: 'commonjs',
            moduleResolution: 'node10',
            ignoreDeprecations: '6.0',
          },
        }),
        'src/food.ts': load,
        [file]: head + loads,
      },
      { git: true, packages: ['jest', 'ts-jest', 'typescript', '@babel', '@jest', 'babel-jest'] },
    );
    try {
      await workspace.write('src/food.ts', later);
      const report = await mendWorkspace(workspace, { strategy: 'conservative' });
      assert.equal(report.patch, '');
      const [offer] = report.remaining[0]?.handOver?.candidates ?? [];
      assert.deepEqual(
        [offer?.trust, offer?.verdict],
        ['propose', 'verified'],
        JSON.stringify(report.remaining),
      );
      assert.match(offer?.diff ?? '', /^\+ {2}expect\(\(await load\('a'\)\)\.name\)\.toBe\('a'\);$/m);
      assert.doesNotMatch(offer?.diff ?? '', /^\+\+\+ b\/(?!test\/)/m);
    } finally {
      await workspace.dispose();
    }
  });
});
