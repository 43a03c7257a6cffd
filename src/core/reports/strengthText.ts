// Tells on a text terminal what tests notice: each function with what none of its tests noticed, and the counts last.
import type { Paint } from './paint.ts';
import { plainLine, plural, shorten } from './paint.ts';

/** A planted bug with what became of it. */
interface ShownBug {
  readonly file: string;
  readonly line: number;
  readonly within?: string | undefined;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly fate: 'noticed' | 'unnoticed' | 'unreached' | 'untried';
}

interface StrengthView {
  readonly paint: Paint;
  readonly width: number;
}

export function strengthText(bugs: readonly ShownBug[], view: StrengthView): string {
  const blocks = [...grouped(bugs, ({ file }) => file)].map(([file, own]) => fileText(file, own, view));
  return [...blocks, totals(bugs, view)].join('\n\n') + '\n';
}

function fileText(file: string, bugs: readonly ShownBug[], view: StrengthView): string {
  const { paint } = view;
  const lines = [...grouped(bugs, ({ within = '(top of the file)' }) => within)].flatMap(([name, own]) => {
    const tried = own.filter(({ fate }) => fate === 'noticed' || fate === 'unnoticed');
    const noticed = tried.filter(({ fate }) => fate === 'noticed').length;
    const missed = own.filter(({ fate }) => fate === 'unnoticed');
    const isUnreached = tried.length === 0 && own.every(({ fate }) => fate === 'unreached');
    if (tried.length === 0 && !isUnreached)
      return [`  ${paint.dim('-')} ${plainLine(name)}  ${paint.dim('not tried')}`];
    const mark = isUnreached ? paint.yellow('○') : missed.length > 0 ? paint.yellow('!') : paint.green('✓');
    const said = isUnreached ? 'no test runs it' : `noticed ${noticed} of ${tried.length}`;
    return [`  ${mark} ${plainLine(name)}  ${paint.dim(said)}`, ...missed.map((bug) => bugLine(bug, view))];
  });
  return `${paint.bold(plainLine(file))}\n${lines.join('\n')}`;
}

function bugLine(bug: ShownBug, { paint, width }: StrengthView): string {
  const place = `      :${bug.line}`.padEnd(13);
  return `${paint.dim(place)}${shorten(changeText(bug), Math.max(30, width - 14))}`;
}

/** `a > b → a >= b`, `returns user, one value in it changed`. */
export function changeText({ kind, from, to }: Pick<ShownBug, 'kind' | 'from' | 'to'>): string {
  if (kind === 'Result') return `returns ${plainLine(from)}, ${to}`;
  if (kind === 'BlockStatement') return `does nothing: ${plainLine(from)}`;
  if (kind === 'RemovedCall') return `without ${plainLine(from)}`;
  return `${plainLine(from)} → ${plainLine(to)}`;
}

function totals(bugs: readonly ShownBug[], { paint }: StrengthView): string {
  const count = (fate: ShownBug['fate']): number => bugs.filter((bug) => bug.fate === fate).length;
  const [noticed, unnoticed, unreached, untried] = [
    count('noticed'),
    count('unnoticed'),
    count('unreached'),
    count('untried'),
  ];
  const tried = noticed + unnoticed;
  const share = tried === 0 ? '' : ` (${Math.floor((100 * noticed) / tried)} %)`;
  const rest = [
    ...(unreached > 0 ? [`${plural(unreached, 'more is', 'more are')} in code that no test runs`] : []),
    ...(untried > 0 ? [`${plural(untried, 'was', 'were')} not tried`] : []),
  ];
  const first =
    tried === 0
      ? 'No planted bug was tried.'
      : `Your tests notice ${noticed} of ${plural(tried, 'planted bug')}${share}.`;
  return [paint.bold(first), ...(rest.length > 0 ? [paint.dim(`${rest.join('; ')}.`)] : [])].join('\n');
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
