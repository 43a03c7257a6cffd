// Looks at the script `test` of a package.json: is there one, where does it stand, and does it only pass the work on?
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { shellCommands, type ShellWord } from '../shellWords.ts';

type Scripts = Readonly<Record<string, string>>;

/** What `npm init` writes. */
const none = /no test specified/;

/** Is there nothing here for us to run: no script, npm's own placeholder, or one that starts the tests of other packages? */
export function runsElsewhere(scripts: Scripts): boolean {
  const text = scripts['test']?.trim() ?? '';
  if (text === '' || none.test(text)) return true;
  return commandsOf('test', scripts, new Set()).some(passesOn);
}

/** The commands of a script, those of scripts that it runs by name in their place. */
export function commandsOf(
  name: string,
  scripts: Scripts,
  seen: Set<string>,
): readonly (readonly string[])[] {
  if (seen.has(name)) return [];
  seen.add(name);
  return shellCommands(scripts[name] ?? '').flatMap((words) => {
    const texts = withoutVariables(words);
    const inner = scriptRunBy(texts);
    return inner !== undefined && inner in scripts ? commandsOf(inner, scripts, seen) : [texts];
  });
}

function withoutVariables(words: readonly ShellWord[]): readonly string[] {
  const texts = words.map(({ text }) => text);
  const start = texts.findIndex((text) => !/^[A-Za-z_]\w*=|^(?:cross-env|env|npx|exec)$/.test(text));
  return start < 0 ? [] : texts.slice(start);
}

function scriptRunBy([command = '', ...rest]: readonly string[]): string | undefined {
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(command) || rest.some(isForWorkspaces)) return undefined;
  return rest.find((word) => !word.startsWith('-') && !/^run(?:-script)?$/.test(word));
}

const isForWorkspaces = (word: string): boolean =>
  /^(?:-r|-w|-F|--recursive|--filter\b.*|--workspaces?\b.*|workspaces?|-ws)$/.test(word);

/** `turbo test`, `nx run-many -t test`, `lerna run test`, `pnpm -r test`, `npm test --workspaces`. */
function passesOn([command = '', ...rest]: readonly string[]): boolean {
  const name = path.posix.basename(command);
  if (/^(?:turbo|nx|lerna|rush|rushx|moon|wsrun|ultra|preconstruct-test|bolt)$/.test(name)) return true;
  return /^(?:npm|pnpm|yarn|bun)$/.test(name) && rest.some(isForWorkspaces);
}

/** The line of `"test"` among the scripts of the file, 1-based; 1 when it is not found. */
export function lineOfTestScript(file: string): number {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return 1;
  }
  const scripts = text.search(/"scripts"\s*:/);
  const test = scripts < 0 ? -1 : text.slice(scripts).search(/"test"\s*:/);
  return test < 0 ? 1 : text.slice(0, scripts + test).split('\n').length;
}
