// One fix cycle after another: runs it in the engine, shows it in the panel, carries out what the user decides there.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { errorMessage, HumanError } from '../../core/base/humanError.ts';
import type { CycleEvent, CycleFix } from '../../core/model/cycle.ts';
import { requests } from '../../server/messages.ts';
import {
  emptyPanelState,
  panelMementoSchema,
  type FixDecision,
  type FromPanel,
  type PanelMessage,
  type PanelState,
} from '../../webview/messages.ts';
import { cycleRunningKey } from '../contributions.ts';
import type { EngineClient } from '../engineClient.ts';
import type { ProposedDocuments } from '../fixes/proposedDocuments.ts';
import { rootAt, workspaceRoots } from '../folders.ts';
import { setting } from '../settings.ts';
import type { Testing } from '../testing/testing.ts';
import { offerToSave } from '../testing/unsavedFiles.ts';
import { CycleJournal, latestCycle, readCycle, type KeptCycle, type Writing } from './cycleJournal.ts';
import { copyHandOver, openSource } from './handOver.ts';
import { stateOf } from './keptState.ts';
import { cycleLogLine } from './cycleLogLine.ts';
import { CyclePanel } from './cyclePanel.ts';
import { fixesOf, isOnOffer, plainFix } from './offeredFixes.ts';
import { revealTest } from './revealTest.ts';
import { outcomesOf } from './runAgain.ts';
import { settleWriting, writeFixes } from './writeFixes.ts';

export interface CycleScope {
  readonly root: string;
  /** Test files relative to the root; absent for all. */
  readonly files?: readonly string[];
}

export interface CycleSessionParts {
  readonly extensionUri: vscode.Uri;
  /** Folder of the extension for what must outlive the window. */
  readonly storage: string;
  readonly engine: EngineClient;
  readonly testing: Testing;
  readonly documents: ProposedDocuments;
  readonly log: vscode.LogOutputChannel;
}

export class CycleSession implements vscode.Disposable {
  readonly #parts: CycleSessionParts;
  #panel: CyclePanel | undefined;
  #running: { readonly cycleId: string; readonly source: vscode.CancellationTokenSource } | undefined;
  #scope: CycleScope | undefined;
  /** Of the cycle that the panel shows. */
  #journal: CycleJournal | undefined;
  /** Texts of files before the first fix of the cycle was written into them. */
  #bases: Record<string, string> = {};
  #runsAgain = 0;

  constructor(parts: CycleSessionParts) {
    this.#parts = parts;
  }

  /** Runs a cycle and resolves when it has ended; while one runs, only its panel is shown. */
  async start(scope: CycleScope): Promise<void> {
    if (this.#running !== undefined) {
      this.#panel?.reveal();
      void vscode.window.showInformationMessage('Testmend: a fix cycle is running already.');
      return;
    }
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showWarningMessage('Testmend runs and fixes tests only in a trusted workspace.');
      return;
    }
    const running = { cycleId: randomUUID(), source: new vscode.CancellationTokenSource() };
    this.#running = running;
    try {
      if (await offerToSave('fix')) await this.#run(scope, running.cycleId, running.source.token);
    } finally {
      this.#running = undefined;
      running.source.dispose();
      await setRunning(false);
    }
  }

  /** Asks the running cycle to end; it still reports. */
  stop(): void {
    if (this.#running === undefined) return;
    this.#panel?.setState({ phase: 'stopping' });
    this.#running.source.cancel();
  }

  /** Shows a cycle again, with all that was decided, in a panel that VS Code restored. */
  async restore(restored: vscode.WebviewPanel, memento: unknown): Promise<void> {
    const { storage } = this.#parts;
    const asked = panelMementoSchema.safeParse(memento);
    const roots = workspaceRoots().map(({ path }) => path);
    const kept =
      asked.success && roots.includes(asked.data.root)
        ? readCycle(storage, asked.data.root, asked.data.cycleId)
        : latestCycle(storage, roots);
    if (kept === undefined || this.#panel !== undefined) {
      restored.dispose();
      return;
    }
    await this.#showKept(kept, this.#openPanel(restored));
  }

  /** Shows the panel again, with the latest cycle of the workspace when it was closed or its window died. */
  async show(): Promise<void> {
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      return;
    }
    const roots = workspaceRoots().map(({ path }) => path);
    const kept = this.#running === undefined ? latestCycle(this.#parts.storage, roots) : undefined;
    if (kept !== undefined) return this.#showKept(kept, this.#openPanel());
    void vscode.window.showInformationMessage('Testmend: there is no fix cycle to show yet.');
  }

  dispose(): void {
    this.#running?.source.cancel();
    this.#panel?.dispose();
  }

  async #showKept(kept: KeptCycle, panel: CyclePanel): Promise<void> {
    this.#journal = this.#journalOf(() => CycleJournal.continue(this.#parts.storage, kept));
    this.#bases = { ...kept.bases };
    this.#scope = { root: kept.root, ...(kept.files === undefined ? {} : { files: kept.files }) };
    panel.reset(kept.root, kept.cycleId, stateOf(kept), kept.events);
    if (kept.writing !== undefined) await this.#settle(panel, kept.writing);
    this.#runMissed(panel);
  }

  async #run(scope: CycleScope, cycleId: string, token: vscode.CancellationToken): Promise<void> {
    const { engine, log, storage } = this.#parts;
    this.#scope = scope;
    const found = rootAt(scope.root)?.folder;
    const folder = found?.name ?? scope.root;
    const panel = this.#panel ?? this.#openPanel();
    panel.reveal();
    this.#bases = {};
    this.#journal = this.#journalOf(() => CycleJournal.begin(storage, { cycleId, folder, ...scope }));
    panel.reset(scope.root, cycleId, { ...emptyPanelState, folder }, []);
    await setRunning(true);
    log.info(`cycle: started in ${folder}`);
    const listener = engine.onCycleEvents((message) => {
      if (message.cycleId === cycleId) this.#take(message.events);
    });
    try {
      const report = await engine.request(
        requests.startCycle,
        { cycleId, root: scope.root, ...(scope.files === undefined ? {} : { files: [...scope.files] }) },
        token,
      );
      if (!this.#events.some((event) => event.type === 'cycleEnded'))
        this.#take([{ type: 'cycleEnded', report }]);
      this.#end('ended');
      if (setting('fix.apply', found) === 'mechanical' && report.ended !== 'cancelled')
        await this.#applyMechanical();
    } catch (error) {
      if (!(error instanceof HumanError)) log.error(error instanceof Error ? error : errorMessage(error));
      else log.error(`cycle: ${error.message}`);
      this.#end('failed', { level: 'error', text: sentence(error) });
    } finally {
      listener.dispose();
    }
  }

  get #events(): readonly CycleEvent[] {
    return this.#panel?.events ?? [];
  }

  #take(events: readonly CycleEvent[]): void {
    for (const event of events) for (const line of cycleLogLine(event)) this.#parts.log.info(line);
    this.#keep((journal) => journal.events(events));
    this.#panel?.addEvents(events);
    if (this.#panel?.state.phase === 'starting') this.#panel.setState({ phase: 'running' });
  }

  #end(phase: 'ended' | 'failed', message?: PanelMessage): void {
    this.#keep((journal) => journal.over(phase, message));
    this.#panel?.setState({ phase, ...(message === undefined ? {} : { message }) });
  }

  #openPanel(restored?: vscode.WebviewPanel): CyclePanel {
    const panel = new CyclePanel(this.#parts.extensionUri, restored);
    this.#panel = panel;
    panel.onMessage((message) => void this.#act(message));
    panel.onDisposed(() => {
      if (this.#panel === panel) this.#panel = undefined;
      this.#running?.source.cancel();
    });
    return panel;
  }

  async #act(message: FromPanel): Promise<void> {
    const panel = this.#panel;
    if (panel === undefined) return;
    const fixes = fixesOf(this.#events);
    switch (message.type) {
      case 'ready':
        return;
      case 'stop':
        return this.stop();
      case 'showLog':
        return this.#parts.log.show();
      case 'restart':
        return this.#scope === undefined ? undefined : this.start(this.#scope);
      case 'applyMechanical':
        return this.#applyMechanical();
      case 'accept':
        return this.#apply(
          fixes.filter((fix) => fix.id === message.fixId && isOnOffer(fix, panel.state, 'singly')),
        );
      case 'acceptAll':
        return this.#apply(
          fixes.filter(
            (fix) =>
              message.fixIds.includes(fix.id) && isOnOffer(fix, panel.state) && fix.trust !== 'propose',
          ),
        );
      case 'bug':
        return this.#markBug(
          fixes.find((fix) => fix.id === message.fixId && isOnOffer(fix, panel.state, 'singly')),
        );
      case 'reopen':
        if (panel.state.decisions[message.fixId] === 'discarded') this.#decide([message.fixId], null);
        return;
      case 'discard':
        return this.#discard(fixes);
      case 'openDiff':
        return this.#openDiff(fixes.find((fix) => fix.id === message.fixId));
      case 'reveal':
        return revealTest(panel.root, message.testId, this.#parts.testing.tree, this.#events);
      case 'openSource':
      case 'openFixSource':
        return this.#carryOut(() => openSource(panel.root, message, this.#events), []);
      case 'copyHandOver':
        return this.#carryOut(() => copyHandOver(panel, message.testIds, this.#parts.engine), []);
    }
  }

  async #applyMechanical(): Promise<void> {
    const state = this.#panel?.state;
    if (state === undefined) return;
    await this.#apply(
      fixesOf(this.#events).filter((fix) => isOnOffer(fix, state) && fix.trust === 'mechanical'),
    );
  }

  async #apply(fixes: readonly CycleFix[]): Promise<void> {
    const panel = this.#panel;
    if (panel === undefined || fixes.length === 0 || panel.state.busy || isRunning(panel.state)) return;
    const ids = fixes.map(({ id }) => id);
    await this.#carryOut(async () => {
      const { edits } = await this.#parts.engine.request(requests.composeFixes, {
        ...this.#proven(panel),
        accepted: fixes.map((fix) => plainFix(fix)),
      });
      const label = fixes.length === 1 ? (fixes[0]?.title ?? '') : `${fixes.length} fixes`;
      const warning = await writeFixes({
        root: panel.root,
        edits,
        label,
        bases: this.#bases,
        begin: (files, bases) => {
          this.#bases = { ...bases, ...this.#bases };
          this.#keep((journal) => journal.bases(bases));
          this.#keep((journal) => journal.writing({ fixes: ids, files: [...files] }));
        },
        done: (applied) => {
          if (applied) this.#decide(ids, 'applied');
          this.#keep((journal) => journal.wrote());
        },
      });
      this.#parts.log.info(`applied: ${fixes.map((fix) => fix.title).join('; ')}`);
      const text = `Applied ${label}. One undo takes ${fixes.length === 1 ? 'it' : 'them'} back.`;
      panel.setState({ message: warning ?? { level: 'info', text } });
      // What was running in these files just now says nothing about what they are now.
      const tests = [...fixes.flatMap(({ failures }) => failures), ...missedIn(panel)];
      void this.#runAgain(panel, [...new Set(tests)]);
    }, ids);
  }

  /** Runs the tests of applied fixes in the workspace, so that the panel tells what is and not what was proven. */
  async #runAgain(panel: CyclePanel, ids: readonly string[]): Promise<void> {
    const set = (outcomes: PanelState['rerun']['outcomes']): void =>
      panel.setState({ rerun: { running: this.#runsAgain > 0, outcomes } });
    const known = { ...panel.state.rerun.outcomes };
    for (const id of ids) delete known[id];
    this.#runsAgain += 1;
    set(known);
    const { engine, testing, log } = this.#parts;
    const outcomes = await outcomesOf(panel.root, ids, engine, testing).catch((error: unknown) => {
      log.warn(`The tests of applied fixes did not run again: ${errorMessage(error)}`);
      return {};
    });
    this.#runsAgain -= 1;
    if (this.#panel !== panel) return;
    this.#keep((journal) => journal.rerun(outcomes));
    set({ ...panel.state.rerun.outcomes, ...outcomes });
  }

  /** Runs what an earlier window applied and could not run again before it went. */
  #runMissed(panel: CyclePanel): void {
    const missed = missedIn(panel);
    if (vscode.workspace.isTrusted && missed.length > 0) void this.#runAgain(panel, missed);
  }

  async #markBug(fix: CycleFix | undefined): Promise<void> {
    const panel = this.#panel;
    if (fix === undefined || panel === undefined || panel.state.busy) return;
    await this.#carryOut(async () => {
      const reason = `The user says that ${fix.expectation?.old ?? 'the expectation'} is right and the source is wrong.`;
      await this.#parts.engine.request(requests.markBug, { root: panel.root, ids: fix.failures, reason });
      this.#decide([fix.id], 'bug');
      panel.setState({
        message: { level: 'info', text: 'Noted as a bug in the source; the test stays as it is.' },
      });
    }, [fix.id]);
  }

  #discard(fixes: readonly CycleFix[]): void {
    const panel = this.#panel;
    if (panel === undefined || panel.state.busy) return;
    const dropped = fixes.filter((fix) => isOnOffer(fix, panel.state, 'any')).map(({ id }) => id);
    this.#decide(dropped, 'discarded');
    panel.setState({
      message: { level: 'info', text: 'Dropped; nothing in the workspace was changed by it.' },
    });
  }

  async #openDiff(fix: CycleFix | undefined): Promise<void> {
    const panel = this.#panel;
    if (fix === undefined || panel === undefined) return;
    await this.#carryOut(async () => {
      const { edits } = await this.#parts.engine.request(requests.composeFixes, {
        ...this.#proven(panel),
        accepted: [plainFix(fix)],
      });
      const title = `${fix.title} (Testmend)`;
      await this.#parts.documents.showDiff(panel.root, `cycle-${fix.id}`, title, edits);
    }, []);
  }

  /** What an acceptance builds on. */
  #proven(panel: CyclePanel): {
    root: string;
    kept: ReturnType<typeof plainFix>[];
    applied: ReturnType<typeof plainFix>[];
    bases: Record<string, string>;
  } {
    const fixes = fixesOf(this.#events);
    const { decisions } = panel.state;
    return {
      root: panel.root,
      kept: fixes.filter((fix) => fix.verdict.verdict === 'verified').map((fix) => plainFix(fix)),
      applied: fixes.filter((fix) => decisions[fix.id] === 'applied').map((fix) => plainFix(fix)),
      bases: this.#bases,
    };
  }

  /** Kept before it is shown; null takes a decision back. */
  #decide(ids: readonly string[], decision: FixDecision | null): void {
    if (ids.length === 0) return;
    const entries = ids.map((id) => [id, decision] as const);
    this.#keep((journal) => journal.decided(Object.fromEntries(entries)));
    const decisions = { ...this.#panel?.state.decisions };
    for (const [id, decided] of entries) {
      if (decided === null) delete decisions[id];
      else decisions[id] = decided;
    }
    this.#panel?.setState({ decisions });
  }

  /** The window died while fixes were written: the files tell whether they are in. */
  async #settle(panel: CyclePanel, writing: Writing): Promise<void> {
    const found = await settleWriting(panel.root, writing);
    if (found === 'written') this.#decide(writing.fixes, 'applied');
    if (found === 'unclear') {
      this.#decide(writing.fixes, 'stale');
      const text = 'The window closed while fixes were applied. Look at their files before you go on.';
      panel.setState({ message: { level: 'warning', text } });
    }
    this.#keep((journal) => journal.wrote());
  }

  async #carryOut(work: () => Promise<void>, ids: readonly string[]): Promise<void> {
    const panel = this.#panel;
    panel?.setState({ busy: true });
    try {
      await work();
    } catch (error) {
      this.#parts.log.error(
        error instanceof HumanError ? sentence(error) : error instanceof Error ? error : sentence(error),
      );
      if (error instanceof HumanError && error.code === 'stale') this.#decide(ids, 'stale');
      panel?.setState({ message: { level: 'error', text: sentence(error) } });
    } finally {
      panel?.setState({ busy: false });
    }
  }

  #journalOf(open: () => CycleJournal): CycleJournal | undefined {
    try {
      return open();
    } catch (error) {
      this.#cannotKeep(error);
      return undefined;
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
    const text = `This cycle cannot be kept for a reload of the window: ${errorMessage(error)}`;
    this.#parts.log.warn(text);
    this.#panel?.setState({ message: { level: 'warning', text } });
  }
}

/** Tests of applied fixes that have no outcome since. */
function missedIn({ events, state: { decisions, rerun } }: CyclePanel): string[] {
  const applied = fixesOf(events).filter(({ id }) => decisions[id] === 'applied');
  const tests = new Set(applied.flatMap(({ failures }) => failures));
  return [...tests].filter((id) => rerun.outcomes[id] === undefined);
}

function isRunning({ phase }: PanelState): boolean {
  return phase === 'starting' || phase === 'running' || phase === 'stopping';
}

function sentence(error: unknown): string {
  return error instanceof HumanError ? `${error.message} ${error.details.remedy}` : errorMessage(error);
}

function setRunning(running: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', cycleRunningKey, running);
}
