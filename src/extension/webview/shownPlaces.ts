// Places that a cycle told, by what the panel asks for: the panel names no file by itself.
import type { CycleEvent, Remaining } from '../../core/model/cycle.ts';
import type { FromPanel } from '../../webview/messages.ts';
import { fixesOf } from './offeredFixes.ts';

export interface ShownPlace {
  /** Relative to the root of the cycle. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export type SourceMessage = Extract<FromPanel, { type: 'openSource' | 'openFixSource' }>;

/** The change of the source beside a fix or a failing test. */
export function sourcePlace(message: SourceMessage, events: readonly CycleEvent[]): ShownPlace | undefined {
  if (message.type === 'openSource')
    return remainingOf(events).find(({ id }) => id === message.testId)?.handOver?.sourceChanges[
      message.index
    ];
  // Also one that was taken back, or that the report no longer has.
  const judged = events.flatMap((event) => (event.type === 'fixJudged' ? [event.fix] : []));
  return [...fixesOf(events), ...judged].find(({ id }) => id === message.fixId)?.sourceChange?.location;
}

/** A failing test, as it was told last. */
export function testPlace(id: string, events: readonly CycleEvent[]): ShownPlace | undefined {
  const told = events.flatMap((event) =>
    event.type === 'testsFailing' || event.type === 'testsFailed' ? event.tests : [],
  );
  const place = told.findLast((test) => test.id === id);
  if (place !== undefined) return place;
  const left = remainingOf(events).find((test) => test.id === id);
  return left === undefined ? undefined : { file: left.file, line: left.handOver?.test.line ?? 1 };
}

/** Tests that failed to the end. */
export function remainingOf(events: readonly CycleEvent[]): readonly Remaining[] {
  return events.flatMap((event) => (event.type === 'cycleEnded' ? event.report.remaining : []));
}
