// `testmend mcp`: a server for coding agents, for the roots that are named here and no others.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { realPathOr } from '../core/base/paths.ts';
import { recoverRoot } from '../core/engine/recoverRoot.ts';
import { frameworkIds } from '../core/model/testNode.ts';
import { plainLine } from '../core/reports/paint.ts';
import type { McpSettings } from '../mcp/allowedRoots.ts';
import { exitCodes, type Command, type CommandContext } from './command.ts';
import { mcpClients, mcpConfig } from './mcpConfig.ts';
import { namedHistoryRuns } from './namedHistoryRuns.ts';
import { readVersion } from './version.ts';

/** CONTRACTS Q0. */
const usualSeconds = 600;

/** Time limit of a hook, in seconds: agents wait for it. */
const hookSeconds = 30;

export const mcpCommand: Command = async (context) => {
  const client = context.options.choice('print-config', mcpClients);
  if (client !== undefined) {
    const { file, text } = mcpConfig(client);
    await context.terminal.err(`For ${file}:\n`);
    await context.terminal.out(text);
    return { exitCode: exitCodes.ok, json: { file, text } };
  }
  const settings = await settingsFrom(context);
  const { terminal, signal } = context;
  if (settings.trusted)
    for (const { root } of settings.roots)
      for (const note of await recoverRoot(root)) await terminal.err(`! ${plainLine(note)}\n`);
  if (context.options.flag('hook')) {
    const { mcpHook } = await import('./mcpHook.ts');
    const limited = withLimit(signal, context.options.number('timeout') ?? hookSeconds);
    return { exitCode: await mcpHook(settings, terminal, limited), json: {} };
  }
  const port = context.options.number('http');
  if (port !== undefined) {
    const { serveHttp } = await import('../mcp/serveHttp.ts');
    const onReady = (told: object): Promise<void> => terminal.out(`${JSON.stringify(told)}\n`);
    await serveHttp({ settings, port, onReady, signal });
    return { exitCode: exitCodes.ok, json: {} };
  }
  const { serveStdio } = await import('../mcp/serveStdio.ts');
  await serveStdio(settings, signal);
  return { exitCode: exitCodes.ok, json: undefined };
};

function withLimit(signal: AbortSignal, seconds: number): AbortSignal {
  const controller = new AbortController();
  const remedy = 'Allow more time with --timeout.';
  const over = (): void =>
    controller.abort(new HumanError('timeout', `The time limit of ${seconds} s was reached.`, { remedy }));
  setTimeout(over, seconds * 1_000).unref();
  return AbortSignal.any([signal, controller.signal]);
}

async function settingsFrom({ files, options }: CommandContext): Promise<McpSettings> {
  const named = options.text('root') ?? process.env['QA_PROJECT_ROOT'] ?? '.';
  const roots = await Promise.all((files.length > 0 ? files : [named]).map(folderOf));
  const runner = process.env['QA_RUNNER'];
  const frameworks = options.list('framework');
  const limits = {
    frameworks:
      frameworks.length > 0 || runner === undefined || runner === '' ? frameworks : [runnerNamed(runner)],
    timeoutSeconds: options.number('timeout') ?? secondsOf(process.env['QA_TIMEOUT_SECONDS']) ?? usualSeconds,
    skillTimeoutSeconds: options.number('skill-timeout'),
    maxParallel: options.number('max-parallel'),
    pythonPath: process.env['TESTMEND_PYTHON'] ?? '',
    historyRuns: namedHistoryRuns(),
  };
  return {
    roots: [...new Set(roots)].map((root) => ({ root, ...limits })),
    trusted: !options.flag('untrusted'),
    version: await readVersion(),
  };
}

async function folderOf(typed: string): Promise<string> {
  const folder = path.resolve(typed);
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory()) return realPathOr(folder);
  throw new HumanError('usage', stats ? `${typed} is not a folder.` : `There is no folder ${typed}.`, {
    file: folder,
    value: typed,
    remedy: 'Name folders of workspaces: testmend mcp path/to/workspace.',
  });
}

/** By its id in any case, or as others write it: `go`, `node`. */
function runnerNamed(name: string): string {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
  const found = frameworkIds.find((id) => [plain(id), plain(id).replace(/test$/, '')].includes(plain(name)));
  if (found !== undefined) return found;
  throw new HumanError('usage', `QA_RUNNER names no framework that Testmend runs: ${name.slice(0, 100)}.`, {
    value: name.slice(0, 100),
    remedy: `Name one of ${frameworkIds.join(', ')}, or none for all.`,
  });
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 86_400) return seconds;
  throw new HumanError('usage', 'QA_TIMEOUT_SECONDS must be seconds above 0.', {
    value: text.slice(0, 100),
    remedy: 'For example QA_TIMEOUT_SECONDS=600.',
  });
}
