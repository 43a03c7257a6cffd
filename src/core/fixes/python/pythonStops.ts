// Signs that an actual value of Python is a bug or belongs to this one run, beside those that hold for every language.
import { askedNames } from '../../diagnosis/outcomeNames.ts';
import { valueStops, type Stop } from '../../diagnosis/valueStops.ts';
import type { Value } from '../../model/value.ts';
import { partsOf, type PythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import { saysNothing, turnsAround } from '../../syntax/python/valueNames.ts';

/** What no test may expect, since it is another one on each machine or in each run. */
export function bindsToMachine(
  actual: PythonLiteral,
  expected: PythonLiteral | undefined,
  root: string,
): string | undefined {
  const old = expected === undefined ? '' : textsIn(expected);
  const now = textsIn(actual);
  if (
    now.includes(root.replaceAll('\\', '/')) ||
    (/\/pytest-of-|\/tmp\//.test(now) && !/\/pytest-of-|\/tmp\//.test(old))
  )
    return 'The new value contains a folder of this run, which differs from machine to machine.';
  if (/\bat 0x[\da-f]{6,}/i.test(now))
    return 'The new value contains the address of an object, which differs from run to run.';
  return undefined;
}

/** All stops of a value, with `asked`: the source of the actual side; what is not known on the expected side is not judged. */
export function pythonValueStops(
  actual: PythonLiteral,
  expected: PythonLiteral | undefined,
  asked: string,
  known: Value = valueOf(expected),
): readonly Stop[] {
  const value = valueStops({
    matcher: '==',
    actual: valueOf(actual),
    expected: known,
    asked: askedNames(asked),
  });
  return [
    ...value.map(({ kind, reason }) => ({ kind, reason: reason.replaceAll(/\bnull\b/g, 'None') })),
    ...pythonStops(actual, expected, asked),
  ];
}

/** Those of Python alone. */
export function pythonStops(
  actual: PythonLiteral,
  expected: PythonLiteral | undefined,
  asked: string,
): readonly Stop[] {
  const stop = (reason: string): Stop => ({ kind: 'value', reason });
  const stops: Stop[] = [];
  const old = expected === undefined ? '' : textsIn(expected);
  for (const sign of new Set(
    textsIn(actual).match(/\bNone\b|\bnan\b|Traceback \(most recent|<[\w.]+ object\b|\b\w*Error: /g) ?? [],
  ))
    if (!old.includes(sign)) stops.push(stop(`The actual text contains "${sign}".`));
  if (expected !== undefined && expected.kind !== actual.kind && !(isNumber(expected) && isNumber(actual)))
    stops.push(stop(`The type changed: the value was a ${expected.kind} and is now a ${actual.kind}.`));
  if (
    /\.(?:call|await)_count\b|\blen\s*\([^)]*\b(?:mock|method|call_args|await_args)_?(?:calls|list)\b/.test(
      asked,
    )
  )
    stops.push(stop('The number of calls is behavior, not just a value.'));
  if (actual.kind === 'bool' && expected !== undefined)
    stops.push(stop('The result of a condition was inverted.'));
  if (expected !== undefined)
    for (const reason of new Set(objectSigns(expected, actual))) stops.push(stop(reason));
  return stops;
}

/** Of objects and constants, which are compared where they stand in the same place. */
function* objectSigns(expected: PythonLiteral, actual: PythonLiteral): Generator<string> {
  if (expected.kind === 'object' && actual.kind === 'object') {
    const [was, now] = [expected.object, actual.object];
    if (was.type !== now.type)
      yield `The class changed: the value was of the class ${was.type} and is now of ${now.type}.`;
    else if (was.args === undefined && was.key !== now.key) {
      if (turnsAround(was.key, now.key)) yield 'The result of a condition was inverted.';
      if (saysNothing(now.key)) yield `The value is ${now.key}; ${was.key} was expected.`;
      if (/(?:exit|return)_?code|status|outcome|result\b/i.test(was.type))
        yield 'The outcome changed: success and failure are behavior, and a different status is not just a different value.';
    }
  }
  const [old, now] = [partsOf(expected), partsOf(actual)];
  if (expected.kind === actual.kind && expected.kind !== 'set' && old.length === now.length)
    for (const [index, one] of old.entries()) {
      const other = now[index];
      if (other !== undefined) yield* objectSigns(one, other);
    }
}

const isNumber = ({ kind }: PythonLiteral): boolean => kind === 'int' || kind === 'float';

function textsIn(literal: PythonLiteral): string {
  if (literal.kind === 'str' || literal.kind === 'bytes') return literal.value;
  return partsOf(literal).map(textsIn).join('\n');
}

/** For the stops of every language; a key that is no text is told as one. */
export function valueOf(literal: PythonLiteral | undefined): Value {
  switch (literal?.kind) {
    case undefined:
      return { kind: 'opaque', description: 'a value of Python' };
    case 'none':
      return { kind: 'null' };
    case 'bool':
      return { kind: 'boolean', value: literal.value };
    case 'int':
    case 'float':
      return { kind: 'number', text: literal.value };
    case 'str':
    case 'bytes':
      return { kind: 'string', value: literal.value };
    case 'list':
    case 'tuple':
      return { kind: 'array', items: literal.items.map(valueOf) };
    case 'set':
      return { kind: 'set', items: literal.items.map(valueOf) };
    case 'dict':
      return {
        kind: 'object',
        entries: literal.entries.map(([key, value]) => [keyOf(key), valueOf(value)] as const),
      };
    case 'object':
      return {
        kind: 'object',
        className: literal.object.type,
        // What is so by default stands nowhere.
        entries: (literal.object.args ?? []).flatMap(({ name, value, isDefault }) =>
          isDefault ? [] : [[name, valueOf(value)] as const],
        ),
      };
    case 'call':
    case 'name':
      return { kind: 'opaque', description: 'what a test wrote' };
  }
}

const keyOf = (key: PythonLiteral): string =>
  key.kind === 'str' ? key.value : JSON.stringify('value' in key ? key.value : textsIn(key));
