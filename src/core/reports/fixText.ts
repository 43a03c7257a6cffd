// One fix as a person reads it: what it does, how far it is proven, the changed lines, and why.
import type { CycleFix } from '../model/cycle.ts';
import { doubtsOf, type Fix, type Verdict } from '../model/fix.ts';
import { cutEnd, indent, plainLine, plural, wrapText } from './paint.ts';
import type { Paint } from './paint.ts';

export interface TextStyle {
  readonly paint: Paint;
  readonly width: number;
}

/** Title with mark, then trust and verdict, then the changed lines; no newline at the end. */
export function fixText(fix: CycleFix, style: TextStyle): string {
  const { paint, width } = style;
  const title = wrapText(plainLine(fix.title), width - 4).join('\n  ');
  const why = whyText(fix);
  return [
    `${fixMark(fix, paint)} ${paint.bold(title)}`,
    `  ${trustText(fix, paint)} ${paint.dim('·')} ${verdictText(fix.verdict, paint)}`,
    ...partsText(fix, style),
    ...(why ? wrapText(plainLine(why), width - 4).map((line) => `  ${line}`) : []),
    ...(fix.state === 'declined' && fix.verdict.verdict !== 'verified'
      ? []
      : [indent(changedLines(fix.diff, style, 2), 2)]),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** What is told of a fix below its title; empty where nothing is. */
export const whyText = (fix: Fix & { readonly verdict: Verdict }): string =>
  (fix.verdict.verdict === 'verified' ? stopText(fix) : fix.verdict.reason) ?? '';

/** The steps of a chain one by one: which of them mean what they meant, and which are a question. */
function partsText({ parts = [] }: Fix, { paint, width }: TextStyle): readonly string[] {
  return parts.flatMap((part, index) =>
    wrapText(`${index + 1}. ${plainLine(part.title)} (${trustNames[part.trust]})`, width - 4).map((line) =>
      paint.dim(`  ${line}`),
    ),
  );
}

function fixMark(fix: CycleFix, paint: Paint): string {
  if (fix.verdict.verdict === 'rejected') return paint.red('✗');
  if (fix.verdict.verdict === 'unverifiable') return paint.yellow('!');
  return fix.state === 'accepted' ? paint.green('✓') : paint.yellow('?');
}

const trustNames = {
  mechanical: 'mechanical: the meaning of the test stays',
  oracle: 'changed expectation: needs your approval',
  propose: 'proposal: only you can apply it',
} as const;

function trustText(fix: Fix, paint: Paint): string {
  if (fix.undeclared === true && fix.trust === 'oracle')
    return paint.yellow(
      `written by ${fix.origin?.author === 'agent' ? 'an agent' : 'a model'}: needs your approval`,
    );
  return fix.trust === 'mechanical' ? paint.cyan(trustNames.mechanical) : paint.yellow(trustNames[fix.trust]);
}

/** `verified (3 runs, scope file)`, `rejected · weakened`, `unverifiable · cannot tell`. */
export function verdictText(
  verdict: Pick<Verdict, 'verdict' | 'kind' | 'runs' | 'scope'>,
  paint: Paint,
): string {
  const runs = verdict.runs > 0 ? paint.dim(` (${plural(verdict.runs, 'run')}, scope ${verdict.scope})`) : '';
  const colour = { verified: paint.green, rejected: paint.red, unverifiable: paint.yellow }[verdict.verdict];
  const kind = verdict.kind === undefined ? '' : paint.dim(` · ${verdict.kind.replace('-', ' ')}`);
  return colour(verdict.verdict) + runs + kind;
}

/**
 * Why a person must look. Of a deletion what speaks for it, too: the diff shows only what would be gone; of a stranger's edit what they
 * say of it; of a proposal that nothing stopped what makes it one.
 */
function stopText(fix: Fix): string {
  if (fix.undeclared === true)
    return [...fix.evidence.slice(1), ...(fix.stops ?? []).map(({ reason }) => reason)].join(' ');
  if (fix.removesTests === true) return [...fix.evidence, fix.otherSide ?? ''].join(' ').trim();
  return doubtsOf(fix).join(' ');
}

const maximumLines = 24;

interface ShownLine {
  readonly sign: '-' | '+' | '';
  readonly text: string;
  /** The line before, or after, the change. */
  counterpart?: string;
}

/**
 * The changed lines of a unified diff under `file:line`, without context and headers; `margin` characters are taken already. Of a
 * long line the part that changed is shown.
 */
export function changedLines(diff: string, { paint, width }: TextStyle, margin = 0): string {
  const room = width - margin - 2;
  const lines: ShownLine[] = [];
  let removed: ShownLine[] = [];
  let file = '';
  let line = 0;
  let inChange = false;
  let inHunk = false;
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (hunk) {
      line = Number(hunk[2]);
      [inHunk, inChange] = [true, false];
    } else if (text.startsWith('diff --git ')) {
      inHunk = false;
    } else if (!inHunk) {
      if (text.startsWith('+++ ')) file = text.slice(4).replace(/^b\//, '');
    } else if (text.startsWith('-') || text.startsWith('+')) {
      if (!inChange) {
        lines.push({ sign: '', text: `${plainLine(file)}:${line}` });
        removed = [];
      }
      inChange = true;
      const shown: ShownLine = { sign: text.startsWith('-') ? '-' : '+', text: plainLine(text.slice(1)) };
      lines.push(shown);
      if (shown.sign === '-') removed.push(shown);
      else {
        const before = removed.shift();
        if (before) [before.counterpart, shown.counterpart] = [shown.text, before.text];
        line++;
      }
    } else if (!text.startsWith('\\')) {
      inChange = false;
      line++;
    }
  }
  const drawn = lines.slice(0, maximumLines).map(({ sign, text, counterpart = text }) => {
    if (sign === '') return paint.dim(text);
    const line = `${sign} ${cutAround(text, counterpart, room)}`;
    return sign === '-' ? paint.red(line) : paint.green(line);
  });
  if (lines.length > maximumLines) drawn.push(paint.dim(`… ${lines.length - maximumLines} more lines`));
  return drawn.join('\n');
}

/** The text cut so that the place where it differs from its counterpart is seen, with something before it. */
export function cutAround(text: string, counterpart: string, room: number): string {
  const [own, other] = [Array.from(text), Array.from(counterpart)];
  const longest = Math.max(own.length, other.length);
  if (longest <= room) return text;
  let end = 0;
  while (end < Math.min(own.length, other.length) && own.at(-1 - end) === other.at(-1 - end)) end++;
  // Both lines show the same part, as far as the change lets them.
  if (longest - end <= room - 1) return cutEnd(text, room);
  const same = own.findIndex((character, index) => character !== other[index]);
  const start = Math.min(Math.max(same - Math.floor(room / 3), 0), Math.max(longest - room + 1, 0));
  return start === 0 ? cutEnd(text, room) : cutEnd(`…${own.slice(start).join('')}`, room);
}
