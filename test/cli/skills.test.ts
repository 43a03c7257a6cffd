// `testmend skills`, as a real process: the catalogue, runs, smoke tests and new tests files, with their exit codes.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';

const returns = (passed: number, ...errors: string[]): string =>
  `export default () => (${JSON.stringify({ passed, failed: errors.length, errors })});\n`;

describe('testmend skills', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace({
      'alpha/SKILL.md': '---\nname: Alpha Skill\nshort-name: alpha\n---\nHello.\n',
      'beta/tskill.md': '---\nname: beta\n---\nHello.\n',
      'beta/tests/beta.tests.mjs': returns(2),
      'gamma/cskill.md': '',
      'tests/gamma.tests.mjs': returns(1, 'greets: no greeting'),
      'tests/lone.tests.mjs': "throw new Error('not today');\n",
    });
  });
  after(() => workspace.dispose());
  const skills = (...args: string[]): Promise<CliResult> =>
    testmend(['skills', ...args], { cwd: workspace.root });

  it('lists names, types, and skills without tests and tests without a skill', async () => {
    const { code, stdout } = await skills();
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `alpha (Alpha Skill)  skill    no tests
beta                 tskill   beta/tests/beta.tests.mjs
gamma                cskill   tests/gamma.tests.mjs
lone                 unknown  tests/lone.tests.mjs
3 skills, 1 without tests, 1 tests file without a skill
`,
    );
    const listed = await skills('list', 'Alpha Skill', 'beta', '--json');
    assert.deepEqual(JSON.parse(listed.stdout), {
      skills: [
        { shortName: 'alpha', skillName: 'Alpha Skill', skillType: 'skill', folder: 'alpha' },
        {
          shortName: 'beta',
          skillName: 'beta',
          skillType: 'tskill',
          folder: 'beta',
          testFile: 'beta/tests/beta.tests.mjs',
        },
      ],
    });
  });

  it('runs the tests of those that are named, or of all', async () => {
    const one = await skills('run', 'beta', '--json');
    assert.equal(one.code, 0, one.stderr);
    assert.match(one.stdout, /"total":1,"passed":1,/);
    const all = await skills('run');
    assert.equal(all.code, 1, all.stderr);
    assert.match(all.stdout, /greets: no greeting/);
    assert.match(all.stdout, /1 failed · 1 errored · 1 passed · 3 tests/);
    const none = await skills('run', 'alpha');
    assert.equal(none.code, 2);
    assert.match(
      none.stderr,
      /The skill alpha has no tests\.\n {2}Create a first one: testmend skills new alpha/,
    );
  });

  it('says what is not sound, and why', async () => {
    const { code, stdout } = await skills('smoke');
    assert.equal(code, 1);
    assert.equal(
      stdout,
      `✗ alpha
  tests file: There is no tests/alpha.tests.mjs.
✓ beta
✗ gamma
  descriptor: cskill.md is empty.
✗ lone
  descriptor: No skill has this name: the tests file belongs to none.
  tests load: Error: not today
1 of 4 skills is sound
`,
    );
    const one = await skills('smoke', 'beta', '--json');
    assert.equal(one.code, 0);
    assert.match(one.stdout, /"sound":true,"checks":\[\{"name":"descriptor"\},/);
  });

  it('makes a tests file that runs, and writes it only when told and never over another', async () => {
    const file = path.join(workspace.root, 'alpha/tests/alpha.tests.mjs');
    const shown = await skills('new', 'alpha');
    assert.equal(shown.code, 0);
    assert.match(shown.stdout, /^\/\/ Tests of the skill Alpha Skill\./);
    assert.match(shown.stderr, /--write writes it to alpha\/tests\/alpha\.tests\.mjs/);
    assert.ok(!existsSync(file));
    const written = await skills('new', 'Alpha Skill', '--write', '--json');
    assert.equal(written.code, 0, written.stdout);
    assert.equal(await workspace.read('alpha/tests/alpha.tests.mjs'), shown.stdout);
    assert.equal((await skills('run', 'alpha')).code, 0);
    const again = await skills('new', 'alpha', '--write', '--json');
    assert.equal(again.code, 2);
    assert.match(again.stdout, /"code":"bad-input","message":"alpha already has tests\."/);
  });

  it('refuses what it does not know, and finds none where none are', async () => {
    for (const [args, said] of [
      [['list', 'delta'], /There is no skill delta\.\n {2}The skills here are alpha, beta, gamma, lone\./],
      [['lst'], /There is no operation "lst"\.\n {2}The operations are list, run, smoke, new\./],
      [['smoke', '--write'], /--write and --dry-run belong to testmend skills new\./],
    ] as const) {
      const { code, stderr } = await skills(...args);
      assert.equal(code, 2);
      assert.match(stderr, said);
    }
    const empty = await temporaryWorkspace({ 'package.json': '{}' });
    try {
      for (const operation of ['list', 'run', 'smoke', 'new'])
        assert.equal((await testmend(['skills', operation], { cwd: empty.root })).code, 2, operation);
    } finally {
      await empty.dispose();
    }
  });
});
