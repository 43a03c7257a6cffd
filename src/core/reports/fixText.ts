// One fix as a person reads it: what it does, how far it is proven, the changed lines, and why.
import type { CycleFix } from '../model/cycle.ts';
import type { Fix, Verdict } from '../model/fix.ts';
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
  const why = fix.verdict.verdict === 'verified' ? stopText(fix) : fix.verdict.reason;
  return [
    `${fixMark(fix, paint)} ${paint.bold(title)}`,
    `  ${trustText(fix, paint)} ${paint.dim('·')} ${verdictText(fix.verdict, paint)}`,
    ...(why ? wrapText(plainLine(why), width - 4).map((line) => `  ${line}`) : []),
    ...(fix.state === 'declined' && fix.verdict.verdict !== 'verified'
      ? []
      : [indent(changedLines(fix.diff, style, 2), 2)]),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function fixMark(fix: CycleFix, paint: Paint): string {
  if (fix.verdict.verdict === 'rejected') return paint.red('✗');
  if (fix.verdict.verdict === 'unverifiable') return paint.yellow('!');
  return fix.state === 'accepted' ? paint.green('✓') : paint.yellow('?');
}

const trustNames = {
  mechanical: 'mechanical: the meaning stays',
  oracle: 'changed expectation: needs your yes',
  propose: 'proposal: only by hand',
} as const;

function trustText(fix: Fix, paint: Paint): string {
  return fix.trust === 'mechanical' ? paint.cyan(trustNames.mechanical) : paint.yellow(trustNames[fix.trust]);
}

/** `verified (3 runs of the file)`, `rejected`, `unverifiable`. */
export function verdictText(verdict: Pick<Verdict, 'verdict' | 'runs' | 'scope'>, paint: Paint): string {
  const runs = verdict.runs > 0 ? paint.dim(` (${plural(verdict.runs, 'run')}, scope ${verdict.scope})`) : '';
  const colour = { verified: paint.green, rejected: paint.red, unverifiable: paint.yellow }[verdict.verdict];
  return colour(verdict.verdict) + runs;
}

function stopText(fix: Fix): string | undefined {
  return fix.stops?.length ? fix.stops.map((stop) => stop.reason).join(' ') : undefined;
}

const maximumLines = 24;

/** The changed lines of a unified diff under `file:line`, without context and headers; `margin` characters are taken already. */
export function changedLines(diff: string, { paint, width }: TextStyle, margin = 0): string {
  const room = width - margin - 2;
  const lines: string[] = [];
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
      if (!inChange) lines.push(paint.dim(`${plainLine(file)}:${line}`));
      inChange = true;
      const cut = cutEnd(plainLine(text.slice(1)), room);
      lines.push(text.startsWith('-') ? paint.red(`- ${cut}`) : paint.green(`+ ${cut}`));
      if (text.startsWith('+')) line++;
    } else if (!text.startsWith('\\')) {
      inChange = false;
      line++;
    }
  }
  return lines.length <= maximumLines
    ? lines.join('\n')
    : [...lines.slice(0, maximumLines), paint.dim(`… ${lines.length - maximumLines} more lines`)].join('\n');
}
