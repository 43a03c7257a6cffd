// What a first test is written for: one source file, with what it exports as far as its text tells.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { decodeText } from '../workspace/readText.ts';
import { isInside, realPathOr, toRelativePosix } from '../base/paths.ts';

export type Language = 'script' | 'python' | 'go';

/** unknown: only a run can tell · unset: it has no value when the module has loaded. */
export type Kind =
  | 'function'
  | 'class'
  | 'object'
  | 'string'
  | 'number'
  | 'boolean'
  | 'bigint'
  | 'symbol'
  | 'unknown'
  | 'unset';

export interface Exported {
  readonly name: string;
  readonly kind: Kind;
  /** Names of the parameters; of a class, those of its constructor. */
  readonly parameters: readonly string[];
  readonly methods: readonly Method[];
  /** Another file declares it: its tests belong there. */
  readonly isPassedOn?: true;
}

export interface Method {
  readonly name: string;
  readonly parameters: readonly string[];
}

export interface SourceFile {
  /** Absolute. */
  readonly absolute: string;
  /** Relative to the root, POSIX separators. */
  readonly file: string;
  readonly text: string;
  readonly language: Language;
}

const languages: readonly (readonly [Language, RegExp])[] = [
  ['script', /\.[cm]?[jt]sx?$/],
  ['python', /\.py$/],
  ['go', /\.go$/],
];
const declarations = /\.d\.[cm]?ts$/;

/** Throws a HumanError for what is no file of the workspace, cannot be read, or is in a language that has no first test here. */
export function readSource(root: string, typed: string): SourceFile {
  const absolute = realPathOr(path.resolve(root, typed));
  const details = { file: typed, value: typed };
  if (!isInside(root, absolute)) {
    throw new HumanError('bad-input', `${typed} is outside the workspace.`, {
      ...details,
      remedy: `Name a source file below ${root}, or another folder.`,
      choice: 'root',
    });
  }
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (!stats?.isFile()) {
    throw new HumanError('bad-input', stats ? `${typed} is not a file.` : `There is no file ${typed}.`, {
      ...details,
      remedy: 'Name a source file of the workspace.',
    });
  }
  const file = toRelativePosix(root, absolute);
  const language = declarations.test(file) ? undefined : languages.find(([, name]) => name.test(file))?.[0];
  if (language === undefined || file.split('/').includes('node_modules')) {
    throw new HumanError('bad-input', `No first test can be written for ${file}.`, {
      ...details,
      remedy: 'Name a source file of your own in JavaScript, TypeScript, Python or Go.',
    });
  }
  const text = decodeText(readFileSync(absolute));
  if (text === undefined) {
    throw new HumanError('bad-input', `${file} is not UTF-8 text.`, {
      file,
      remedy: 'Save it as UTF-8 first.',
    });
  }
  return { absolute, file, text: text.replace(/^\uFEFF/, ''), language };
}

/** Name of the file without folder and extension. */
export function stemOf(file: string): string {
  const name = path.posix.basename(file);
  const extension = path.posix.extname(name);
  return name.slice(0, name.length - extension.length);
}

/** `total(items, rate)` */
export function callOf(name: string, parameters: readonly string[]): string {
  return `${name}(${parameters.join(', ')})`;
}

/** What waits for a first real assertion, in words: each function, and each class with its methods. */
export function callsToTest(exported: readonly Exported[], nameOf: (one: Exported) => string): string[] {
  const own = exported.filter(({ isPassedOn }) => isPassedOn !== true);
  const calls = own.flatMap((one) => {
    const name = nameOf(one);
    if (one.kind === 'function') return [callOf(name, one.parameters)];
    if (one.kind !== 'class') return [];
    const methods = one.methods.map((method) => `${name}: ${callOf(method.name, method.parameters)}`);
    return [`new ${callOf(name, one.parameters)}`, ...methods];
  });
  return [...new Set(calls)];
}

/** What runs as soon as the file is loaded. */
export interface RunsOnLoad {
  readonly line: number;
  /** Its first line, shortened. */
  readonly text: string;
}

export function runsOnLoadAt(line: number, code: string): RunsOnLoad {
  const first = (code.split('\n')[0] ?? '').trim();
  return { line, text: first.length > 60 ? `${first.slice(0, 57)}...` : first };
}

/** Throws a `bad-input` HumanError for a file in which a test can reach nothing. */
export function refuseEmpty(
  { file }: SourceFile,
  onLoad: RunsOnLoad | undefined,
  isProgram: boolean,
  exported: number,
): void {
  if (onLoad !== undefined && (isProgram || exported === 0)) {
    throw new HumanError(
      'bad-input',
      `${file} is a program: loading it would run it (line ${onLoad.line}: ${onLoad.text}).`,
      {
        file,
        remedy: 'Move the code to test into a separate file that exports it, and name that file.',
      },
    );
  }
  if (exported > 0) return;
  throw new HumanError('bad-input', `${file} exports nothing that a test could reach.`, {
    file,
    remedy: 'Export what should be tested, or name another file. Types alone cannot be run.',
  });
}
