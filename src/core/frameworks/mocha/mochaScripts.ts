// Finds how the scripts of a package.json start mocha: with which arguments, flags of node, and variables.
import { shellCommands, type ShellWord } from './shellWords.ts';

/** One way in which the project starts mocha. */
export interface MochaCommand {
  /** Name of the script; absent where none starts mocha. */
  readonly script?: string;
  /** What is written after `mocha`. */
  readonly words: readonly ShellWord[];
  /** Flags of `node` before it, as `node --import tsx node_modules/.bin/mocha`. */
  readonly nodeFlags: readonly string[];
  /** Variables set for it. */
  readonly env: Readonly<Record<string, string>>;
  /** Words that only a shell could fill in, as written. */
  readonly notUnderstood: readonly string[];
}

type Scripts = Readonly<Record<string, string>>;

/** Commands that start another one; what is between them and `mocha` is theirs. */
const runners =
  /^(?:npx|pnpm|yarn|bunx?|npm|nyc|c8|istanbul|cross-env(?:-shell)?|env|dotenvx?|dotenv-cli|dotenv-run-script|time|nice|exec|xvfb-run|tsx|node|cov8|wtfnode|0x|clinic|env-cmd|op|doppler|infisical)$/;
const isMocha = (word: string): boolean =>
  /^_?mocha$|(?:^|[\\/])\.bin[\\/]_?mocha$|[\\/]mocha[\\/]bin[\\/]_?mocha(?:\.c?js)?$/.test(word);

/**
 * The commands by which tests are run: those of the script `test` (also through `npm run …`); when it does not start mocha, those
 * of scripts named after tests, else the first that does. Empty when none starts mocha.
 */
export function mochaCommands(scripts: Scripts): readonly MochaCommand[] {
  const named = Object.keys(scripts).filter(
    (name) => /^tests?[:_.-]/.test(name) && !/watch|debug|cov/.test(name),
  );
  const commands = (names: readonly string[]): readonly MochaCommand[] =>
    distinct(names.flatMap((name) => commandsOf(name, scripts, new Set())));
  const own = [commands(['test']), commands(named)].find(({ length }) => length > 0);
  return own ?? commands(Object.keys(scripts)).slice(0, 1);
}

/** Does any script start mocha? */
export function startsMocha(scripts: Scripts): boolean {
  return Object.values(scripts).some((text) => /mocha/.test(text) && readCommands(text).length > 0);
}

function commandsOf(name: string, scripts: Scripts, seen: Set<string>): readonly MochaCommand[] {
  const text = scripts[name];
  if (text === undefined || seen.has(name)) return [];
  seen.add(name);
  return shellCommands(text).flatMap((words): readonly MochaCommand[] => {
    const command = readCommand(words);
    if (command) return [{ ...command, script: name }];
    return scriptsRunBy(words, scripts).flatMap(({ script, extra }) =>
      commandsOf(script, scripts, seen).map((inner) => ({ ...inner, words: [...inner.words, ...extra] })),
    );
  });
}

function readCommands(text: string): readonly MochaCommand[] {
  return shellCommands(text).flatMap((words) => readCommand(words) ?? []);
}

/** The command, when it starts mocha: itself, or through something that starts commands. */
function readCommand(words: readonly ShellWord[]): MochaCommand | undefined {
  const at = words.findIndex(({ text }) => isMocha(text));
  if (at < 0) return undefined;
  const before = words.slice(0, at);
  const env: Record<string, string> = {};
  const commands: string[] = [];
  for (const { text } of before) {
    const assigned = /^([A-Za-z_]\w*)=(.*)$/s.exec(text);
    if (assigned) env[assigned[1] ?? ''] = assigned[2] ?? '';
    else commands.push(text);
  }
  const [first] = commands;
  const name = first?.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe|[cm]?js)$/, '');
  if (name !== undefined && !runners.test(name)) return undefined;
  if (/^(?:npm|pnpm|yarn)$/.test(name ?? '') && /^(?:i|install|add|remove|un|up)/.test(commands[1] ?? ''))
    return undefined;
  const after = words.slice(at + 1);
  const all = [...before.filter(({ text }) => /^\w+=/.test(text)), ...after];
  return {
    words: after[0]?.text === '--' ? after.slice(1) : after,
    nodeFlags: nodeFlagsIn(commands),
    env,
    notUnderstood: all.filter(({ computed }) => computed).map(({ text }) => text),
  };
}

/** What stands between `node` and mocha; a flag and its value are given as one. */
function nodeFlagsIn(commands: readonly string[]): readonly string[] {
  const node = commands.findLastIndex((word) => /(?:^|[\\/])(?:node|tsx)(?:\.exe)?$/.test(word));
  if (node < 0) return [];
  const flags: string[] = commands[node]?.endsWith('tsx') === true ? ['--import=tsx'] : [];
  const words = commands.slice(node + 1);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) continue;
    const long = word.replace(/^-r$/, '--require').replace(/^-C$/, '--conditions');
    const value = words[at + 1];
    if (!long.includes('=') && value !== undefined && !value.startsWith('-')) {
      flags.push(`${long}=${value}`);
      at++;
    } else flags.push(long);
  }
  return flags;
}

/** `npm run test:unit -- --bail`, `yarn test:unit`, `run-s test:*`. */
function scriptsRunBy(
  words: readonly ShellWord[],
  scripts: Scripts,
): readonly { readonly script: string; readonly extra: readonly ShellWord[] }[] {
  const texts = words.map(({ text }) => text).filter((text) => !/^\w+=/.test(text));
  const [command = '', ...rest] = texts;
  const dashes = words.findIndex(({ text }) => text === '--');
  const extra = dashes < 0 ? [] : words.slice(dashes + 1);
  if (/^(?:npm|pnpm|yarn|bun)$/.test(command)) {
    const script = rest.find((word) => !word.startsWith('-') && !/^run(?:-script)?$/.test(word));
    return script !== undefined && script in scripts ? [{ script, extra }] : [];
  }
  if (!/^(?:npm-run-all2?|run-[sp])$/.test(command)) return [];
  const patterns = rest.slice(0, texts.indexOf('--') < 0 ? undefined : texts.indexOf('--') - 1);
  return patterns
    .filter((word) => !word.startsWith('-'))
    .flatMap((pattern) => {
      const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*\*?/g, '[^:]*');
      return Object.keys(scripts).filter((name) => new RegExp(`^${source}$`).test(name));
    })
    .map((script) => ({ script, extra: [] }));
}

function distinct(commands: readonly MochaCommand[]): readonly MochaCommand[] {
  const key = ({ words, env, nodeFlags }: MochaCommand): string =>
    JSON.stringify([words.map(({ text }) => text), env, nodeFlags]);
  return [
    ...new Map(commands.map((command) => [key(command), command] as const).reverse()).values(),
  ].reverse();
}
