// What the script `test` of a package does beside the tests that are run here: nobody should take our pass for that of `npm test`.
import path from 'node:path';
import picomatch from 'picomatch';
import { isInside, toRelativePosix } from '../base/paths.ts';
import type { FrameworkId } from '../model/testNode.ts';
import type { FrameworkProject } from './framework.ts';
import { readPackageJson } from './packageJson.ts';
import { shellCommands } from './shellWords.ts';
import { runsElsewhere } from './script/testScript.ts';
import { scriptsRunBy } from './testScripts.ts';

type Scripts = Readonly<Record<string, string>>;

/** Words by which a command is known to start the framework. */
const starts: Partial<Record<FrameworkId, RegExp>> = {
  nodeTest: /^(?:--test|borp)$/,
  vitest: /^vitest$/,
  jest: /^(?:jest(?:-cli)?|react-scripts|react-app-rewired|craco|vue-cli-service|tsdx|dts|kcd-scripts|wp-scripts|backstage-cli|razzle)$/,
  mocha: /^_?mocha$/,
  ava: /^ava$/,
  playwright: /^playwright$/,
  cypress: /^cypress$/,
  maestro: /^maestro$/,
  pytest: /^(?:pytest|py\.test|tox|nox)$/,
  goTest: /^go$/,
};

/** Commands that test nothing that a test framework would tell: builds, linters, formatters of output, shells' own. */
const harmless =
  /^(?:tsc|vue-tsc|tsgo|eslint|oxlint|biome|prettier|standard|ts-standard|semistandard|xo|stylelint|markdownlint.*|cspell|knip|depcheck|madge|publint|attw|commitlint|lint-staged|husky|syncpack|sort-package-json|rimraf|del-cli|shx|rm|mkdir|cp|mv|cpy|cpx|touch|echo|printf|true|exit|cd|export|set|sleep|wait|tee|cat|grep|head|tail|rollup|webpack|esbuild|tsup|tsdown|unbuild|swc|babel|parcel|pkgroll|microbundle|ncc|wireit|git|codecov|husky|copyfiles|tap-.+|faucet|.+-reporter|pino-pretty|testmend)$/;
const harmlessName =
  /(?:^|[:/._-])(?:build|lint|format|fmt|prettier|style|clean|compile|bundle|generate|gen|docs?|types?|typecheck|type-check|check-types|tsc|prepare|setup|install|copy|codegen)(?:$|[:/._-])/i;
const managers = /^(?:npm|pnpm|yarn|bun|npx|bunx)$/;
/** What is written before the program that counts. */
const before = /^(?:[A-Za-z_]\w*=.*|cross-env(?:-shell)?|env|npx|bunx|exec|dlx|time|nice|command|--|-.*)$/s;

/** `test:build` tests what was built. */
const isHarmlessName = (name: string): boolean =>
  harmlessName.test(name) && !/(?:^|[:/._-])(?:tests?|spec|e2e)(?:$|[:/._-])/i.test(name);

/** A sentence on what the scripts `test` run beside the frameworks of the projects; undefined where that is nothing. */
export function restOfScripts(
  projects: readonly FrameworkProject[],
  testFiles: readonly string[],
  root: string,
): string | undefined {
  const files = new Set(testFiles);
  const rests = [...new Set(projects.map((project) => project.root))].flatMap((folder) => {
    const own = projects.filter((project) => project.root === folder);
    const isWhole = own.some(({ framework, problem, aside }) => framework === 'script' || problem || aside);
    const scripts = readPackageJson(folder, root).packageJson?.scripts ?? {};
    if (isWhole || runsElsewhere(scripts)) return [];
    const isStart = (word: string): boolean =>
      projects.some(({ framework }) => starts[framework]?.test(programOf(word))) ||
      files.has(path.resolve(folder, word));
    const isRun = (place: string): boolean => {
      const isMatch = picomatch(place.replace(/^\.\//, ''));
      const inside = path.resolve(folder, place);
      return testFiles.some((file) => isInside(inside, file) || isMatch(toRelativePosix(folder, file)));
    };
    const commandsOf = (...names: string[]): readonly Command[] =>
      names.flatMap((name) => rest(name, scripts, isStart));
    const test = commandsOf('test');
    const around = commandsOf('pretest', 'posttest');
    const commands = new Set([
      ...[...test, ...around].filter(({ start }) => !start).map(({ text }) => text),
      ...again(test, around, isRun),
    ]);
    const place = toRelativePosix(root, path.join(folder, 'package.json'));
    return commands.size > 0 ? [{ commands: [...commands], place }] : [];
  });
  const [first, ...others] = rests;
  if (!first) return undefined;
  const shown = first.commands.slice(0, 3).map((text) => (text.length > 80 ? `${text.slice(0, 80)}…` : text));
  const more = first.commands.length > 3 ? ', …' : '';
  const also = others.length > 0 ? ` (also: ${others.map(({ place }) => place).join(', ')})` : '';
  return `Not run: ${shown.join(', ')}${more}, which the script "test" of ${first.place} starts${also}.`;
}

/** A command as written, and how it starts one of the frameworks. */
interface Command {
  readonly text: string;
  readonly start?: {
    readonly program: string;
    readonly variables: string;
    readonly after: readonly string[];
  };
}

/**
 * Starts of one framework that are not run: of those with the same words all but the first, where other variables are set; where one
 * configuration counts, those with another one, or with a root in which no test is run; of mocha and node, which run all that the
 * script `test` starts, those around it whose files are not run.
 */
function again(
  test: readonly Command[],
  around: readonly Command[],
  isRun: (place: string) => boolean,
): readonly string[] {
  const variablesOf = new Map<string, string>();
  const configurations = new Map<string, Set<string>>();
  return [...test, ...around].flatMap((command) => {
    if (command.start === undefined) return [];
    const { program, variables, after } = command.start;
    const words = [program, ...after].join(' ');
    const same = variablesOf.get(words);
    variablesOf.set(words, same ?? variables);
    const known = configurations.get(program);
    const root = /\s--root(?:Dir)?[\s=]+(\S+)/.exec(words)?.[1];
    const place = root === undefined || isRun(root) ? '' : root;
    const configuration = /\s(?:-c|--config)[\s=]+(\S+)/.exec(words)?.[1] ?? place;
    const isOther = known?.has(configuration) === false;
    configurations.set(program, (known ?? new Set()).add(configuration));
    if (same !== undefined) return same === variables ? [] : [command.text];
    if (!/^(?:_?mocha|--test|borp)$/.test(program)) return isOther ? [command.text] : [];
    const files = after.filter((word) => !word.startsWith('-'));
    const isBeside = known !== undefined && !test.includes(command);
    return isBeside && (files.length === 0 || !files.every(isRun)) ? [command.text] : [];
  });
}

/** The commands of a script, and of those that it runs, but for those that are plainly no tests. */
function rest(
  name: string,
  scripts: Scripts,
  isStart: (word: string) => boolean,
  seen: ReadonlySet<string> = new Set(),
): readonly Command[] {
  const text = scripts[name];
  if (text === undefined || seen.has(name) || isHarmlessName(name)) return [];
  const here = new Set([...seen, name]);
  return shellCommands(text).flatMap((words) => {
    const texts = words.map((word) => word.text);
    const at = texts.findIndex(isStart);
    if (at >= 0) {
      const variables = texts.slice(0, at).filter((one) => /^[A-Za-z_]\w*=/.test(one));
      const start = { program: programOf(texts[at] ?? ''), variables: variables.join(' ') };
      return [{ text: texts.join(' '), start: { ...start, after: texts.slice(at + 1) } }];
    }
    const inner = scriptsRunBy(words, scripts);
    if (inner.length > 0) return inner.flatMap(({ script }) => rest(script, scripts, isStart, here));
    // `start-server-and-test start 3000 cy:run`, `concurrently "npm:test:*"`
    const named = texts.slice(1).flatMap((one) => one.split(/\s+/));
    const isInside = (word: string): boolean =>
      isStart(word) || (word in scripts && runs(word, scripts, isStart, here));
    return named.some(isInside) || isHarmless(texts) ? [] : [{ text: texts.join(' ') }];
  });
}

/** Does the script, or one that it runs, start one of the frameworks? */
function runs(
  name: string,
  scripts: Scripts,
  isStart: (word: string) => boolean,
  seen: ReadonlySet<string>,
): boolean {
  const here = new Set([...seen, name]);
  return (
    !seen.has(name) &&
    shellCommands(scripts[name] ?? '').some(
      (words) =>
        words.some(({ text }) => isStart(text)) ||
        scriptsRunBy(words, scripts).some(({ script }) => runs(script, scripts, isStart, here)),
    )
  );
}

function isHarmless(texts: readonly string[]): boolean {
  const [command = '', ...words] = texts.slice(texts.findIndex((text) => !before.test(text)));
  if (texts.every((text) => before.test(text))) return true;
  const program = programOf(command);
  if (harmless.test(program)) return true;
  if (program === 'vite') return words[0] === 'build';
  if (managers.test(program)) {
    const called = words.find((word) => !before.test(word) && word !== 'run') ?? 'install';
    return (
      /^(?:i|ci|install|add|audit|pack|link|dedupe)$/.test(called) ||
      harmless.test(called) ||
      isHarmlessName(called)
    );
  }
  if (/^(?:make|just|task|gulp|grunt|nx|turbo|lerna)$/.test(program)) return words.some(isHarmlessName);
  if (!/^(?:node|tsx|ts-node|bun|deno|sh|bash|python3?)$/.test(program)) return isHarmlessName(program);
  const file = words.find((word) => !word.startsWith('-') && /[./]/.test(word));
  return file !== undefined && (isHarmlessName(nameOf(file)) || harmless.test(programOf(file)));
}

/** `scripts/build/index.js` is called build. */
const nameOf = (file: string): string => path.posix.basename(file.replace(/[\\/]index\.\w+$/, ''));

const programOf = (word: string): string =>
  word.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe|[cm]?js)$/, '');
