// `testmend strength`: plants bugs in a copy of the sources and tells which of them the tests do not notice.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { strengthJson } from '../core/engine/strengthJson.ts';
import { strengthWorkspace } from '../core/engine/strengthWorkspace.ts';
import { plainLine } from '../core/reports/paint.ts';
import { strengthText } from '../core/reports/strengthText.ts';
import { exitCodes } from './command.ts';
import type { Command } from './command.ts';
import { LiveLine } from './liveLine.ts';
import { openedFrom } from './workspaceOptions.ts';

/** For all repetitions of tests, in seconds. */
const usualSeconds = 60;

export const strengthCommand: Command = async (context) => {
  const { options, terminal, signal, files } = context;
  const opened = await openedFrom({ options, signal, terminal });
  const { root } = opened.workspace;
  const live = new LiveLine(terminal);
  live.show('running the tests on the sources as they are');
  const notes = [...opened.notes];
  const strength = await strengthWorkspace({
    opened,
    files: files.map((file) => placeOf(file, root)),
    seconds: options.number('seconds') ?? usualSeconds,
    signal,
    onNote: (note) => notes.push(note),
    onProgress: ({ tried, of }) => live.show(`trying planted bugs · ${tried} of ${of}`),
  }).finally(() => live.clear());
  const document = strengthJson({ ...strength, notes: [...notes, ...strength.notes] });
  for (const note of document.notes) await terminal.err(`! ${plainLine(note)}\n`);
  if (!terminal.json) await terminal.out(strengthText(document.bugs, terminal));
  return { exitCode: strength.repeated > 0 ? exitCodes.ok : exitCodes.failures, json: document };
};

/** As typed from the current folder, else from the root. */
function placeOf(typed: string, root: string): string {
  const here = path.resolve(typed);
  return existsSync(here) && !existsSync(path.resolve(root, typed)) ? here : typed;
}
