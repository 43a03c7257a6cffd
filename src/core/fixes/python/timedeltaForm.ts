// A span of time in the units that the test writes it in: `timedelta(hours=1)`, `timedelta(1, 30)`.
import type { PythonLiteral, WrittenArgument } from '../../syntax/python/pythonLiteral.ts';
import { refuse } from '../assertion/literalChange.ts';
import type { CallLiteral, Form } from './formRequest.ts';

const places = ['days', 'seconds', 'microseconds', 'milliseconds', 'minutes', 'hours', 'weeks'] as const;
const second = 1_000_000n;
const microseconds: ReadonlyMap<string, bigint> = new Map([
  ['weeks', 604_800n * second],
  ['days', 86_400n * second],
  ['hours', 3_600n * second],
  ['minutes', 60n * second],
  ['seconds', second],
  ['milliseconds', 1000n],
  ['microseconds', 1n],
]);

/** `total` in microseconds. Larger units take what they can; what is left goes to a further one, by its name. */
export function timedeltaForm(like: CallLiteral, total: string): Form {
  if (!/^-?\d+$/.test(total)) return refuse('The timedelta is not known.');
  const sign = total.startsWith('-') ? -1n : 1n;
  let rest = BigInt(total) * sign;
  const units = like.args.map(({ name }, index) => name ?? places[index] ?? '');
  const [only] = units;
  const given = like.args[0];
  if (units.length === 1 && only !== undefined && given?.value.kind === 'float') {
    const size = microseconds.get(only) ?? 1n;
    const value = Number(BigInt(total)) / Number(size);
    if (BigInt(Math.round(value * Number(size))) !== BigInt(total))
      return refuse('The timedelta cannot be expressed with this number.');
    return {
      ...like,
      args: [{ ...given, value: { kind: 'float', value: String(value), start: 0, end: 0 } }],
    };
  }
  const numbers = new Map<string, PythonLiteral>();
  for (const [unit, size] of microseconds) {
    const isGiven = units.includes(unit);
    // What no unit of the test divides goes to the largest one below that does.
    const isNeeded = units.every((one) => numbers.has(one)) && rest > 0n && rest % size === 0n;
    if (!isGiven && !isNeeded) continue;
    numbers.set(unit, { kind: 'int', value: String((rest / size) * sign), start: 0, end: 0 });
    rest %= size;
  }
  if (rest !== 0n || units.some((unit) => !numbers.has(unit)))
    return refuse('The timedelta cannot be expressed in these units.');
  const args: WrittenArgument[] = [];
  for (const [index, unit] of units.entries()) {
    const value = numbers.get(unit);
    if (value !== undefined) args.push({ name: like.args[index]?.name, value });
  }
  for (const [unit, value] of numbers) if (!units.includes(unit)) args.push({ name: unit, value });
  return { ...like, args };
}
