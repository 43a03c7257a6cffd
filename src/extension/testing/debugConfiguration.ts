// What VS Code's debuggers are told to start, per language, and which extension brings them.
import type * as vscode from 'vscode';
import { isHostVariable } from '../../core/base/hostVariables.ts';
import type { DebugLanguage, DebugSession } from '../../core/model/debugSession.ts';

export interface Debugger {
  /** As people write it. */
  readonly language: string;
  readonly extension: { readonly id: string; readonly name: string };
  readonly configuration: (session: DebugSession) => Record<string, unknown>;
}

/** Debug types are those of the extensions' own documentation. */
export const debuggers: Readonly<Record<DebugLanguage, Debugger>> = {
  javascript: {
    language: 'JavaScript',
    extension: { id: 'ms-vscode.js-debug', name: 'JavaScript Debugger' },
    configuration: javascript,
  },
  python: {
    language: 'Python',
    extension: { id: 'ms-python.debugpy', name: 'Python Debugger' },
    configuration: python,
  },
  go: { language: 'Go', extension: { id: 'golang.go', name: 'Go' }, configuration: go },
};

/**
 * Starts the session's program. Variables of our host (`hostEnvironment`) that do not belong to the user's processes are taken out
 * where the debugger can do so.
 */
export function debugConfiguration(
  session: DebugSession,
  hostEnvironment: NodeJS.ProcessEnv,
): vscode.DebugConfiguration {
  const { language, label, cwd, env } = session;
  const own = Object.keys(hostEnvironment).filter(isHostVariable);
  // Only js-debug takes null for "not set"; the others must at least not hand a secret on.
  const without =
    language === 'javascript'
      ? Object.fromEntries(own.map((name) => [name, null]))
      : Object.fromEntries(own.filter((name) => /KEY$/i.test(name)).map((name) => [name, '']));
  const configuration = debuggers[language].configuration(session);
  return {
    type: '',
    request: 'launch',
    name: `Testmend: ${label}`,
    cwd,
    env: { ...without, ...env },
    ...configuration,
  };
}

function javascript({ program, args }: DebugSession): Record<string, unknown> {
  return {
    type: 'pwa-node',
    runtimeExecutable: program,
    // Which of them is the script need not be known: flags of node may have values of their own.
    runtimeArgs: args,
    console: 'internalConsole',
    // What the tests print is told as output of the run too.
    outputCapture: 'std',
    // Workers of the frameworks are processes of their own.
    autoAttachChildProcesses: true,
    sourceMaps: true,
    // Test runners compile in memory: the maps are in the scripts themselves, wherever these seem to lie.
    outFiles: null,
    resolveSourceMapLocations: null,
    pauseForSourceMap: true,
    smartStep: true,
    skipFiles: ['<node_internals>/**', '**/node_modules/**', ...ownFiles],
  };
}

/** Files of ours in the user's processes. */
const ownFiles = ['**/dist/reporters/**'];

/** `python [flags] -m module …` or `python [flags] script …`. */
function python({ program, args }: DebugSession): Record<string, unknown> {
  const module = args.indexOf('-m');
  const at = module >= 0 ? module : args.findIndex((argument) => !argument.startsWith('-'));
  return {
    type: 'debugpy',
    python: program,
    pythonArgs: args.slice(0, Math.max(at, 0)),
    ...(module >= 0 ? { module: args[at + 1] } : { program: args[at] }),
    args: args.slice(module >= 0 ? at + 2 : at + 1),
    console: 'internalConsole',
    redirectOutput: true,
    justMyCode: true,
    // pytest-xdist and multiprocessing.
    subProcess: true,
  };
}

/** `program` is the folder of the package; dlv builds its test binary and hands the arguments to it. */
function go({ program, args }: DebugSession): Record<string, unknown> {
  // In the folder of the package dlv finds its module, and tells what the tests print as events.
  return { type: 'go', mode: 'test', program, args, dlvCwd: program, outputMode: 'remote' };
}
