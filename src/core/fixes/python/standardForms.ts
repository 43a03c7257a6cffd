// How values of the standard library are written: `timedelta(hours=1)`, `Fraction(1, 3)`, `OrderedDict(a=1)`, `set(["a"])`.
import {
  sameLiteral,
  type PythonLiteral,
  type RecordedObject,
  type WrittenArgument,
} from '../../syntax/python/pythonLiteral.ts';
import { isRefusal, refuse } from '../assertion/literalChange.ts';
import type { CallLiteral, Form, FormRequest } from './formRequest.ts';
import { timedeltaForm } from './timedeltaForm.ts';

/** Undefined for all that is bound by the places and names of its arguments. */
export function standardForm(
  like: CallLiteral,
  value: PythonLiteral,
  request: FormRequest,
): Form | undefined {
  if (value.kind !== 'object') {
    if (like.callee === value.kind || (like.callee === 'bytes' && value.kind === 'bytes'))
      return collected(like, value, request.was, request);
    return undefined;
  }
  const { object } = value;
  const given = (name: string): PythonLiteral => object.args?.find((one) => one.name === name)?.value ?? none;
  const before = (name: string): PythonLiteral | undefined =>
    request.was?.kind === 'object'
      ? request.was.object.args?.find((one) => one.name === name)?.value
      : undefined;
  const form = forms[object.type];
  return form?.({ like, object, given, before, request });
}

interface Standard {
  readonly like: CallLiteral;
  readonly object: RecordedObject;
  readonly given: (name: string) => PythonLiteral;
  readonly before: (name: string) => PythonLiteral | undefined;
  readonly request: FormRequest;
}

const none: PythonLiteral = { kind: 'none', start: 0, end: 0 };

const path = ({ like, given }: Standard): Form => pathForm(like, textOf(given('path')));
const forms: Readonly<Record<string, (standard: Standard) => Form>> = {
  'datetime.timedelta': ({ like, given }) => timedeltaForm(like, textOf(given('total'))),
  'decimal.Decimal': ({ like, given }) => single(like, textOf(given('value'))),
  'fractions.Fraction': ({ like, given }) => fraction(like, given('numerator'), given('denominator')),
  'builtins.range': ({ like, given }) => range(like, given('start'), given('stop'), given('step')),
  'builtins.complex': ({ like, given }) => complex(like, given('real'), given('imag')),
  'builtins.frozenset': ({ like, given, before, request }) =>
    collected(like, given('items'), before('items'), request),
  'collections.Counter': ({ like, given, before, request }) =>
    collected(like, given('mapping'), before('mapping'), request),
  'collections.OrderedDict': ({ like, given, before, request }) =>
    collected(like, given('pairs'), before('pairs'), request),
  'pathlib.PosixPath': path,
  'pathlib.PurePosixPath': path,
  'pathlib.PureWindowsPath': ({ like, given }) => single(like, textOf(given('path'))),
};

const textOf = (literal: PythonLiteral): string =>
  'value' in literal && typeof literal.value === 'string' ? literal.value : '';

const called = (like: CallLiteral, values: readonly PythonLiteral[]): CallLiteral => ({
  ...like,
  args: values.map((value, index) => ({ name: like.args[index]?.name, value })),
});

const text = (value: string): PythonLiteral => ({ kind: 'str', value, parts: [], start: 0, end: 0 });
const whole = (value: string): PythonLiteral => ({ kind: 'int', value, start: 0, end: 0 });

/** `Decimal("1.0")`, `Decimal(1)` */
function single(like: CallLiteral, value: string): Form {
  const isInt = like.args[0]?.value.kind === 'int' && /^(?:0|-?[1-9]\d*)$/.test(value);
  return called(like, [isInt ? whole(value) : text(value)]);
}

/** `Fraction(1, 3)`, `Fraction("1/3")`, `Fraction(2)` */
function fraction(like: CallLiteral, numerator: PythonLiteral, denominator: PythonLiteral): Form {
  const [first] = like.args;
  const isWhole = textOf(denominator) === '1';
  if (first?.value.kind === 'str')
    return called(like, [text(isWhole ? textOf(numerator) : `${textOf(numerator)}/${textOf(denominator)}`)]);
  return called(like, isWhole && like.args.length < 2 ? [numerator] : [numerator, denominator]);
}

function range(like: CallLiteral, start: PythonLiteral, stop: PythonLiteral, step: PythonLiteral): Form {
  if (like.args.length === 3 || textOf(step) !== '1') return called(like, [start, stop, step]);
  return called(like, like.args.length === 1 && textOf(start) === '0' ? [stop] : [start, stop]);
}

/** `complex(1, 2)` has floats in it. */
function complex(like: CallLiteral, real: PythonLiteral, imag: PythonLiteral): Form {
  const parts = [real, imag].map((part, index) => {
    const isInt =
      like.args[index]?.value.kind === 'int' && /^-?\d+$/.test(textOf(part)) && textOf(part) !== '-0';
    return isInt ? whole(textOf(part)) : part;
  });
  return called(like, like.args.length === 1 && Number(textOf(imag)) === 0 ? parts.slice(0, 1) : parts);
}

/** `Path("a/b")`, `Path("a", "b")`: as many steps in each part as before. */
function pathForm(like: CallLiteral, value: string): Form {
  const parts = like.args.map((one) => textOf(one.value));
  const steps = value.split('/');
  const counts = parts.map((part) => part.split('/').length);
  if (parts.length < 2 || counts.reduce((sum, count) => sum + count, 0) !== steps.length)
    return called(like, [text(value)]);
  return called(
    like,
    counts.map((count) => text(steps.splice(0, count).join('/'))),
  );
}

/** What is collected of something that one can go through, or by the names of arguments. */
function collected(
  like: CallLiteral,
  value: PythonLiteral,
  was: PythonLiteral | undefined,
  request: FormRequest,
): Form {
  const [first, ...more] = like.args;
  if (first === undefined) return isEmpty(value) ? like : called(like, [value].map(plainly));
  if (first.name !== undefined) return byNames(like, value, was, request);
  if (more.length > 0) return refuse(`The arguments of ${like.callee} cannot be told apart.`);
  const form = iterated(first.value, value, was, request);
  return isRefusal(form) ? form : called(like, [form]);
}

const isEmpty = (value: PythonLiteral): boolean =>
  ('items' in value && value.items.length === 0) || ('entries' in value && value.entries.length === 0);

/** A set in a call stands there as a list. */
const plainly = (value: PythonLiteral): PythonLiteral =>
  value.kind === 'set' ? { ...value, kind: 'list' } : value;

function iterated(
  like: PythonLiteral,
  value: PythonLiteral,
  was: PythonLiteral | undefined,
  request: FormRequest,
): Form {
  const same = (one: PythonLiteral): Form => request.inner({ ...request, value: one, like, was });
  if ('entries' in like && 'items' in value) {
    const entries = entriesOf(value);
    // Of those the order counts; it stays that of the text.
    const order = entriesOf(was);
    const isSameOrder = order.every(([key], index) => entries[index] && sameLiteral(entries[index][0], key));
    return isSameOrder
      ? same({ kind: 'dict', entries, start: 0, end: 0 })
      : refuse('The keys are in another order.');
  }
  if (!('items' in like))
    return value.kind === like.kind ? same(value) : refuse('The items were built from something else.');
  if (like.kind === value.kind) return same(value);
  if (value.kind === 'dict') {
    const pairs = value.entries.map((pair): PythonLiteral => ({
      kind: 'tuple',
      items: pair,
      start: 0,
      end: 0,
    }));
    return same({ kind: like.kind, items: pairs, start: 0, end: 0 });
  }
  if (!('items' in value)) return refuse('The items were built from something else.');
  if (value.kind !== 'set') return same({ ...value, kind: like.kind });
  // In the order of the text, each once; what is new behind.
  const rest = [...value.items];
  const kept = like.items.flatMap((one) => {
    const at = rest.findIndex((item) => sameLiteral(item, one));
    return at < 0 ? [] : rest.splice(at, 1);
  });
  const isReplaced = rest.length > 0 && kept.length + rest.length === like.items.length;
  const items = isReplaced
    ? like.items.map((one) => (kept.some((item) => sameLiteral(item, one)) ? one : (rest.shift() ?? one)))
    : [...kept, ...rest];
  return { kind: like.kind, items, start: 0, end: 0 };
}

const entriesOf = (pairs: PythonLiteral | undefined): (readonly [PythonLiteral, PythonLiteral])[] =>
  pairs !== undefined && 'items' in pairs
    ? pairs.items.flatMap((pair) => {
        const [key, value] = 'items' in pair ? pair.items : [];
        return key && value ? [[key, value] as const] : [];
      })
    : [];

/** `dict(a=1)`, `OrderedDict(a=1)` */
function byNames(
  like: CallLiteral,
  value: PythonLiteral,
  was: PythonLiteral | undefined,
  request: FormRequest,
): Form {
  const entries = value.kind === 'dict' ? [...value.entries] : entriesOf(value);
  const old = was?.kind === 'dict' ? was.entries : entriesOf(was);
  const isOrdered = value.kind !== 'dict';
  const names = entries.map(([key]) => (key.kind === 'str' ? key.value : ''));
  const kept = like.args.map((one) => one.name ?? '');
  if (names.some((name) => !/^[A-Za-z_]\w*$/.test(name))) return refuse('A key is not a valid name.');
  if (isOrdered && kept.some((name, index) => names[index] !== name))
    return refuse('The keys are in another order.');
  const args: WrittenArgument[] = [];
  for (const name of [
    ...kept.filter((one) => names.includes(one)),
    ...names.filter((one) => !kept.includes(one)),
  ]) {
    const item = entries[names.indexOf(name)]?.[1];
    if (item === undefined) continue;
    const before = old.find(([key]) => key.kind === 'str' && key.value === name)?.[1];
    const from = like.args.find((one) => one.name === name)?.value;
    const form = request.inner({ ...request, value: item, like: from, was: before });
    if (isRefusal(form)) return form;
    args.push({ name, value: form });
  }
  return { ...like, args };
}
