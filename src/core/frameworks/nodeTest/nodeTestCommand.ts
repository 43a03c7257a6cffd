// How scripts start node's test runner, and what of their words counts for a run.
import type { PackageJson } from '../framework.ts';
import type { NodeTestCommand } from './nodeTestStart.ts';
import { borpStart, readBorpCommand } from './borpCommand.ts';
import type { ShellWord } from '../shellWords.ts';
import { testCommands, type FrameworkStart, type TestCommand } from '../testScripts.ts';

/** `node … --test …` and `tsx --test …`, whatever stands before. */
const startsRunner = /(?:^|[\s/\\"'])(?:node|tsx)(?:\.exe)?(?:\s[^;&|]*)?\s--test(?=\s|$)/;
const start: FrameworkStart = { isStart: (word) => word === '--test', anyScript: true };

/** Flags of node that take the next word when they have no `=`. */
const takesValue =
  /^(?:-r|-C|--(?:require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists|experimental-default-type|experimental-config-file|title|icu-data-dir|unhandled-rejections|test-(?:concurrency|timeout|reporter|reporter-destination|name-pattern|skip-pattern|isolation|shard|global-setup|random-seed|rerun-failures|coverage-\w+)|experimental-test-isolation))$/;
/** They are decided by Testmend, or change what a run is. */
const leftOut =
  /^--(?:test|watch(?:-path|-preserve-output)?|test-(?:reporter(?:-destination)?|concurrency|isolation|shard|coverage-[\w-]+|rerun-failures|global-setup)|experimental-test-(?:isolation|coverage)|inspect[\w-]*|test-update-snapshots)(?:=|$)/;

/** The commands by which the scripts start it, or undefined when none does. */
export function nodeTestCommands(
  packageJson: PackageJson | undefined,
): readonly NodeTestCommand[] | undefined {
  const scripts = Object.fromEntries(
    // A `--test` of another program is none of ours.
    Object.entries(packageJson?.scripts ?? {}).map(([name, text]) => [
      name,
      /\s--test(?=\s|$)/.test(text) && !startsRunner.test(text) ? '' : text,
    ]),
  );
  const commands = testCommands(scripts, start);
  if (commands.length > 0) return commands.map(readCommand);
  const byBorp = testCommands(packageJson?.scripts ?? {}, borpStart);
  return byBorp.length === 0 ? undefined : byBorp.map(readBorpCommand);
}

function readCommand({ words, nodeFlags, env, notUnderstood, script = '' }: TestCommand): NodeTestCommand {
  const flags = [...nodeFlags];
  const targets: ShellWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (!word) continue;
    const next = words[at + 1];
    if (!word.text.startsWith('-')) targets.push(word);
    else if (takesValue.test(word.text) && next) {
      if (!word.computed && !next.computed) flags.push(`${longName(word.text)}=${next.text}`);
      at++;
    } else if (!word.computed) flags.push(word.text);
  }
  const isSerial = flags.some((flag) =>
    /^--(?:test-concurrency=1|(?:experimental-)?test-isolation=none)$/.test(flag),
  );
  const notes = notUnderstood.map(
    (text) => `${text} in the script "${script}" is only filled in by a shell: left out.`,
  );
  if (flags.some((flag) => flag.startsWith('--test-global-setup')))
    notes.push(`--test-global-setup of the script "${script}" is not carried out.`);
  return {
    flags: flags.filter((flag) => !leftOut.test(flag)),
    env,
    targets: targets.filter(({ computed }) => !computed),
    isSerial,
    notes,
  };
}

const longName = (flag: string): string => flag.replace(/^-r$/, '--require').replace(/^-C$/, '--conditions');
