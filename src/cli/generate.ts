// `testmend generate`: a first test for one source file, tried in a sandbox, shown, and written only when told.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import {
  makeFirstTest,
  runnerOf,
  tryFirstTest,
  tryoutText,
  writeFirstTest,
  type FirstTest,
  type Tryout,
} from '../core/engine/firstTest.ts';
import { plainLine, plainText } from '../core/reports/paint.ts';
import { noteText } from '../core/reports/terminalReporter.ts';
import { exitCodes } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { LiveLine } from './liveLine.ts';
import type { Terminal } from './terminal.ts';
import { terminalAsk } from './terminalAsk.ts';
import { workspaceFrom } from './workspaceOptions.ts';

export const generateCommand: Command = async (context) => {
  const { options, terminal, signal } = context;
  const typed = sourceFrom(context);
  const workspace = await workspaceFrom({ options, terminal });
  const live = new LiveLine(terminal);
  live.show('making a first test');
  const { test, tryout } = await (async () => {
    const made = await makeFirstTest(workspace, placeOf(typed, workspace.root), signal);
    live.show('trying it in a sandbox');
    return { test: made, tryout: await tryFirstTest(workspace, made, signal) };
  })().finally(() => live.clear());
  const isWanted = await show(test, tryout, context);
  const isWritten = isWanted && tryout.runs;
  if (isWritten) await writeFirstTest(workspace.root, test);
  await tellEnd(test, tryout, isWritten, context);
  const { runs, passed, toDo, reason } = tryout;
  return {
    exitCode: runs ? exitCodes.ok : exitCodes.failures,
    json: {
      source: test.source,
      file: test.file,
      framework: test.project.framework,
      text: test.text,
      runs,
      passed,
      toDo,
      ...(reason === undefined ? {} : { reason }),
      written: isWritten,
      notes: test.notes,
    },
  };
};

function sourceFrom({ files, options }: CommandContext): string {
  if (options.flag('write') && options.flag('dry-run')) {
    throw new HumanError('usage', '--write and --dry-run exclude each other.', {
      remedy: 'Leave one of them out.',
    });
  }
  const [typed, ...others] = files;
  if (typed !== undefined && others.length === 0) return typed;
  throw new HumanError('usage', 'testmend generate needs one source file.', {
    ...(files.length > 1 && { value: files.join(' ') }),
    remedy: 'Name the file that the test is for: testmend generate src/price.ts.',
  });
}

/** As typed from the current folder, else from the root. */
function placeOf(typed: string, root: string): string {
  const here = path.resolve(typed);
  return existsSync(here) && !existsSync(path.resolve(root, typed)) ? here : typed;
}

/** Shows the text; true when it is to be written. */
async function show(
  test: FirstTest,
  tryout: Tryout,
  { options, terminal, signal }: CommandContext,
): Promise<boolean> {
  const file = plainLine(test.file);
  const { paint } = terminal;
  if (terminal.json) return options.flag('write');
  if (options.flag('write') && tryout.runs) return true;
  const asks = terminal.interactive && !options.flag('dry-run');
  // Where nobody is asked, stdout is the file and nothing else.
  if (!asks) {
    await terminal.out(test.text);
    return false;
  }
  await terminal.out(`${paint.bold(file)}\n\n${plainText(test.text)}\n${outcome(test, tryout, terminal)}`);
  if (!tryout.runs) return false;
  const answer = await terminalAsk(terminal, signal)(`Write ${file}?`, [
    { key: 'y', label: 'write it' },
    { key: 'n', label: 'leave it' },
  ]);
  return answer === 'y';
}

async function tellEnd(
  test: FirstTest,
  tryout: Tryout,
  isWritten: boolean,
  { options, terminal }: CommandContext,
): Promise<void> {
  if (terminal.json) return;
  const file = plainLine(test.file);
  const asked = terminal.interactive && !options.flag('dry-run') && !options.flag('write');
  const lines = [
    ...(asked ? [] : [outcome(test, tryout, terminal)]),
    ...(isWritten ? [`Wrote ${file}.\n`] : []),
    ...(tryout.runs && !isWritten && !asked ? [`Nothing was written; --write writes it to ${file}.\n`] : []),
    ...(tryout.runs ? [] : [`Nothing was written.\n`]),
  ];
  const tell = isWritten || asked ? terminal.out : terminal.err;
  await tell(lines.join(''));
}

/** `✓ test/price.test.ts (Vitest) runs: 1 passed, 3 to do`, and what else is to be known. */
function outcome(test: FirstTest, tryout: Tryout, { paint, width }: Terminal): string {
  const mark = tryout.runs ? paint.green('✓') : paint.red('✗');
  const said = `${plainLine(test.file)} (${runnerOf(test)}) ${plainText(tryoutText(tryout))}`;
  return [`${mark} ${said}`, ...test.notes.map((note) => noteText(note, paint, width)), ''].join('\n');
}
