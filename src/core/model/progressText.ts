// The words for how far a cycle is, the same in the panel and in a terminal.
import type { CycleEvent } from './cycle.ts';

type Progress = Extract<CycleEvent, { type: 'progress' }>;

/** `running 13 test files before any fix · 5 of 13 · about 20 s left` */
export function progressText({ text, leftMs, ...step }: Progress): string {
  return [text, countText(step), leftText(leftMs)].filter((part) => part !== '').join(' · ');
}

/** `5 of 13`; empty where nothing is counted. */
export function countText({ done, total }: Pick<Progress, 'done' | 'total'>): string {
  return total === undefined || total < 2 ? '' : `${done ?? 0} of ${total.toLocaleString('en')}`;
}

/** Rounded, as a guess is; empty where there is none, and where it is over soon. */
export function leftText(leftMs: number | undefined): string {
  if (leftMs === undefined || leftMs < 2_500) return '';
  const seconds = Math.ceil(leftMs / 5_000) * 5;
  return `about ${seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`;
}
