// The command line taken apart: usage errors name the option, the nearest right one, and what to do.
import { parseArgs } from 'node:util';
import { HumanError } from '../core/base/humanError.ts';
import { commands, commonOptions } from './commandTable.ts';
import type { CommandInfo, OptionInfo } from './commandInfo.ts';
import { Options } from './options.ts';

export interface CommandLine {
  /** What the user asks for; `help` may be about one command. */
  readonly command: CommandInfo | 'help' | 'version';
  readonly about?: CommandInfo;
  readonly options: Options;
  readonly files: readonly string[];
}

/** Throws a `usage` HumanError for anything it does not understand. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const known = new Map(
    [...commonOptions, ...commands.flatMap((command) => command.options)].map((o) => [o.name, o]),
  );
  const { tokens } = parseArgs({
    args: withUsualValues(args, known),
    options: {
      ...Object.fromEntries(
        [...known.values()].map((o) => [
          o.name,
          { type: o.kind === 'flag' ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []));
  const name = positionals.shift();
  const empty = new Options(new Map());
  if (name === 'version' || given.some((token) => token.name === 'version'))
    return { command: 'version', options: empty, files: [] };
  if (name === 'help') {
    const about = positionals[0] === undefined ? undefined : findCommand(positionals[0]);
    return { command: 'help', ...(about ? { about } : {}), options: empty, files: [] };
  }
  const command = name === undefined ? undefined : findCommand(name);
  if (given.some((token) => token.name === 'help'))
    return { command: 'help', ...(command ? { about: command } : {}), options: empty, files: [] };
  const values = new Map<string, string[]>();
  for (const token of given) {
    const option = findOption(token.name, token.rawName, command);
    const value = checkValue(option, token.value, token.inlineValue === true);
    values.set(option.name, [...(option.repeatable ? (values.get(option.name) ?? []) : []), value]);
  }
  if (!command) return { command: 'help', options: new Options(values), files: [] };
  if (positionals[0] !== undefined && !command.takesFiles) {
    throw new HumanError('usage', `testmend ${command.name} takes no files, but got "${positionals[0]}".`, {
      value: positionals[0],
      remedy: `See testmend ${command.name} --help.`,
    });
  }
  return { command, options: new Options(values), files: positionals };
}

/** An option whose value may be left out gets it. */
function withUsualValues(args: readonly string[], known: ReadonlyMap<string, OptionInfo>): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, at) => {
    const usual = at < end && arg.startsWith('--') ? known.get(arg.slice(2))?.usually : undefined;
    return usual === undefined || /^\d+$/.test(args[at + 1] ?? '') ? arg : `${arg}=${usual}`;
  });
}

function findCommand(name: string): CommandInfo {
  const found = commands.find((command) => command.name === name);
  if (found) return found;
  const names = [...commands.map((command) => command.name), 'help', 'version'];
  throw new HumanError('usage', `There is no command "${name}".`, {
    value: name,
    remedy: `${suggestion(name, names)}The commands are ${names.join(', ')}.`,
  });
}

function findOption(name: string, typed: string, command: CommandInfo | undefined): OptionInfo {
  const own = [...commonOptions, ...(command?.options ?? [])];
  const option = own.find((o) => o.name === name);
  if (option) return option;
  const others = commands
    .filter((other) => other.options.some((o) => o.name === name))
    .map((other) => other.name);
  const where = command ? `testmend ${command.name}` : 'testmend';
  throw new HumanError('usage', `${where} has no option ${typed}.`, {
    value: typed,
    remedy: others.length
      ? `${typed} belongs to testmend ${others.join(', ')}.`
      : `${suggestion(
          typed,
          own.map((o) => `--${o.name}`),
        )}See ${where} --help.`,
  });
}

function checkValue(option: OptionInfo, value: string | undefined, inline: boolean): string {
  const fail = (message: string, remedy: string): never => {
    throw new HumanError('usage', `--${option.name} ${message}`, {
      ...(value === undefined ? {} : { value }),
      remedy,
    });
  };
  if (option.kind === 'flag')
    return value === undefined ? '' : fail(`takes no value, but got "${value}".`, 'Leave the value out.');
  const example = `--${option.name} ${option.value ?? 'VALUE'}`;
  if (value === undefined || value === '') return fail('needs a value.', `Write ${example}.`);
  if (!inline && value.startsWith('-') && value !== '-')
    return fail(
      `needs a value, but "${value}" looks like an option.`,
      option.noDash ?? `If that is the value, write --${option.name}=${value}.`,
    );
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  switch (option.kind) {
    case 'seconds':
      return number > 0 && number <= 86_400
        ? value
        : fail(`must be seconds above 0, not "${value}".`, `For example --${option.name} 60.`);
    case 'count': {
      const { most = 1000 } = option;
      return Number.isInteger(number) && number >= 1 && number <= most
        ? value
        : fail(
            `must be a whole number from 1 to ${most}, not "${value}".`,
            `For example --${option.name} 3.`,
          );
    }
    case 'amount':
      return number > 0
        ? value
        : fail(
            `must be a number above 0, not "${value}".`,
            `For example ${example.replace(option.value ?? 'VALUE', '100')}.`,
          );
    case 'percent':
      return number >= 0 && number <= 100
        ? value
        : fail(`must be a percentage from 0 to 100, not "${value}".`, `For example --${option.name} 95.`);
    case 'choice':
      return option.choices?.includes(value)
        ? value
        : fail(
            `must be one of ${option.choices?.join(', ')}, not "${value}".`,
            `${suggestion(value, option.choices ?? [])}${option.choiceHelp ?? `For example --${option.name} ${option.choices?.[0] ?? ''}.`}`,
          );
    case 'text':
      return value;
  }
}

/** `Did you mean run? ` when one of the names is near. */
function suggestion(typed: string, names: readonly string[]): string {
  const nearest = names
    .map((name) => ({ name, far: distance(typed, name) }))
    .sort((a, b) => a.far - b.far)[0];
  return nearest && nearest.far <= Math.max(1, Math.floor(nearest.name.replace(/^--/, '').length / 3))
    ? `Did you mean ${nearest.name}? `
    : '';
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
