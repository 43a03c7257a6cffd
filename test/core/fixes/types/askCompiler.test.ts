// The compiler works in a process of its own: it can be stopped at any moment, and its death is told.
import assert from 'node:assert/strict';
import { cp, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { askCompiler } from '../../../../src/core/fixes/types/askCompiler.ts';
import { typeExpectation } from '../../../../src/core/fixes/types/typeExpectation.ts';
import { childrenOf } from '../../../support/processesIn.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const modules = path.resolve(import.meta.dirname, '../../../../node_modules');
const file = 'test/food.test.ts';
const compilerOptions = {
  strict: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  lib: ['es2022'],
};

/** Ten thousand texts are taken apart, again and again: minutes of work. */
const slow = `type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Number4 = \`\${Digit}\${Digit}\${Digit}\${Digit}\`;
type Turned<T, Mark extends string> = T extends \`\${infer A}\${infer B}\${infer C}\` ? \`\${C}\${B}\${A}\${Mark}\` : never;
${Array.from({ length: 5_000 }, (_, index) => `export const a${index}: Turned<Number4, '${index}'> = 'no';`).join('\n')}
`;
const deep = `export const deep = ${'('.repeat(50_000)}1${')'.repeat(50_000)};\n`;
const wrong = `export const one: string = 1;\n`;

const children = () => childrenOf(process.pid).filter(({ command }) => command.includes('typeChild'));

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!isSo() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(isSo());
}

describe('the compiler in a process of its own', function () {
  this.timeout(60_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace({ 'tsconfig.json': JSON.stringify({ compilerOptions }) });
    await symlink(modules, path.join(workspace.root, 'node_modules'));
  });
  after(() => workspace.dispose());
  const ask = async (text: string, more: { signal?: AbortSignal; limitMs?: number } = {}) => {
    await workspace.write(file, text);
    return askCompiler({ root: workspace.root, file, signal: new AbortController().signal, ...more });
  };

  it('answers with the errors and what can be done about them', async () => {
    const found = await ask(wrong);
    assert.ok(found && 'answer' in found && found.answer, JSON.stringify(found));
    assert.deepEqual(found.answer.errors, [{ line: 1, code: 2322 }]);
    assert.match(JSON.stringify(found.answer.repairs), /The compiler says of line 1/);
    assert.deepEqual(children(), []);
  });

  it('checks by what ts-jest is told, or finds, and not by the nearest configuration', async () => {
    const loose = { ...compilerOptions, strict: false };
    const own = await temporaryWorkspace({
      'tsconfig.json': JSON.stringify({ compilerOptions: loose }),
      'tsconfig.spec.json': JSON.stringify({ compilerOptions: loose }),
      // Strict: an error more than the run has.
      'test/tsconfig.json': JSON.stringify({ compilerOptions }),
      [file]: `${wrong}export const two = (given) => given;\n`,
    });
    const errors = async (): Promise<readonly number[] | undefined> => {
      const found = await askCompiler({ root: own.root, file, signal: new AbortController().signal });
      return found && 'answer' in found ? found.answer?.errors.map(({ code }) => code) : undefined;
    };
    try {
      await symlink(modules, path.join(own.root, 'node_modules'));
      assert.deepEqual(await errors(), [2322, 7006]);
      for (const config of [
        `{ preset: 'ts-jest', globals: { 'ts-jest': { tsconfig: 'tsconfig.spec.json' } } }`,
        `{ transform: { '.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.spec.json' }] } }`,
        `{ transform: { '.ts$': ['ts-jest', { tsconfig: ${JSON.stringify(loose)} }] } }`,
        `require('ts-jest').createDefaultPreset({ tsconfig: 'tsconfig.spec.json' })`,
        `{ projects: [{ preset: 'ts-jest' }] }`,
      ]) {
        await own.write('jest.config.js', `module.exports = ${config};\n`);
        assert.deepEqual(await errors(), [2322], config);
      }
    } finally {
      await own.dispose();
    }
  });

  it("asks the project's own compiler, and the other one where that cannot be loaded", async () => {
    const own = await temporaryWorkspace({
      'tsconfig.json': JSON.stringify({ compilerOptions }),
      [file]: wrong,
    });
    const asked = async (): Promise<unknown> => {
      const found = await askCompiler({ root: own.root, file, signal: new AbortController().signal });
      assert.ok(found && 'answer' in found, JSON.stringify(found));
      return [found.compiler, found.answer?.errors.map(({ code }) => code)];
    };
    try {
      const { version } = ts;
      const script = 'node_modules/typescript/lib/typescript.js';
      await cp(path.join(modules, 'typescript'), path.join(own.root, 'node_modules/typescript'), {
        recursive: true,
      });
      assert.deepEqual(await asked(), [`TypeScript ${version} of the project`, [2322]]);
      const text = await readFile(path.join(own.root, script), 'utf8');
      // The same compiler with another number for the same error: only who asks it finds that.
      const other = text.replace('diag(2322,', 'diag(2399,');
      assert.notEqual(other, text);
      await own.write(script, other);
      assert.deepEqual(await asked(), [`TypeScript ${version} of the project`, [2399]]);
      // One that lacks what is used of it.
      await own.write(script, other.replace(`version = "${version}"`, 'version = "4.8.4"'));
      assert.deepEqual(await asked(), [`TypeScript ${version} of Testmend`, [2322]]);
      await own.write(script, 'throw new Error("broken");');
      assert.deepEqual(await asked(), [`TypeScript ${version} of Testmend`, [2322]]);
    } finally {
      await own.dispose();
    }
  });

  it('ends at once when it is cancelled in the middle of its work', async function () {
    if (process.platform !== 'linux') return this.skip();
    const controller = new AbortController();
    const asked = ask(slow, { signal: controller.signal });
    await until(() => children().length === 1);
    // Long enough to have begun, which nothing tells from outside.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    assert.equal(children().length, 1, 'it still works');
    const since = performance.now();
    controller.abort();
    assert.equal(await asked, undefined);
    assert.ok(performance.now() - since < 3_000);
    assert.deepEqual(children(), []);
  });

  it('is given up after its limit', async () => {
    const found = await ask(slow, { limitMs: 1_500 });
    assert.match(
      found && 'reason' in found ? found.reason : '',
      /did not answer within 1\.5 s, so it is not/,
    );
    assert.deepEqual(children(), []);
  });

  it('tells that it was killed', async function () {
    if (process.platform !== 'linux') return this.skip();
    const asked = ask(slow);
    await until(() => children().length === 1);
    for (const { pid } of children()) process.kill(pid, 'SIGKILL');
    const found = await asked;
    assert.match(found && 'reason' in found ? found.reason : '', /died \(SIGKILL\), so it is not known/);
  });

  it('refuses with the reason when the compiler dies of the test file, and goes on living', async () => {
    await workspace.write(file, deep);
    const refusals: string[] = [];
    const changed = [{ file: 'src/food.ts', status: 'modified' as const }];
    const fixes = await typeExpectation.propose({
      root: workspace.root,
      failing: [
        {
          result: {
            id: `jest:${file}`,
            file,
            line: 1,
            title: file,
            suites: [],
            outcome: 'errored',
            durationMs: 1,
            failure: {
              message: `${file}:1:1 - error TS2322: no`,
              kind: 'load',
              severity: 'critical',
              stack: [],
            },
          },
          captured: [],
        },
      ],
      readText: (name) => workspace.read(name),
      isTestFile: (name) => name === file,
      changes: { files: changed, baseText: async () => '', reaching: async () => changed },
      signal: new AbortController().signal,
      refuse: (_id, reason) => refusals.push(reason),
    });
    assert.deepEqual(fixes, []);
    assert.equal(refusals.length, 1);
    assert.match(refusals[0] ?? '', /died \(exit code 1: RangeError: Maximum call stack/);
  });
});
