// What the fix-cycle panel and the extension say to each other; both sides parse what they get.
import { z } from 'zod';
import { cycleEventSchema, type CycleEvent } from '../core/model/cycle.ts';

/** What became of a fix in the workspace, beyond the cycle's own `state`; takenBack: it was applied, and did not help there. */
export const fixDecisionSchema = z.enum(['applied', 'bug', 'discarded', 'stale', 'takenBack']);
export type FixDecision = z.infer<typeof fixDecisionSchema>;

/** What the tests of applied fixes did when they ran again in the workspace. */
export const rerunSchema = z.object({
  running: z.boolean(),
  /** By test id; a test that is missing has not run since its fix was applied. */
  outcomes: z.record(z.string(), z.enum(['passed', 'failed'])),
});
export type Rerun = z.infer<typeof rerunSchema>;

export const panelMessageSchema = z.object({ level: z.enum(['info', 'warning', 'error']), text: z.string() });
export type PanelMessage = z.infer<typeof panelMessageSchema>;

/** Where the cycle comes from that is only looked at. */
const recordingSchema = z.object({
  /** Its name. */
  file: z.string(),
  /** The folder that the cycle ran in, perhaps on another machine. */
  root: z.string(),
  /** What is missing at its end, as a sentence. */
  missing: z.string().optional(),
});

/** Everything the panel shows that is not an event of the cycle. */
const panelStateSchema = z.object({
  /** starting: the engine comes up · running · ended: with a report, or stopped · failed: `message` says why. */
  phase: z.enum(['starting', 'running', 'stopping', 'ended', 'failed']),
  /** Name of the workspace folder. */
  folder: z.string(),
  /** When the cycle that runs was asked for, ms since 1970; absent for one that is shown again. */
  startedAt: z.number().optional(),
  /** Decisions by fix id. */
  decisions: z.record(z.string(), fixDecisionSchema),
  /** Decisions are being carried out: the buttons that were pressed rest. */
  busy: z.boolean(),
  /** It was cut off before its end, with fixes that are proven: it may be taken up again. */
  cutOff: z.boolean().optional(),
  rerun: rerunSchema,
  /** It is shown in a chat, which opens no files and runs no cycles; proven fixes alone can be applied there. */
  inChat: z.boolean().optional(),
  /** There for a recorded cycle: nothing is decided about it. */
  recording: recordingSchema.optional(),
  /** The test whose card was copied last. */
  copied: z.string().optional(),
  /** What happened last, for a line of text in the panel. */
  message: panelMessageSchema.optional(),
});
export type PanelState = z.infer<typeof panelStateSchema>;

export const emptyPanelState: PanelState = {
  phase: 'starting',
  folder: '',
  decisions: {},
  busy: false,
  rerun: { running: false, outcomes: {} },
};

/** What the panel keeps with `setState`: which cycle it shows. The cycle itself is kept by the extension. */
export const panelMementoSchema = z.object({ root: z.string(), cycleId: z.string() });

export const toPanelSchema = z.discriminatedUnion('type', [
  /** Start afresh: the answer to `ready`, and sent when a new cycle begins. Holds all events that last; of a recording all. */
  z.object({
    type: z.literal('reset'),
    root: z.string(),
    cycleId: z.string(),
    state: panelStateSchema,
    events: z.array(cycleEventSchema),
  }),
  /** Further events, in order. */
  z.object({ type: z.literal('events'), events: z.array(cycleEventSchema) }),
  z.object({ type: z.literal('state'), state: panelStateSchema }),
]);
export type ToPanel = z.infer<typeof toPanelSchema>;

export const fromPanelSchema = z.discriminatedUnion('type', [
  /** The script runs and wants its `reset`. */
  z.object({ type: z.literal('ready') }),
  /** Stop the cycle; what is verified so far stays on offer. */
  z.object({ type: z.literal('stop') }),
  /** Run the cycle again with the same scope. */
  z.object({ type: z.literal('restart') }),
  /** Take the cycle up again that was cut off, or forget it. */
  z.object({ type: z.literal('takeUp') }),
  z.object({ type: z.literal('forget') }),
  /** Apply every verified mechanical fix as one undoable edit. */
  z.object({ type: z.literal('applyMechanical') }),
  /** Accept one fix: an oracle fix, or a propose fix that a person takes. */
  z.object({ type: z.literal('accept'), fixId: z.string() }),
  /** Accept those of these fixes that are proven and not decided, as one undoable edit. */
  z.object({ type: z.literal('acceptAll'), fixIds: z.array(z.string()) }),
  /** The expectation is right and the source is wrong. */
  z.object({ type: z.literal('bug'), fixId: z.string() }),
  /** Offer a discarded fix again. */
  z.object({ type: z.literal('reopen'), fixId: z.string() }),
  /** Drop everything that is still on offer. */
  z.object({ type: z.literal('discard') }),
  /** Show what a fix changes in a diff editor. */
  z.object({ type: z.literal('openDiff'), fixId: z.string() }),
  /** Show a test in its file. */
  z.object({ type: z.literal('reveal'), testId: z.string() }),
  /** Show the change of the source that is told beside a fix, or the one so far down the list of a failing test. */
  z.object({ type: z.literal('openFixSource'), fixId: z.string() }),
  z.object({ type: z.literal('openSource'), testId: z.string(), index: z.number().int().min(0) }),
  /** Copy what is known of failing tests, which fail alike. */
  z.object({ type: z.literal('copyHandOver'), testIds: z.array(z.string()) }),
  z.object({ type: z.literal('showLog') }),
]);
export type FromPanel = z.infer<typeof fromPanelSchema>;

/**
 * The events from which a panel shows the same as from all of these: progress is for the moment only, and what an ended
 * cycle reports stands for what it told on the way.
 */
export function lastingEvents(events: readonly CycleEvent[]): CycleEvent[] {
  const ended = events.some(({ type }) => type === 'cycleEnded');
  const failing = events.findLast(({ type }) => type === 'testsFailing');
  return events.filter((event) => {
    if (event.type === 'progress') return false;
    if (event.type === 'testsFailing') return event === failing;
    // They are among those.
    if (event.type === 'testsFailed' && failing !== undefined) return false;
    return !ended || event.type === 'cycleStarted' || event.type === 'cycleEnded';
  });
}
