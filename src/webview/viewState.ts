// What the user did to the view itself: filter, folded cards, place and focus; kept over hide and reload.
import { z } from 'zod';
import { panelMementoSchema } from './messages.ts';

const filterKinds = ['all', 'decide', 'failing', 'decided'] as const;
export type FilterKind = (typeof filterKinds)[number];

const viewStateSchema = panelMementoSchema.extend({
  show: z.enum(filterKinds).default('all'),
  search: z.string().default(''),
  /** The event of a recording that was gone to; without it the last. */
  step: z.number().int().optional(),
  /** Cards that the user opened or folded, by key; the others stand as the panel thinks best. */
  unfolded: z.record(z.string(), z.boolean()).default({}),
  /** The card at the top of the window and how far its top is from there, px. */
  place: z.object({ key: z.string(), offset: z.number() }).optional(),
  /** The card, and within it the control, that has the focus. */
  focus: z.object({ key: z.string(), control: z.string().optional() }).optional(),
});
export type ViewState = z.infer<typeof viewStateSchema>;

/** A burst of changes is kept once, after this time, ms. */
const keepAfterMs = 100;

export class KeptView {
  readonly #save: (state: ViewState) => void;
  #state: ViewState;
  #timer: number | undefined;

  constructor(kept: unknown, save: (state: ViewState) => void) {
    const parsed = viewStateSchema.safeParse(kept);
    this.#state = parsed.success ? parsed.data : fresh('', '');
    this.#save = save;
  }

  get state(): ViewState {
    return this.#state;
  }

  /** Another cycle begins with a view of its own; the same one goes on with what was kept. True for another one. */
  show(root: string, cycleId: string): boolean {
    if (this.#state.cycleId === cycleId && this.#state.root === root) return false;
    this.#state = fresh(root, cycleId);
    this.#save(this.#state);
    return true;
  }

  change(change: Partial<ViewState>): void {
    this.#state = { ...this.#state, ...change };
    this.#timer ??= window.setTimeout(() => this.flush(), keepAfterMs);
  }

  flush(): void {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#save(this.#state);
  }
}

function fresh(root: string, cycleId: string): ViewState {
  return { root, cycleId, show: 'all', search: '', unfolded: {} };
}
