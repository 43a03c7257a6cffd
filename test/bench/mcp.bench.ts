// The MCP server: from its start to the first answer, lists of tests from the cache, what it adds to a run, and its memory over many calls.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { McpTestClient } from '../mcp/mcpClient.ts';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { median, medians, program, type BenchRow } from './measure.ts';

const dist = path.resolve(import.meta.dirname, '../../dist');
const manyFiles = 10_000;
const calls = 1_000;
const test = `require('node:test').test('adds', () => {});\n`;
const packageOfNode = '{ "name": "shop", "scripts": { "test": "node --test" } }';

export async function bench(): Promise<readonly BenchRow[]> {
  return [...(await start()), ...(await list()), ...(await run())];
}

async function start(): Promise<readonly BenchRow[]> {
  const roots = JSON.stringify([{ root: dist }]);
  const took = await medians(
    { answer: () => firstAnswer(roots), empty: () => program(process.execPath, ['-e', '0'], dist) },
    15,
  );
  return [
    { name: 'start to first answer', value: took('answer'), unit: 'ms', limit: 250 },
    { name: '  node -e 0', value: took('empty'), unit: 'ms' },
  ];
}

async function firstAnswer(roots: string): Promise<void> {
  const server = spawn(process.execPath, [path.join(dist, 'mcp.js'), roots]);
  const clientInfo = { name: 'bench', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await once(server.stdout, 'data');
  server.kill();
}

async function list(): Promise<readonly BenchRow[]> {
  const files = Array.from({ length: manyFiles }, (_, index) => [
    `test/part${index % 100}/file${index}.test.js`,
    test,
  ]);
  const many = await temporaryWorkspace({ 'package.json': packageOfNode, ...Object.fromEntries(files) });
  const client = await McpTestClient.connect(many.root);
  try {
    await client.call('list_tests');
    const times: number[] = [];
    for (let round = 0; round < 9; round++) times.push(await timeOf(() => client.call('list_tests')));
    return [{ name: `list_tests of ${manyFiles} files`, value: median(times), unit: 'ms', limit: 300 }];
  } finally {
    await client.close();
    await many.dispose();
  }
}

async function run(): Promise<readonly BenchRow[]> {
  const shop = await temporaryWorkspace({ 'package.json': packageOfNode, 'test/a.test.js': test });
  const client = await McpTestClient.connect(shop.root);
  try {
    const took = await medians(
      {
        tool: () => client.call('run_tests'),
        command: () => program(process.execPath, [path.join(dist, 'cli.js'), 'run'], shop.root),
      },
      9,
    );
    return [
      { name: 'run_tests over testmend run', value: took('tool') - took('command'), unit: 'ms', limit: 50 },
      { name: '  testmend run', value: took('command'), unit: 'ms' },
      ...(await memory(client)),
    ];
  } finally {
    await client.close();
    await shop.dispose();
  }
}

/** Nothing where the system does not tell the memory of a process. */
async function memory(client: McpTestClient): Promise<readonly BenchRow[]> {
  if (process.platform !== 'linux') return [];
  const seen: number[] = [];
  for (let call = 0; call <= calls; call++) {
    if (call % 200 === 0) seen.push(await residentMb(client.pid));
    await client.call(call % 2 === 0 ? 'list_tests' : 'get_test_report');
  }
  const [, warm = Number.NaN] = seen;
  const note = seen.map((one) => one.toFixed(0)).join(' ');
  return [
    {
      name: `memory after ${calls} calls`,
      value: seen.at(-1) ?? Number.NaN,
      unit: 'MB',
      limit: warm * 1.1,
      note,
    },
  ];
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
