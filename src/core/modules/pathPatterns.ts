// How projects name modules by patterns, `@/*` for `src/*`: one form for tsconfig paths, package.json, vite and jest.
import path from 'node:path';
import type { PathAlias } from './viteAliases.ts';

/** At most one star on each side, as TypeScript and Node have it. */
export interface PathPattern {
  /** What the specifier begins and ends with around the star; without a star it is `prefix` alone. */
  readonly prefix: string;
  readonly suffix: string;
  readonly hasStar: boolean;
  /** The absolute path up to the star, and what follows it. */
  readonly target: string;
  readonly targetSuffix: string;
  /** What wrote it: what one resolver knows no other need know. */
  readonly source: 'typescript' | 'vite' | 'jest' | 'package';
}

/** A pattern as written, its target relative to `folder`. */
export function pathPattern(
  written: string,
  target: string,
  folder: string,
  source: PathPattern['source'],
): PathPattern {
  const [prefix = '', suffix] = written.split('*', 2);
  const star = target.indexOf('*');
  const hasStar = suffix !== undefined && star >= 0;
  const start = hasStar ? target.slice(0, star) : target;
  const place = path.resolve(folder, start);
  return {
    prefix,
    suffix: suffix ?? '',
    hasStar,
    target: hasStar && /(?:^|\/)$/.test(start) ? place + '/' : place,
    targetSuffix: hasStar ? target.slice(star + 1) : '',
    source,
  };
}

/** The path that the pattern makes of a specifier; undefined when it does not match. */
export function resolvePattern(pattern: PathPattern, specifier: string): string | undefined {
  const { prefix, suffix, hasStar, target, targetSuffix } = pattern;
  if (!hasStar) return specifier === prefix ? target : undefined;
  const matches =
    specifier.length >= prefix.length + suffix.length &&
    specifier.startsWith(prefix) &&
    specifier.endsWith(suffix);
  return matches
    ? target + specifier.slice(prefix.length, specifier.length - suffix.length) + targetSuffix
    : undefined;
}

/** The specifier that stands for an absolute path by this pattern; undefined when none does. */
export function specifierBy(pattern: PathPattern, file: string): string | undefined {
  const { prefix, suffix, hasStar, target, targetSuffix } = pattern;
  if (!hasStar) return file === target ? prefix : undefined;
  const matches =
    file.length > target.length + targetSuffix.length &&
    file.startsWith(target) &&
    file.endsWith(targetSuffix);
  return matches ? prefix + file.slice(target.length, file.length - targetSuffix.length) + suffix : undefined;
}

/** An alias of vite is a name of its own and the folder of that name. */
export function patternsOfAlias({ find, replacement }: PathAlias): readonly PathPattern[] {
  if (typeof find !== 'string' || !path.isAbsolute(replacement)) return [];
  if (find.endsWith('/')) return [pathPattern(`${find}*`, `${path.resolve(replacement)}/*`, '/', 'vite')];
  return [
    pathPattern(find, replacement, '/', 'vite'),
    pathPattern(`${find}/*`, `${path.resolve(replacement)}/*`, '/', 'vite'),
  ];
}

/** `imports` of a package.json, and `exports`, by which a package may name its own modules: the targets of all conditions. */
export function packagePatterns(packageFile: string, text: string): readonly PathPattern[] {
  return patternsOf(packageFile, text);
}

/** The same for others, who come to a package without `exports` by its entries. */
export function packageEntries(packageFile: string, text: string): readonly PathPattern[] {
  return patternsOf(packageFile, text, ['main', 'module', 'browser']);
}

function patternsOf(
  packageFile: string,
  text: string,
  entryKeys: readonly string[] = [],
): readonly PathPattern[] {
  const folder = path.dirname(packageFile);
  const settings = fieldsOf(parseJson(text));
  const { name, exports } = settings;
  const entries =
    exports === undefined
      ? { '.': entryKeys.flatMap((key) => dotted(settings[key])) }
      : Object.keys(fieldsOf(exports)).some((key) => key.startsWith('.'))
        ? fieldsOf(exports)
        : { '.': exports };
  const own = typeof name === 'string' && name !== '' ? Object.entries(entries) : [];
  const named = own.map(([key, target]): [string, unknown] => [`${String(name)}${key.slice(1)}`, target]);
  return [...Object.entries(fieldsOf(settings['imports'])), ...named].flatMap(([pattern, target]) =>
    targetsOf(target)
      .filter((one) => one.startsWith('./'))
      .map((one) => pathPattern(pattern, one, folder, 'package')),
  );
}

/** Before `exports`, targets needed no dot. */
const dotted = (target: unknown): readonly string[] =>
  targetsOf(target).map((one) => one.replace(/^(?:\.\/)?/, './'));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

function targetsOf(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target];
  return typeof target === 'object' && target !== null ? Object.values(target).flatMap(targetsOf) : [];
}
