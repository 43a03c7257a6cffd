// A recorded cycle step by step: what the panel knew after each of its events, and what the event said.
import { afterIteration, type CycleEvent } from '../core/model/cycle.ts';
import { emptyModel, reduceEvents, type PanelModel } from './panelModel.ts';
import { counted, percent, sentenceOf } from './standing.ts';

export class Replay {
  readonly #events: readonly CycleEvent[];
  #step = 0;
  #model = emptyModel;

  constructor(events: readonly CycleEvent[]) {
    this.#events = events;
  }

  /** The last step; step 1 is the first event. */
  get length(): number {
    return this.#events.length;
  }

  /** The nearest step that there is; without one the last, which shows all. */
  stepAt(wanted: number | undefined): number {
    return Math.max(1, Math.min(wanted ?? this.length, this.length));
  }

  /** What the first `step` events tell. */
  modelAt(step: number): PanelModel {
    const isLater = step >= this.#step;
    const before = isLater ? this.#model : emptyModel;
    this.#model = reduceEvents(before, this.#events.slice(isLater ? this.#step : 0, step));
    this.#step = step;
    return this.#model;
  }

  /** What happened in a step. */
  textAt(step: number): string {
    const event = this.#events[step - 1];
    return event === undefined ? '' : eventText(event, this.modelAt(step));
  }
}

const verdicts = { verified: 'Verified', rejected: 'Rejected', unverifiable: 'Not proven' };

/** One line for an event; `model` is what is known with it. */
function eventText(event: CycleEvent, model: PanelModel): string {
  switch (event.type) {
    case 'cycleStarted':
      return 'The cycle starts';
    case 'progress':
      return sentenceOf(event.text);
    case 'warned':
      return event.text;
    case 'testsFailed':
      return `${counted(event.tests.length, 'test')} failed`;
    case 'iterationStarted':
      return `Iteration ${event.iteration} begins: ${event.strategy}`;
    case 'testsFailing':
      return event.tests.length === 0
        ? 'No test fails'
        : `${counted(event.tests.length, 'test')} ${event.tests.length === 1 ? 'fails' : 'fail'}`;
    case 'fixProposed':
      return `On trial: ${event.fix.title}`;
    case 'fixJudged':
      return `${verdicts[event.fix.verdict.verdict]}: ${event.fix.title}`;
    case 'fixRolledBack':
      return `Rolled back: ${model.fixes.get(event.fixId)?.title ?? event.fixId}`;
    case 'iterationEnded':
      return `Iteration ${event.record.iteration} ends: ${percent(afterIteration(event.record).pass_rate)} pass`;
    case 'cycleEnded':
      return 'The cycle ends';
  }
}
