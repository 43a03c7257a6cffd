// What stands in a copy while its tests are repeated.
import assert from 'node:assert/strict';
import { plantInCopy, type StrengthSandbox } from '../../../src/core/strength/plantedCopy.ts';

describe('a copy with planted bugs', () => {
  it('loads the switch first, keeps what must come first, and lets no compiler look at what the switch hides', async () => {
    const files = new Map([
      ['src/a.ts', 'export const a = (n: number) => n > 1;\n'],
      [
        'test/a.test.ts',
        "/** @jest-environment node */\nimport { a } from '../src/a';\nbeforeEach(() => reset());\nit.each([1])('is %d', (n) => { expect(a(n)).toBe(false); });\nit.only('one', () => {});\n",
      ],
    ]);
    const written = new Map<string, string>();
    const sandbox: StrengthSandbox = {
      root: '/work-of-nobody',
      readText: async (file) => files.get(file),
      write: async (contents) => {
        for (const [file, text] of contents) written.set(file, String(text));
        return { files: [], undo: async () => written.clear() };
      },
      run: async () => assert.fail('nothing is run yet'),
      loadsModules: () => false,
    };
    const copy = await plantInCopy(sandbox, ['src/a.ts'], ['test/a.test.ts', 'test/gone.test.ts']);
    const name = /planted_[0-9a-f]{18}/.exec(written.get('src/a.ts') ?? '')?.[0] ?? '';
    assert.deepEqual((written.get('test/a.test.ts') ?? '').replaceAll(name, 'SWITCH').split('\n'), [
      '/** @jest-environment node */',
      '// @ts-nocheck',
      `import "./testmend-SWITCH.cjs"; import { a } from '../src/a';`,
      '(globalThis as any).SWITCH.hook(beforeEach)(() => reset());',
      "(globalThis as any).SWITCH.test(1, it.each([1]), true)('is %d', (n) => { expect(a(n)).toBe(false); });",
      "(globalThis as any).SWITCH.test(2, (...given: any[]) => it.only(...given))('one', () => {});",
      '',
    ]);
    assert.match(written.get('src/a.ts') ?? '', /^\/\/ @ts-nocheck\n/);
    assert.deepEqual(
      copy.sites.map(({ id, line, title }) => [id, line, title]),
      [
        [1, 4, 'is %d'],
        [2, 5, 'one'],
      ],
    );
    await copy.restore();
    assert.equal(written.size, 0);
  });
});
