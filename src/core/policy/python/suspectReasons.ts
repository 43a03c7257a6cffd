// Why a value that a Python test expects now is one that broken code gives as well: by the stops of changed expectations.
import { literalStops } from '../../diagnosis/valueStops.ts';
import { pythonValueStops, valueOf } from '../../fixes/python/pythonStops.ts';
import type { ExpectationKind } from '../../syntax/python/expectedParts.ts';
import { readPythonValue, sameLiteral, type ValueNames } from '../../syntax/python/pythonLiteral.ts';
import { withRenamedKeys } from '../suspectValue.ts';

interface PythonChange {
  readonly kind: ExpectationKind;
  /** The literals as a whole, or pieces of one without quotes. */
  readonly before: string;
  readonly after: string;
  /** The source of what is compared with it. */
  readonly asked: string;
}

export function suspectReasons(
  { kind, before, after, asked }: PythonChange,
  names: ValueNames,
): readonly string[] {
  if (before === after) return [];
  if (kind === 'piece' || kind === 'pieceIn') {
    // Where nothing stands between two values of an f-string, something may come: the text was not empty.
    const around = before === '' ? '…' : '';
    return literalStops(
      { kind: 'string', value: around + before },
      { kind: 'string', value: around + after },
      '',
    ).map(({ reason }) => reason);
  }
  const was = readPythonValue(before, 0, before.length, names);
  const is = readPythonValue(after, 0, after.length, names);
  if (was === undefined || is === undefined || sameLiteral(was, is)) return [];
  const known = withRenamedKeys(valueOf(was), valueOf(is));
  return [...new Set(pythonValueStops(is, was, asked, known).map(({ reason }) => reason))];
}
