// Numbers that come nearest to what the code gives, written as precisely as the test writes its own.
import type { Limit } from '../../syntax/javascript/predicates.ts';

/** The tightest limit with as many decimals as `written` that the value keeps; undefined where it cannot be told. */
export function nearestLimit(written: string, operator: Limit, value: number): string | undefined {
  const decimals = decimalsOf(written);
  if (decimals === undefined || !Number.isFinite(value)) return undefined;
  const scale = 10 ** decimals;
  const scaled = Number((value * scale).toPrecision(15));
  const nearest: Readonly<Record<Limit, number>> = {
    '<': Math.floor(scaled) + 1,
    '<=': Math.ceil(scaled),
    '>': Math.ceil(scaled) - 1,
    '>=': Math.floor(scaled),
  };
  // One further where the value only looks like the limit: 0.1 + 0.2 is more than 0.3.
  const step = operator.startsWith('<') ? 1 : -1;
  return [nearest[operator], nearest[operator] + step]
    .map((number) => (number / scale).toFixed(decimals))
    .find((text) => keeps(value, operator, Number(text)));
}

/** The value with as few decimals as `written` has, or as many more as it takes to be within the tolerance. */
export function nearestCentre(
  written: string,
  tolerance: number,
  inclusive: boolean,
  value: number,
): string | undefined {
  const least = decimalsOf(written);
  if (least === undefined || !Number.isFinite(value) || Math.abs(value) >= 1e15) return undefined;
  for (let decimals = least; decimals <= 17; decimals++) {
    const text = value.toFixed(decimals);
    const distance = Math.abs(value - Number(text));
    if (inclusive ? distance <= tolerance : distance < tolerance) return text;
  }
  return undefined;
}

function keeps(value: number, operator: Limit, limit: number): boolean {
  if (operator === '<') return value < limit;
  if (operator === '<=') return value <= limit;
  return operator === '>' ? value > limit : value >= limit;
}

/** How many digits stand behind the point; undefined for hexadecimal numbers, powers and the like. */
function decimalsOf(written: string): number | undefined {
  const plain = /^-?\s*[\d_]*(?:\.(\d*))?$/.exec(written);
  return plain === null || /^-?\s*0[\d_]/.test(written) ? undefined : (plain[1] ?? '').length;
}
