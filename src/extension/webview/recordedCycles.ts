// Recorded fix cycles, each in a panel of its own: they are looked at, nothing of them runs and nothing is decided.
import path from 'node:path';
import * as vscode from 'vscode';
import { errorMessage, HumanError } from '../../core/base/humanError.ts';
import type { CycleEvent } from '../../core/model/cycle.ts';
import { emptyPanelState, panelMementoSchema, type FromPanel } from '../../webview/messages.ts';
import { panelViewType, recordingViewType } from '../contributions.ts';
import { explained } from '../explained.ts';
import { locate, toUri, workspaceRoots } from '../folders.ts';
import { CyclePanel } from './cyclePanel.ts';
import { fileInWorkspace } from './fileInWorkspace.ts';
import { openPlace } from './handOver.ts';
import { readRecording, type Recording } from './readRecording.ts';
import { sourcePlace, testPlace, type ShownPlace } from './shownPlaces.ts';

export class RecordedCycles implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  /** By absolute path of the recording. */
  readonly #panels = new Map<string, CyclePanel>();

  constructor(extensionUri: vscode.Uri) {
    this.#extensionUri = extensionUri;
  }

  /** Shows the recording that is named, or asks for one; where it is open already, it is read anew. */
  async open(argument: unknown): Promise<void> {
    const uri = argument instanceof vscode.Uri ? argument : await choose();
    if (uri === undefined) return;
    await explained(async () => {
      if (uri.scheme !== 'file')
        throw new HumanError('bad-input', `${path.posix.basename(uri.path)} is not on this disk.`, {
          file: uri.toString(),
          remedy: 'Save it to a file first.',
        });
      this.#show(await readRecording(uri.fsPath)).reveal();
    });
  }

  /** Shows a recording again after a reload of the window, as its file is now. */
  async restore(restored: vscode.WebviewPanel, memento: unknown): Promise<void> {
    const asked = panelMementoSchema.safeParse(memento);
    const file = asked.success ? asked.data.cycleId : '';
    if (!path.isAbsolute(file) || this.#panels.has(file)) return restored.dispose();
    try {
      this.#show(await readRecording(file), restored);
    } catch (error) {
      if (!(error instanceof HumanError)) throw error;
      // It is gone or no recording any more: nobody asked for it just now.
      restored.dispose();
    }
  }

  dispose(): void {
    for (const panel of this.#panels.values()) panel.dispose();
  }

  #show({ file, root, events, missing }: Recording, restored?: vscode.WebviewPanel): CyclePanel {
    const panel = this.#panels.get(file) ?? this.#openPanel(file, restored);
    const recording = { file: path.basename(file), root, ...(missing === undefined ? {} : { missing }) };
    const folder = root.split(/[\\/]/).findLast((part) => part !== '') ?? '';
    panel.reset(root, file, { ...emptyPanelState, phase: 'ended', folder, recording }, events);
    return panel;
  }

  #openPanel(file: string, restored = createRecordingPanel(file)): CyclePanel {
    const panel = new CyclePanel(this.#extensionUri, restored);
    this.#panels.set(file, panel);
    panel.onMessage((message) => void goTo(message, panel));
    panel.onDisposed(() => this.#panels.delete(file));
    return panel;
  }
}

/** Where cycles are shown already, else beside the file that is open. */
function createRecordingPanel(file: string): vscode.WebviewPanel {
  const title = `${path.basename(file)} (recording)`;
  const column = columnOf(recordingViewType) ?? columnOf(panelViewType) ?? vscode.ViewColumn.Beside;
  return vscode.window.createWebviewPanel(recordingViewType, title, column, {});
}

function columnOf(viewType: string): vscode.ViewColumn | undefined {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // VS Code puts its own prefix before the type.
  return tabs.find(
    ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType),
  )?.group.viewColumn;
}

async function choose(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: 'Open a Recorded Fix Cycle',
    openLabel: 'Open',
    filters: { 'Recorded events': ['ndjson', 'jsonl'], 'All files': ['*'] },
  });
  return chosen?.[0];
}

/** All that a recording can ask for: a place in a file of this workspace. */
async function goTo(message: FromPanel, panel: CyclePanel): Promise<void> {
  const place = placeOf(message, panel.events);
  if (place === undefined) return;
  const uri = uriOf(place.file, panel.state.recording?.root ?? '');
  const text = `${place.file} is not in this workspace.`;
  try {
    if (uri !== undefined) await openPlace(uri, place.line);
    panel.setState({ message: uri === undefined ? { level: 'info', text } : undefined });
  } catch (error) {
    panel.setState({ message: { level: 'error', text: errorMessage(error) } });
  }
}

function placeOf(message: FromPanel, events: readonly CycleEvent[]): ShownPlace | undefined {
  switch (message.type) {
    case 'reveal':
      return testPlace(message.testId, events);
    case 'openSource':
    case 'openFixSource':
      return sourcePlace(message, events);
    default:
      return undefined;
  }
}

function uriOf(file: string, recordedRoot: string): vscode.Uri | undefined {
  const roots = workspaceRoots().map((root) => root.path);
  const found = fileInWorkspace(roots, recordedRoot, file);
  const here = found === undefined ? undefined : locate(vscode.Uri.file(found));
  return here === undefined ? undefined : toUri(here.root, here.file);
}
