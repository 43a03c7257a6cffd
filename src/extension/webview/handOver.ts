// What the cards of failing tests lead to: the change of the source, and the pack that is copied.
import * as vscode from 'vscode';
import type { CycleEvent, Remaining } from '../../core/model/cycle.ts';
import { requests } from '../../server/messages.ts';
import type { FromPanel } from '../../webview/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { toUri } from '../folders.ts';
import type { CyclePanel } from './cyclePanel.ts';
import { fixesOf } from './offeredFixes.ts';

type SourceMessage = Extract<FromPanel, { type: 'openSource' | 'openFixSource' }>;

/** Only places that the cycle told are opened: the panel names none by itself. Throws where the file is gone. */
export async function openSource(
  root: string,
  message: SourceMessage,
  events: readonly CycleEvent[],
): Promise<void> {
  const place =
    message.type === 'openFixSource'
      ? fixesOf(events).find(({ id }) => id === message.fixId)?.sourceChange?.location
      : remainingOf(events).find(({ id }) => id === message.testId)?.handOver?.sourceChanges[message.index];
  const uri = place && toUri(root, place.file);
  if (place === undefined || uri === undefined) return;
  const at = new vscode.Position(Math.max(0, place.line - 1), 0);
  await vscode.window.showTextDocument(uri, {
    viewColumn: vscode.ViewColumn.One,
    selection: new vscode.Range(at, at),
  });
}

/** Puts what is known of these failing tests on the clipboard, as Markdown. */
export async function copyHandOver(
  panel: CyclePanel,
  testIds: readonly string[],
  engine: EngineClient,
): Promise<void> {
  const wanted = new Set(testIds);
  const failures = remainingOf(panel.events).filter(({ id }) => wanted.has(id));
  if (failures.length === 0) return;
  const { markdown } = await engine.request(requests.handOver, { root: panel.root, failures });
  await vscode.env.clipboard.writeText(markdown);
  panel.setState({ copied: failures[0]?.id });
}

function remainingOf(events: readonly CycleEvent[]): readonly Remaining[] {
  return events.flatMap((event) => (event.type === 'cycleEnded' ? event.report.remaining : []));
}
