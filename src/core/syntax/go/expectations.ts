// What the plain tests of a Go file certainly write down as expected: literals, variables that are given one, columns of tables.
import type { Declared } from './declarations.ts';
import {
  comparisonsOf,
  isReported,
  noComparisons,
  type GoComparison,
  type TestComparisons,
} from './comparisons.ts';
import { leavesOf, readGoExpression, type GoExpression, type GoLeaf, type Span } from './goExpression.ts';
import { givenTo, isCountedUp, wordsOf, type GivenNames } from './givenTo.ts';
import { plainTests, type GoSource } from './goSource.ts';
import { cellOf, loopsIn, sharedTable, tableOf, type GoLoop, type GoRow, type GoTable } from './goTables.ts';
import { statementEnd } from './statements.ts';
import { bracketAround, closingAt, placesOf } from './tokens.ts';

type Test = Declared & { readonly t: string };

interface Located {
  readonly test: Test;
  readonly comparison: GoComparison;
  readonly actual: Span;
  readonly expected: Span;
  /** The actual side, and what its names were given. */
  readonly given: readonly Span[];
  /** Is it compared with nothing (an empty text, 0) right there? Whatever else it could be is no mere value. */
  readonly isNothing: boolean;
}

type Written =
  | { readonly origin: 'assertion' | 'variable'; readonly value: GoExpression }
  /** `field`: of the rows; undefined where the row is the value itself. */
  | {
      readonly origin: 'row';
      readonly loop: GoLoop;
      readonly table: GoTable;
      readonly field: string | undefined;
    };

export type GoExpectation = Located & Written;

/** A comparison of which it cannot be told what it expects, with the reason as a sentence. */
export interface UnknownExpectation {
  readonly test: Test;
  readonly comparison: GoComparison;
  readonly refused: string;
}

/** May another file of the package mention the name? Where nobody knows, it may. */
export type IsTaken = (name: string) => boolean;

export function goExpectations(
  source: GoSource,
  isTaken: IsTaken = () => true,
): readonly (GoExpectation | UnknownExpectation)[] {
  const tests = plainTests(source);
  const found = new Map(tests.map((test) => [test.first, comparisonsOf(source, test)]));
  const everywhere = source.functions.flatMap((declared) =>
    loopsIn(source, declared).map((loop) => ({
      loop,
      found: found.get(declared.first) ?? noComparisons,
    })),
  );
  return tests.flatMap((test) => {
    const own = found.get(test.first) ?? noComparisons;
    const loops = loopsIn(source, test);
    const question = {
      source,
      test,
      found: own,
      loops,
      everywhere,
      isTaken,
      names: new Map(),
      declarations: new Map(),
    };
    return own.comparisons.map((comparison) => expectationOf(comparison, question));
  });
}

interface Question {
  readonly source: GoSource;
  readonly test: Test;
  readonly found: TestComparisons;
  readonly loops: readonly GoLoop[];
  /** Of all functions of the file. */
  readonly everywhere: readonly { readonly loop: GoLoop; readonly found: TestComparisons }[];
  readonly isTaken: IsTaken;
  readonly names: GivenNames;
  /** Of the names of the test that were asked for by now. */
  readonly declarations: Map<string, readonly Declaration[]>;
}

function expectationOf(comparison: GoComparison, question: Question): GoExpectation | UnknownExpectation {
  const { source, test } = question;
  const refused = (reason: string): UnknownExpectation => ({ test, comparison, refused: reason });
  const [left, right] = comparison.sides;
  const written = [left, right].map((side) => writtenOf(side, comparison, question));
  const [one, other] = written;
  const isOne = one !== undefined && 'origin' in one;
  const isOther = other !== undefined && 'origin' in other;
  if (isOne && isOther) return refused('Both sides of the failed comparison are written down in the test.');
  const told = isOne ? one : isOther ? other : undefined;
  if (told === undefined)
    return refused(
      [one, other].flatMap((side) => (side !== undefined && 'refused' in side ? [side.refused] : []))[0] ??
        'The failed comparison is none with a value that is written down in the test.',
    );
  const [expected, actual] = isOne ? [left, right] : [right, left];
  const given = givenTo(actual, comparison, source, test, question.names);
  const doubt = doubtOf({ given, expected, told }, source);
  if (doubt !== undefined) return refused(doubt);
  const isNothing = comparison.kind === 'unequal' && told.origin === 'assertion' && isEmpty(told.value);
  return { test, comparison, actual, expected, given, isNothing, ...told };
}

/** Undefined where the side is computed. */
function writtenOf(
  side: Span,
  comparison: GoComparison,
  question: Question,
): Written | { readonly refused: string } | undefined {
  const { tokens } = question.source;
  const value = readGoExpression(tokens, side.from, side.to);
  if (value.kind !== 'other') return leavesOf(value).length > 0 ? { origin: 'assertion', value } : undefined;
  const name = tokens[side.from];
  if (name?.kind !== 'word') return undefined;
  const isName = side.to === side.from + 1;
  const isField = side.to === side.from + 3 && tokens[side.from + 1]?.text === '.';
  if (!isName && !isField) return undefined;
  const loop = question.loops
    .filter(
      ({ open, close, value: row }) => row === name.text && open < comparison.at && comparison.at < close,
    )
    .at(-1);
  if (loop !== undefined) return columnOf(loop, isField ? tokens[side.from + 2]?.text : undefined, question);
  return isName ? variableOf(name.text, comparison.at, question) : undefined;
}

function columnOf(
  loop: GoLoop,
  field: string | undefined,
  question: Question,
): Written | { readonly refused: string } | undefined {
  const { source, test, loops, everywhere, isTaken } = question;
  const own = tableOf(loop, source, test, loops);
  const shared = own === 'elsewhere' && !isTaken(loop.table);
  const table = shared
    ? sharedTable(
        loop.table,
        source,
        everywhere.map((one) => one.loop),
      )
    : own;
  if (table === undefined || table === 'elsewhere') return undefined;
  const cells = table.rows.flatMap((row) => cellOf(row, table, field) ?? []);
  if (!cells.some((cell) => leavesOf(cell).length > 0)) return undefined;
  const around = everywhere.filter(({ loop: one }) =>
    loop.table === '' ? one.at === loop.at : one.table === loop.table && (shared || isIn(one.at, test)),
  );
  for (const one of around) {
    const reason = otherUseOf(one.loop, field, table, { source, found: one.found });
    if (reason !== undefined) return { refused: reason };
  }
  return { origin: 'row', loop, table, field };
}

const isIn = (at: number, { open, close }: Declared): boolean => at > open && at < close;

/** Where a row, or the field of it, is more than the expected side of comparisons and a part of messages. */
function otherUseOf(
  { value: row, open, close }: GoLoop,
  field: string | undefined,
  table: GoTable,
  { source: { tokens }, found: { comparisons, reports } }: Pick<Question, 'source' | 'found'>,
): string | undefined {
  const fields = fieldsOf(table);
  for (const at of placesOf(tokens, row)) {
    if (at <= open || at >= close || tokens[at - 1]?.text === '.' || isOwnCopy(tokens, at)) continue;
    const member = tokens[at + 1]?.text === '.' ? (tokens[at + 2]?.text ?? '') : undefined;
    // A method knows the whole row, whether it is called here or handed on.
    if (member !== undefined && !fields.has(member))
      return `What ${row}.${member} does with the row cannot be told.`;
    if (isReported(tokens, at, reports)) continue;
    if (field === undefined ? !isSide({ from: at, to: at + 1 }, comparisons) : member === undefined)
      return `${row} is used for more than what is expected.`;
    if (member !== undefined && member === field && !isSide({ from: at, to: at + 3 }, comparisons))
      return `${row}.${member} is used for more than what is expected.`;
  }
  return undefined;
}

/** Names that are certainly fields of the rows: those of their type, and those that rows give a value. */
const fieldsOf = ({ fields, rows }: GoTable): ReadonlySet<string> =>
  new Set([
    ...(fields ?? []),
    ...rows.flatMap(({ value }) =>
      value.kind === 'composite' ? value.entries.flatMap(({ name }) => name ?? []) : [],
    ),
  ]);

const isSide = (span: Span, comparisons: readonly GoComparison[]): boolean =>
  comparisons.some(({ sides }) => sides.some(({ from, to }) => from === span.from && to === span.to));

/** `tt := tt` */
function isOwnCopy(tokens: GoSource['tokens'], at: number): boolean {
  const name = tokens[at]?.text;
  const words = (from: number): string =>
    tokens
      .slice(from, from + 4)
      .map(({ text }) => text)
      .join(' ');
  const copy = `${name} : = ${name}`;
  const ends = (last: number): boolean => !/^[.([{]$/.test(tokens[last + 1]?.text ?? '');
  return (words(at) === copy && ends(at + 3)) || (words(at - 3) === copy && ends(at));
}

/** A name that is given one value where it is declared, and that nothing but comparisons and messages mentions there. */
function variableOf(
  name: string,
  before: number,
  question: Question,
): Written | { readonly refused: string } | undefined {
  const { source, found } = question;
  const { tokens } = source;
  const declared = declarationsOf(name, question).findLast(({ at, end }) => at < before && end > before);
  if (declared === undefined) return undefined;
  const to = statementEnd(source, declared.from);
  const value = readGoExpression(tokens, declared.from, to);
  if (leavesOf(value).length === 0) return undefined;
  for (const at of placesOf(tokens, name))
    if (
      at >= to &&
      at < declared.end &&
      tokens[at - 1]?.text !== '.' &&
      !isReported(tokens, at, found.reports) &&
      !isSide({ from: at, to: at + 1 }, found.comparisons)
    )
      return { refused: `${name} is used for more than what is expected.` };
  return { origin: 'variable', value };
}

interface Declaration {
  readonly at: number;
  /** Of the value, and where its block ends. */
  readonly from: number;
  readonly end: number;
}

function declarationsOf(name: string, { source, test, declarations }: Question): readonly Declaration[] {
  const known = declarations.get(name);
  if (known !== undefined) return known;
  const { tokens } = source;
  const found = placesOf(tokens, name).flatMap((at) => {
    if (at <= test.open || at >= test.close || tokens[at - 1]?.text === '.') return [];
    const from = givenFrom(source, at);
    return from === undefined ? [] : [{ at, from, end: closingAt(tokens, bracketAround(tokens, at)) }];
  });
  declarations.set(name, found);
  return found;
}

/** Index behind `name :=`, `const name =`, `var name T =`, where a statement begins with it. */
function givenFrom(source: GoSource, at: number): number | undefined {
  const { tokens, text } = source;
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (next?.text === ':' && tokens[at + 2]?.text === '=') {
    const isStart =
      before !== undefined &&
      (/^[{;]$/.test(before.text) || text.slice(before.end, tokens[at]?.start).includes('\n'));
    return isStart && before.text !== ',' ? at + 3 : undefined;
  }
  if (!/^(?:var|const)$/.test(before?.text ?? '')) return undefined;
  const end = statementEnd(source, at);
  for (let equal = at + 1; equal < end && equal < at + 12; equal++) {
    if (tokens[equal]?.text === ',') return undefined;
    if (tokens[equal]?.text === '=') return equal + 1;
  }
  return undefined;
}

const anError = /(?:^|\s)err|Err|err(?:\s|$)/;
const otherMeaning = /panic|fail|skip|timeout|deadline|toleran|delta|epsilon|retr(?:y|ies)/i;

/** Why the side that is written down may be no expectation. */
function doubtOf(
  {
    given,
    expected,
    told,
  }: { readonly given: readonly Span[]; readonly expected: Span; readonly told: Written },
  source: GoSource,
): string | undefined {
  const words = (span: Span): string => wordsOf(source, span);
  if (given.slice(0, 1).some((actual) => words(actual) === ''))
    return 'What is compared is no value of the code.';
  if (told.origin !== 'assertion' && (anError.test(words(expected)) || otherMeaning.test(words(expected))))
    return 'What is written down is no expected value but how errors or limits are looked at.';
  if (given.some((one) => anError.test(words(one)) || /^diff$|^cmp Diff\b|panic|skip/i.test(words(one))))
    return 'What is compared is an error or a difference: another text of it is no mere value.';
  return undefined;
}

const isEmpty = (value: GoExpression): boolean =>
  (value.kind === 'string' && value.value === '') || (value.kind === 'int' && /^-?0+$/.test(value.text));

export interface GoPlace {
  readonly leaf: GoLeaf;
  readonly test: string;
  readonly origin: GoExpectation['origin'];
  /** Of an assertion about how much there is. */
  readonly isCount: boolean;
  readonly isNothing: boolean;
  /** Where in the value it stands, by the name of its field; empty for the value itself. */
  readonly path: string;
  /** The sources of the actual side, of what its names were given, and the name of what is expected. */
  readonly asked: readonly string[];
  /** Does the test count it up itself? */
  readonly isCounted: boolean;
}

/** Every literal that is certainly an expected value, in the order of the text. */
export function expectedPlaces(source: GoSource, isTaken?: IsTaken): readonly GoPlace[] {
  const places = new Map<number, GoPlace>();
  for (const expectation of goExpectations(source, isTaken)) {
    if ('refused' in expectation) continue;
    const { origin, test, isNothing, given } = expectation;
    const isCount = given.some(({ from }) => /^(?:len|cap)$/.test(source.tokens[from]?.text ?? ''));
    const asked = assertedNames(expectation, source);
    const isCounted = given.some((one) => isCountedUp(source, one));
    for (const value of valuesOf(expectation))
      for (const leaf of leavesOf(value)) {
        const path = value.kind === 'composite' ? fieldOf(leaf, source) : '';
        const place = { leaf, test: test.name, origin, isCount, isNothing, path, asked, isCounted };
        places.set(leaf.from, place);
      }
  }
  return [...places.values()].sort((a, b) => a.leaf.from - b.leaf.from);
}

/** The sources of the actual side, of what its names were given, and the name of what is expected. */
export function assertedNames(
  { given, origin, expected }: GoExpectation,
  source: GoSource,
): readonly string[] {
  const named = origin === 'assertion' ? [] : [textOf(expected, source)];
  return [...given.map((one) => textOf(one, source)), ...named];
}

const textOf = ({ from, to }: Span, { text, tokens }: GoSource): string =>
  text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);

/** `Status` of `Reply{Status: 200}`; a sign of an item where it has no name. */
function fieldOf({ from }: GoLeaf, { tokens }: GoSource): string {
  const [name, colon] = [tokens[from - 2], tokens[from - 1]];
  return colon?.text === ':' && name?.kind === 'word' ? name.text : '[0]';
}

function valuesOf(expectation: GoExpectation): readonly GoExpression[] {
  if (expectation.origin !== 'row') return [expectation.value];
  const { table, field } = expectation;
  return table.rows.flatMap((row: GoRow) => cellOf(row, table, field) ?? []);
}
