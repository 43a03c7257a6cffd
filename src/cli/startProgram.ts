// Starts the program. Listens for ctrl-C before anything else is loaded: a program that starts it shall see exit code 130.
import path from 'node:path';
import { keepInspectorClosed } from '../core/base/closedInspector.ts';
import { keepCompiled } from '../core/base/compileCache.ts';
import { growYoungHeap } from '../core/base/heapGrowth.ts';
import { userCacheFolder } from '../core/base/userFolders.ts';
import { leaveOnInterrupt } from './leaveAtOnce.ts';

/** Does what the command line says and ends the process with its exit code. */
export async function startProgram(): Promise<never> {
  leaveOnInterrupt();
  keepInspectorClosed();
  growYoungHeap();
  // TypeScript above all, which reads the configurations of most projects.
  keepCompiled(path.join(userCacheFolder(), 'compiled'));
  const { runProgram } = await import('./program.ts');
  const exitCode = await runProgram(process.argv.slice(2));
  // Handles of libraries must not keep a finished command alive; everything written was handed over.
  process.exit(exitCode);
}
