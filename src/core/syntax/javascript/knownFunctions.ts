// The functions of JavaScript and Node that configurations build paths and lists with, on values of which a part may be unknown.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isList, notStatic, StaticFunction, StaticObject, type StaticValue } from './staticValue.ts';

/** What a module of Node's own exports under the name; undefined for other modules. */
export function knownModule(specifier: string, name: string): StaticValue {
  if (!/^(?:node:)?(?:path|url)$|^pathe$/.test(specifier)) return undefined;
  return name === 'default' ? new StaticObject(pathFunctions, false) : (pathFunctions.get(name) ?? notStatic);
}

/** `Object.assign`, `Boolean`. */
export function knownGlobal(name: string): StaticValue {
  return globals.get(name) ?? notStatic;
}

/** A member of an object, a list or a pattern. */
export function propertyOf(value: StaticValue, name: string): StaticValue {
  if (value instanceof StaticObject) return value.get(name);
  if (value instanceof RegExp) return name === 'source' ? value.source : notStatic;
  if (!isList(value)) return notStatic;
  const method = listMethods[name];
  return method ? new StaticFunction((args) => method(value, args)) : notStatic;
}

function pathCall(call: (...parts: string[]) => string): StaticFunction {
  return new StaticFunction((args) =>
    args.every((one) => typeof one === 'string') ? call(...args) : notStatic,
  );
}

const pathFunctions: ReadonlyMap<string, StaticValue> = new Map([
  [
    'resolve',
    pathCall((...parts) => (path.isAbsolute(parts[0] ?? '') ? path.resolve(...parts) : path.join(...parts))),
  ],
  ['join', pathCall((...parts) => path.join(...parts))],
  ['dirname', pathCall((file = '') => path.dirname(file))],
  ['fileURLToPath', pathCall((url = '') => (url.startsWith('file:') ? fileURLToPath(url) : url))],
]);

const globals: ReadonlyMap<string, StaticValue> = new Map<string, StaticValue>([
  ['Boolean', new StaticFunction(([value]) => (value === notStatic ? notStatic : Boolean(value)))],
  [
    'Object',
    new StaticObject(
      new Map([
        [
          'assign',
          new StaticFunction((all) =>
            all.reduce<StaticObject>((object, one) => object.with(one), new StaticObject(new Map())),
          ),
        ],
      ]),
      false,
    ),
  ],
]);

type ListMethod = (list: readonly StaticValue[], args: readonly StaticValue[]) => StaticValue;

const listMethods: Readonly<Record<string, ListMethod>> = {
  concat: (list, args) => args.reduce<readonly StaticValue[]>((all, one) => all.concat(one), list),
  map: (list, [call]) =>
    call instanceof StaticFunction
      ? list.map((item, index): StaticValue => call.call([item, index]))
      : [notStatic],
  // What may be left out is unknown.
  filter: (list, [call]) =>
    list.flatMap((item): readonly StaticValue[] => {
      const isKept = call instanceof StaticFunction ? call.call([item]) : notStatic;
      return isKept === notStatic ? [notStatic] : isKept ? [item] : [];
    }),
  join: (list, [mark = ',']) =>
    typeof mark === 'string' && list.every((item) => typeof item === 'string') ? list.join(mark) : notStatic,
};

export function regularExpression(pattern: string, flags: string): StaticValue {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return notStatic;
  }
}
