// How a call of the old signature is written for the new one: where each of the new arguments comes from, or why that cannot be told.
import type { Key, Keys, Parameter, Signature } from './sourceSignatures.ts';

/** Where a new argument comes from. */
export type Slot =
  /** An old argument as it was. */
  | { readonly kind: 'argument'; readonly index: number }
  /** The items of an old argument, one by one. */
  | { readonly kind: 'spread'; readonly index: number }
  /** All old arguments from an index on, as one array. */
  | { readonly kind: 'gather'; readonly index: number }
  /** A key of an old argument that was an object. */
  | { readonly kind: 'key'; readonly index: number; readonly key: string }
  /** Several old arguments under keys of a new object. */
  | { readonly kind: 'object'; readonly entries: readonly { readonly key: string; readonly index: number }[] }
  /** An old object some of whose keys lie deeper or less deep now. */
  | { readonly kind: 'nested'; readonly index: number; readonly moves: readonly KeyMove[] }
  /** What the callers in the source give there. */
  | { readonly kind: 'literal'; readonly text: string }
  /** Nothing: it may be left out. */
  | { readonly kind: 'absent' };

export interface KeyMove {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

export interface CallPlan {
  readonly slots: readonly Slot[];
  /** `new` comes, goes, or stays as it is. */
  readonly construct: 'add' | 'remove' | 'keep';
  /** The last argument stands for all that follow. */
  readonly takesRest: boolean;
  /** One sentence without subject: "takes (b, a) instead of (a, b)". */
  readonly what: string;
  /** A value was taken over from callers in the source. */
  readonly fromCallers: boolean;
}

/** Undefined when old calls fit the new signature as they are. `literalFor` tells what the callers in the source give at an index. */
export function planCall(
  old: Signature,
  now: Signature,
  literalFor: (index: number) => string | undefined,
): CallPlan | { readonly reason: string } | undefined {
  const construct = old.kind === now.kind ? 'keep' : now.kind === 'class' ? 'add' : 'remove';
  const slots: (Slot | undefined)[] = now.parameters.map((parameter) => sameName(parameter, old));
  const used = new Set(slots.flatMap((slot) => (slot !== undefined && 'index' in slot ? [slot.index] : [])));
  if (old.parameters.some(({ isRest }, index) => isRest && !used.has(index)))
    return { reason: `${now.name}() took any number of arguments and now takes something else.` };
  if (
    now.parameters.some(
      ({ isRest }, index) => isRest && slots[index] === undefined && used.size < old.parameters.length,
    )
  )
    return { reason: `${now.name}() now takes any number of arguments: it is unclear which ones to pass.` };
  pairByPlace(slots, used, old, now);
  collectInObjects(slots, used, old, now);
  takeOutOfObjects(slots, used, old, now);
  nestKeys(slots, old, now);
  let fromCallers = false;
  for (const [index, parameter] of now.parameters.entries()) {
    if (slots[index] !== undefined) continue;
    const literal = literalFor(index);
    if (literal !== undefined && !(parameter.isOptional && isLast(index, now))) {
      slots[index] = { kind: 'literal', text: literal };
      fromCallers = true;
    } else if (parameter.isOptional || parameter.isRest) slots[index] = { kind: 'absent' };
    else
      return {
        reason: `${now.name}() now takes ${labelOf(parameter)}, and no migrated caller in the source shows what to pass.`,
      };
  }
  const missing = missingKeys(slots, now);
  if (missing !== undefined)
    return { reason: `${now.name}() now needs ${missing}, and it is unclear what to pass.` };
  const lost = old.parameters.filter((_, index) => !used.has(index));
  if (lost.length > 0 && slots.some((slot) => slot?.kind === 'literal'))
    return {
      reason: `${now.name}() takes different parameters than before: it is unclear which new one replaces which old one.`,
    };
  const plan = slots.map((slot): Slot => slot ?? { kind: 'absent' });
  const isSame =
    construct === 'keep' &&
    lost.length === 0 &&
    plan.every((slot, index) => slot.kind === 'absent' || (slot.kind === 'argument' && slot.index === index));
  if (isSame || (plan.length === 0 && old.parameters.length === 0 && construct === 'keep')) return undefined;
  const takesRest = now.parameters.at(-1)?.isRest === true;
  return { slots: plan, construct, takesRest, what: describe(old, now, construct), fromCallers };
}

const isLast = (index: number, { parameters }: Signature): boolean =>
  parameters.slice(index).every(({ isOptional, isRest }) => isOptional || isRest);

function sameName({ name, isRest }: Parameter, old: Signature): Slot | undefined {
  const index = name === undefined ? -1 : old.parameters.findIndex((one) => one.name === name);
  const other = old.parameters[index];
  if (other === undefined) return undefined;
  if (isRest === other.isRest) return { kind: 'argument', index };
  return { kind: isRest ? 'spread' : 'gather', index };
}

/** A parameter with another name at the same place: as many as before, and not of another kind. */
function pairByPlace(slots: (Slot | undefined)[], used: Set<number>, old: Signature, now: Signature): void {
  for (const [index, parameter] of now.parameters.entries()) {
    const other = old.parameters[index];
    if (slots[index] !== undefined || other === undefined || used.has(index)) continue;
    const areObjects = parameter.keys !== undefined && other.keys !== undefined;
    const shared = [...(parameter.keys?.keys() ?? [])].some((key) => other.keys?.has(key));
    const isRenamed =
      old.parameters.length === now.parameters.length &&
      parameter.type === other.type &&
      (parameter.keys === undefined) === (other.keys === undefined);
    if ((areObjects && shared) || isRenamed) {
      slots[index] = { kind: 'argument', index };
      used.add(index);
    }
  }
}

/** `f(a, b)` → `f({ a, b })` */
function collectInObjects(
  slots: (Slot | undefined)[],
  used: Set<number>,
  old: Signature,
  now: Signature,
): void {
  for (const [index, { keys }] of now.parameters.entries()) {
    if (slots[index] !== undefined || keys === undefined) continue;
    const entries = old.parameters.flatMap(({ name }, from) =>
      name !== undefined && keys.has(name) && !used.has(from) ? [{ key: name, index: from }] : [],
    );
    if (entries.length === 0) continue;
    slots[index] = { kind: 'object', entries };
    for (const entry of entries) used.add(entry.index);
  }
}

/** `f({ a, b })` → `f(a, b)` */
function takeOutOfObjects(
  slots: (Slot | undefined)[],
  used: Set<number>,
  old: Signature,
  now: Signature,
): void {
  for (const [index, { name, isRest }] of now.parameters.entries()) {
    if (slots[index] !== undefined || name === undefined || isRest) continue;
    const holders = old.parameters.flatMap(({ keys }, from) => (keys?.has(name) ? [from] : []));
    const [only, another] = holders;
    if (only === undefined || another !== undefined) continue;
    const isKept = slots.some((slot) => slot?.kind === 'argument' && slot.index === only);
    if (isKept && now.parameters.some(({ keys }) => keys?.has(name))) continue;
    slots[index] = { kind: 'key', index: only, key: name };
    used.add(only);
  }
}

/** `f({ size })` → `f({ font: { size } })` and back */
function nestKeys(slots: (Slot | undefined)[], old: Signature, now: Signature): void {
  for (const [index, slot] of slots.entries()) {
    if (slot?.kind !== 'argument') continue;
    const [before, after] = [old.parameters[slot.index]?.keys, now.parameters[index]?.keys];
    if (before === undefined || after === undefined) continue;
    const [was, is] = [pathsOf(before), pathsOf(after)];
    const moves = [...was].flatMap((path): readonly KeyMove[] => {
      if (is.has(path)) return [];
      const leaf = path.split('.').at(-1) ?? '';
      const targets = [...is].filter((other) => !was.has(other) && other.split('.').at(-1) === leaf);
      const sources = [...was].filter((other) => !is.has(other) && other.split('.').at(-1) === leaf);
      const [only] = targets;
      return targets.length === 1 && sources.length === 1 && only !== undefined
        ? [{ from: path.split('.'), to: only.split('.') }]
        : [];
    });
    if (moves.length > 0) slots[index] = { kind: 'nested', index: slot.index, moves };
  }
}

/** Dotted paths of what has no keys below. */
function pathsOf(keys: Keys, prefix = ''): ReadonlySet<string> {
  return new Set(
    [...keys].flatMap(([key, one]) =>
      one.keys === undefined ? [prefix + key] : [...pathsOf(one.keys, `${prefix}${key}.`)],
    ),
  );
}

/** A key that the new object needs and no old argument gives. */
function missingKeys(slots: readonly (Slot | undefined)[], now: Signature): string | undefined {
  for (const [index, slot] of slots.entries()) {
    if (slot?.kind !== 'object') continue;
    const given = new Set(slot.entries.map(({ key }) => key));
    const isNeeded = ([key, one]: readonly [string, Key]): boolean => !one.isOptional && !given.has(key);
    const absent = [...(now.parameters[index]?.keys ?? [])].find(isNeeded);
    if (absent !== undefined) return absent[0];
  }
  return undefined;
}

function describe(old: Signature, now: Signature, construct: CallPlan['construct']): string {
  const list = ({ parameters }: Signature): string => `(${parameters.map(labelOf).join(', ')})`;
  const kind =
    construct === 'add' ? ' is now a class and' : construct === 'remove' ? ' is no longer a class and' : '';
  return `${kind} takes ${list(now)} instead of ${list(old)}`.trim();
}

function labelOf({ name, keys, isRest }: Parameter): string {
  return name === undefined ? `{ ${[...(keys?.keys() ?? [])].join(', ')} }` : `${isRest ? '...' : ''}${name}`;
}
