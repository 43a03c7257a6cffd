// Entry of the server that an editor starts by itself: `node mcp.js ROOTS`, with the settings of each root as JSON, over stdio.
import { z } from 'zod';
import { keepInspectorClosed } from '../core/base/closedInspector.ts';
import { growYoungHeap } from '../core/base/heapGrowth.ts';
import { recoverRoot } from '../core/engine/recoverRoot.ts';
import { rootSettingsSchema } from '../core/engine/rootSchemas.ts';
import { serveStdio } from './serveStdio.ts';

declare const TESTMEND_VERSION: string;

keepInspectorClosed();
growYoungHeap();
// stdout carries the protocol: what a library prints there would break it.
console.log = console.info = console.debug = console.error;

const leaving = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => leaving.abort());

// An editor starts it for folders that the user trusts, and for no others.
const roots = z
  .array(rootSettingsSchema)
  .min(1)
  .parse(JSON.parse(process.argv[2] ?? '[]'));
for (const { root } of roots) for (const note of await recoverRoot(root)) process.stderr.write(`! ${note}\n`);
await serveStdio({ roots, trusted: true, version: TESTMEND_VERSION }, leaving.signal);
process.exit(0);
