// What the scripts of a package.json say about how its AVA is started.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readPackageJson } from '../packageJson.ts';
import { testCommands, type FrameworkStart } from '../testScripts.ts';

/** How scripts start AVA. */
export const avaStart: FrameworkStart = {
  isStart: (word) =>
    /^ava$|(?:^|[\\/])\.bin[\\/]ava$|[\\/]ava[\\/](?:entrypoints[\\/])?cli\.m?js$/.test(word),
};

/** Options that say how tests run; the others say which, or what is told of them. */
const kept: ReadonlyMap<string, 'value' | 'flag'> = new Map([
  ['--node-arguments', 'value'],
  ['--timeout', 'value'],
  ['-T', 'value'],
  ['--concurrency', 'value'],
  ['-c', 'value'],
  ['--serial', 'flag'],
  ['-s', 'flag'],
  ['--no-worker-threads', 'flag'],
  ['--worker-threads', 'flag'],
]);
const withValue = new Set([
  '--config',
  '--match',
  '-m',
  ...[...kept].flatMap(([name, kind]) => (kind === 'value' ? [name] : [])),
]);

interface AvaScript {
  /** Absolute; it exists. */
  readonly config?: string;
  /** Options that say how tests run, as written. */
  readonly options: readonly string[];
  /** What comes after `--` is for the tests themselves. */
  readonly workerArguments: readonly string[];
  /** Patterns of test files, as written. */
  readonly patterns: readonly string[];
  readonly nodeFlags: readonly string[];
  /** Variables set for it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Of the first command of the scripts in `folder` that starts AVA. */
export function avaScript(folder: string): AvaScript {
  const { packageJson } = readPackageJson(folder, folder);
  const [command] = testCommands(packageJson?.scripts ?? {}, avaStart);
  const { words = [], nodeFlags = [], env = {} } = command ?? {};
  const options: string[] = [];
  const patterns: string[] = [];
  let config: string | undefined;
  const end = words.findIndex(({ text }) => text === '--');
  const own = end < 0 ? words : words.slice(0, end);
  for (let at = 0; at < own.length; at++) {
    const { text = '', computed = false } = own[at] ?? {};
    const name = text.split('=', 1)[0] ?? '';
    if (computed) continue;
    if (!text.startsWith('-')) {
      // A file with lines, a command of AVA: nothing that narrows the tests for good.
      if (!/:\d|^(?:debug|reset-cache)$/.test(text)) patterns.push(text);
      continue;
    }
    const takesNext = withValue.has(name) && !text.includes('=');
    const value = takesNext ? own[++at] : undefined;
    if (value?.computed === true) continue;
    const written = value === undefined ? [text] : [text, value.text];
    if (name === '--config') config = path.resolve(folder, value?.text ?? text.slice('--config='.length));
    else if (kept.has(name)) options.push(...written);
  }
  return {
    ...(config !== undefined && existsSync(config) ? { config } : {}),
    options,
    workerArguments: end < 0 ? [] : words.slice(end + 1).map(({ text }) => text),
    patterns,
    nodeFlags,
    env,
  };
}
