#!/usr/bin/env node
// The command `testmend`. Listens for ctrl-C before anything else is loaded: a program that starts it shall see exit code 130.
import { leaveOnInterrupt } from './leaveAtOnce.ts';

leaveOnInterrupt();
const { runProgram } = await import('./program.ts');
const exitCode = await runProgram(process.argv.slice(2));
// Handles of libraries must not keep a finished command alive; everything written was handed over.
process.exit(exitCode);
