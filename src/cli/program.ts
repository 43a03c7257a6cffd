// The program behind the command `testmend`: takes the command line apart, loads one command, prints errors, gives the exit code.
import { realpath } from 'node:fs/promises';
import { HumanError } from '../core/base/humanError.ts';
import { reasonCode } from '../core/base/reasonCode.ts';
import { exitCodes } from './command.ts';
import type { CommandResult } from './command.ts';
import { asksFor, documentTold } from './leaveAtOnce.ts';
import { withInterruption } from './interruption.ts';
import { parseCommandLine } from './commandLine.ts';
import type { CommandLine } from './commandLine.ts';
import { discreet, processTerminal } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { readVersion } from './version.ts';

/** Does what the arguments say; resolves with the exit code when everything written was handed over. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const terminal = processTerminal({
    json: asksFor('--json', args),
    noColor: asksFor('--no-color', args),
  });
  const door: Door = { terminal, tellable: (json) => json };
  try {
    return await dispatch(parseCommandLine(args), door);
  } catch (error) {
    return tellError(error, door);
  }
}

/** All that a command tells leaves through it. */
interface Door {
  terminal: Terminal;
  tellable: (json: object) => object;
}

async function dispatch(line: CommandLine, door: Door): Promise<number> {
  const { terminal } = door;
  if (line.command === 'help') {
    const { helpText } = await import('./help.ts');
    const text = helpText(terminal.paint, line.about);
    await (terminal.json ? tellDocument(asDocument({ help: text }), terminal) : terminal.out(text));
    return exitCodes.ok;
  }
  if (line.command === 'version') {
    const version = await readVersion();
    await (terminal.json
      ? tellDocument(asDocument({ version }), terminal)
      : terminal.out(`testmend ${version}\n`));
    return exitCodes.ok;
  }
  if (!open.has(line.command.name)) {
    const { hidingTexts, tellable } = await import('../core/engine/discretion.ts');
    const root = await realpath(line.options.text('root') ?? '.').catch(() => '.');
    door.terminal = discreet(terminal, hidingTexts(root));
    door.tellable = (json) => tellable(json, root);
  }
  const command = await line.command.load();
  const seconds = line.command.stays === true ? undefined : line.options.number('timeout');
  const result = await withInterruption(
    seconds === undefined ? undefined : seconds * 1000,
    async (signal) => {
      const result = await command({
        options: line.options,
        files: line.files,
        terminal: door.terminal,
        signal,
      });
      return withReason(result, reasonCode(signal));
    },
  );
  if (terminal.json)
    await tellDocument(result.document ?? asDocument(door.tellable(Object(result.json))), terminal);
  return result.exitCode;
}

/** They list what there is to choose from, or speak to a program. */
const open = new Set(['discover', 'mcp']);

/** An interrupt from now on adds no document of its own. */
async function tellDocument(
  pieces: NonNullable<CommandResult['document']>,
  terminal: Terminal,
): Promise<void> {
  documentTold();
  for (const piece of pieces) await terminal.out(piece);
}

const asDocument = (json: unknown): readonly [string] => [`${JSON.stringify(json)}\n`];

/** Being interrupted outranks what the command found until then. */
function withReason(result: CommandResult, reason: ReturnType<typeof reasonCode>): CommandResult {
  return reason ? { ...result, exitCode: exitCodes[reason] } : result;
}

async function tellError(error: unknown, { terminal, tellable }: Door): Promise<number> {
  const { errorJson, errorText } = await import('./errors.ts');
  if (!(error instanceof HumanError))
    await terminal.err(`${error instanceof Error ? error.stack : String(error)}\n`);
  if (terminal.json) await tellDocument(asDocument(tellable({ error: errorJson(error) })), terminal);
  else await terminal.err(errorText(error, terminal));
  const code = error instanceof HumanError ? error.code : undefined;
  return code === 'cancelled' || code === 'timeout' ? exitCodes[code] : exitCodes.usage;
}
