#!/usr/bin/env node
// The command `testmend`. Imports nothing before it knows its Node: one that is too old could not read the rest, or fail in the midst of it.

const needed = [20, 19] as const;
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
const isOld = major < needed[0] || (major === needed[0] && minor < needed[1]);
if (isOld) refuse();
else await (await import('./startProgram.ts')).startProgram();

function refuse(): void {
  const message = `Testmend needs Node ${needed.join('.')} or newer; this is ${node}.`;
  const remedy =
    'Start it with a newer Node. Your tests may use an older one: they run with the first node on PATH.';
  if (process.argv.includes('--json'))
    process.stdout.write(`${JSON.stringify({ error: { code: 'usage', message, remedy } })}\n`);
  else process.stderr.write(`✗ ${message}\n  ${remedy}\n`);
  process.exitCode = 2;
}
