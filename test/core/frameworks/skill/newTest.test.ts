// What can be done for a skill beside running its tests (CONTRACTS K7): a first test that runs, and a look whether it is sound.
import assert from 'node:assert/strict';
import path from 'node:path';
import { readSkillCatalogue } from '../../../../src/core/frameworks/skill/catalogue.ts';
import { newSkillTestFor } from '../../../../src/core/frameworks/skill/newTest.ts';
import { runTestFile } from '../../../../src/core/frameworks/skill/skills.ts';
import { smokeTest } from '../../../../src/core/frameworks/skill/smokeTest.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

describe('a skill', () => {
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'skills/a b/SKILL.md': '---\nname: It\'s "a*/b"\nshortName: ab\n---\n',
        'skills/good/skill.md': 'text',
        'skills/good/tests/good.tests.mjs':
          'console.log("hello"); export const runTests = () => { throw new Error(); };',
        'skills/broken/SKILL.md': 'text',
        'skills/broken/tests/broken.tests.mjs': "import './gone.mjs';",
        'skills/leaves/SKILL.md': '',
        'skills/leaves/tests/leaves.tests.mjs': 'process.exit(0);',
        'skills/hostile/SKILL.md': '---\nshortName: ../x\n---\n',
        'tests/alone.tests.mjs': 'export const other = 1;',
      },
      { name: 'a shop #1' },
    );
  });
  after(() => workspace.dispose());
  const skills = () => readSkillCatalogue(workspace.root);
  const one = async (shortName: string) => {
    const found = (await skills()).find((skill) => skill.shortName === shortName);
    assert.ok(found, shortName);
    return found;
  };

  it('gets a first test that runs and passes', async () => {
    const { file, text } = newSkillTestFor(await one('ab'), await skills());
    assert.equal(path.relative(workspace.root, file), 'skills/a b/tests/ab.tests.mjs');
    await workspace.write('skills/a b/tests/ab.tests.mjs', text);
    const { success, passed, errors } = await runTestFile(file);
    assert.deepEqual({ success, passed, errors }, { success: true, passed: 1, errors: [] });
    const again = await one('ab');
    assert.throws(() => newSkillTestFor(again, []), /ab already has tests/);
  });

  it('gets none under a name that leads elsewhere', async () => {
    const hostile = await one('../x');
    assert.throws(() => newSkillTestFor(hostile, []), /not a valid file name: \.\.\/x/);
  });

  it('is sound when its descriptor can be read and its tests load, which are not run', async () => {
    const limits = { timeoutMs: 10_000, skillTimeoutMs: 10_000, maxParallel: 1 };
    const check = async (shortName: string) =>
      (
        await smokeTest(await one(shortName), {
          root: workspace.root,
          limits,
          frameworks: [],
          cacheFolder: '',
        })
      ).map(({ name, problem }) => `${name}: ${problem?.split('\n')[0] ?? 'ok'}`);
    assert.deepEqual(await check('good'), ['descriptor: ok', 'tests file: ok', 'tests load: ok']);
    assert.match((await check('broken')).join(), /tests load: Error.*Cannot find module .*gone\.mjs/);
    assert.deepEqual(await check('leaves'), [
      'descriptor: SKILL.md is empty.',
      'tests file: ok',
      'tests load: Its process ended before the file was loaded.',
    ]);
    assert.deepEqual(await check('../x'), [
      'descriptor: ok',
      'tests file: There is no tests/../x.tests.mjs.',
    ]);
    assert.match(
      (await check('alone')).join(),
      /belongs to none.*tests load: Error: alone.tests.mjs exports only other/,
    );
  });
});
