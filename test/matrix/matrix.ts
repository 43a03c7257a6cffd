// `npm run check:matrix`: every supported version of the frameworks, each with the tool outside of the project. Ends with 1 for a bad cell.
// `-- mocha node24` runs only cells whose names contain all words; TESTMEND_MATRIX_DIR keeps installations and results elsewhere.
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { allCells, nodeVersions, type Cell } from './cells.ts';
import { checkCell, end, steps, type CellResult } from './checkCell.ts';
import { installNode, installPackages, installTool, type Tool } from './installations.ts';

const { values, positionals } = parseArgs({
  options: { fresh: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const resultsSchema = z.record(
  z.string(),
  z.object({ green: z.string(), red: z.string(), fix: z.string(), coverage: z.string() }),
);

async function main(): Promise<number> {
  const wanted = process.env['TESTMEND_MATRIX_DIR'] ?? path.join(os.tmpdir(), 'testmend-matrix');
  await mkdir(wanted, { recursive: true });
  const folder = await realpath(wanted);
  const tool = await installTool(folder);
  const file = path.join(folder, `results-${tool.hash.slice(0, 16)}.json`);
  const known = values.fresh ? {} : await readResults(file);
  const refusal = await refusalOf(tool, await installNode(folder, '18'));
  console.error(`${refusal === '' ? 'good' : `BAD  ${refusal}`} the tool itself on Node 18`);
  const results = new Map<Cell, CellResult>();
  for (const cell of allCells().filter(isWanted)) {
    const name = nameOf(cell);
    const result = isGood(known[name]) ? known[name] : await check(cell, folder, tool);
    known[name] = result;
    await writeFile(file, JSON.stringify(known, undefined, 2));
    results.set(cell, result);
    console.error(`${isGood(result) ? 'good' : 'BAD '} ${name}`);
    for (const step of steps) if (!isFine(result[step])) console.error(`     ${step}: ${result[step]}`);
  }
  console.log(table(results));
  const bad = [...results.values()].filter((result) => !isGood(result)).length;
  console.log(`\n${results.size - bad} of ${results.size} cells are good.`);
  return bad === 0 && results.size > 0 && refusal === '' ? 0 : 1;
}

/** Empty where the tool says on a Node that is too old which one it needs; else what it does say. */
async function refusalOf({ cli }: Tool, nodeFolder: string): Promise<string> {
  const { code, stdout, stderr } = await end(path.join(nodeFolder, 'node'), [cli, 'run'], {
    cwd: nodeFolder,
    nodeFolder,
  });
  const isClear = code === 2 && /^✗ Testmend needs Node \d+\.\d+ or newer; this is 18\./.test(stderr);
  return isClear ? '' : `exit ${code}: ${stdout}${stderr}`;
}

const nameOf = ({ label, node }: Cell): string => `${label}, node${node}`;
const isWanted = (cell: Cell): boolean => positionals.every((word) => nameOf(cell).includes(word));
const isFine = (text: string): boolean => text === 'yes' || text === 'none';
const isGood = (result: CellResult | undefined): result is CellResult =>
  result !== undefined && steps.every((step) => isFine(result[step]));

async function readResults(file: string): Promise<Record<string, CellResult>> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  return resultsSchema.parse(JSON.parse(text));
}

/** Caches and state are new for each cell: what an earlier version left says nothing of this one. */
async function check(cell: Cell, folder: string, tool: Tool): Promise<CellResult> {
  const own = path.join(folder, 'own');
  await rm(own, { recursive: true, force: true });
  try {
    const nodeFolder = await installNode(folder, cell.node);
    const ownNode = cell.node === '18' ? await installNode(folder, '20') : nodeFolder;
    const project = await installPackages(folder, cell);
    return await checkCell({
      framework: cell.framework,
      project,
      cli: tool.cli,
      toolNode: path.join(ownNode, 'node'),
      nodeFolder,
      folder: own,
    });
  } catch (error) {
    const text = `not installed: ${error instanceof Error ? error.message : String(error)}`;
    return { green: text, red: text, fix: text, coverage: text };
  }
}

/** As docs/frameworks.md has it: a row for each version, a column for each Node, in it the steps that were good. */
function table(results: ReadonlyMap<Cell, CellResult>): string {
  const rows = new Map<string, string[]>();
  for (const [{ label, node }, result] of results) {
    const row = rows.get(label) ?? nodeVersions.map(() => '');
    row[nodeVersions.indexOf(node)] = isGood(result)
      ? steps.filter((step) => result[step] === 'yes').join(', ')
      : steps.map((step) => (isFine(result[step]) ? step : `**no ${step}**`)).join(', ');
    rows.set(label, row);
  }
  const lines = [
    ['', ...nodeVersions.map((version) => `Node ${version}`)],
    ['---', ...nodeVersions.map(() => '---')],
    ...[...rows].map(([label, row]) => [label, ...row]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

process.exitCode = await main();
