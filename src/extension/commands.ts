// Every command; what they need beyond the Testing view is loaded with the first one that needs it.
import * as vscode from 'vscode';
import { commandIds, panelViewType } from './contributions.ts';
import type { EngineClient } from './engineClient.ts';
import type { FixDialogue } from './fixes/fixDialogue.ts';
import type { ProposedDocuments } from './fixes/proposedDocuments.ts';
import { locate, workspaceRoots, type Root } from './folders.ts';
import type { Testing } from './testing/controller.ts';
import { fileItemOf } from './testing/discovery.ts';
import { itemData } from './testing/itemData.ts';
import type { CycleScope, CycleSession } from './webview/cycleSession.ts';

interface Rooms {
  readonly documents: ProposedDocuments;
  readonly dialogue: FixDialogue;
  readonly session: CycleSession;
}

/** Registers the commands and the panel's restoration. */
export function registerCommands(
  context: vscode.ExtensionContext,
  engine: EngineClient,
  testing: Testing,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  let loading: Promise<Rooms> | undefined;
  const rooms = (): Promise<Rooms> => (loading ??= loadRooms(context, engine, testing, log));
  const fix = async (scope: CycleScope | undefined): Promise<void> => {
    if (scope !== undefined) await (await rooms()).session.start(scope);
  };
  const handlers: Record<string, (...args: unknown[]) => unknown> = {
    [commandIds.fixFailingTests]: async (argument) => fix(await scopeOf(argument, testing)),
    [commandIds.fixTest]: async (argument) => fix(await scopeOf(argument, testing)),
    [commandIds.stop]: async () => (await rooms()).session.stop(),
    [commandIds.showLog]: () => log.show(),
    [commandIds.refreshTests]: () => testing.discovery.refresh(),
    [commandIds.restartEngine]: () => engine.restart(),
    [commandIds.applyFix]: async () => (await rooms()).dialogue.applyShown(),
    [commandIds.discardFix]: async () => (await rooms()).dialogue.discardShown(),
    [commandIds.tryFix]: async (argument) => (await rooms()).dialogue.tryFix(argument),
    [commandIds.isBug]: async (argument) => (await rooms()).dialogue.isBug(argument),
  };
  return vscode.Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) => vscode.commands.registerCommand(id, handler)),
    vscode.window.registerWebviewPanelSerializer(panelViewType, {
      deserializeWebviewPanel: async (panel, state) => (await rooms()).session.restore(panel, state),
    }),
    {
      dispose: () => {
        void loading?.then(({ session, documents }) => {
          session.dispose();
          documents.dispose();
        });
      },
    },
  );
}

async function loadRooms(
  context: vscode.ExtensionContext,
  engine: EngineClient,
  testing: Testing,
  log: vscode.LogOutputChannel,
): Promise<Rooms> {
  const [{ ProposedDocuments }, { FixDialogue }, { CycleSession }] = await Promise.all([
    import('./fixes/proposedDocuments.ts'),
    import('./fixes/fixDialogue.ts'),
    import('./webview/cycleSession.ts'),
  ]);
  const documents = new ProposedDocuments();
  return {
    documents,
    dialogue: new FixDialogue(engine, testing, documents, log),
    session: new CycleSession(context.extensionUri, engine, testing, documents, log),
  };
}

/** The item of the context menu limits the cycle to its file; else the user picks among several folders. */
async function scopeOf(argument: unknown, testing: Testing): Promise<CycleScope | undefined> {
  const item = isTestItem(argument) ? argument : undefined;
  const data = item === undefined ? undefined : itemData(item);
  if (item !== undefined && data !== undefined) {
    const file = fileItemOf(item, testing.tree);
    return file === undefined ? { root: data.root } : { root: data.root, files: [file.file] };
  }
  const root = await pickRoot();
  return root === undefined ? undefined : { root: root.path };
}

async function pickRoot(): Promise<Root | undefined> {
  const roots = workspaceRoots();
  if (roots.length === 0)
    void vscode.window.showInformationMessage('Testmend: open a folder with tests first.');
  if (roots.length < 2) return roots[0];
  const active = vscode.window.activeTextEditor;
  const here = active === undefined ? undefined : locate(active.document.uri)?.root;
  const picks = roots
    .map((root) => ({ label: root.folder.name, description: root.path, root }))
    .sort((a, b) => Number(b.root.path === here) - Number(a.root.path === here));
  const choice = await vscode.window.showQuickPick(picks, { title: 'Fix failing tests in' });
  return choice?.root;
}

function isTestItem(value: unknown): value is vscode.TestItem {
  return typeof value === 'object' && value !== null && 'canResolveChildren' in value && 'children' in value;
}
