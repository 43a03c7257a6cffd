// Which row of a table a comparison of Go failed for: the one that writes down what was recorded.
import type { GoComparison, Value } from '../../model/value.ts';
import { readGoExpression, type GoExpression } from '../../syntax/go/goExpression.ts';
import type { GoSource } from '../../syntax/go/goSource.ts';
import { namesOf, type GoTable } from '../../syntax/go/goTables.ts';
import { refuse, type Refusal } from '../assertion/literalChange.ts';
import { pointedAt } from './patchGoValue.ts';
import { saysValue } from './writeGoLiteral.ts';

/** Its index from 0. */
export function findGoRow(table: GoTable, { row, key }: GoComparison, source: GoSource): number | Refusal {
  const found = table.rows.flatMap((one, index) => {
    const isKey =
      key.kind === 'null' ||
      (table.isMap
        ? one.key !== undefined &&
          says(readGoExpression(source.tokens, one.key.from, one.key.to), key, undefined)
        : key.kind === 'number' && key.text === String(index));
    return isKey && says(one.value, row, table.fields) ? [index] : [];
  });
  const [index, ...more] = found;
  if (index === undefined)
    return refuse('The failed row of the table cannot be identified: no row states its values as literals.');
  return more.length === 0
    ? index
    : refuse('The failed row of the table cannot be identified: another row is identical.');
}

/** Can the value be what is written? What is computed can be anything. */
function says(written: GoExpression, told: Value, fields: readonly string[] | undefined): boolean {
  const value = pointedAt(told);
  if (written.kind === 'other') return true;
  if (written.kind !== 'composite') return saysValue(written, value);
  if (value.kind === 'opaque' || value.kind === 'error') return true;
  const { entries } = written;
  if (value.kind === 'array')
    return (
      entries.some(({ key }) => key !== undefined) ||
      (entries.length === value.items.length &&
        entries.every((entry, at) => says(entry.value, value.items[at] ?? { kind: 'null' }, undefined)))
    );
  if (value.kind === 'map') return entries.length === value.entries.length;
  if (value.kind !== 'object') return false;
  const now = new Map(value.entries);
  const names = namesOf(written, fields ?? value.entries.map(([name]) => name));
  return entries.every((entry, at) => {
    const is = now.get(names?.[at] ?? '');
    return is !== undefined && says(entry.value, is, undefined);
  });
}
