// `testmend skills`: which skills there are, their tests run, a look whether they are sound, and a first test for one (CONTRACTS K1, K7).
import { HumanError } from '../core/base/humanError.ts';
import { inParallel } from '../core/base/inParallel.ts';
import { toRelativePosix } from '../core/base/paths.ts';
import {
  newSkillTestFor,
  skillsNamed,
  skillsOf,
  smokeTest,
  writeSkillTest,
  type SkillRecord,
} from '../core/engine/skills.ts';
import type { Workspace } from '../core/model/settings.ts';
import { plainLine, plainText, plural } from '../core/reports/paint.ts';
import { exitCodes } from './command.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';
import { runCommand } from './run.ts';
import type { Terminal } from './terminal.ts';
import { terminalAsk, terminalPick } from './terminalAsk.ts';
import { workspaceFrom } from './workspaceOptions.ts';

/** The skills that an operation is about, in their workspace. */
interface Chosen {
  readonly context: CommandContext;
  readonly workspace: Workspace;
  readonly all: readonly SkillRecord[];
  /** Short names or names as typed; none means no choice was made. */
  readonly names: readonly string[];
}

const operations = { list, run, smoke, new: makeNew } as const;

export const skillsCommand: Command = async (context) => {
  const [typed = 'list', ...names] = context.files;
  const operation = Object.entries(operations).find(([name]) => name === typed)?.[1];
  if (operation === undefined) {
    throw usage(
      `There is no operation "${typed}".`,
      `The operations are ${Object.keys(operations).join(', ')}.`,
      typed,
    );
  }
  if (operation !== makeNew && ['write', 'dry-run'].some((option) => context.options.flag(option)))
    throw usage('--write and --dry-run belong to testmend skills new.', 'Leave them out.');
  const workspace = await workspaceFrom(context);
  const all = await skillsOf(workspace.root, context.signal);
  return operation({ context, workspace, all, names });
};

async function list(chosen: Chosen): Promise<CommandResult> {
  const { context, workspace, all } = chosen;
  const { terminal } = context;
  const skills = named(chosen);
  const withoutTests = skills.filter(({ testFile }) => testFile === undefined).length;
  const alone = skills.filter(({ skillDir }) => skillDir === undefined).length;
  const count = [
    plural(skills.length - alone, 'skill'),
    ...(withoutTests === 0 ? [] : [`${withoutTests} without tests`]),
    ...(alone === 0 ? [] : [`${plural(alone, 'tests file')} without a skill`]),
  ].join(', ');
  if (!terminal.json)
    await terminal.out(
      `${rows(skills, workspace.root, terminal).join('')}${count}\n${all.length === 0 ? `${noSkills}\n` : ''}`,
    );
  return {
    exitCode: all.length === 0 ? exitCodes.usage : exitCodes.ok,
    json: { skills: skills.map((one) => toJson(one, workspace.root)) },
  };
}

/** The tests of the named skills; without names a person chooses at a terminal, and elsewhere all are run. */
async function run(chosen: Chosen): Promise<CommandResult> {
  const { context, names, all } = chosen;
  const skills = named(chosen);
  const tested = skills.filter(({ testFile }) => testFile !== undefined);
  const [none] = skills.filter(({ testFile }) => testFile === undefined);
  if (none !== undefined && names.length > 0) {
    const remedy = `Create a first one: testmend skills new ${none.shortName}`;
    throw new HumanError('no-tests', `The skill ${none.shortName} has no tests.`, {
      value: none.shortName,
      remedy,
    });
  }
  if (tested.length === 0) {
    const remedy =
      all.length === 0 ? noSkills : `Create a first one: testmend skills new ${all[0]?.shortName ?? ''}`;
    throw new HumanError('no-tests', 'No skill of this workspace has tests.', { remedy });
  }
  const wanted = names.length > 0 ? tested : await pick(tested, chosen, true);
  const files = wanted.flatMap(({ testFile }) => testFile ?? []);
  return runCommand({ ...context, files, options: context.options.with('framework', 'skill') });
}

/** Looks whether the named skills are sound; without names all of them. */
async function smoke(chosen: Chosen): Promise<CommandResult> {
  const { context, workspace } = chosen;
  const { terminal, signal } = context;
  const skills = named(chosen);
  if (skills.length === 0)
    throw new HumanError('no-tests', 'There are no skills in this workspace.', { remedy: noSkills });
  const looked = await inParallel(skills, workspace.limits.maxParallel, async (skill) => {
    const checks = await smokeTest(skill, workspace, signal);
    signal.throwIfAborted();
    return { skill, checks, sound: checks.every(({ problem }) => problem === undefined) };
  });
  const { paint } = terminal;
  const lines = looked.flatMap(({ skill, checks, sound }) => [
    `${sound ? paint.green('✓') : paint.red('✗')} ${plainLine(skill.shortName)}`,
    ...checks.flatMap(({ name, problem }) =>
      problem === undefined ? [] : `  ${name}: ${plainLine(problem)}`,
    ),
  ]);
  const unsound = looked.filter(({ sound }) => !sound).length;
  const good = looked.length - unsound;
  const total = `${good} of ${plural(looked.length, 'skill')} ${good === 1 || looked.length === 1 ? 'is' : 'are'} sound`;
  if (!terminal.json) await terminal.out(`${[...lines, total].join('\n')}\n`);
  return {
    exitCode: unsound === 0 ? exitCodes.ok : exitCodes.failures,
    json: {
      skills: looked.map(({ skill, checks, sound }) => ({ ...toJson(skill, workspace.root), sound, checks })),
    },
  };
}

/** A first tests file for a skill that has none: shown, and written only when told. */
async function makeNew(chosen: Chosen): Promise<CommandResult> {
  const { context, workspace, all } = chosen;
  const { terminal, signal, options } = context;
  if (options.flag('write') && options.flag('dry-run'))
    throw usage('--write and --dry-run exclude each other.', 'Leave one of them out.');
  const { root } = workspace;
  const skill = await skillToTest(chosen);
  const { file: absolute, text } = newSkillTestFor(skill, all);
  const file = toRelativePosix(root, absolute);
  const asks = terminal.interactive && !options.flag('write') && !options.flag('dry-run');
  // Where nobody is asked, stdout is the file and nothing else.
  if (!terminal.json && !options.flag('write'))
    await terminal.out(asks ? `${terminal.paint.bold(plainLine(file))}\n\n${plainText(text)}\n` : text);
  const answer =
    asks &&
    (await terminalAsk(terminal, signal)(`Write ${plainLine(file)}?`, [
      { key: 'y', label: 'write it' },
      { key: 'n', label: 'leave it' },
    ]));
  const written = options.flag('write') || answer === 'y';
  if (written) await writeSkillTest(root, file, text);
  if (!terminal.json) {
    if (written) await terminal.out(`Wrote ${plainLine(file)}.\n`);
    else if (!asks) await terminal.err(`Nothing was written; --write writes it to ${plainLine(file)}.\n`);
  }
  return { exitCode: exitCodes.ok, json: { ...toJson(skill, root), file, text, written } };
}

async function skillToTest(chosen: Chosen): Promise<SkillRecord> {
  const { context, all, names } = chosen;
  const [name, ...others] = names;
  const isUntested = ({ testFile, skillDir }: SkillRecord): boolean =>
    testFile === undefined && skillDir !== undefined;
  if (name !== undefined && others.length === 0) {
    const found = skillsNamed(all, name);
    return found.find(isUntested) ?? found[0];
  }
  const untested = all.filter(isUntested);
  if (untested.length === 0)
    throw new HumanError('bad-input', 'There is no skill without tests.', {
      remedy: all.length === 0 ? noSkills : 'testmend skills lists the skills.',
    });
  const [picked] =
    names.length === 0 && context.terminal.interactive ? await pick(untested, chosen, false) : [];
  if (picked !== undefined) return picked;
  const without = untested.map(({ shortName }) => shortName).join(', ');
  throw usage(
    'testmend skills new needs the name of one skill.',
    `Without tests: ${without}.`,
    names.join(' '),
  );
}

/** The named skills, or all of them. */
const named = ({ all, names }: Chosen): readonly SkillRecord[] =>
  names.length === 0 ? all : [...new Set(names.flatMap((name) => skillsNamed(all, name)))];

/** The choice of a person at a terminal; elsewhere all of them. */
async function pick(
  skills: readonly SkillRecord[],
  { context: { terminal, signal }, workspace: { root } }: Chosen,
  several: boolean,
): Promise<readonly SkillRecord[]> {
  if (!terminal.interactive || skills.length === 1) return skills;
  const labels = rows(skills, root, terminal);
  const items = skills.map((item, at) => ({ item, label: (labels[at] ?? '').trimEnd() }));
  return terminalPick(terminal, signal, items, several);
}

/** `greeting  skill  tests/greeting.tests.mjs` each, in columns. */
function rows(skills: readonly SkillRecord[], root: string, { paint }: Terminal): readonly string[] {
  const cells = skills.map(({ shortName, skillName, skillType }) => [
    plainLine(skillName === shortName ? shortName : `${shortName} (${skillName})`),
    skillType,
  ]);
  const widthOf = (column: number): number => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0));
  const [nameWidth, typeWidth] = [widthOf(0), widthOf(1)];
  return skills.map(({ testFile }, at) => {
    const [name = '', type = ''] = cells[at] ?? [];
    const tests =
      testFile === undefined ? paint.yellow('no tests') : plainLine(toRelativePosix(root, testFile));
    return `${name.padEnd(nameWidth)}  ${paint.dim(type.padEnd(typeWidth))}  ${tests}\n`;
  });
}

function toJson({ shortName, skillName, skillType, skillDir, testFile }: SkillRecord, root: string): object {
  return {
    shortName,
    skillName,
    skillType,
    ...(skillDir !== undefined && { folder: toRelativePosix(root, skillDir) }),
    ...(testFile !== undefined && { testFile: toRelativePosix(root, testFile) }),
  };
}

const noSkills = 'A skill is a folder with a SKILL.md; its tests are tests/<name>.tests.mjs.';

const usage = (message: string, remedy: string, value?: string): HumanError =>
  new HumanError('usage', message, { remedy, ...(value === undefined || value === '' ? {} : { value }) });
