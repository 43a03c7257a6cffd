// The smallest parts in which two recorded values of one shape differ.
import type { Value } from '../../model/value.ts';
import { sameValue, type MatchMode } from './sameValue.ts';

interface Difference {
  readonly was: Value;
  readonly now: Value;
  /** `.total[2]`, empty for all of it. */
  readonly path: string;
}

/** Members and items that differ, as deep as both sides have the same keys and as many items. */
export function differences(was: Value, now: Value, mode: MatchMode, path = ''): readonly Difference[] {
  if (sameValue(was, now, mode)) return [];
  const whole = [{ was, now, path }];
  if (was.kind === 'array' && now.kind === 'array' && was.items.length === now.items.length)
    return was.items.flatMap((item, index) => {
      const other = now.items[index];
      return other === undefined ? whole : differences(item, other, mode, `${path}[${index}]`);
    });
  if (was.kind !== 'object' || now.kind !== 'object' || was.className !== now.className) return whole;
  const others = new Map(now.entries);
  if (others.size !== was.entries.length || was.entries.some(([key]) => !others.has(key))) return whole;
  return was.entries.flatMap(([key, value]) => {
    const other = others.get(key);
    return other === undefined ? whole : differences(value, other, mode, `${path}.${key}`);
  });
}
