// Lets the comparisons of failing Go test files tell their values: in their own text, in the sandbox, for one run.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { toRelativePosix } from '../base/paths.ts';
import { goExpectations, type GoExpectation } from '../syntax/go/expectations.ts';
import { partsOf, type Span } from '../syntax/go/goExpression.ts';
import { goSource, type GoSource } from '../syntax/go/goSource.ts';
import { unreadableAt } from '../syntax/go/readable.ts';
import { closingAt } from '../syntax/go/tokens.ts';
import { mayBeTakenInPackage } from '../modules/namesTakenByOthers.ts';
import type { InstrumentedFiles, WriteFiles } from './instrumentFiles.ts';

/**
 * `recorder`: text of goRecorder.go. `goesOn`: tests go on after comparisons that end them (`t.Fatal`, `require`), and fail in the end. Files in which nothing certain is compared, and files that cannot be read, are
 * left alone.
 */
export async function instrumentGoFiles(
  root: string,
  files: readonly string[],
  recorder: string,
  goesOn: boolean,
  write: WriteFiles,
): Promise<InstrumentedFiles> {
  const contents = new Map<string, string>();
  const mark = randomBytes(6).toString('hex');
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    const told = text === undefined ? undefined : tellingText(text, file, goesOn);
    if (told === undefined) continue;
    const beside = path.join(path.dirname(file), `testmend_capture_${mark}_${told.package}_test.go`);
    contents.set(toRelativePosix(root, beside), recorder.replace(/^package \w+/m, `package ${told.package}`));
    contents.set(toRelativePosix(root, file), told.text);
  }
  const undo = await write(contents);
  return { restore: () => undo.undo(), mapStack: (stack) => stack };
}

/** The text of a test file that tells what its comparisons compare; undefined where there is none that can. */
function tellingText(
  text: string,
  file: string,
  goesOn: boolean,
): { readonly text: string; readonly package: string } | undefined {
  const source = goSource(text);
  const name = source.tokens[0]?.text === 'package' ? source.tokens[1]?.text : undefined;
  if (name === undefined || unreadableAt(source) !== undefined) return undefined;
  const changes = goExpectations(source, mayBeTakenInPackage(file))
    .flatMap((one) => ('refused' in one ? [] : (changesFor(one, source, file, goesOn) ?? [])))
    .sort((a, b) => b.start - a.start);
  if (changes.length === 0) return undefined;
  let told = text;
  for (const { start, end, newText } of changes) told = told.slice(0, start) + newText + told.slice(end);
  return { text: told, package: name };
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Undefined where the values cannot be had without computing one of them twice. */
function changesFor(
  expectation: GoExpectation,
  source: GoSource,
  file: string,
  goesOn: boolean,
): readonly Change[] | undefined {
  const { comparison, actual, expected } = expectation;
  const { tokens } = source;
  const { at, t, open, kind, hasInit, failure } = comparison;
  const row = expectation.origin === 'row' ? expectation.loop : undefined;
  const place = [
    JSON.stringify(file),
    source.lines.position(tokens[at]?.start ?? 0).line,
    tokens[at]?.start ?? 0,
    row?.value ?? 'nil',
    row === undefined || row.key === '_' ? 'nil' : row.key,
  ].join(', ');
  const textOf = ({ from, to }: Span): string => source.text.slice(tokens[from]?.start, tokens[to - 1]?.end);
  const insert = (offset: number | undefined, newText: string): Change => ({
    start: offset ?? 0,
    end: offset ?? 0,
    newText,
  });
  if (kind === 'testify') {
    const method = tokens[at + 2];
    const isActualFirst = actual.from < expected.from;
    return [
      { start: method?.start ?? 0, end: method?.end ?? 0, newText: 'Equal' },
      insert(tokens[open]?.end, `testmendCompared(${place}, ${isActualFirst}, ${goesOn}, `),
      insert(tokens[closingAt(tokens, open)]?.start, ')'),
    ];
  }
  const saw = (given: string): Change =>
    insert(tokens[open]?.end, ` testmendSaw(${place}, ${t}, ${given}, ${textOf(expected)});`);
  const call = goesOn && failure !== undefined ? tokens[failure + 2] : undefined;
  const milder = call && { Fatal: 'Error', Fatalf: 'Errorf', FailNow: 'Fail' }[call.text];
  const onwards = call && milder ? [{ start: call.start, end: call.end, newText: milder }] : [];
  // A composite literal would be made once more: that is the same value.
  if (isPure(source, actual)) return [saw(textOf(actual)), ...onwards];
  if (kind === 'difference' || hasInit) return undefined;
  return [
    insert(tokens[at]?.end, ` testmendGot := (${textOf(actual)});`),
    {
      start: tokens[actual.from]?.start ?? 0,
      end: tokens[actual.to - 1]?.end ?? 0,
      newText: 'testmendGot',
    },
    saw('testmendGot'),
    ...onwards,
  ];
}

/** Names, fields, elements, and how many there are: looked at twice they are the same. */
function isPure({ tokens }: GoSource, { from, to }: Span): boolean {
  for (let at = from; at < to; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'mark', text: '' };
    if (text === '(') {
      const before = tokens[at - 1]?.text ?? '';
      if (at === from || !/^(?:len|cap|string|u?int(?:8|16|32|64)?|float(?:32|64))$/.test(before))
        return false;
      if (partsOf(tokens, at).length !== 1 || tokens[at - 2]?.text === '.') return false;
    } else if (kind === 'mark' ? !/^[.[\])*]$/.test(text) : text === 'func') return false;
  }
  return true;
}
