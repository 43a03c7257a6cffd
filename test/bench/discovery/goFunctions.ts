// The functions that `go test -list` names, with the files and lines where they stand.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { RunnerTest } from './runnerLists.ts';

const eventSchema = z.object({ Action: z.string(), Package: z.string(), Output: z.string().optional() });

/** Reads what `go test -list . -json ./...` prints; benchmarks are no tests. */
export async function findGoTests(printed: string, root: string): Promise<readonly RunnerTest[]> {
  const [, module] = /^module\s+(\S+)/m.exec(await readFile(path.join(root, 'go.mod'), 'utf8')) ?? [];
  if (module === undefined) throw new Error(`${root}/go.mod names no module.`);
  const tests: RunnerTest[] = [];
  const places = new Map<string, ReadonlyMap<string, { file: string; line: number }>>();
  for (const line of printed.split('\n').filter((one) => one.startsWith('{'))) {
    const { Package, Output } = eventSchema.parse(JSON.parse(line));
    const name = Output?.trim() ?? '';
    if (!/^(?:Test|Fuzz|Example)\S*$/.test(name)) continue;
    const folder = path.posix.join('.', Package.slice(module.length).replace(/^\//, ''));
    const functions = places.get(folder) ?? (await functionsIn(root, folder));
    places.set(folder, functions);
    tests.push({ names: [name], ...(functions.get(name) ?? { file: folder }) });
  }
  return tests;
}

async function functionsIn(
  root: string,
  folder: string,
): Promise<ReadonlyMap<string, { file: string; line: number }>> {
  const found = new Map<string, { file: string; line: number }>();
  for (const name of await readdir(path.join(root, folder))) {
    if (!name.endsWith('_test.go')) continue;
    const lines = (await readFile(path.join(root, folder, name), 'utf8')).split('\n');
    lines.forEach((text, index) => {
      const [, title] = /^func (\w+)\(/.exec(text) ?? [];
      if (title !== undefined) found.set(title, { file: path.posix.join(folder, name), line: index + 1 });
    });
  }
  return found;
}
