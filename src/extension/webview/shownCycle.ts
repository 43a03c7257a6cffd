// One cycle in the panel: what it tells and what becomes of its fixes is kept in its journal, then shown.
import type * as vscode from 'vscode';
import { errorMessage } from '../../core/base/humanError.ts';
import type { CycleEvent, CycleFix } from '../../core/model/cycle.ts';
import {
  emptyPanelState,
  type FixDecision,
  type PanelMessage,
  type PanelState,
  type Rerun,
} from '../../webview/messages.ts';
import {
  CycleJournal,
  type CycleIdentity,
  type CycleScope,
  type KeptCycle,
  type Writing,
} from './cycleJournal.ts';
import type { CyclePanel } from './cyclePanel.ts';
import { stateOf } from './keptState.ts';
import { canBeTakenUp, fixesOf } from './offeredFixes.ts';

export interface Keeping {
  /** Folder of the extension for what must outlive the window. */
  readonly storage: string;
  readonly log: vscode.LogOutputChannel;
}

/** When the panel has gone on to another cycle, this one is kept further, and shown no more. */
export class ShownCycle {
  readonly cycleId: string;
  readonly scope: CycleScope;
  readonly #panel: CyclePanel;
  readonly #log: vscode.LogOutputChannel;
  #journal: CycleJournal | undefined;
  #bases: Readonly<Record<string, string>> = {};

  private constructor(panel: CyclePanel, { cycleId, root, files }: CycleIdentity, { log }: Keeping) {
    this.cycleId = cycleId;
    this.scope = { root, ...(files === undefined ? {} : { files }) };
    this.#panel = panel;
    this.#log = log;
  }

  /** A new cycle, before its first event. */
  static begin(panel: CyclePanel, identity: CycleIdentity, keeping: Keeping): ShownCycle {
    const cycle = new ShownCycle(panel, identity, keeping);
    panel.reset(
      identity.root,
      identity.cycleId,
      { ...emptyPanelState, folder: identity.folder, startedAt: Date.now() },
      [],
    );
    cycle.#open(() => CycleJournal.begin(keeping.storage, identity));
    return cycle;
  }

  /** A cycle of an earlier window, as its journal has it; `isInPlace`: fixes are tried in the workspace itself. */
  static takeUp(panel: CyclePanel, kept: KeptCycle, keeping: Keeping, isInPlace: boolean): ShownCycle {
    const cycle = new ShownCycle(panel, kept, keeping);
    panel.reset(kept.root, kept.cycleId, stateOf(kept, isInPlace), kept.events);
    cycle.#bases = kept.bases;
    cycle.#open(() => CycleJournal.continue(keeping.storage, kept));
    return cycle;
  }

  get root(): string {
    return this.scope.root;
  }

  get events(): readonly CycleEvent[] {
    return this.#isShown ? this.#panel.events : [];
  }

  get fixes(): readonly CycleFix[] {
    return fixesOf(this.events);
  }

  get state(): PanelState {
    return this.#isShown ? this.#panel.state : emptyPanelState;
  }

  /** Texts of files before the first fix of the cycle was written into them. */
  get bases(): Readonly<Record<string, string>> {
    return this.#bases;
  }

  take(events: readonly CycleEvent[]): void {
    this.#keep((journal) => journal.events(events));
    if (!this.#isShown) return;
    this.#panel.addEvents(events);
    if (this.state.phase === 'starting') this.show({ phase: 'running' });
  }

  over(phase: 'ended' | 'failed', message?: PanelMessage): void {
    this.#keep((journal) => journal.over(phase, message));
    this.show({ phase, cutOff: false, ...(message === undefined ? {} : { message }) });
  }

  /** The engine stopped: the journal has no end. */
  cutOff(message: PanelMessage): void {
    this.show({ phase: 'failed', cutOff: canBeTakenUp(this.events), message });
  }

  /** It never began: another cycle is shown in its place. */
  forget(): void {
    this.#keep((journal) => journal.remove());
    this.#journal = undefined;
  }

  /** null takes a decision back. */
  decide(ids: readonly string[], decision: FixDecision | null): void {
    if (ids.length === 0) return;
    const entries = ids.map((id) => [id, decision] as const);
    this.#keep((journal) => journal.decided(Object.fromEntries(entries)));
    const decisions = { ...this.state.decisions };
    for (const [id, decided] of entries) {
      if (decided === null) delete decisions[id];
      else decisions[id] = decided;
    }
    this.show({ decisions });
  }

  /** Fixes are about to be written; `bases` are the texts of files that are written for the first time. */
  writing(writing: Writing, bases: Readonly<Record<string, string>>): void {
    this.#bases = { ...bases, ...this.#bases };
    this.#keep((journal) => journal.bases(bases));
    this.#keep((journal) => journal.writing(writing));
  }

  /** The writing was seen through, whichever way. */
  wrote(): void {
    this.#keep((journal) => journal.wrote());
  }

  ranAgain(outcomes: Rerun['outcomes']): void {
    this.#keep((journal) => journal.rerun(outcomes));
  }

  /** For what is of the moment only, and not kept. */
  show(change: Partial<PanelState>): void {
    if (this.#isShown) this.#panel.setState(change);
  }

  get #isShown(): boolean {
    return this.#panel.cycleId === this.cycleId;
  }

  #open(open: () => CycleJournal): void {
    try {
      this.#journal = open();
    } catch (error) {
      this.#cannotKeep(error);
    }
  }

  /** A full disk must not end a cycle; it is said once, and the cycle goes on without its journal. */
  #keep(write: (journal: CycleJournal) => void): void {
    if (this.#journal === undefined) return;
    try {
      write(this.#journal);
    } catch (error) {
      this.#journal = undefined;
      this.#cannotKeep(error);
    }
  }

  #cannotKeep(error: unknown): void {
    const text = `This cycle would be lost if the window reloads: ${errorMessage(error)}`;
    this.#log.warn(text);
    this.show({ message: { level: 'warning', text } });
  }
}
