// What the scripts of a package.json say about how its Playwright tests are started.
import type { PackageJson } from '../framework.ts';
import { optionsAmong, testCommands, type FrameworkStart, type TestCommand } from '../testScripts.ts';

const playwrightStart: FrameworkStart = {
  isStart: (word) =>
    /^playwright$|(?:^|[\\/])\.bin[\\/]playwright$|[\\/]@playwright[\\/]test[\\/]cli\.js$/.test(word),
  anyScript: true,
};

interface PlaywrightOptions {
  /** As written, relative to the folder of the package.json. */
  readonly config?: string;
  /** Names given with `--project`. */
  readonly projects: readonly string[];
  /** Options that say what the tests run in, as written. */
  readonly kept: readonly string[];
  readonly nodeFlags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Of the first command `playwright test` in the scripts. */
export function playwrightScript(packageJson: PackageJson | undefined): PlaywrightOptions {
  const command = testCommands(packageJson?.scripts ?? {}, playwrightStart).find(runsTests);
  if (!command) return { projects: [], kept: [], nodeFlags: [], env: {} };
  const words = command.words.map((word) =>
    word.text === '-c'
      ? { ...word, text: '--config' }
      : word.text === '-j'
        ? { ...word, text: '--workers' }
        : word,
  );
  const values = (name: string): readonly string[] =>
    optionsAmong(words, { values: [name], flags: [] }).map((option) => option.slice(name.length + 3));
  const [config] = values('config');
  return {
    ...(config === undefined ? {} : { config }),
    projects: values('project'),
    kept: optionsAmong(words, {
      values: ['project', 'retries', 'timeout', 'workers', 'browser', 'tsconfig', 'grep-invert'],
      flags: [
        'fully-parallel',
        'headed',
        'no-deps',
        'ignore-snapshots',
        'forbid-only',
        'fail-on-flaky-tests',
      ],
    }),
    nodeFlags: command.nodeFlags,
    env: command.env,
  };
}

/** Does any script run Playwright's tests, rather than install its browsers? */
export function startsPlaywright(packageJson: PackageJson | undefined): boolean {
  return testCommands(packageJson?.scripts ?? {}, playwrightStart).some(runsTests);
}

const runsTests = ({ words }: TestCommand): boolean => words[0]?.text === 'test';
