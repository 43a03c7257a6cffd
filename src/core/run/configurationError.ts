// Tells the error of a configuration (or of what it loads before the tests) from the errors of tests: nothing runs until somebody mends it.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isInside, toRelativePosix } from '../base/paths.ts';
import { parseStack } from '../failures/parseStack.ts';
import { stripAnsi } from '../failures/stripAnsi.ts';
import type { Launch } from '../frameworks/framework.ts';

export interface ConfigurationError {
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  /** For people: names the file, the line and the error. */
  readonly message: string;
}

interface Context {
  readonly root: string;
  readonly launch: Launch;
}

/** From what a process said that ended before its first test; undefined where no configuration is to blame. */
export function configurationError(said: string, context: Context): ConfigurationError | undefined {
  const text = stripAnsi(said);
  const place = namedPlace(text, context) ?? thrownPlace(text, context);
  if (place === undefined) return undefined;
  const { file, error } = place;
  const line = place.line ?? lineOf(file, error);
  return { file, line, message: describe(file, line, error, context.root) };
}

/**
 * What one file failed with before its tests, where that is the fault of what every run loads first (`--import`, `--require`,
 * conftest.py): the message for people. Undefined for everything else.
 */
export function loadedFirstError(
  { message, stack = '' }: { readonly message: string; readonly stack?: string | undefined },
  file: string,
  { root, launch }: Context,
): string | undefined {
  const missing = missingPreload.exec(message)?.[1];
  if (missing !== undefined) {
    const error = `Cannot find module '${missing}', which is to be loaded before the tests.`;
    return describe(launch.project.configFile ?? path.join(root, 'package.json'), 1, error, root);
  }
  // Imports that lead nowhere can be mended, wherever they stand.
  if (/\b(?:ImportError|ModuleNotFoundError|Cannot find|does not provide an export)\b/.test(message))
    return undefined;
  const [frame] = ownFrames(stripAnsi(stack), root);
  if (isConftest(file) || isConftest(frame?.file))
    return / did not load\. /.test(message)
      ? message
      : `${toRelativePosix(root, file)} did not load. ${message}`;
  if (frame === undefined || frame.file === file || !isPreloaded(frame.file, launch)) return undefined;
  return describe(frame.file, frame.line, message, root);
}

/** Node names no file that asks for it: an option does. */
const missingPreload =
  /^Cannot find module '([^'\n]+)'(?:\nRequire stack:\n- internal\/preload| imported from [^\n]*[\\/])\s*$/;

const isConftest = (file = ''): boolean => path.basename(file) === 'conftest.py';

const describe = (file: string, line: number, error: string, root: string): string =>
  `The configuration did not load (${toRelativePosix(root, file)}:${line}): ${error}`;

interface Place {
  readonly file: string;
  readonly line?: number;
  readonly error: string;
}

/** How runners name the file that they could not read; `file` may be relative to where they ran. */
const told: readonly RegExp[] = [
  // vite and vitest
  /failed to load config from (?<file>[^\n]+)\n(?<rest>[^]*)/,
  // mocha
  /Unable to read\/parse (?<file>[^\n]+?): (?<rest>[^\n]+)/,
  // ava
  /Error loading (?<file>[^\n:]+\.[cm]?[jt]s): (?<rest>[^\n]+)/,
  // pytest
  /^ERROR: (?<file>[^\n]+?\.(?:toml|ini|cfg)):(?:\d+: )? ?(?<rest>[^\n]+)/m,
  /ImportError while loading conftest '(?<file>[^'\n]+)'\.\n(?<rest>[^]*)/,
];

function namedPlace(text: string, { launch }: Context): Place | undefined {
  for (const pattern of told) {
    const { file, rest = '' } = pattern.exec(text)?.groups ?? {};
    if (file === undefined) continue;
    const absolute = path.resolve(launch.cwd, file.trim());
    const line = /\(at line (\d+)\b|:(\d+):\d+: (?:ERROR|error)\b/.exec(rest);
    const number = line?.[1] ?? line?.[2] ?? frameLine(text, absolute);
    return {
      file: absolute,
      error: errorIn(rest, text),
      ...(number !== undefined && { line: Number(number) }),
    };
  }
  return undefined;
}

function frameLine(text: string, file: string): number | undefined {
  return parseStack(text).find((frame) => frame.file === file)?.line;
}

/** An error whose innermost place in the workspace is a configuration, or a file that one names to be loaded first. */
function thrownPlace(text: string, { root, launch }: Context): Place | undefined {
  const frame = ownFrames(text, root)[0] ?? syntaxErrorPlace(text, root);
  if (frame === undefined) return undefined;
  const { file, line } = frame;
  const isConfiguration =
    file === launch.project.configFile ||
    configurationName.test(path.basename(file)) ||
    isPreloaded(file, launch);
  return isConfiguration ? { file, line, error: errorIn(text) } : undefined;
}

const configurationName =
  /^(?:(?:vitest|vite|jest|ava|playwright|cypress|babel)\.(?:config|workspace)\.\w+|\.mocharc\.\w+|conftest\.py|pyproject\.toml|pytest\.ini|setup\.cfg|tox\.ini)$/;

interface Frame {
  readonly file: string;
  readonly line: number;
}

const ownFrames = (text: string, root: string): readonly Frame[] =>
  parseStack(text).filter(
    ({ file }) => isInside(root, file) && !/[\\/]node_modules[\\/]/.test(file.slice(root.length)),
  );

/** Node prints where a file cannot be parsed above the error, as `/a/b.cjs:3`. */
function syntaxErrorPlace(text: string, root: string): Frame | undefined {
  const [, file = '', line] = /^(\/[^\n:]+|[A-Za-z]:[^\n:]+|file:[^\n:]+):(\d+)\n/m.exec(text) ?? [];
  const [frame] = parseStack(`at ${file}:${line ?? ''}:1`);
  return frame !== undefined && isInside(root, frame.file) ? frame : undefined;
}

/** Does an option of the command or a key of the configuration have it loaded before the tests? */
function isPreloaded(file: string, { args, cwd, env, project }: Launch): boolean {
  const name = path
    .basename(file)
    .replace(/\.\w+$/, '')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const words = [...args, ...(env['NODE_OPTIONS'] ?? '').split(' ')];
  if (words.some((word, index) => isLoadOption(word, words[index - 1]) && resolvesTo(word, file, cwd)))
    return true;
  const key = `(?:require|import|globalSetup|globalTeardown|loader|reporters?|transform|testEnvironment|runner|nodeArguments)`;
  const inConfiguration = new RegExp(`\\b${key}\\b["']?\\s*[:=][^}\\n]*["'/]${name}(?:\\.\\w+)?["']`);
  const inScript = new RegExp(`(?:-r|--require|--import|--loader)[ =]\\S*?\\b${name}(?:\\.\\w+)?(?=["'\\s])`);
  const texts = [project.configFile, path.join(project.root, 'package.json')].map(textOf);
  return texts.some((text) => inConfiguration.test(text) || inScript.test(text));
}

const isLoadOption = (word: string, before: string | undefined): boolean =>
  /^(?:-r|--(?:require|import|loader|experimental-loader))$/.test(before ?? '') ||
  /^--(?:require|import|loader|experimental-loader)=/.test(word);

function resolvesTo(word: string, file: string, cwd: string): boolean {
  const named = word.replace(/^--[\w-]+=/, '').replace(/^file:\/\//, '');
  const absolute = path.resolve(cwd, named);
  return absolute === file || absolute === file.replace(/\.\w+$/, '');
}

function textOf(file: string | undefined): string {
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** What went wrong, without the marks that runners put before it: a line, and the next one where a colon announces that. */
function errorIn(said: string, all = said): string {
  const lines = `${said}\n${all}`.split('\n').map((line) => line.trim());
  const isThrown = (line: string): boolean =>
    /^(?:[^\w\n]*\s)?(?:ERROR: |E +)?(?:\w+\.)*(?:[A-Z]\w*)?(?:Error|Exception|Exit|Warning)(?: \[\w+\])?: /.test(
      line,
    );
  const isSaid = (line: string): boolean => line !== '' && !/^[^\w]*$|Startup Error|^at /.test(line);
  const thrown = lines.findIndex(isThrown);
  const at = thrown < 0 ? lines.findIndex(isSaid) : thrown;
  const error = lines[at] ?? 'it ended the process';
  const more = error.endsWith(':') ? (lines.slice(at + 1).find(isSaid) ?? '') : '';
  return `${error.replace(/^[^\w]*\s*(?:ERROR: |E +)?/, '')} ${more}`.trim();
}

/** Where a bundled configuration hides the line: the only one that holds the text of the error. */
function lineOf(file: string, error: string): number {
  const said = error.replace(/^(?:\w+\.)*\w*Error: /, '');
  const lines = textOf(file).split('\n');
  const holding = said === '' ? [] : lines.flatMap((line, index) => (line.includes(said) ? [index + 1] : []));
  return holding.length === 1 ? (holding[0] ?? 1) : 1;
}
