// Signs that an actual value of Go is a bug or belongs to this one run, beside those that hold for every language.
import { askedNames } from '../../diagnosis/outcomeNames.ts';
import { literalStops, type Stop } from '../../diagnosis/valueStops.ts';
import type { Value } from '../../model/value.ts';

/** What no test may expect, since it is another one on each machine or in each run. */
export function bindsToRun(actual: Value, expected: Value, root: string): string | undefined {
  const [old, now] = [textsIn(expected), textsIn(actual)];
  if (now.includes(root.replaceAll('\\', '/')) || (/\/tmp\//.test(now) && !/\/tmp\//.test(old)))
    return 'The new value contains a folder of this run, which differs from machine to machine.';
  if (/\b0xc[\da-f]{9,}\b/.test(now))
    return 'The new value contains a memory address, which differs from run to run.';
  return undefined;
}

interface GoChange {
  readonly actual: Value;
  readonly expected: Value;
  /** The sources of the actual side, of what its names were given, and the names of what is expected. */
  readonly asked: readonly string[];
  /** Does the test file count it up? */
  readonly isCounted: boolean;
  /** Where in the whole value it stands; the whole itself by default. */
  readonly path?: string;
}

export function goStops({ actual, expected, asked, isCounted, path = '' }: GoChange): readonly Stop[] {
  const stop = (reason: string): Stop => ({ kind: 'value', reason });
  const names = asked.map(lastName);
  const known = [...names, ...asked.flatMap(askedNames)];
  const stops: Stop[] = literalStops(expected, actual, path, known).map((one) => ({
    ...one,
    reason: one.reason.replaceAll(/\bnull\b/g, 'nil'),
  }));
  const old = textsIn(expected);
  for (const sign of new Set(textsIn(actual).match(faults) ?? []))
    if (!old.includes(sign)) stops.push(stop(`The actual text contains "${sign}".`));
  if (isCounted || names.some((name) => callCount.test(name)))
    stops.push(stop('The number of calls is behavior, not just a value.'));
  return stops;
}

/** `calls`, `f.sendCalls`, `count`, `timesRun`; not `account`, `discount`. */
const callCount =
  /^(?:(?:\w*_)?(?:calls?|called|counts?|counter|times|hits|attempts|invocations|retries)|\w*(?:Calls?|Called|Counts?|Counter|Times|Hits|Attempts|Invocations|Retries)|(?:call|calls|count|times)[A-Z_]\w*)$/;

/** The name that a value is asked for last: `calls` of `len(f.calls)`, `f.calls[0]`, `atomic.LoadInt32(&f.calls)`, `f.calls.Load()`. */
function lastName(asked: string): string {
  let text = asked.trim();
  for (let before = ''; before !== text;) {
    before = text;
    text = text
      .replace(/^(?:len|cap|string|u?int\d*|float\d+|atomic\.Load\w+)\s*\(([^]*)\)$/, '$1')
      .replace(/\[[^\]]*\]$|\.(?:Load|String|Int64|Value)\(\)$|\(\)$/, '')
      .trim();
  }
  return /(\w+)$/.exec(text)?.[1] ?? '';
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
