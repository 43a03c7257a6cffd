import assert from 'node:assert/strict';
import path from 'node:path';
import skills, {
  discoverSkillTest,
  discoverSkillTests,
  runTestFile,
  runTestFileInProcess,
  runTestSuite,
} from '../../../../src/core/frameworks/skill/skills.ts';
import { isAlive } from '../../../support/isAlive.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

describe('testmend/skills', () => {
  let workspace: TemporaryWorkspace;
  const file = (name: string): string => path.join(workspace.root, 'tests', `${name}.tests.mjs`);

  before(async () => {
    workspace = await temporaryWorkspace({
      'skills/greeter/SKILL.md': '---\nname: Greeter of people\nshort-name: greet\n---\n',
      'skills/lonely/SKILL.md': '---\nname: lonely\n---\n',
      'tests/greet.tests.mjs': `console.log('loaded');\nexport default () => ({ passed: 2, failed: 1, errors: ['adds: 1 is not 2'] });\n`,
      'tests/counter.tests.mjs': `export let loads = 0;\nloads++;\nexport async function runTests() { return { passed: loads, failed: 0, errors: [] }; }\n`,
      'tests/hangs.tests.mjs': `import { spawn } from 'node:child_process';
export default () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  console.log(process.pid + ' ' + child.pid);
  while (true);
};
`,
      'tests/nothing.tests.mjs': 'export default () => {};\n',
    });
  });
  after(() => workspace.dispose());

  it('has the same functions by name and in its default', () => {
    assert.deepEqual(Object.keys(skills), [
      'discoverSkillTests',
      'discoverSkillTest',
      'runTestFile',
      'runTestFileInProcess',
      'runTestSuite',
    ]);
  });

  it('finds skills with their tests, tests without a skill, and skills without tests', async () => {
    const { root } = workspace;
    const found = await discoverSkillTests({ root });
    assert.deepEqual(
      found.map(({ shortName, skillType }) => `${shortName} ${skillType}`),
      ['counter unknown', 'greet skill', 'hangs unknown', 'nothing unknown'],
    );
    const greet = await discoverSkillTest('greet', { root });
    assert.deepEqual(greet, {
      skillName: 'Greeter of people',
      shortName: 'greet',
      skillType: 'skill',
      skillDir: path.join(root, 'skills/greeter'),
      testFile: file('greet'),
    });
    assert.equal((await discoverSkillTest('lonely', { root }))?.testFile, undefined);
    assert.equal(await discoverSkillTest('nobody', { root }), undefined);
    assert.ok(
      (await discoverSkillTests({ root, withoutTests: true })).some(
        ({ shortName }) => shortName === 'lonely',
      ),
    );
  });

  it('runs a file in a process of its own and gives counts, errors and output', async () => {
    const { duration, ...result } = await runTestFile(file('greet'));
    assert.deepEqual(result, {
      success: false,
      passed: 2,
      failed: 1,
      errors: ['adds: 1 is not 2'],
      output: 'loaded\n',
    });
    assert.ok(duration > 0);
  });

  it('ends a file and all that it started at the time limit', async () => {
    const { success, errors, output } = await runTestFile(file('hangs'), { timeout: 700 });
    assert.equal(success, false);
    assert.match(errors[0] ?? '', /hangs\.tests\.mjs did not end within 0\.7 s/);
    const pids = output.trim().split(' ').map(Number);
    assert.equal(pids.length, 2);
    assert.deepEqual(pids.filter(isAlive), []);
  });

  it('says what is wrong with a file that gives no result', async () => {
    for (const run of [runTestFile, runTestFileInProcess]) {
      const { success, errors } = await run(file('nothing'));
      assert.equal(success, false);
      assert.match(errors[0] ?? '', /nothing\.tests\.mjs returned nothing: return/);
    }
    assert.match((await runTestFile(file('gone'))).errors[0] ?? '', /gone\.tests\.mjs/);
  });

  it('loads a file afresh for each run in this process', async () => {
    for (let run = 0; run < 2; run++) {
      const { success, passed } = await runTestFileInProcess(file('counter'));
      assert.deepEqual({ success, passed }, { success: true, passed: 1 });
    }
  });

  for (const parallel of [false, true]) {
    it(`sums up a suite that runs ${parallel ? 'in parallel' : 'one by one'}`, async () => {
      const { root } = workspace;
      const tests = (await discoverSkillTests({ root })).filter(({ shortName }) => shortName !== 'hangs');
      const { success, totalTests, totalPassed, totalFailed, results, errors } = await runTestSuite(tests, {
        parallel,
      });
      assert.deepEqual(
        { success, totalTests, totalPassed, totalFailed },
        { success: false, totalTests: 4, totalPassed: 3, totalFailed: 1 },
      );
      assert.deepEqual(
        results.map(({ shortName, success }) => [shortName, success]),
        [
          ['counter', true],
          ['greet', false],
          ['nothing', false],
        ],
      );
      assert.equal(errors[0], 'greet: adds: 1 is not 2');
    });
  }

  it('does not call an empty suite a success', async () => {
    assert.equal((await runTestSuite([])).success, false);
  });
});
