// Reads what a Go file gives its package: exported functions and methods, or, in a program, those it has.
import { HumanError } from '../base/humanError.ts';
import { isBuilt } from '../frameworks/goTest/buildConstraints.ts';
import type { Declared } from '../syntax/go/declarations.ts';
import { goSource, type GoSource } from '../syntax/go/goSource.ts';
import type { SourceFile } from './subject.ts';

export interface GoFunction {
  readonly name: string;
  /** Type of the receiver of a method. */
  readonly receiver?: string;
  readonly parameters: readonly string[];
  /** It can be named without a type argument. */
  readonly isPlain: boolean;
}

export interface GoSubject {
  readonly packageName: string;
  readonly functions: readonly GoFunction[];
  /** The line `//go:build …`, where there is one. */
  readonly constraint?: string;
}

/** Throws a `bad-input` HumanError for a file without a package, one that is not built here, and one without functions. */
export function readGo({ file, text, absolute }: SourceFile): GoSubject {
  const source = goSource(text);
  const { tokens } = source;
  const packageName = tokens[0]?.text === 'package' ? tokens[1]?.text : undefined;
  if (packageName === undefined) {
    throw new HumanError('bad-input', `${file} is broken: it does not begin with its package.`, {
      file,
      remedy: 'Mend it first.',
    });
  }
  if (!isBuilt(absolute, text)) {
    throw new HumanError('bad-input', `${file} is not built on this machine.`, {
      file,
      remedy: 'Its name or its line //go:build is for another system: write its test there.',
    });
  }
  const all = source.functions
    .filter(({ name }) => name !== '_' && name !== 'init' && !(name === 'main' && packageName === 'main'))
    .map((declared) => functionOf(declared, source));
  const exported = all.filter(
    ({ name, receiver }) => isExported(name) && (receiver === undefined || isExported(receiver)),
  );
  const functions = exported.length > 0 ? exported : all;
  if (functions.length === 0) {
    throw new HumanError('bad-input', `${file} has no function that a test could call.`, {
      file,
      remedy: 'Name a file of the package with functions of its own.',
    });
  }
  const constraint = /^\/\/go:build[^\r\n]*/m.exec(text.slice(0, tokens[0]?.start))?.[0];
  return { packageName, functions, ...(constraint !== undefined && { constraint }) };
}

const isExported = (name: string): boolean => /^\p{Lu}/u.test(name);

function functionOf({ name, receiver, parameters, first, open }: Declared, { tokens }: GoSource): GoFunction {
  const head = tokens.slice(first, open).map(({ text }) => text);
  const before = head.slice(0, head.indexOf(name, receiver === undefined ? 0 : head.indexOf(')')));
  const isGeneric = head[before.length + 1] === '[' || before.includes('[');
  return {
    name,
    parameters: namesOf(parameters),
    isPlain: !isGeneric,
    ...(receiver !== undefined && { receiver }),
  };
}

const typeWord = /^(?:func|map|chan|struct|interface)$/;

/** `items [ ] Item , rate float64` → items, rate; parameters without names by their types. */
function namesOf(written: string): readonly string[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const word of written.split(' ').filter((one) => one !== '')) {
    if (/^[([{]$/.test(word)) depth++;
    if (/^[)\]}]$/.test(word)) depth--;
    if (word === ',' && depth === 0) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  const given = parts.filter((part) => part.length > 0);
  const isNamed = given.some(
    ([first = '', second = '']) =>
      second !== '' && second !== '.' && /^[\p{L}_]/u.test(first) && !typeWord.test(first),
  );
  return given.map((part) => (isNamed ? (part[0] ?? '') : part.join('')));
}
