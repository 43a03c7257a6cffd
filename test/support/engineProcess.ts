// The engine as a real process, over Node IPC like under VS Code or over stdio like under any other editor.
import { fork, spawn, type ChildProcess } from 'node:child_process';
import {
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  StreamMessageReader,
  StreamMessageWriter,
  type CancellationToken,
  type MessageConnection,
} from 'vscode-languageserver-protocol/node';
import {
  engineNotifications,
  type CycleEvents,
  type RequestContract,
  type WireRunEvent,
} from '../../src/server/messages.ts';
import { engine } from './programs.ts';

export interface EngineProcess {
  readonly child: ChildProcess;
  readonly connection: MessageConnection;
  readonly runEvents: WireRunEvent[];
  readonly cycleEvents: CycleEvents['events'];
  /** What it logged. */
  readonly log: string[];
  request<P, R>(contract: RequestContract<P, R>, params: P, token?: CancellationToken): Promise<R>;
  /** Resolves with the exit code when the process has gone. */
  readonly exited: Promise<number | null>;
  /** Ends it politely. */
  end(): Promise<void>;
}

/** Starts the engine and initializes it with these LSP parameters. */
export async function startEngine(
  transport: 'ipc' | 'stdio',
  params: Readonly<Record<string, unknown>>,
): Promise<EngineProcess> {
  const child =
    transport === 'ipc'
      ? fork(engine.script, ['--node-ipc'], {
          execArgv: [...engine.options],
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        })
      : spawn(process.execPath, [...engine.options, engine.script, '--stdio'], {
          stdio: ['pipe', 'pipe', 'inherit'],
        });
  const connection = connect(child, transport);
  const runEvents: WireRunEvent[] = [];
  const cycleEvents: CycleEvents['events'] = [];
  const log: string[] = [];
  connection.onNotification(engineNotifications.runEvents.method, (message: unknown) => {
    runEvents.push(...engineNotifications.runEvents.params.parse(message).events);
  });
  connection.onNotification(engineNotifications.cycleEvents.method, (message: unknown) => {
    cycleEvents.push(...engineNotifications.cycleEvents.params.parse(message).events);
  });
  connection.onNotification('window/logMessage', (message: { readonly message: string }) => {
    log.push(message.message);
  });
  connection.listen();
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    ...params,
  });
  await connection.sendNotification('initialized', {});
  return {
    child,
    connection,
    runEvents,
    cycleEvents,
    log,
    exited,
    request: async (contract, given, token) =>
      contract.result.parse(await connection.sendRequest(contract.method, given, token)),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      await exited;
      connection.dispose();
    },
  };
}

function connect(child: ChildProcess, transport: 'ipc' | 'stdio'): MessageConnection {
  if (transport === 'ipc')
    return createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  if (child.stdout === null || child.stdin === null) throw new Error('no pipes');
  return createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
}
