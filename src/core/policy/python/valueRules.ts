// What may become of a value that a Python test expects: another value of its kind, and nothing that asks less.
import type { Finding } from '../fileFacts.ts';
import { widerPattern } from '../widerPattern.ts';
import type { ExpectationKind } from '../../syntax/python/expectedParts.ts';
import {
  noNames,
  plainLiteral,
  readPythonValue,
  sameLiteral,
  visitLiteral,
  type PythonLiteral,
  type ValueNames,
} from '../../syntax/python/pythonLiteral.ts';
import { saysNothing, turnsAround } from '../../syntax/python/valueNames.ts';

type ValueFinding = Pick<Finding, 'rule' | 'text'>;

/** Findings about one expected literal, before and after; the texts are literals as a whole, or pieces of one without quotes. */
export function valueRules(
  kind: ExpectationKind,
  before: string,
  after: string,
  names: ValueNames = noNames,
): readonly ValueFinding[] {
  if (kind === 'piece' || kind === 'pieceIn') return pieceRules(kind, before, after);
  const was = readPythonValue(before, 0, before.length, names);
  const is = readPythonValue(after, 0, after.length, names);
  if (is === undefined || was === undefined)
    return [{ rule: 'computed-expectation', text: 'The expected value is no longer a literal.' }];
  if (/#/.test(commentsOf(after, is)) && commentsOf(after, is) !== commentsOf(before, was))
    return [{ rule: 'suppression', text: 'A comment was added to the expected value.' }];
  if (sameLiteral(was, is)) return [];
  if (hiddenSigns(after) > hiddenSigns(before))
    return [
      {
        rule: 'suppression',
        text: 'An invisible character was added to the expected value: write it as an escape sequence.',
      },
    ];
  if (kind === 'is')
    return [{ rule: 'inverted', text: 'The expected constant was replaced by another one.' }];
  if (kind === 'match') return patternRules(was, is);
  if (kind === 'in') return partRules(was, is);
  const nones = (literal: PythonLiteral): number => {
    let count = 0;
    visitLiteral(literal, (one) => void (count += one.kind === 'none' ? 1 : 0));
    return count;
  };
  const found = [...changesOf(was, is), ...otherClasses(was, is)];
  for (const finding of turnedInside(was, is))
    if (!found.some(({ rule }) => rule === finding.rule)) found.push(finding);
  if (nones(is) > nones(was) && !found.some(({ rule }) => rule === 'lost-value'))
    found.push({ rule: 'lost-value', text: 'The expected value became None.' });
  return found;
}

/** Marks of direction, joiners and their like: a text with them is another one than it looks. */
const hiddenSigns = (text: string): number => text.match(/\p{Cf}/gu)?.length ?? 0;

/** What is called, and what has the constants, are those of before. */
function* otherClasses(was: PythonLiteral, is: PythonLiteral): Generator<ValueFinding> {
  const classes = (literal: PythonLiteral): ReadonlySet<string> => {
    const found = new Set<string>();
    visitLiteral(literal, (one) => {
      if (one.kind === 'call') found.add(one.callee);
      if (one.kind === 'name') found.add(one.path.slice(0, one.path.lastIndexOf('.')));
    });
    return found;
  };
  const known = classes(was);
  for (const name of classes(is))
    if (!known.has(name)) yield { rule: 'changed-type', text: `The expected value now contains ${name}.` };
}

/** The same where the shape changed too, so that parts cannot be held against each other: by how many there are. */
function* turnedInside(was: PythonLiteral, is: PythonLiteral): Generator<ValueFinding> {
  const count = (literal: PythonLiteral, what: (one: PythonLiteral) => boolean): number => {
    let found = 0;
    visitLiteral(literal, (one) => void (found += what(one) ? 1 : 0));
    return found;
  };
  const more = (what: (one: PythonLiteral) => boolean): number =>
    Math.sign(count(is, what) - count(was, what));
  const [trues, falses] = [true, false].map((value) =>
    more((one) => one.kind === 'bool' && one.value === value),
  );
  if (trues !== undefined && falses !== undefined && trues * falses < 0)
    yield { rule: 'inverted', text: 'An expected boolean was inverted.' };
  if (more((one) => sizeOf(one) === 0) > 0)
    yield { rule: 'lost-value', text: 'An expected value became empty.' };
}

/** Everything of the text that is no string, where a `#` begins a comment. */
function commentsOf(text: string, literal: PythonLiteral): string {
  let rest = text;
  visitLiteral(literal, (one) => {
    if (one.kind !== 'str' && one.kind !== 'bytes') return;
    for (const { start, end } of one.parts)
      rest = rest.slice(0, start) + '_'.repeat(end - start) + rest.slice(end);
  });
  return (rest.match(/#.*/g) ?? []).join('\n');
}

function* changesOf(was: PythonLiteral, is: PythonLiteral): Generator<ValueFinding> {
  if (was.kind !== is.kind) {
    if (is.kind === 'none') yield { rule: 'lost-value', text: 'The expected value became None.' };
    else if (was.kind !== 'none')
      yield { rule: 'changed-type', text: `The expected ${noun[was.kind]} became a ${noun[is.kind]}.` };
    return;
  }
  if (was.kind === 'name' && is.kind === 'name') yield* constantRules(was.path, is.path);
  if (was.kind === 'bool' && is.kind === 'bool' && was.value !== is.value)
    yield { rule: 'inverted', text: 'The expected boolean was inverted.' };
  if (sizeOf(was) > 0 && sizeOf(is) === 0)
    yield { rule: 'lost-value', text: `The expected ${noun[is.kind]} became empty.` };
  const keys = 'entries' in is ? is.entries.map(([key]) => JSON.stringify(plainLiteral(key))) : [];
  if (new Set(keys).size < keys.length)
    yield {
      rule: 'lost-value',
      text: 'The expected dictionary has a duplicate key: only the last one counts.',
    };
  yield* innerChanges(was, is);
}

/** Members that stand for nothing, or for yes and no. */
function* constantRules(was: string, is: string): Generator<ValueFinding> {
  const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
  if (turnsAround(last(was), last(is))) yield { rule: 'inverted', text: `The expected ${was} was inverted.` };
  if (saysNothing(last(is)) && !saysNothing(last(was)))
    yield { rule: 'lost-value', text: `The expected value became ${is}.` };
}

/** Rows that are there on both sides are compared; what is new or gone is compared by the equality itself. */
function* innerChanges(was: PythonLiteral, is: PythonLiteral): Generator<ValueFinding> {
  if ('items' in was && 'items' in is && was.kind !== 'set' && was.items.length === is.items.length)
    for (const [index, item] of was.items.entries()) {
      const now = is.items[index];
      if (now !== undefined) yield* changesOf(item, now);
    }
  if (was.kind === 'call' && is.kind === 'call') {
    for (const [index, { name, value }] of was.args.entries()) {
      const now = name === undefined ? is.args[index] : is.args.find((one) => one.name === name);
      if (now !== undefined && now.name === name) yield* changesOf(value, now.value);
      else yield { rule: 'weaker-assertion', text: `The expected ${was.callee} lost an argument.` };
    }
  }
  if ('entries' in was && 'entries' in is) {
    const now = new Map(is.entries.map(([key, value]) => [JSON.stringify(plainLiteral(key)), value]));
    for (const [key, value] of was.entries) {
      const other = now.get(JSON.stringify(plainLiteral(key)));
      if (other !== undefined) yield* changesOf(value, other);
    }
  }
}

const noun: Readonly<Record<PythonLiteral['kind'], string>> = {
  none: 'None',
  bool: 'boolean',
  int: 'integer',
  float: 'float',
  str: 'text',
  bytes: 'text of bytes',
  list: 'list',
  tuple: 'tuple',
  set: 'set',
  dict: 'dictionary',
  call: 'object',
  name: 'constant',
  object: 'object',
};

function sizeOf(literal: PythonLiteral): number {
  if ('items' in literal) return literal.items.length;
  if ('entries' in literal) return literal.entries.length;
  return literal.kind === 'str' || literal.kind === 'bytes' ? literal.value.trim().length : 1;
}

/** `'text' in actual`: less of a text is found in more. */
function partRules(was: PythonLiteral, is: PythonLiteral): readonly ValueFinding[] {
  const isText = (one: PythonLiteral): one is Extract<PythonLiteral, { kind: 'str' | 'bytes' }> =>
    one.kind === 'str' || one.kind === 'bytes';
  if (!isText(was) || !isText(is) || was.kind !== is.kind) return [...changesOf(was, is)];
  const words = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const signs = (text: string): number => text.match(/\S/gu)?.length ?? 0;
  if (
    is.value.length < was.value.length ||
    words(is.value) < words(was.value) ||
    signs(is.value) < signs(was.value)
  )
    return [
      {
        rule: 'weaker-assertion',
        text: 'The expected text became shorter, so it matches more easily.',
      },
    ];
  return [];
}

/** Of a text that is looked for in another one no piece may become less. */
function pieceRules(kind: 'piece' | 'pieceIn', before: string, after: string): readonly ValueFinding[] {
  const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const signs = (text: string): number => text.match(/\S/gu)?.length ?? 0;
  const isLess =
    after.length < before.length || letters(after) < letters(before) || signs(after) < signs(before);
  if (kind === 'pieceIn' && isLess)
    return [
      {
        rule: 'weaker-assertion',
        text: 'A part of the expected text became shorter, so it matches more easily.',
      },
    ];
  if (letters(before) > 0 && letters(after) === 0)
    return [{ rule: 'lost-value', text: 'A part of the expected text became empty.' }];
  return [];
}

function patternRules(was: PythonLiteral, is: PythonLiteral): readonly ValueFinding[] {
  if (was.kind !== 'str' || is.kind !== 'str')
    return [
      { rule: 'widened-exception', text: 'The message of the exception is no longer checked as text.' },
    ];
  const looser = widerPattern(was.value, is.value, 'python');
  return looser === undefined ? [] : [{ rule: 'widened-exception', text: looser }];
}
