// How ts-jest is told to compile, in each of the ways in which a jest configuration may say it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { readJestConfig } from '../../../../src/core/frameworks/jest/jestConfig.ts';
import type { TsJestOptions } from '../../../../src/core/frameworks/jest/tsJestOptions.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const plain: TsJestOptions = { ignoredCodes: [], unchecked: [] };

describe('the options of ts-jest', () => {
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace({});
  });
  after(() => workspace.dispose());
  const read = async (config: string): Promise<TsJestOptions | undefined> => {
    await workspace.write('jest.config.js', `module.exports = ${config};\n`);
    return (await readJestConfig(path.join(workspace.root, 'jest.config.js'))).tsJest;
  };
  /** As an option of the transform, of a preset that is called, and in the old place. */
  const places = (options: string): readonly string[] => [
    `{ transform: { '.ts$': ['ts-jest', ${options}] } }`,
    `require('ts-jest').createDefaultPreset(${options})`,
    `{ preset: 'ts-jest', globals: { 'ts-jest': ${options} } }`,
  ];

  for (const [options, wanted] of [
    ['{}', plain],
    ["{ diagnostics: { ignoreCodes: ['TS7006', 6133] } }", { ...plain, ignoredCodes: [7006, 6133] }],
    ["{ diagnostics: { ignoreCodes: '6133, TS7006' } }", { ...plain, ignoredCodes: [6133, 7006] }],
    ['{ diagnostics: { ignoreCodes: 7006 } }', { ...plain, ignoredCodes: [7006] }],
    ['{ diagnostics: false }', { ...plain, unchecked: 'all' }],
    ['{ diagnostics: true, isolatedModules: false }', plain],
    ['{ diagnostics: { warnOnly: true } }', { ...plain, unchecked: 'all' }],
    ["{ diagnostics: { exclude: ['**/*.test.ts'] } }", { ...plain, unchecked: ['**/*.test.ts'] }],
    ["{ diagnostics: { pathRegex: '\\\\.spec\\\\.ts$' } }", { ...plain, checked: '\\.spec\\.ts$' }],
    ['{ transpilation: true }', { ...plain, unchecked: 'all' }],
    ['{ isolatedModules: true }', { ...plain, unchecked: 'all' }],
    ['{ useESM: true }', { ...plain, isEsm: true }],
    ["{ tsconfig: 'tsconfig.spec.json' }", { ...plain, tsconfig: 'tsconfig.spec.json' }],
    ['{ tsConfig: { strict: false } }', { ...plain, tsconfig: { strict: false } }],
  ] as const)
    it(`are read of ${options}`, async () => {
      for (const config of places(options)) assert.deepEqual(await read(config), wanted, config);
    });

  it('follow from the name of a preset, and are none where nothing names ts-jest', async () => {
    assert.deepEqual(await read("{ preset: 'ts-jest' }"), plain);
    assert.deepEqual(await read("{ preset: 'ts-jest/presets/default-esm' }"), { ...plain, isEsm: true });
    assert.deepEqual(await read("require('ts-jest').createDefaultEsmPreset()"), { ...plain, isEsm: true });
    assert.equal(await read("{ transform: { '.ts$': 'babel-jest' } }"), undefined);
    assert.equal(await read('{}'), undefined);
  });
});
