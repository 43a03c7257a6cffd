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
    assert.match(JSON.stringify(found.answer.repairs), /The compiler reports for line 1/);
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

  describe('for ts-jest', () => {
    let own: TemporaryWorkspace;
    beforeEach(async () => {
      own = await temporaryWorkspace({ 'tsconfig.json': JSON.stringify({ compilerOptions }) });
      await symlink(modules, path.join(own.root, 'node_modules'));
    });
    afterEach(() => own.dispose());
    /** Codes of the errors that are found, by what `jest.config.js` exports; null where nothing is said. */
    const codes = async (config: string, text: string): Promise<readonly number[] | null> => {
      await own.write('jest.config.js', `module.exports = ${config};\n`);
      await own.write(file, text);
      const found = await askCompiler({ root: own.root, file, signal: new AbortController().signal });
      assert.ok(found && 'answer' in found, JSON.stringify(found));
      return found.answer === null ? null : found.answer.errors.map(({ code }) => code);
    };
    const transform = (options: string): string => `{ transform: { '.ts$': ['ts-jest', ${options}] } }`;
    const globals = (options: string): string => `{ preset: 'ts-jest', globals: { 'ts-jest': ${options} } }`;
    const untyped = `${wrong}export const two = (given) => given;\n`;

    it('leaves out the errors that it ignores', async () => {
      const options = `{ diagnostics: { ignoreCodes: ['TS7006'] } }`;
      assert.deepEqual(await codes(transform('{}'), untyped), [2322, 7006]);
      assert.deepEqual(await codes(globals(options), untyped), [2322]);
    });

    it('says nothing of files whose types it does not check', async () => {
      assert.equal(await codes(transform('{ isolatedModules: true }'), untyped), null);
      const only = (pattern: string): string => globals(`{ diagnostics: { pathRegex: '${pattern}' } }`);
      assert.equal(await codes(only('spec.ts$'), untyped), null);
      assert.deepEqual(await codes(only('/test/.*test.ts$'), untyped), [2322, 7006]);
      const leftOut = (glob: string): string => transform(`{ diagnostics: { exclude: ['${glob}'] } }`);
      assert.equal(await codes(leftOut('**/*.test.ts'), untyped), null);
      assert.deepEqual(await codes(leftOut('**/*.spec.ts'), untyped), [2322, 7006]);
    });

    it('says nothing where its configuration compiles each file for itself, as ts-jest 29.3 and newer do', async () => {
      const isolated = { ...compilerOptions, isolatedModules: true };
      await own.write('tsconfig.base.json', JSON.stringify({ compilerOptions: isolated }));
      await own.write('tsconfig.json', '{ "extends": "./tsconfig.base.json" }');
      assert.equal(await codes(transform('{}'), untyped), null);
      const not = `{ tsconfig: ${JSON.stringify({ ...compilerOptions, isolatedModules: false })} }`;
      assert.deepEqual(await codes(transform(not), untyped), [2322, 7006]);
      await own.write('test/node_modules/ts-jest/package.json', '{ "name": "ts-jest", "version": "29.2.6" }');
      await own.write('test/jest.config.js', `module.exports = ${transform('{}')};\n`);
      await own.write('test/tsconfig.json', '{ "extends": "../tsconfig.base.json" }');
      assert.deepEqual(await codes(transform('{}'), untyped), [2322, 7006]);
    });

    it('reads the files of its configuration for what they declare, other tests apart', async () => {
      await own.write('types/shop.d.ts', 'declare const price: number;\n');
      await own.write('test/setUp.ts', 'declare global { const unit: string; }\nexport {};\n');
      await own.write('test/other.test.ts', 'const one = 1;\n');
      const text = 'const one: string = price;\nconst two: string = unit;\nvoid [one, two];\n';
      assert.deepEqual(await codes(transform('{}'), text), [2322]);
    });

    it('takes its own options on top of the configuration, and makes CommonJS unless told otherwise', async () => {
      await own.write(
        'tsconfig.json',
        JSON.stringify({ compilerOptions: { ...compilerOptions, noUnusedLocals: true } }),
      );
      const text = `${untyped}const unused = import.meta;\n`;
      assert.deepEqual(await codes(transform('{}'), text), [2322, 7006, 6133, 1343]);
      assert.deepEqual(await codes(transform('{ useESM: true }'), text), [2322, 7006, 6133]);
      const loose = '{ useESM: true, tsconfig: { noImplicitAny: false } }';
      assert.deepEqual(await codes(transform(loose), text), [2322, 6133]);
    });
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
      // Before 4.9 there is no `satisfies`, and nothing that asks for it.
      const older = (number: string): string =>
        other
          .replace(`version = "${version}"`, `version = "${number}"`)
          .replace('isSatisfiesExpression: () => isSatisfiesExpression,', '');
      for (const number of ['4.7.4', '4.8.4']) {
        await own.write(script, older(number));
        assert.deepEqual(await asked(), [`TypeScript ${number} of the project`, [2399]]);
      }
      for (const number of ['4.6.4', '7.0.2']) {
        await own.write(script, older(number));
        const told = `TypeScript ${version} of Testmend; the project's ${number} is not supported: use 4.7 to 6`;
        assert.deepEqual(await asked(), [told, [2322]]);
      }
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
      /did not answer within 1\.5 s, so the current types are not known/,
    );
    assert.deepEqual(children(), []);
  });

  it('tells that it was killed', async function () {
    if (process.platform !== 'linux') return this.skip();
    const asked = ask(slow);
    await until(() => children().length === 1);
    for (const { pid } of children()) process.kill(pid, 'SIGKILL');
    const found = await asked;
    assert.match(
      found && 'reason' in found ? found.reason : '',
      /crashed \(SIGKILL\), so the current types are not known/,
    );
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
    assert.match(refusals[0] ?? '', /crashed \(exit code 1: RangeError: Maximum call stack/);
  });
});
