// Entry of the engine process: Node IPC under VS Code, stdio (`--stdio`) for other editors.
import {
  createConnection,
  IPCMessageReader,
  IPCMessageWriter,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { keepInspectorClosed } from '../core/base/closedInspector.ts';
import { growYoungHeap } from '../core/base/heapGrowth.ts';
import { Engine } from './engine.ts';

keepInspectorClosed();
growYoungHeap();

/** How long running tests get to end before the engine goes, ms. */
const goodbyeMs = 3_000;

const overIpc = process.send !== undefined && !process.argv.includes('--stdio');
// stdout carries the protocol: what a library prints there would break it.
if (!overIpc) console.log = console.info = console.debug = console.error;
const connection = overIpc
  ? createConnection(new IPCMessageReader(process), new IPCMessageWriter(process))
  : createConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout));
const engine = new Engine(connection, goodbyeMs);

let ending: Promise<void> | undefined;
/** Ends the runs of the user's processes first, however the editor went away. */
const end = (code: number): void => {
  ending ??= engine.end().finally(() => process.exit(code));
};
connection.onExit(() => end(0));
if (overIpc) process.on('disconnect', () => end(0));
else process.stdin.on('end', () => end(0)).on('close', () => end(0));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(1));
process.on('uncaughtException', (error) => {
  engine.log('error', error.stack ?? error.message);
  end(1);
});
process.on('unhandledRejection', (reason) => {
  engine.log('error', reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
});
connection.listen();
