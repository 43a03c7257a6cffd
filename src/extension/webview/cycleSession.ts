// One fix cycle after another: runs it in the engine and shows it in the panel, also one of an earlier window.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { errorMessage, HumanError } from '../../core/base/humanError.ts';
import type { CycleEvent } from '../../core/model/cycle.ts';
import { cycleOutcome } from '../../core/model/cycleOutcome.ts';
import { requests } from '../../server/messages.ts';
import { panelMementoSchema, type FromPanel } from '../../webview/messages.ts';
import { cycleRunningKey } from '../contributions.ts';
import { EngineEnded } from '../engineEnded.ts';
import { rootAt, workspaceRoots } from '../folders.ts';
import type { AskedOutside, OutsideChoice } from '../models/outsideChoice.ts';
import { setting } from '../settings.ts';
import { offerNewTest } from '../testing/newTest.ts';
import { offerToSave } from '../testing/unsavedFiles.ts';
import { latestCycle, readCycle, type CycleScope, type KeptCycle } from './cycleJournal.ts';
import { cycleLogLine } from './cycleLogLine.ts';
import { createCyclePanel, CyclePanel } from './cyclePanel.ts';
import { Decisions, type DecisionParts } from './decisions.ts';
import { errorSentence } from './errorSentence.ts';
import { showProgress, tellEnd } from './inBackground.ts';
import { cutOffText } from './keptState.ts';
import { ShownCycle, type Keeping } from './shownCycle.ts';
import { tell } from '../tell.ts';

interface CycleSessionParts extends DecisionParts, Keeping {
  readonly extensionUri: vscode.Uri;
  /** Whom a cycle may ask beside the built-in fixers. */
  readonly outside: OutsideChoice;
}

/** The panel with the cycle in it, and what carries out the decisions about that cycle. */
interface OnShow {
  readonly panel: CyclePanel;
  readonly cycle: ShownCycle;
  readonly decisions: Decisions;
}

interface Running {
  readonly cycleId: string;
  readonly source: vscode.CancellationTokenSource;
}

/** A cycle that was cut off, with the fixes that the user discarded since. */
interface ResumedCycle {
  readonly cycleId: string;
  readonly discarded: string[];
}

type Asked = AskedOutside & { readonly resume?: ResumedCycle };

export class CycleSession implements vscode.Disposable {
  readonly #parts: CycleSessionParts;
  #running: Running | undefined;
  #onShow: OnShow | undefined;

  constructor(parts: CycleSessionParts) {
    this.#parts = parts;
  }

  /** Runs a cycle and resolves when it has ended; while one runs, only its panel is shown. */
  async start(scope: CycleScope, resume?: ResumedCycle): Promise<void> {
    if (this.#running !== undefined) {
      this.#onShow?.panel.reveal();
      void tell.information('Testmend: a fix cycle is already running.');
      return;
    }
    if (!vscode.workspace.isTrusted) {
      void tell.warning('Testmend runs and fixes tests only in a trusted workspace.');
      return;
    }
    const running = { cycleId: randomUUID(), source: new vscode.CancellationTokenSource() };
    this.#running = running;
    try {
      const asked = (await offerToSave('fix')) && (await this.#parts.outside.choose(scope.root));
      if (asked) await this.#run(scope, { ...asked, ...(resume && { resume }) }, running);
    } finally {
      this.#running = undefined;
      running.source.dispose();
      await setRunning(false);
    }
  }

  /** Asks the running cycle to end; it still reports. */
  stop(): void {
    if (this.#running === undefined) return;
    this.#onShow?.cycle.show({ phase: 'stopping' });
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
    if (kept === undefined || this.#onShow !== undefined) {
      restored.dispose();
      return;
    }
    await this.#showKept(kept, this.#openPanel(restored));
  }

  /** Shows the panel again, with the latest cycle of the workspace when it was closed or its window died. */
  async show(): Promise<void> {
    if (this.#onShow !== undefined) {
      this.#onShow.panel.reveal();
      return;
    }
    const roots = workspaceRoots().map(({ path }) => path);
    const kept = this.#running === undefined ? latestCycle(this.#parts.storage, roots) : undefined;
    if (kept !== undefined) await this.#showKept(kept, this.#openPanel());
    else void tell.information('Testmend: there is no fix cycle to show yet.');
  }

  /** The engine goes with the window: a cycle that runs is cut off, not stopped by anybody. */
  dispose(): void {
    this.#running = undefined;
    this.#onShow?.panel.dispose();
  }

  async #showKept(kept: KeptCycle, panel: CyclePanel): Promise<OnShow> {
    const isInPlace = triesInPlace(kept.root);
    const shown = this.#setOnShow(panel, ShownCycle.takeUp(panel, kept, this.#parts, isInPlace));
    // Its start gives back the files in which fixes were tried when the cycle was cut off.
    if (isInPlace && kept.over === undefined) void this.#parts.engine.start().catch(() => undefined);
    await shown.decisions.finish(kept.writing);
    return shown;
  }

  async #run(scope: CycleScope, asked: Asked, { cycleId, source }: Running): Promise<void> {
    const { engine, log } = this.#parts;
    const found = rootAt(scope.root)?.folder;
    const folder = found?.name ?? scope.root;
    const panel = this.#onShow?.panel ?? this.#openPanel();
    panel.reveal();
    const { cycle, decisions } = this.#setOnShow(
      panel,
      ShownCycle.begin(panel, { cycleId, folder, ...scope }, this.#parts),
    );
    await setRunning(true);
    log.info(`cycle: started in ${folder}`);
    const take = (events: readonly CycleEvent[]): void => {
      for (const event of events) for (const line of cycleLogLine(event)) log.info(line);
      cycle.take(events);
    };
    const whileRunning = vscode.Disposable.from(
      showProgress(panel),
      engine.onCycleEvents((message) => {
        if (message.cycleId === cycleId) take(message.events);
      }),
    );
    /** A panel that was closed took its cycle with it: that is no news. */
    const isOpen = (): boolean => this.#onShow?.cycle === cycle;
    try {
      const { root, files } = scope;
      const started = { cycleId, root, files, ...asked };
      const report = await engine.request(requests.startCycle, started, source.token);
      if (!cycle.events.some((event) => event.type === 'cycleEnded')) take([{ type: 'cycleEnded', report }]);
      cycle.over('ended');
      if (!isOpen()) return;
      if (report.ended === 'no-tests') void offerNewTest();
      tellEnd(panel, false, `${cycleOutcome(report)}.`);
      if (setting('fix.apply', found) === 'mechanical' && report.ended !== 'cancelled')
        await decisions.applyMechanical();
    } catch (error) {
      if (!(error instanceof HumanError)) log.error(error instanceof Error ? error : errorMessage(error));
      else log.error(`cycle: ${error.message}`);
      const text = errorSentence(error);
      // Nobody saw the end of a cycle whose engine stopped; of the dead engine the user was told.
      if (error instanceof EngineEnded) {
        const why = cutOffText('The engine stopped before the cycle ended.', triesInPlace(scope.root));
        cycle.cutOff({ level: 'warning', text: cycle.events.length > 0 ? why : text });
      } else if (asked.resume !== undefined && cycle.events.length === 0) {
        await this.#keepOffer(cycle, asked.resume, panel, error);
      } else {
        cycle.over('failed', { level: 'error', text });
        if (isOpen()) tellEnd(panel, true, `the fix cycle failed. ${text}`);
      }
    } finally {
      whileRunning.dispose();
    }
  }

  /** The cycle could not be taken up: it is shown as it was, and stays on offer unless there is nothing of it any more. */
  async #keepOffer(
    cycle: ShownCycle,
    resume: ResumedCycle,
    panel: CyclePanel,
    error: unknown,
  ): Promise<void> {
    const message = { level: 'error', text: errorSentence(error) } as const;
    const kept = readCycle(this.#parts.storage, cycle.root, resume.cycleId);
    if (kept === undefined || this.#onShow?.cycle !== cycle) {
      cycle.over('failed', message);
      return;
    }
    cycle.forget();
    const former = (await this.#showKept(kept, panel)).cycle;
    if (error instanceof HumanError && error.code === 'stale') former.over('ended', message);
    else former.show({ message });
  }

  /** What the engine keeps of the cycle comes first in a new one. */
  async #takeUp(cycle: ShownCycle): Promise<void> {
    const { cutOff, decisions } = cycle.state;
    if (cutOff !== true) return;
    const discarded = Object.keys(decisions).filter((id) => decisions[id] === 'discarded');
    await this.start(cycle.scope, { cycleId: cycle.cycleId, discarded });
  }

  async #forget(cycle: ShownCycle, decisions: Decisions): Promise<void> {
    if (cycle.state.cutOff !== true) return;
    await decisions.act({ type: 'discard' });
    cycle.over('ended', { level: 'info', text: 'Discarded; nothing in the workspace changed.' });
    const { engine, log } = this.#parts;
    await engine
      .request(requests.forgetCycle, { cycleId: cycle.cycleId, root: cycle.root })
      .catch((error: unknown) => log.warn(`The cycle could not be discarded: ${errorMessage(error)}`));
  }

  #setOnShow(panel: CyclePanel, cycle: ShownCycle): OnShow {
    const onShow = { panel, cycle, decisions: new Decisions(cycle, this.#parts) };
    this.#onShow = onShow;
    return onShow;
  }

  #openPanel(restored = createCyclePanel()): CyclePanel {
    const panel = new CyclePanel(this.#parts.extensionUri, restored);
    panel.onMessage((message) => void this.#act(message));
    panel.onDisposed(() => {
      if (this.#onShow?.panel === panel) this.#onShow = undefined;
      this.#running?.source.cancel();
    });
    return panel;
  }

  async #act(message: FromPanel): Promise<void> {
    if (this.#onShow === undefined) return;
    const { cycle, decisions } = this.#onShow;
    switch (message.type) {
      case 'ready':
        return;
      case 'stop':
        return this.stop();
      case 'showLog':
        return this.#parts.log.show();
      case 'restart':
        return this.start(cycle.scope);
      case 'takeUp':
        return this.#takeUp(cycle);
      case 'forget':
        return this.#forget(cycle, decisions);
      default:
        return decisions.act(message);
    }
  }
}

const triesInPlace = (root: string): boolean => setting('fix.sandbox', rootAt(root)?.folder) === 'inPlace';

function setRunning(running: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', cycleRunningKey, running);
}
