// `testmend scenario record`: opens a browser, and writes what is done in it as a scenario when it is closed.
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { realPathOr } from '../core/base/paths.ts';
import { recordToFile } from '../core/engine/recordScenario.ts';
import { plainLine, plural } from '../core/reports/paint.ts';
import { exitCodes } from './command.ts';
import type { Command } from './command.ts';

export const recordCommand: Command = async ({ files, options, terminal, signal }) => {
  const [url, ...others] = files;
  if (others.length > 0)
    throw new HumanError('usage', 'A recording begins at one address.', {
      value: files.join(' '),
      remedy: 'Name it: testmend scenario record http://localhost:3000 --out checkout.scenario.yaml',
    });
  const out = options.text('out');
  await terminal.err(
    'Opening a browser. Close it, press its Stop button, or Ctrl-C here to end the recording.\n',
  );
  const { file, steps, notes } = await recordToFile({
    root: realPathOr(options.text('root') ?? '.'),
    folder: process.cwd(),
    file: out === undefined ? undefined : path.resolve(out),
    url,
    force: options.flag('force'),
    signal,
  });
  const shown = path.relative(process.cwd(), file);
  for (const note of notes) await terminal.err(`! ${plainLine(note)}\n`);
  if (!terminal.json) await terminal.out(`Wrote ${plainLine(shown)} (${plural(steps, 'step')}).\n`);
  return { exitCode: exitCodes.ok, json: { file: shown, steps, notes } };
};
