// What the fix-cycle panel and the extension say to each other; both sides parse what they get.
import { z } from 'zod';
import { cycleEventSchema } from '../core/model/cycle.ts';

/** What became of a fix in the workspace, beyond the cycle's own `state`. */
export const fixDecisionSchema = z.enum(['applied', 'bug', 'discarded', 'stale']);
export type FixDecision = z.infer<typeof fixDecisionSchema>;

/** Everything the panel shows that is not an event of the cycle. */
export const panelStateSchema = z.object({
  /** starting: the engine comes up · running · ended: with a report, or stopped · failed: `message` says why. */
  phase: z.enum(['starting', 'running', 'stopping', 'ended', 'failed']),
  /** Name of the workspace folder. */
  folder: z.string(),
  /** Decisions by fix id. */
  decisions: z.record(z.string(), fixDecisionSchema),
  /** An action is being carried out: buttons rest. */
  busy: z.boolean(),
  /** What happened last, for a line of text in the panel. */
  message: z.object({ level: z.enum(['info', 'warning', 'error']), text: z.string() }).optional(),
});
export type PanelState = z.infer<typeof panelStateSchema>;

/** What the panel keeps with `setState`, so that a reloaded window shows the cycle again. */
export const panelMementoSchema = z.object({
  root: z.string(),
  events: z.array(cycleEventSchema),
  state: panelStateSchema,
});
export type PanelMemento = z.infer<typeof panelMementoSchema>;

export const toPanelSchema = z.discriminatedUnion('type', [
  /** Start afresh: the answer to `ready`, and sent when a new cycle begins. Holds all events so far. */
  z.object({
    type: z.literal('reset'),
    root: z.string(),
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
  /** Apply every verified mechanical fix as one undoable edit. */
  z.object({ type: z.literal('applyMechanical') }),
  /** Accept one fix: an oracle fix, or a propose fix that a person takes. */
  z.object({ type: z.literal('accept'), fixId: z.string() }),
  /** Accept all verified oracle fixes with this same change of expectation. */
  z.object({ type: z.literal('acceptGroup'), old: z.string(), new: z.string() }),
  /** The expectation is right and the source is wrong. */
  z.object({ type: z.literal('bug'), fixId: z.string() }),
  /** Drop everything that is still on offer. */
  z.object({ type: z.literal('discard') }),
  /** Show what a fix changes in a diff editor. */
  z.object({ type: z.literal('openDiff'), fixId: z.string() }),
  /** Show a test in its file. */
  z.object({ type: z.literal('reveal'), testId: z.string() }),
  z.object({ type: z.literal('showLog') }),
]);
export type FromPanel = z.infer<typeof fromPanelSchema>;
