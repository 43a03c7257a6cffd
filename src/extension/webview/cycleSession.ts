// One fix cycle after another: runs it in the engine, shows it in the panel, carries out what the user decides there.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { errorMessage, HumanError } from '../../core/base/humanError.ts';
import type { CycleEvent, CycleFix } from '../../core/model/cycle.ts';
import type { Fix } from '../../core/model/fix.ts';
import {
  panelMementoSchema,
  type FixDecision,
  type FromPanel,
  type PanelState,
} from '../../webview/messages.ts';
import { cycleRunningKey } from '../contributions.ts';
import { requests } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { applyEdits } from '../fixes/applyEdits.ts';
import type { ProposedDocuments } from '../fixes/proposedDocuments.ts';
import { rootAt } from '../folders.ts';
import { setting } from '../settings.ts';
import type { Testing } from '../testing/testing.ts';
import { offerToSave } from '../testing/unsavedFiles.ts';
import { cycleLogLine } from './cycleLogLine.ts';
import { CyclePanel } from './cyclePanel.ts';
import { revealTest } from './revealTest.ts';

export interface CycleScope {
  readonly root: string;
  /** Test files relative to the root; absent for all. */
  readonly files?: readonly string[];
}

export class CycleSession implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #engine: EngineClient;
  readonly #testing: Testing;
  readonly #documents: ProposedDocuments;
  readonly #log: vscode.LogOutputChannel;
  #panel: CyclePanel | undefined;
  #running: { readonly cycleId: string; readonly source: vscode.CancellationTokenSource } | undefined;
  #scope: CycleScope | undefined;

  constructor(
    extensionUri: vscode.Uri,
    engine: EngineClient,
    testing: Testing,
    documents: ProposedDocuments,
    log: vscode.LogOutputChannel,
  ) {
    this.#extensionUri = extensionUri;
    this.#engine = engine;
    this.#testing = testing;
    this.#documents = documents;
    this.#log = log;
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

  /** Shows a cycle again in a panel that VS Code restored. */
  restore(restored: vscode.WebviewPanel, memento: unknown): void {
    const kept = panelMementoSchema.safeParse(memento);
    if (!kept.success || this.#panel !== undefined) {
      restored.dispose();
      return;
    }
    const { root, events, state } = kept.data;
    const ended = events.some((event) => event.type === 'cycleEnded');
    this.#scope = { root };
    this.#openPanel(restored).reset(
      root,
      ended
        ? { ...state, phase: 'ended', busy: false }
        : {
            ...state,
            phase: 'failed',
            busy: false,
            message: { level: 'warning', text: 'The window was closed before the cycle ended.' },
          },
      events,
    );
  }

  dispose(): void {
    this.#running?.source.cancel();
    this.#panel?.dispose();
  }

  async #run(scope: CycleScope, cycleId: string, token: vscode.CancellationToken): Promise<void> {
    this.#scope = scope;
    const folder = rootAt(scope.root)?.folder;
    const panel = this.#panel ?? this.#openPanel();
    panel.reveal();
    panel.reset(
      scope.root,
      { phase: 'starting', folder: folder?.name ?? scope.root, decisions: {}, busy: false },
      [],
    );
    await setRunning(true);
    this.#log.info(`cycle: started in ${folder?.name ?? scope.root}`);
    const listener = this.#engine.onCycleEvents((message) => {
      if (message.cycleId === cycleId) this.#take(message.events);
    });
    try {
      const report = await this.#engine.request(
        requests.startCycle,
        { cycleId, root: scope.root, ...(scope.files === undefined ? {} : { files: [...scope.files] }) },
        token,
      );
      if (!this.#events.some((event) => event.type === 'cycleEnded'))
        this.#take([{ type: 'cycleEnded', report }]);
      this.#panel?.setState({ phase: 'ended' });
      if (setting('fix.apply', folder) === 'mechanical' && report.ended !== 'cancelled')
        await this.#applyMechanical();
    } catch (error) {
      if (!(error instanceof HumanError))
        this.#log.error(error instanceof Error ? error : errorMessage(error));
      else this.#log.error(`cycle: ${error.message}`);
      this.#panel?.setState({ phase: 'failed', message: { level: 'error', text: sentence(error) } });
    } finally {
      listener.dispose();
    }
  }

  get #events(): readonly CycleEvent[] {
    return this.#panel?.events ?? [];
  }

  #take(events: readonly CycleEvent[]): void {
    for (const event of events) for (const line of cycleLogLine(event)) this.#log.info(line);
    this.#panel?.addEvents(events);
    if (this.#panel?.state.phase === 'starting') this.#panel.setState({ phase: 'running' });
  }

  #openPanel(restored?: vscode.WebviewPanel): CyclePanel {
    const panel = new CyclePanel(this.#extensionUri, restored);
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
        return this.#log.show();
      case 'restart':
        return this.#scope === undefined ? undefined : this.start(this.#scope);
      case 'applyMechanical':
        return this.#applyMechanical();
      case 'accept':
        return this.#apply(fixes.filter((fix) => fix.id === message.fixId && isOpen(fix, panel.state)));
      case 'acceptGroup':
        return this.#apply(
          fixes.filter(
            (fix) =>
              isOnOffer(fix, panel.state) &&
              fix.trust === 'oracle' &&
              fix.expectation?.old === message.old &&
              fix.expectation.new === message.new,
          ),
        );
      case 'bug':
        return this.#markBug(fixes.find((fix) => fix.id === message.fixId));
      case 'discard':
        this.#decide(
          fixes.filter((fix) => isOpen(fix, panel.state)),
          'discarded',
        );
        return panel.setState({
          message: { level: 'info', text: 'Dropped; nothing in the workspace was changed by it.' },
        });
      case 'openDiff':
        return this.#openDiff(fixes.find((fix) => fix.id === message.fixId));
      case 'reveal':
        return revealTest(panel.root, message.testId, this.#testing.tree, this.#events);
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
    if (panel === undefined || fixes.length === 0 || panel.state.busy) return;
    await this.#carryOut(async () => {
      const { edits } = await this.#engine.request(requests.composeFixes, {
        ...this.#proven(panel),
        accepted: fixes.map((fix) => plainFix(fix)),
      });
      const label = fixes.length === 1 ? (fixes[0]?.title ?? '') : `${fixes.length} fixes`;
      await applyEdits(panel.root, edits, label);
      this.#decide(fixes, 'applied');
      this.#log.info(`applied: ${fixes.map((fix) => fix.title).join('; ')}`);
      panel.setState({
        message: {
          level: 'info',
          text: `Applied ${label}. One undo takes ${fixes.length === 1 ? 'it' : 'them'} back.`,
        },
      });
      void this.#testing.runIds(panel.root, [...new Set(fixes.flatMap((fix) => fix.failures))]);
    }, fixes);
  }

  async #markBug(fix: CycleFix | undefined): Promise<void> {
    const panel = this.#panel;
    if (fix === undefined || panel === undefined) return;
    await this.#carryOut(async () => {
      const reason = `The user says that ${fix.expectation?.old ?? 'the expectation'} is right and the source is wrong.`;
      await this.#engine.request(requests.markBug, { root: panel.root, ids: fix.failures, reason });
      this.#decide([fix], 'bug');
      panel.setState({
        message: { level: 'info', text: 'Noted as a bug in the source; the test stays as it is.' },
      });
    }, [fix]);
  }

  async #openDiff(fix: CycleFix | undefined): Promise<void> {
    const panel = this.#panel;
    if (fix === undefined || panel === undefined) return;
    await this.#carryOut(async () => {
      const { edits } = await this.#engine.request(requests.composeFixes, {
        ...this.#proven(panel),
        accepted: [plainFix(fix)],
      });
      await this.#documents.showDiff(panel.root, `cycle-${fix.id}`, `${fix.title} (Testmend)`, edits);
    }, []);
  }

  /** What an acceptance builds on. */
  #proven(panel: CyclePanel): { readonly root: string; kept: Fix[]; applied: Fix[] } {
    const fixes = fixesOf(this.#events);
    const { decisions } = panel.state;
    return {
      root: panel.root,
      kept: fixes.filter((fix) => fix.verdict.verdict === 'verified').map((fix) => plainFix(fix)),
      applied: fixes.filter((fix) => decisions[fix.id] === 'applied').map((fix) => plainFix(fix)),
    };
  }

  #decide(fixes: readonly CycleFix[], decision: FixDecision): void {
    const decisions = { ...this.#panel?.state.decisions };
    for (const fix of fixes) decisions[fix.id] = decision;
    this.#panel?.setState({ decisions });
  }

  async #carryOut(work: () => Promise<void>, fixes: readonly CycleFix[]): Promise<void> {
    const panel = this.#panel;
    panel?.setState({ busy: true });
    try {
      await work();
    } catch (error) {
      this.#log.error(
        error instanceof HumanError ? sentence(error) : error instanceof Error ? error : sentence(error),
      );
      if (error instanceof HumanError && error.code === 'stale') this.#decide(fixes, 'stale');
      panel?.setState({ message: { level: 'error', text: sentence(error) } });
    } finally {
      panel?.setState({ busy: false });
    }
  }
}

/** Fixes as last told: the report's at the end, else as they were judged. */
function fixesOf(events: readonly CycleEvent[]): readonly CycleFix[] {
  const fixes = new Map<string, CycleFix>();
  for (const event of events) {
    if (event.type === 'cycleStarted') fixes.clear();
    if (event.type === 'fixJudged') fixes.set(event.fix.id, event.fix);
    if (event.type === 'fixRolledBack') fixes.delete(event.fixId);
    if (event.type === 'cycleEnded') return event.report.fixes;
  }
  return [...fixes.values()];
}

/** Not decided, and not known to break something. */
function isOpen(fix: CycleFix, state: PanelState): boolean {
  return fix.verdict.verdict !== 'rejected' && state.decisions[fix.id] === undefined;
}

function isOnOffer(fix: CycleFix, state: PanelState): boolean {
  return fix.verdict.verdict === 'verified' && state.decisions[fix.id] === undefined;
}

/** The fix without what the cycle added; unknown keys do not cross. */
function plainFix({ verdict: _verdict, diff: _diff, state: _state, ...fix }: CycleFix): Fix {
  return fix;
}

function sentence(error: unknown): string {
  return error instanceof HumanError ? `${error.message} ${error.details.remedy}` : errorMessage(error);
}

function setRunning(running: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', cycleRunningKey, running);
}
