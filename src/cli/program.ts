// The program behind the command `testmend`: takes the command line apart, loads one command, prints errors, gives the exit code.
import { HumanError } from '../core/base/humanError.ts';
import { reasonCode } from '../core/base/reasonCode.ts';
import { exitCodes } from './command.ts';
import type { CommandResult } from './command.ts';
import { asksFor, documentTold } from './leaveAtOnce.ts';
import { withInterruption } from './interruption.ts';
import { parseCommandLine } from './commandLine.ts';
import type { CommandLine } from './commandLine.ts';
import { processTerminal } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { readVersion } from './version.ts';

/** Does what the arguments say; resolves with the exit code when everything written was handed over. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const terminal = processTerminal({
    json: asksFor('--json', args),
    noColor: asksFor('--no-color', args),
  });
  try {
    return await dispatch(parseCommandLine(args), terminal);
  } catch (error) {
    return tellError(error, terminal);
  }
}

async function dispatch(line: CommandLine, terminal: Terminal): Promise<number> {
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
  const command = await line.command.load();
  const seconds = line.command.stays === true ? undefined : line.options.number('timeout');
  const result = await withInterruption(
    seconds === undefined ? undefined : seconds * 1000,
    async (signal) => {
      const result = await command({ options: line.options, files: line.files, terminal, signal });
      return withReason(result, reasonCode(signal));
    },
  );
  if (terminal.json) await tellDocument(result.document ?? asDocument(result.json), terminal);
  return result.exitCode;
}

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

async function tellError(error: unknown, terminal: Terminal): Promise<number> {
  const { errorJson, errorText } = await import('./errors.ts');
  if (!(error instanceof HumanError))
    await terminal.err(`${error instanceof Error ? error.stack : String(error)}\n`);
  if (terminal.json) await tellDocument(asDocument({ error: errorJson(error) }), terminal);
  else await terminal.err(errorText(error, terminal));
  const code = error instanceof HumanError ? error.code : undefined;
  return code === 'cancelled' || code === 'timeout' ? exitCodes[code] : exitCodes.usage;
}
