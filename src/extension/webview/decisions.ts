// Carries out what the user decides about the fixes of the cycle that is shown.
import * as vscode from 'vscode';
import { errorMessage, HumanError } from '../../core/base/humanError.ts';
import type { CycleFix } from '../../core/model/cycle.ts';
import type { Fix } from '../../core/model/fix.ts';
import { requests } from '../../server/messages.ts';
import type { FromPanel, PanelState } from '../../webview/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { locate } from '../folders.ts';
import type { ProposedDocuments } from '../fixes/proposedDocuments.ts';
import type { Testing } from '../testing/testing.ts';
import type { Writing } from './cycleJournal.ts';
import { copyHandOver, openSource } from './handOver.ts';
import { helpless, isOnOffer, plainFix } from './offeredFixes.ts';
import { revealTest } from './revealTest.ts';
import { outcomesOf } from './runAgain.ts';
import { errorSentence } from './errorSentence.ts';
import type { ShownCycle } from './shownCycle.ts';
import { settleWriting, writeFixes } from './writeFixes.ts';

export interface DecisionParts {
  readonly engine: EngineClient;
  readonly testing: Testing;
  readonly documents: ProposedDocuments;
  readonly log: vscode.LogOutputChannel;
}

/** What is said in the panel about fixes and tests, not about the cycle as a whole. */
type DecisionMessage = Exclude<
  FromPanel,
  { type: 'ready' | 'stop' | 'restart' | 'takeUp' | 'forget' | 'showLog' }
>;

export class Decisions {
  readonly #cycle: ShownCycle;
  readonly #parts: DecisionParts;
  #runsAgain = 0;
  /** How many decisions are not carried out yet. */
  #waiting = 0;
  /** The last decision; it never fails. */
  #last: Promise<void> = Promise.resolve();

  constructor(cycle: ShownCycle, parts: DecisionParts) {
    this.#cycle = cycle;
    this.#parts = parts;
  }

  async act(message: DecisionMessage): Promise<void> {
    const cycle = this.#cycle;
    switch (message.type) {
      case 'applyMechanical':
        return this.applyMechanical();
      case 'accept':
        return this.#apply((fix) => fix.id === message.fixId && isOnOffer(fix, cycle.state, 'singly'));
      case 'acceptAll':
        return this.#apply(
          (fix) => message.fixIds.includes(fix.id) && isOnOffer(fix, cycle.state) && fix.trust !== 'propose',
        );
      case 'bug':
        return this.#markBug(message.fixId);
      case 'reopen':
        return this.#inTurn(async () => {
          if (cycle.state.decisions[message.fixId] === 'discarded') cycle.decide([message.fixId], null);
        });
      case 'discard':
        return this.#discard();
      case 'openDiff':
        return this.#openDiff(cycle.fixes.find((fix) => fix.id === message.fixId));
      case 'reveal':
        return revealTest(cycle.root, message.testId, this.#parts.testing.tree, cycle.events);
      case 'openSource':
      case 'openFixSource':
        return this.#try(() => openSource(cycle.root, message, cycle.events));
      case 'copyHandOver':
        return this.#try(async () => {
          const copied = await copyHandOver(cycle, message.testIds, this.#parts.engine);
          if (copied !== undefined) cycle.show({ copied });
        });
    }
  }

  /** Applies every mechanical fix that is proven and not decided. */
  async applyMechanical(): Promise<void> {
    await this.#apply((fix) => isOnOffer(fix, this.#cycle.state) && fix.trust === 'mechanical');
  }

  /** Finishes what an earlier window could not: fixes whose writing it began, tests that it did not run again. */
  async finish(writing: Writing | undefined): Promise<void> {
    if (writing !== undefined) await this.#settle(writing);
    const missed = missedIn(this.#cycle);
    if (vscode.workspace.isTrusted && missed.length > 0) void this.#runAgain(missed);
  }

  #apply(isMeant: (fix: CycleFix) => boolean): Promise<void> {
    const cycle = this.#cycle;
    return this.#inTurn(async () => {
      const fixes = cycle.fixes.filter(isMeant);
      if (fixes.length > 0 && !isRunning(cycle.state)) await this.#write(fixes);
    });
  }

  async #write(fixes: readonly CycleFix[]): Promise<void> {
    const cycle = this.#cycle;
    const ids = fixes.map(({ id }) => id);
    await this.#orStale(ids, async () => {
      const { edits } = await this.#parts.engine.request(requests.composeFixes, {
        ...this.#proven(),
        accepted: fixes.map((fix) => plainFix(fix)),
      });
      const label = fixes.length === 1 ? (fixes[0]?.title ?? '') : `${fixes.length} fixes`;
      const warning = await writeFixes({
        root: cycle.root,
        edits,
        label,
        bases: cycle.bases,
        begin: (files, bases) => cycle.writing({ fixes: ids, files: [...files] }, bases),
        done: (applied) => {
          if (applied) cycle.decide(ids, 'applied');
          cycle.wrote();
        },
      });
      this.#parts.log.info(`applied: ${fixes.map((fix) => fix.title).join('; ')}`);
      const text = `Applied ${label}. One undo reverts ${fixes.length === 1 ? 'it' : 'them'}.`;
      cycle.show({ message: warning ?? { level: 'info', text } });
      // What was running in these files just now says nothing about what they are now.
      const tests = [...fixes.flatMap(({ failures }) => failures), ...missedIn(cycle)];
      void this.#runAgain([...new Set(tests)]);
    });
  }

  /** Runs the tests of applied fixes in the workspace, so that the panel tells what is and not what was proven. */
  async #runAgain(ids: readonly string[]): Promise<void> {
    const cycle = this.#cycle;
    const set = (outcomes: PanelState['rerun']['outcomes']): void =>
      cycle.show({ rerun: { running: this.#runsAgain > 0, outcomes } });
    const known = { ...cycle.state.rerun.outcomes };
    for (const id of ids) delete known[id];
    this.#runsAgain += 1;
    set(known);
    const { engine, testing, log } = this.#parts;
    const outcomes = await outcomesOf(cycle.root, ids, engine, testing).catch((error: unknown) => {
      log.warn(`The tests of applied fixes could not be rerun: ${errorMessage(error)}`);
      return {};
    });
    this.#runsAgain -= 1;
    cycle.ranAgain(outcomes);
    set({ ...cycle.state.rerun.outcomes, ...outcomes });
    await this.#inTurn(() => this.#takeBack());
  }

  /** Takes proven fixes out of the files that do not help there, as the command line does, and says why. */
  async #takeBack(): Promise<void> {
    const cycle = this.#cycle;
    const found = helpless(cycle.fixes, cycle.state);
    if (found.length === 0 || isRunning(cycle.state)) return;
    const unsaved = unsavedFiles(cycle.root);
    const isUnsaved = ({ edits }: CycleFix): boolean => edits.some(({ file }) => unsaved.has(file));
    const stays = found.filter(isUnsaved).map(({ title }) => `It stays, as its file is not saved: ${title}`);
    const judged = found.filter((fix) => !isUnsaved(fix)).map(({ id }) => id);
    const { reasons, notes } =
      judged.length === 0
        ? { reasons: {}, notes: [] }
        : await this.#parts.engine.request(requests.takeBackFixes, { ...this.#proven(), judged });
    cycle.decide(Object.keys(reasons), 'takenBack');
    const text = [...notes, ...stays].join(' ');
    if (text === '') return;
    this.#parts.log.warn(text);
    cycle.show({ message: { level: 'warning', text } });
  }

  #markBug(fixId: string): Promise<void> {
    const cycle = this.#cycle;
    return this.#inTurn(async () => {
      const fix = cycle.fixes.find(({ id }) => id === fixId);
      if (fix === undefined || !isOnOffer(fix, cycle.state, 'singly')) return;
      const reason = `The user decided that ${fix.expectation?.old ?? 'the expectation'} is right and the source is wrong.`;
      await this.#orStale([fix.id], async () => {
        await this.#parts.engine.request(requests.markBug, { root: cycle.root, ids: fix.failures, reason });
        cycle.decide([fix.id], 'bug');
        const text = 'Recorded as a bug in the source; the test stays unchanged.';
        cycle.show({ message: { level: 'info', text } });
      });
    });
  }

  #discard(): Promise<void> {
    const cycle = this.#cycle;
    return this.#inTurn(async () => {
      const dropped = cycle.fixes.filter((fix) => isOnOffer(fix, cycle.state, 'any')).map(({ id }) => id);
      cycle.decide(dropped, 'discarded');
      const text = 'Discarded; nothing in the workspace changed.';
      cycle.show({ message: { level: 'info', text } });
    });
  }

  async #openDiff(fix: CycleFix | undefined): Promise<void> {
    if (fix === undefined) return;
    await this.#try(async () => {
      const { edits } = await this.#parts.engine.request(requests.composeFixes, {
        ...this.#proven(),
        accepted: [plainFix(fix)],
      });
      const title = `${fix.title} (Testmend)`;
      await this.#parts.documents.showDiff(this.#cycle.root, `cycle-${fix.id}`, title, edits);
    });
  }

  /** What an acceptance builds on. */
  #proven(): { root: string; kept: Fix[]; applied: Fix[]; bases: Record<string, string> } {
    const { fixes, state, root, bases } = this.#cycle;
    return {
      root,
      kept: fixes.filter((fix) => fix.verdict.verdict === 'verified').map((fix) => plainFix(fix)),
      applied: fixes.filter((fix) => state.decisions[fix.id] === 'applied').map((fix) => plainFix(fix)),
      bases: { ...bases },
    };
  }

  /** The window died while fixes were written: the files tell whether they are in. */
  async #settle(writing: Writing): Promise<void> {
    const cycle = this.#cycle;
    const found = await settleWriting(cycle.root, writing);
    if (found === 'written') cycle.decide(writing.fixes, 'applied');
    if (found === 'unclear') {
      cycle.decide(writing.fixes, 'stale');
      const text = 'The window closed while fixes were being applied. Check their files before you continue.';
      cycle.show({ message: { level: 'warning', text } });
    }
    cycle.wrote();
  }

  /** Carries out one decision after the other, none is lost: each finds what the ones before it left. */
  #inTurn(decision: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    this.#cycle.show({ busy: true });
    this.#last = this.#last.then(async () => {
      await this.#try(decision);
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#cycle.show({ busy: false });
    });
    return this.#last;
  }

  /** The fixes of work that failed because their files changed are out of date. */
  async #orStale(ids: readonly string[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof HumanError && error.code === 'stale') this.#cycle.decide(ids, 'stale');
      throw error;
    }
  }

  /** Never fails: what goes wrong is said in the panel and in the log. */
  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const text = errorSentence(error);
      this.#parts.log.error(error instanceof Error && !(error instanceof HumanError) ? error : text);
      this.#cycle.show({ message: { level: 'error', text } });
    }
  }
}

/** Tests of applied fixes that have no outcome since. */
function missedIn({ fixes, state: { decisions, rerun } }: ShownCycle): string[] {
  const applied = fixes.filter(({ id }) => decisions[id] === 'applied');
  const tests = new Set(applied.flatMap(({ failures }) => failures));
  return [...tests].filter((id) => rerun.outcomes[id] === undefined);
}

/** Relative to the root. */
function unsavedFiles(root: string): ReadonlySet<string> {
  const places = vscode.workspace.textDocuments.flatMap(({ isDirty, uri }) => (isDirty ? locate(uri) : []));
  return new Set(places.flatMap((place) => (place?.root === root ? [place.file] : [])));
}

function isRunning({ phase }: PanelState): boolean {
  return phase === 'starting' || phase === 'running' || phase === 'stopping';
}
