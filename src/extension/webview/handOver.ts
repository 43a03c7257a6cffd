// What the cards of failing tests lead to: the change of the source, and the pack that is copied.
import * as vscode from 'vscode';
import type { CycleEvent } from '../../core/model/cycle.ts';
import { requests } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { toUri } from '../folders.ts';
import { remainingOf, sourcePlace, type SourceMessage } from './shownPlaces.ts';

/** Throws where the file is gone. */
export async function openSource(
  root: string,
  message: SourceMessage,
  events: readonly CycleEvent[],
): Promise<void> {
  const place = sourcePlace(message, events);
  const uri = place && toUri(root, place.file);
  if (place !== undefined && uri !== undefined) await openPlace(uri, place.line);
}

/** `line` counts from 1. */
export async function openPlace(uri: vscode.Uri, line: number): Promise<void> {
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.window.showTextDocument(uri, {
    viewColumn: vscode.ViewColumn.One,
    selection: new vscode.Range(at, at),
  });
}

/** Puts what is known of these failing tests on the clipboard, as Markdown; the id of the first that the cycle knows. */
export async function copyHandOver(
  { root, events }: { readonly root: string; readonly events: readonly CycleEvent[] },
  testIds: readonly string[],
  engine: EngineClient,
): Promise<string | undefined> {
  const wanted = new Set(testIds);
  const failures = remainingOf(events).filter(({ id }) => wanted.has(id));
  if (failures.length === 0) return undefined;
  const { markdown } = await engine.request(requests.handOver, { root, failures });
  await vscode.env.clipboard.writeText(markdown);
  return failures[0]?.id;
}
