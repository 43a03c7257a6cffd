import assert from 'node:assert/strict';
import { HumanError } from '../../src/core/base/humanError.ts';
import { parseCommandLine } from '../../src/cli/commandLine.ts';
import { commands } from '../../src/cli/commandTable.ts';
import { helpText } from '../../src/cli/help.ts';
import { createPaint } from '../../src/core/reports/paint.ts';

function usageError(...args: string[]): string {
  try {
    parseCommandLine(args);
  } catch (error) {
    assert.ok(error instanceof HumanError);
    assert.equal(error.code, 'usage');
    return `${error.message} | ${error.details.remedy}`;
  }
  throw new assert.AssertionError({ message: `no usage error for ${args.join(' ')}` });
}

describe('the command line', () => {
  it('takes options before and after the command, with and without an equals sign', () => {
    const line = parseCommandLine([
      '--root',
      'shop',
      'run',
      'a.test.ts',
      '--filter=--odd',
      '--reporter',
      'json',
      '--reporter=junit=x.xml',
      '--json',
    ]);
    assert.ok(typeof line.command === 'object' && line.command.name === 'run');
    assert.deepEqual(line.files, ['a.test.ts']);
    assert.equal(line.options.text('root'), 'shop');
    assert.equal(line.options.text('filter'), '--odd');
    assert.deepEqual(line.options.list('reporter'), ['json', 'junit=x.xml']);
    assert.ok(line.options.flag('json'));
    assert.ok(!line.options.flag('affected'));
  });

  it('takes files that look like options after two dashes', () => {
    assert.deepEqual(parseCommandLine(['run', '--', '--weird.test.ts']).files, ['--weird.test.ts']);
  });

  it('names an unknown option and the nearest one', () => {
    assert.equal(
      usageError('run', '--filtre', 'x'),
      'testmend run has no option --filtre. | Did you mean --filter? See testmend run --help.',
    );
    assert.equal(
      usageError('run', '--headed'),
      'testmend run has no option --headed. | --headed belongs to testmend scenario.',
    );
    assert.equal(usageError('run', '-x'), 'testmend run has no option -x. | See testmend run --help.');
  });

  it("says whose option it is when it is another command's", () => {
    assert.equal(
      usageError('run', '--apply'),
      'testmend run has no option --apply. | --apply belongs to testmend fix.',
    );
  });

  it('says which commands there are', () => {
    assert.equal(
      usageError('rum'),
      'There is no command "rum". | Did you mean run? The commands are discover, run, fix, verify, strength, generate, skills, scenario, report, doctor, messages, replay, mcp, help, version.',
    );
    assert.match(usageError('quux'), /^There is no command "quux"\. \| The commands are /);
  });

  it('refuses values of the wrong kind and says what is right', () => {
    assert.equal(
      usageError('run', '--timeout', 'abc'),
      '--timeout must be seconds above 0, not "abc". | For example --timeout 60.',
    );
    assert.match(usageError('run', '--timeout', '0'), /^--timeout must be seconds above 0/);
    assert.match(usageError('run', '--timeout=-3'), /^--timeout must be seconds above 0, not "-3"/);
    assert.match(
      usageError('run', '--repeat', '2.5'),
      /^--repeat must be a whole number from 1 to 1000, not "2\.5"/,
    );
    assert.match(
      usageError('fix', '--target', '101'),
      /^--target must be a percentage from 0 to 100, not "101"/,
    );
    assert.match(usageError('fix', '--strategy', 'surgicla'), /Did you mean surgical\?/);
    assert.match(
      usageError('run', '--layer', 'unit'),
      /^--layer must be one of L1, L2, L3, not "unit"\. \| L1 holds unit tests .*L2 holds integration tests, .*L3 holds end-to-end tests \(e2e,/,
    );
    assert.match(usageError('fix', '--preset', 'x'), /\| For example --preset tester\.$/);
    assert.match(usageError('messages', '--last', '0'), /^--last must be a whole number from 1 to 100,/);
    assert.match(
      usageError('run', '--framework', 'karma'),
      /^--framework must be one of skill, vitest, .*, not "karma"/,
    );
    assert.equal(
      usageError('run', '--json=yes'),
      '--json takes no value, but got "yes". | Leave the value out.',
    );
  });

  it('does not take the next option for a value', () => {
    assert.equal(
      usageError('run', '--filter', '--json'),
      '--filter needs a value, but "--json" looks like an option. | A filter cannot start with a dash: leave the dash out, any part of the title is enough.',
    );
    assert.match(usageError('fix', '--patch', '-x'), /If that is the value, write --patch=-x\.$/);
    assert.match(usageError('run', '--filter'), /^--filter needs a value\./);
  });

  it('refuses files where none are taken', () => {
    assert.match(usageError('discover', 'a.test.ts'), /^testmend discover takes no files/);
  });

  it('prints help within 80 columns, for every command', () => {
    const paint = createPaint(false);
    for (const text of [helpText(paint), ...commands.map((command) => helpText(paint, command))])
      assert.deepEqual(
        text.split('\n').filter((line) => line.length > 80),
        [],
      );
    for (const command of commands)
      for (const option of command.options) assert.ok(helpText(paint, command).includes(`--${option.name}`));
  });

  it('says in its help what --affected holds the working tree against', () => {
    const run = commands.find(({ name }) => name === 'run');
    assert.match(
      helpText(createPaint(false), run),
      /--affected +only tests that the changes since the commit before\s+HEAD/,
    );
  });
});
