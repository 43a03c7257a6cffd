// What is mended of a test that the compiler stops, checked by the compiler itself, and what is left to a person.
import assert from 'node:assert/strict';
import path from 'node:path';
import { symlink } from 'node:fs/promises';
import { typeExpectation } from '../../../../src/core/fixes/types/typeExpectation.ts';
import { checkTypes } from '../../../../src/core/fixes/types/typeCheck.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import { windowsText } from '../../../support/windowsText.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const modules = path.resolve(import.meta.dirname, '../../../../node_modules');
const file = 'test/food.test.ts';
const kit = `type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Expect<T extends true> = T;
`;
const head = `import { cook, eat, serve, wrap } from '../src/food';\n${kit}`;
const source = `export const cook = (): { kind: 'soup'; hot: boolean } => ({ kind: 'soup', hot: true });
export const serve = <T, U>(one: T, other: U): [T, U] => [one, other];
export const eat = (food: { kind: 'soup' }): void => void food;
export const wrap = (value: unknown): any => value;
`;

async function mend(test: string, message?: string, form = (text: string) => text) {
  const text = form(head + test);
  const workspace = await temporaryWorkspace({
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        module: 'esnext',
        moduleResolution: 'bundler',
        target: 'es2022',
        lib: ['es2022'],
        types: [],
      },
    }),
    'src/food.ts': source,
    [file]: text,
  });
  try {
    const { root } = workspace;
    await symlink(modules, path.join(root, 'node_modules'));
    const check = checkTypes(root, file, { folder: path.join(root, path.dirname(file)) });
    const told = check?.errors.map(
      ({ start, code }) =>
        `${file}:${check.source.getLineAndCharacterOfPosition(start).line + 1}:1 - error TS${code}: no`,
    );
    const refusals: string[] = [];
    const changed = [{ file: 'src/food.ts', status: 'modified' as const }];
    const isTestFile = (name: string): boolean => name === file;
    const result = {
      id: `jest:${file}`,
      file,
      line: 1,
      title: file,
      suites: [],
      outcome: 'errored' as const,
      durationMs: 1,
      failure: {
        message: message ?? told?.join('\n\n') ?? '',
        kind: 'load' as const,
        severity: 'critical' as const,
        stack: [],
      },
    };
    const fixes = await typeExpectation.propose({
      root,
      failing: [{ result, captured: [] }],
      readText: async (name) => workspace.read(name),
      isTestFile,
      changes: { files: changed, baseText: async () => source, reaching: async () => changed },
      signal: new AbortController().signal,
      refuse: (_id, reason) => refusals.push(reason),
    });
    const edit = fixes[0]?.edits[0];
    const after = edit && applyEdit(edit, text);
    let left: number | undefined;
    if (after !== undefined) {
      await workspace.write(file, after);
      left = checkTypes(root, file, { folder: path.join(root, path.dirname(file)) })?.errors.length;
    }
    const violations =
      after === undefined
        ? []
        : checkPolicyOfEdits([{ file, before: text, after }], isTestFile, { isExpectation: true });
    return { fixes, refusals, violations, left, after, mended: after?.slice(head.length) };
  } finally {
    await workspace.dispose();
  }
}

describe('the fixer of what tests say to the compiler', function () {
  this.timeout(300_000);

  it('keeps the mark, the tabs and the ends of lines of Windows', async () => {
    const test = (kind: string): string =>
      `{\n  const soup = cook();\n  type t = Expect<Equal<typeof soup.kind, '${kind}'>>;\n}\n`;
    const { after, left } = await mend(test('stew'), undefined, windowsText);
    assert.deepEqual([after, left], [windowsText(head + test('soup')), 0]);
  });
  for (const [what, test, mended] of [
    [
      'the type that is expected of a value',
      `{\n  const soup = cook();\n  type t = Expect<Equal<typeof soup.kind, 'stew'>>;\n  type u = Expect<Equal<{ kind: string }, typeof soup>>;\n}\n`,
      `{\n  const soup = cook();\n  type t = Expect<Equal<typeof soup.kind, 'soup'>>;\n  type u = Expect<Equal<{ kind: 'soup'; hot: boolean; }, typeof soup>>;\n}\n`,
    ],
    [
      'an expected error that is reported on another line',
      `eat(\n  {\n    // @ts-expect-error\n    kind: 'stew',\n  } as { kind: 'stew' },\n);\n`,
      `eat(\n  // @ts-expect-error\n  {\n    kind: 'stew',\n  } as { kind: 'stew' },\n);\n`,
    ],
    [
      'type arguments that no longer fit in number',
      `const [soup] = serve<string>('soup', 1);\n`,
      `const [soup] = serve('soup', 1);\n`,
    ],
  ] as const)
    it(`changes ${what}`, async () => {
      const found = await mend(test);
      assert.equal(found.mended, mended, found.refusals.join());
      assert.equal(found.left, 0);
      assert.deepEqual(found.violations, []);
      assert.equal(found.fixes[0]?.trust, 'oracle');
    });

  it('only proposes a type of which the compiler knows less than before', async () => {
    const found = await mend(`const soup = cook();\ntype t = Expect<Equal<typeof soup.hot, true>>;\n`);
    assert.match(found.mended ?? '', /Equal<typeof soup\.hot, boolean>/);
    assert.equal(found.fixes[0]?.trust, 'propose');
    assert.match(found.fixes[0].evidence.join(), /is less precise: true became boolean/);
  });

  for (const [what, test, reason, message] of [
    [
      'a type that is any now',
      `const all = wrap(1);\ntype t = Expect<Equal<typeof all, 'soup'>>;\n`,
      /is any, which says nothing about the value/,
    ],
    [
      'an expected error that is gone',
      `// @ts-expect-error\neat(cook());\n`,
      /no longer reports the error that line/,
    ],
    [
      'sides that both come of the code',
      `const [a, b] = [cook(), 1];\ntype t = Expect<Equal<typeof a, typeof b>>;\n`,
      /which side of Equal is the expected one/,
    ],
    ['an error that no rule knows', `eat({ kind: 'stew' });\n`, /The compiler reports for line .*TS2322/],
    [
      'one known error beside another',
      `const soup = cook();\ntype t = Expect<Equal<typeof soup.kind, 'stew'>>;\neat({ kind: 'stew' });\n`,
      /TS2322/,
    ],
    [
      'errors that the run did not report',
      `const soup = cook();\ntype t = Expect<Equal<typeof soup.kind, 'stew'>>;\n`,
      /report different errors/,
      `${file}:1:1 - error TS2307: no`,
    ],
  ] as const)
    it(`leaves ${what}`, async () => {
      const found = await mend(test, message);
      assert.deepEqual(found.fixes, []);
      assert.match(found.refusals.join(), reason);
    });
});
