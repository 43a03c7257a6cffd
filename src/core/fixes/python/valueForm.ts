// A recorded value in the way that a test wrote another one: the same calls by the same names, with arguments in the same places.
import {
  sameLiteral,
  visitLiteral,
  type PythonLiteral,
  type RecordedObject,
  type WrittenArgument,
} from '../../syntax/python/pythonLiteral.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import type { CallLiteral, Form, FormRequest } from './formRequest.ts';
import { standardForm } from './standardForms.ts';

/** The value of the whole expression `like`, whose recorded value is `was`. */
export function inFormOf(like: PythonLiteral, was: PythonLiteral, value: PythonLiteral): Form {
  return formOf({ like, was, value, pool: callsIn(like), inner: formOf });
}

function callsIn(literal: PythonLiteral): readonly PythonLiteral[] {
  const found: PythonLiteral[] = [];
  visitLiteral(literal, (one) => void (one.kind === 'call' || one.kind === 'name' ? found.push(one) : 0));
  return found;
}

function formOf(request: FormRequest): Form {
  const { value, like, was } = request;
  if (value.kind === 'object') return objectForm(value.object, request);
  if (like?.kind === 'call') {
    const form = standardForm(like, value, request);
    if (form !== undefined) return form;
  }
  if ('items' in value) {
    const items = formsOf(value.items, itemsOf(like), itemsOf(was), request);
    return isRefusal(items) ? items : { ...value, items };
  }
  if (value.kind !== 'dict') return value;
  const entries: (readonly [PythonLiteral, PythonLiteral])[] = [];
  for (const [key, item] of value.entries) {
    const before = entryOf(was, key);
    // The written keys stand in the order of the recorded ones only by chance.
    const written = like?.kind === 'dict' ? like.entries : [];
    const place = written.find(([one]) =>
      isSame(formOf({ ...request, like: one, was: key, value: key }), one),
    );
    const newKey = formOf({ ...request, like: place?.[0], was: key, value: key });
    const newItem = formOf({ ...request, like: place?.[1], was: before, value: item });
    if (isRefusal(newKey)) return newKey;
    if (isRefusal(newItem)) return newItem;
    entries.push([newKey, newItem]);
  }
  return { ...value, entries };
}

const isSame = (form: Form, other: PythonLiteral): boolean => !isRefusal(form) && sameLiteral(form, other);

const itemsOf = (one: PythonLiteral | undefined): readonly PythonLiteral[] =>
  one !== undefined && 'items' in one ? one.items : [];

const entryOf = (dict: PythonLiteral | undefined, key: PythonLiteral): PythonLiteral | undefined =>
  dict?.kind === 'dict' ? dict.entries.find(([one]) => sameLiteral(one, key))?.[1] : undefined;

/** Each like the item that had its value, or that stands in its place. */
function formsOf(
  values: readonly PythonLiteral[],
  likes: readonly PythonLiteral[],
  was: readonly PythonLiteral[],
  request: FormRequest,
): readonly PythonLiteral[] | Refusal {
  const found: PythonLiteral[] = [];
  for (const [index, value] of values.entries()) {
    const isAligned = was[index] !== undefined && sameLiteral(was[index], value);
    const same = isAligned ? index : was.findIndex((one) => sameLiteral(one, value));
    const at = same < 0 ? index : same;
    const form = formOf({ ...request, value, like: likes[at], was: was[at] });
    if (isRefusal(form)) return form;
    found.push(form);
  }
  return found;
}

function objectForm(object: RecordedObject, request: FormRequest): Form {
  const { like, pool } = request;
  for (const one of [...(like === undefined ? [] : [like]), ...pool]) {
    if (one.kind === 'name') {
      const prefix = one.path.slice(0, one.path.lastIndexOf('.') + 1);
      const path = object.names.includes(one.path)
        ? one.path
        : object.names.find((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('.'));
      if (path !== undefined) return { kind: 'name', path, start: 0, end: 0 };
    }
    if (one.kind !== 'call' || !object.callees.includes(one.callee)) continue;
    const value: PythonLiteral = { kind: 'object', object, start: 0, end: 0 };
    const own = one === like ? request : { ...request, was: undefined };
    return standardForm(one, value, own) ?? boundForm(one, object, own);
  }
  return refuse(
    `The actual value cannot be written as a literal: it is an object of the class ${object.type}.`,
  );
}

/** By the places and names of its arguments. What the test leaves to the default stays so, or is named behind. */
function boundForm(like: CallLiteral, object: RecordedObject, request: FormRequest): Form {
  if (object.args === undefined) return refuse(`The fields of an object of ${object.type} are not known.`);
  const before = request.was?.kind === 'object' ? request.was.object : undefined;
  const given = like.args.map(({ name, value }, index) => ({
    name,
    param: name ?? object.params[index] ?? '',
    like: value as PythonLiteral | undefined,
  }));
  const wanted = request.like === like ? given : withoutDefaults(given, object);
  const args: WrittenArgument[] = [];
  for (const { name, param, like: from } of [...wanted, ...further(wanted, object)]) {
    const found = object.args.find((one) => one.name === param);
    if (found === undefined)
      return refuse(`${like.callee} does not store the value of the argument ${param}.`);
    const was = before?.args?.find((one) => one.name === param)?.value;
    const value = formOf({ ...request, value: found.value, like: from, was });
    if (isRefusal(value)) return value;
    args.push({ name, value });
  }
  return { ...like, args };
}

interface Place {
  readonly name: string | undefined;
  readonly param: string;
  readonly like: PythonLiteral | undefined;
}

/** Of an object that is new in the text: without what it is by default, where no place is lost with it. */
function withoutDefaults(given: readonly Place[], { args = [] }: RecordedObject): readonly Place[] {
  const isDefault = ({ param }: Place): boolean =>
    args.find(({ name }) => name === param)?.isDefault === true;
  const named = given.filter((one) => one.name === undefined || !isDefault(one));
  const places = named.filter(({ name }) => name === undefined);
  while (places.length > 0 && places.slice(-1).every(isDefault)) places.pop();
  return [...places, ...named.filter(({ name }) => name !== undefined)];
}

/** What the text does not say, and is not so by default. `datetime(2020, 1, 2)` gets `hour` by its place, and what is before it. */
function further(given: readonly Place[], { type, params, args = [] }: RecordedObject): readonly Place[] {
  const missing = args.filter(
    ({ name, isDefault }) => !isDefault && given.every(({ param }) => param !== name),
  );
  const inPlaces = type.startsWith('datetime.') && given.every(({ name }) => name === undefined);
  const isTime = (name: string): boolean =>
    inPlaces && params.includes(name) && name !== 'tzinfo' && name !== 'fold';
  const last = Math.max(
    -1,
    ...missing.filter(({ name }) => isTime(name)).map(({ name }) => params.indexOf(name)),
  );
  const places = params.slice(given.length, last + 1).filter(isTime);
  return [
    ...places.map((param) => ({ name: undefined, param, like: undefined })),
    ...missing
      .filter(({ name }) => !places.includes(name))
      .map(({ name }) => ({ name, param: name, like: undefined })),
  ];
}
