// A cycle that nobody looks at: how it goes is told in the status bar, how it ended in a message.
import * as vscode from 'vscode';
import { commandIds } from '../contributions.ts';
import type { CyclePanel } from './cyclePanel.ts';
import { progressText } from './progressText.ts';
import { tell } from '../tell.ts';

/** Tells in the status bar how the cycle goes while its panel is open and not in sight; a click shows it. */
export function showProgress(panel: CyclePanel): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('testmend.cycle', vscode.StatusBarAlignment.Left);
  item.name = 'Testmend: Fix Cycle';
  item.command = commandIds.showCycle;
  item.tooltip = 'Show the fix cycle';
  const update = (): void => {
    if (panel.isVisible) return item.hide();
    item.text = `$(loading~spin) ${progressText(panel.events, panel.state)}`;
    item.show();
  };
  update();
  return vscode.Disposable.from(
    item,
    panel.onChanged(update),
    panel.onDisposed(() => item.hide()),
  );
}

/** Says how a cycle ended where its panel is not in sight, or the window is not the one that is used. */
export function tellEnd(panel: CyclePanel, isFailure: boolean, text: string): void {
  if (panel.isVisible && vscode.window.state.focused) return;
  const say = isFailure ? tell.error : tell.information;
  void say(`Testmend: ${text}`, 'Show').then((answer) => {
    if (answer === 'Show') void vscode.commands.executeCommand(commandIds.showCycle);
  });
}
