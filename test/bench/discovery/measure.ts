// One project's comparison: our discovery, its runner's own list, and what is written in its files.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { realPathOr } from '../../../src/core/base/paths.ts';
import { discoverTests, type Discovery } from '../../../src/core/frameworks/discover.ts';
import { testsOf } from '../../../src/core/frameworks/discoverJson.ts';
import { visitTests } from '../../../src/core/model/testNode.ts';
import { compare, type Comparison, type OurTest, type Written } from './compare.ts';
import { runnerList } from './runnerLists.ts';
import { writtenTests, type WrittenTest } from './writtenTests.ts';

export interface Measured {
  readonly framework: string;
  readonly comparison: Comparison;
}

/**
 * For each framework that discovery finds in the folder, or for the one that is named. Throws where the runner gives no list;
 * the lists of go and pytest name functions, so ours within them are not compared.
 */
export async function measureProject(
  folder: string,
  { framework, words = [] }: { readonly framework?: string; readonly words?: readonly string[] },
): Promise<readonly Measured[]> {
  const root = realPathOr(folder);
  const discovery = await discoverIn(root);
  const found = new Set(discovery.files.map((file) => file.framework));
  const measured: Measured[] = [];
  for (const name of framework === undefined ? found : [framework]) {
    const list = await runnerList(name, root, words);
    const ours = ourTests(discovery, name);
    const files = new Set([...list.tests, ...ours].map(({ file }) => file));
    measured.push({ framework: name, comparison: compare(list, ours, await readWritten(root, files)) });
  }
  return measured;
}

async function discoverIn(root: string): Promise<Discovery> {
  const cacheFolder = await mkdtemp(path.join(os.tmpdir(), 'bench-discovery-'));
  try {
    const limits = { timeoutMs: 1000, skillTimeoutMs: 1000, maxParallel: 1 };
    return await discoverTests({ root, limits, frameworks: [], cacheFolder });
  } finally {
    await rm(cacheFolder, { recursive: true, force: true });
  }
}

/** What `testmend discover --json` prints, with the last lines besides. */
function ourTests({ files, listing }: Discovery, framework: string): readonly OurTest[] {
  return files
    .filter((file) => file.framework === framework)
    .flatMap((file) => {
      const ends = new Map<string, number>();
      visitTests(file.tests, ({ id, range }) => void ends.set(id, range.end.line));
      return testsOf(file, listing.root)
        .filter(({ suites }) => framework !== 'goTest' || suites.length === 0)
        .map(({ id, suites, title, line, kind }) => ({
          file: file.file,
          ...(file.project === undefined ? {} : { project: file.project }),
          names: [...suites, title],
          line,
          endLine: ends.get(id) ?? line,
          isTemplate: kind === 'template',
        }));
    });
}

type InFile = WrittenTest & { readonly file: string };

/** Read once: the files themselves, and what they import from the project. */
async function readWritten(root: string, files: ReadonlySet<string>): Promise<Written> {
  const texts = new Map<string, Promise<string>>();
  const written = new Map<string, readonly InFile[]>();
  const imported = new Map<string, ReadonlySet<string>>();
  const textOf = (file: string): Promise<string> => {
    const text = texts.get(file) ?? readFile(path.join(root, file), 'utf8').catch(() => '');
    texts.set(file, text);
    return text;
  };
  const read = async (file: string): Promise<void> => {
    if (written.has(file) || !/\.[cm]?[jt]sx?$/.test(file)) return;
    const text = await textOf(file);
    const found = await writtenTests(path.join(root, file), text);
    written.set(file, found?.map((test) => ({ ...test, file })) ?? []);
    const targets = new Set<string>();
    for (const [, , target = ''] of text.matchAll(/(['"])(\.{1,2}\/[^'"\n]*)\1/g)) {
      const base = path.posix.join(path.posix.dirname(file), target);
      for (const candidate of candidates(base)) if ((await textOf(candidate)) !== '') targets.add(candidate);
    }
    imported.set(file, targets);
    for (const target of targets) await read(target);
  };
  for (const file of files) await read(file);
  return {
    in: (file) => written.get(file),
    importedBy: (file) => {
      const reached = new Set<string>();
      const open = [file];
      for (let at = open.pop(); at !== undefined; at = open.pop())
        for (const target of imported.get(at) ?? []) {
          if (target === file || reached.has(target)) continue;
          reached.add(target);
          open.push(target);
        }
      return [...reached].flatMap((one) => written.get(one) ?? []);
    },
  };
}

function candidates(base: string): readonly string[] {
  const stem = base.replace(/\.[cm]?jsx?$/, '');
  const endings = ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '/index.ts', '/index.js'];
  return [base, ...endings.map((ending) => stem + ending), `${stem}.cts`, `${stem}.mts`];
}
