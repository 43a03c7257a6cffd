// What the scripts of a package.json say about how its jest is started.
import type { PackageJson } from '../framework.ts';
import { optionsAmong, testCommands, type FrameworkStart, type TestCommand } from '../testScripts.ts';

const jestStart: FrameworkStart = {
  isStart: (word) =>
    /^jest$|(?:^|[\\/])\.bin[\\/]jest$|[\\/]jest(?:-cli)?[\\/]bin[\\/]jest(?:\.js)?$/.test(word),
};

/** Tools that bring their own jest configuration: plain jest would run their tests differently. */
const wrapper =
  /(?:^|[\s/])(react-scripts|react-app-rewired|craco|vue-cli-service|tsdx|dts|kcd-scripts|wp-scripts|backstage-cli|razzle)\s+(?:--\S+\s+)*(?:repo\s+|package\s+)?test/;

/** Commands that start jest, those of scripts named `test…` first. */
function jestCommands(packageJson: PackageJson | undefined): readonly string[] {
  const scripts = Object.entries(packageJson?.scripts ?? {});
  const starting = scripts.filter(
    ([name, command]) => /^test\b/.test(name) && /(?:^|[\s/])jest(?:\.js)?(?=\s|$)/.test(command),
  );
  return starting.sort(([a], [b]) => a.length - b.length).map(([, command]) => command);
}

/** The first command that starts jest, as far as it can be read without a shell; scripts further on speak for other occasions. */
export function jestCommand(packageJson: PackageJson | undefined): TestCommand | undefined {
  return testCommands(packageJson?.scripts ?? {}, jestStart)[0];
}

/** Does a script named after tests start jest, itself or through another script? */
export function startsJest(packageJson: PackageJson | undefined): boolean {
  return jestCommands(packageJson).length > 0 || jestCommand(packageJson) !== undefined;
}

/** The tool that starts the tests in place of jest, or undefined. */
export function wrapperOf(packageJson: PackageJson | undefined): string | undefined {
  if (startsJest(packageJson)) return undefined;
  return wrapper.exec(packageJson?.scripts?.['test'] ?? '')?.[1];
}

interface JestOptions {
  /** Relative to the folder of the package.json. */
  readonly config?: string;
  /** Tests that must not run beside each other. */
  readonly runInBand?: true;
  readonly maxWorkers?: string;
  /** New snapshots are failures, and not stored. */
  readonly ci?: true;
  /** `--experimental-vm-modules` is given. */
  readonly modules?: true;
  /** Options that say what the tests run in, as written. */
  readonly kept: readonly string[];
}

const keptOptions = {
  values: [
    'env',
    'testEnvironment',
    'testTimeout',
    'preset',
    'setupFiles',
    'setupFilesAfterEnv',
    'resolver',
    'globalSetup',
    'globalTeardown',
  ],
  flags: [
    'clearMocks',
    'resetMocks',
    'restoreMocks',
    'resetModules',
    'injectGlobals',
    'no-injectGlobals',
    'forceExit',
    'errorOnDeprecated',
  ],
};

/** Options of the first command that starts jest. */
export function scriptOptions(packageJson: PackageJson | undefined): JestOptions {
  const [text = ''] = jestCommands(packageJson);
  const command = jestCommand(packageJson);
  const words = command
    ? command.words.filter(({ computed }) => !computed).map((word) => word.text)
    : text.split(/\s+/).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
  const starts = [text, ...(command?.nodeFlags ?? []), command?.env['NODE_OPTIONS'] ?? ''];
  const valueOf = (...names: readonly string[]): string | undefined => {
    for (const [index, word] of words.entries()) {
      if (names.includes(word)) return words[index + 1];
      const name = names.find((one) => word.startsWith(`${one}=`));
      if (name !== undefined) return word.slice(name.length + 1);
    }
    return undefined;
  };
  const config = valueOf('--config', '-c');
  const maxWorkers = valueOf('--maxWorkers', '--max-workers', '-w');
  const inBand = words.some((word) => ['--runInBand', '--run-in-band', '-i'].includes(word));
  return {
    ...(config !== undefined && !config.startsWith('{') && { config }),
    ...(inBand && { runInBand: true }),
    ...(words.includes('--ci') && { ci: true }),
    ...(maxWorkers !== undefined && /^\d+%?$/.test(maxWorkers) && { maxWorkers }),
    ...(starts.some((one) => one.includes('--experimental-vm-modules')) && { modules: true }),
    kept: optionsAmong(command?.words ?? [], keptOptions),
  };
}
