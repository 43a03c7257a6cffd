// A cycle under review in a chat: what a person decides there, carried out by the tools of our server.
import type { z } from 'zod';
import { acceptedFixesSchema, reviewSchema } from '../core/model/review.ts';
import type { CycleFix } from '../core/model/cycle.ts';
import type { ChatHost } from './chatHost.ts';
import { emptyPanelState, type FromPanel, type PanelState, type ToPanel } from './messages.ts';
import { isVerified } from './panelModel.ts';

type Host = Pick<ChatHost, 'callTool' | 'tellModel'>;
type Show = (message: ToPanel) => void;

export class ChatReview {
  readonly #host: Host;
  readonly #show: Show;
  readonly #review: z.infer<typeof reviewSchema>;
  readonly #cycleId: string;
  #state: PanelState;
  /** Decisions are carried out one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** The review of a cycle, shown. Throws what `callTool` throws. */
  static async open(host: Host, show: Show, cycleId: string, root: string | undefined): Promise<ChatReview> {
    const told = await host.callTool('get_review', { cycleId, ...(root !== undefined && { root }) });
    return new ChatReview(host, show, cycleId, reviewSchema.parse(told));
  }

  private constructor(host: Host, show: Show, cycleId: string, review: z.infer<typeof reviewSchema>) {
    this.#host = host;
    this.#show = show;
    this.#cycleId = cycleId;
    this.#review = review;
    const { root, folder, report, became } = review;
    this.#state = { ...emptyPanelState, phase: 'ended', folder, inChat: true, decisions: became };
    show({ type: 'reset', root, cycleId, state: this.#state, events: [{ type: 'cycleEnded', report }] });
  }

  /** What opens files or runs cycles has no button in a chat. */
  decide(message: FromPanel): void {
    const open = this.#review.report.fixes.filter(({ id }) => this.#state.decisions[id] === undefined);
    if (message.type === 'accept') this.#accept([message.fixId]);
    else if (message.type === 'acceptAll') this.#accept(message.fixIds);
    else if (message.type === 'applyMechanical')
      this.#accept(open.filter((fix) => fix.trust === 'mechanical' && isVerified(fix)).map(({ id }) => id));
    else if (message.type === 'bug') this.#note([message.fixId], 'bug');
    else if (message.type === 'discard')
      this.#note(
        open.map(({ id }) => id),
        'discarded',
      );
    else if (message.type === 'reopen') this.#note([message.fixId], undefined);
  }

  #accept(fixIds: readonly string[]): void {
    this.#waiting += 1;
    this.#change({ busy: true, rerun: { ...this.#state.rerun, running: true } });
    this.#turn = this.#turn.then(() => this.#apply(fixIds));
  }

  async #apply(fixIds: readonly string[]): Promise<void> {
    const { root } = this.#review;
    const { decisions, rerun } = this.#state;
    let change: Partial<PanelState>;
    try {
      const told = await this.#host.callTool('accept_fixes', { cycleId: this.#cycleId, fixIds, root });
      const { became, outcomes, notes } = acceptedFixesSchema.parse(told);
      const [note] = notes;
      change = {
        decisions: { ...decisions, ...this.#state.decisions, ...became },
        rerun: { running: false, outcomes: { ...rerun.outcomes, ...outcomes } },
        message: note === undefined ? undefined : { level: 'info', text: note },
      };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      change = { message: { level: 'error', text } };
    }
    this.#waiting -= 1;
    const isOver = this.#waiting === 0;
    const { outcomes } = change.rerun ?? rerun;
    this.#change({ ...change, busy: !isOver, rerun: { running: !isOver, outcomes } });
    this.#tellModel();
  }

  #note(ids: readonly string[], decision: 'bug' | 'discarded' | undefined): void {
    const decisions = { ...this.#state.decisions };
    for (const id of ids) {
      if (decision === undefined) delete decisions[id];
      else decisions[id] = decision;
    }
    this.#change({ decisions });
    this.#tellModel();
  }

  #change(change: Partial<PanelState>): void {
    this.#state = { ...this.#state, ...change };
    this.#show({ type: 'state', state: this.#state });
  }

  /** The agent goes on with what the person decided, not with what it thinks best. */
  #tellModel(): void {
    const lines = this.#review.report.fixes.flatMap((fix) => this.#told(fix) ?? []);
    const text = ['What the person decided in the review of the fixes:', ...lines].join('\n');
    this.#host.tellModel(lines.length === 0 ? 'The person took back what was decided in the review.' : text);
  }

  #told({ id, title }: CycleFix): string | undefined {
    const decision = this.#state.decisions[id];
    return decision === undefined ? undefined : `- ${id} (${title}): ${decisionTexts[decision]}`;
  }
}

const decisionTexts = {
  applied: 'applied; it is in its files',
  bug: 'not applied: the test is right, and the source is wrong',
  discarded: 'turned down',
  stale: 'not applied: its files changed after it was proven',
  takenBack: 'taken back: its test still failed on disk',
};
