// Signs that an actual value of Go is a bug or belongs to this one run, beside those that hold for every language.
import { valueStops, type Stop } from '../../diagnosis/valueStops.ts';
import type { Value } from '../../model/value.ts';

/** What no test may expect, since it is another one on each machine or in each run. */
export function bindsToRun(actual: Value, expected: Value, root: string): string | undefined {
  const [old, now] = [textsIn(expected), textsIn(actual)];
  if (now.includes(root.replaceAll('\\', '/')) || (/\/tmp\//.test(now) && !/\/tmp\//.test(old)))
    return 'The new value holds a folder of this run, which differs from machine to machine.';
  if (/\b0xc[\da-f]{9,}\b/.test(now))
    return 'The new value holds the address of something, which differs from run to run.';
  return undefined;
}

/** `asked`: the source of the actual side. */
export function goStops(actual: Value, expected: Value, asked: string): readonly Stop[] {
  const stop = (reason: string): Stop => ({ kind: 'value', reason });
  const stops: Stop[] = valueStops({ matcher: '!=', actual, expected }).map((one) => ({
    ...one,
    reason: one.reason.replaceAll(/\bnull\b/g, 'nil'),
  }));
  const old = textsIn(expected);
  for (const sign of new Set(textsIn(actual).match(faults) ?? []))
    if (!old.includes(sign)) stops.push(stop(`The actual text contains "${sign}".`));
  if (/^(?:len|cap)\s*\(/.test(asked) && actual.kind === 'number' && actual.text === '0')
    stops.push(stop('The value is empty where values were expected.'));
  if (
    /(?:^|\W)(?:\w*[Cc]all(?:s|ed|Count)|\w*[Cc]ount(?:Of)?Calls|times|\w*Times|hits|\w*Hits|attempts)(?:\(\))?$/.test(
      asked,
    )
  )
    stops.push(stop('How often something is called is what the code does.'));
  if (/(?:^|[.\W])(?:\w*(?:[Cc]ode|Status|status))(?:\(\))?$/.test(asked))
    stops.push(
      stop('Whether something succeeds is what the code does: another code of it is no mere value.'),
    );
  return stops;
}

/** What broken code leaves in a text: values that fmt could not print, nothing, what a panic says. */
const faults = /%!\w?\(|<nil>|\bnil pointer\b|\bruntime error\b|\bpanic:|\bgoroutine \d+|\b[Ee]rror: /g;

function textsIn(value: Value): string {
  switch (value.kind) {
    case 'string':
      return value.value;
    case 'error':
      return value.message;
    case 'array':
    case 'set':
      return value.items.map(textsIn).join('\n');
    case 'object':
      return value.entries.map(([, one]) => textsIn(one)).join('\n');
    case 'map':
      return value.entries.flatMap((pair) => pair.map(textsIn)).join('\n');
    default:
      return '';
  }
}
