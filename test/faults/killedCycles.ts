// Kills fix cycles with SIGKILL at random moments, starts the next command, and counts what is not as it was.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, link, lstat, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cli } from '../support/programs.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../support/treeSnapshot.ts';

export interface Faults {
  readonly kills: number;
  /** Of them those after which the workspace was not as before, until the next start. */
  readonly amidTrials: number;
  /** Of them those that left test processes running. */
  readonly orphaning: number;
  /** What was wrong after the next start, one sentence each. */
  readonly problems: readonly string[];
}

export interface KillPlan {
  readonly kills: number;
  readonly seed: number;
  readonly onKill?: (line: string) => void;
}

/** What of a cycle is killed: the command alone, its group, or everything at once, as when the machine goes. */
const victims = ['command', 'group', 'everything'] as const;
type Victim = (typeof victims)[number];

interface Shop {
  readonly workspace: TemporaryWorkspace;
  readonly args: readonly string[];
  /** May the tree be as it is after the fixes, too, with all of them? */
  readonly applies: boolean;
  readonly before: Tree;
  readonly after: Tree;
  /** How long it takes undisturbed, and after how long the first trial begins, ms. */
  readonly ms: number;
  readonly firstTrialMs: number;
  /** Bytes of the files that a cycle may write. */
  readonly bytes: ReadonlyMap<string, SavedFile>;
}

interface SavedFile {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
}

type Tree = Readonly<Record<string, string>>;

export async function killCycles({ kills, seed, onKill }: KillPlan): Promise<Faults> {
  const random = randomFrom(seed);
  const problems: string[] = [];
  let [amidTrials, orphaning] = [0, 0];
  const shops = [
    await openShop(skillShop, ['fix', '--sandbox', 'in-place']),
    await openShop(vitestShop, ['fix', '--sandbox', 'in-place']),
    await openShop(skillShop, ['fix', '--apply']),
  ];
  const places = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2];
  try {
    for (let kill = 0; kill < kills; kill++) {
      const shop = shops[places[Math.floor(random() * places.length)] ?? 0];
      const victim = victims[Math.floor(random() * victims.length)] ?? 'command';
      if (shop === undefined) continue;
      // Half of them at any moment, half from the first trial on: it is short beside the runs.
      const isTrial = !shop.applies && random() < 0.5;
      const span = isTrial ? shop.ms - shop.firstTrialMs : shop.ms;
      const delay = Math.round(random() * span);
      const found = await killOnce(shop, victim, delay, isTrial);
      if (found.wasTouched) amidTrials++;
      if (found.orphans > 0) orphaning++;
      const told = `kill ${kill + 1}: ${shop.args.join(' ')}, ${victim} ${delay} ms after ${isTrial ? 'the first trial began' : 'its start'}`;
      onKill?.(
        `${told}: ${found.wasTouched ? 'amid a trial' : 'between trials'}, ${found.orphans} orphans${found.problems.length > 0 ? `, WRONG: ${found.problems.join('; ')}` : ''}`,
      );
      problems.push(...found.problems.map((problem) => `${told}: ${problem}`));
      await putBack(shop);
    }
  } finally {
    for (const { workspace } of shops) await workspace.dispose();
  }
  return { kills, amidTrials, orphaning, problems };
}

async function killOnce(
  shop: Shop,
  victim: Victim,
  delay: number,
  isTrial: boolean,
): Promise<{ readonly wasTouched: boolean; readonly orphans: number; readonly problems: readonly string[] }> {
  const { workspace } = shop;
  const mark = `faults-${randomBytes(6).toString('hex')}`;
  const child = start(shop, shop.args, mark);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if (isTrial) await firstTrial(path.dirname(workspace.root), gone);
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, delay))]);
  if (child.pid !== undefined) {
    const all = victim === 'everything' ? processesMarked(mark) : [];
    kill(victim === 'group' ? -child.pid : child.pid);
    for (const pid of all) kill(pid);
  }
  await gone;
  const wasTouched = !isSame(await treeOf(workspace.root), shop.before);
  const orphans = processesMarked(mark).length;
  const problems: string[] = [];
  const next = start(shop, ['discover'], '');
  let said = '';
  next.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise<number | null>((resolve) => next.once('close', resolve));
  if (code !== 0) problems.push(`the next start ended with ${code}: ${said.trim()}`);
  const tree = await treeOf(workspace.root);
  const isRight = isSame(tree, shop.before) || (shop.applies && isSame(withoutTimes(tree), shop.after));
  if (!isRight) problems.push(`the workspace is not as it was: ${differences(shop.before, tree)}`);
  // A process that was just killed takes a moment until it is gone.
  for (let turn = 0; turn < 20 && processesMarked(mark).length > 0; turn++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  for (const pid of processesMarked(mark)) problems.push(`process ${pid} still runs: ${commandOf(pid)}`);
  problems.push(...leftovers(path.dirname(workspace.root)));
  for (const pid of processesMarked(mark)) kill(pid);
  await ended;
  return { wasTouched, orphans, problems };
}

function start(
  { workspace: { root } }: Pick<Shop, 'workspace'>,
  args: readonly string[],
  mark: string,
): ReturnType<typeof spawnCli> {
  return spawnCli(root, args, mark);
}

function spawnCli(root: string, args: readonly string[], mark: string) {
  const beside = path.dirname(root);
  return spawn(process.execPath, [...cli.options, cli.script, ...args], {
    cwd: root,
    detached: true,
    env: {
      ...process.env,
      XDG_CACHE_HOME: path.join(beside, 'caches'),
      XDG_STATE_HOME: path.join(beside, 'state'),
      TESTMEND_SANDBOX_DIR: path.join(beside, 'sandboxes'),
      FAULTS_MARK: mark,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Journals and sandboxes that lie there when nothing runs any more. */
function leftovers(beside: string): readonly string[] {
  const sandboxes = path.join(beside, 'sandboxes');
  return [
    ...journalsIn(beside).map((journal) => `a journal is left: ${journal}`),
    ...(existsSync(sandboxes) ? readdirSync(sandboxes) : []).map((name) => `a sandbox is left: ${name}`),
  ];
}

function journalsIn(beside: string): readonly string[] {
  const corners = ['caches', 'state'].flatMap((place) => {
    const folder = path.join(beside, place, 'testmend');
    return (existsSync(folder) ? readdirSync(folder) : []).map((corner) => path.join(folder, corner));
  });
  return corners.flatMap((corner) => {
    const folder = path.join(corner, 'journal');
    return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
  });
}

async function openShop(make: () => Promise<TemporaryWorkspace>, args: readonly string[]): Promise<Shop> {
  const workspace = await make();
  const applies = args.includes('--apply');
  if (applies) await roundTimes(workspace.root);
  const before = await treeOf(workspace.root);
  const bytes = new Map<string, SavedFile>();
  for (const file of Object.keys(before)) {
    const stats = await lstat(path.join(workspace.root, file));
    if (!stats.isFile()) continue;
    const { mode, atimeMs, mtimeMs } = stats;
    bytes.set(file, { bytes: await readFile(path.join(workspace.root, file)), mode, atimeMs, mtimeMs });
  }
  const startedAt = performance.now();
  const child = spawnCli(workspace.root, args, '');
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  await firstTrial(path.dirname(workspace.root), closed);
  const firstTrialMs = performance.now() - startedAt;
  const code = await closed;
  const ms = performance.now() - startedAt;
  const tree = await treeOf(workspace.root);
  if (applies ? code !== 0 : !isSame(tree, before))
    throw new Error(`${args.join(' ')} without a kill ended with ${code}: ${differences(before, tree)}`);
  const shop = { workspace, args, applies, before, after: withoutTimes(tree), ms, firstTrialMs, bytes };
  await putBack(shop);
  return shop;
}

/** Until the journal of edits in the workspace tells of the first one, or the command has ended. */
async function firstTrial(beside: string, ended: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  void ended.then(() => over.abort());
  const hasBegun = (): boolean =>
    journalsIn(beside).some((journal) => textOf(path.join(journal, 'log.ndjson')).includes('"write"'));
  while (!over.signal.aborted && !hasBegun()) await new Promise((resolve) => setTimeout(resolve, 3));
}

/** Times that can be set exactly, for files that are put back by hand. */
async function roundTimes(root: string): Promise<void> {
  for (const file of Object.keys(await treeOf(root))) {
    const place = path.join(root, file);
    if ((await lstat(place)).isFile()) await utimes(place, 1_700_000_000, 1_700_000_000);
  }
}

/** Only what differs is written: a file that was given back is the same file as before. */
async function putBack({ workspace: { root }, bytes, before }: Shop): Promise<void> {
  const tree = await treeOf(root);
  if (isSame(tree, before)) return;
  for (const file of Object.keys(tree))
    if (!(file in before)) await rm(path.join(root, file), { recursive: true, force: true });
  for (const [file, saved] of bytes) {
    if (tree[file] === before[file]) continue;
    const place = path.join(root, file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, saved.bytes);
    await chmod(place, saved.mode);
    await utimes(place, saved.atimeMs / 1000, saved.mtimeMs / 1000);
  }
  const left = await treeOf(root);
  if (!isSame(left, before)) throw new Error(`cannot be put back: ${differences(before, left)}`);
}

/** Files with bytes, mode and time to the microsecond; folders by their name. git's own files are git's. */
async function treeOf(root: string): Promise<Tree> {
  const entries = Object.entries(await treeSnapshot(root)).filter(
    ([name]) => name !== '.git' && !name.startsWith(`.git${path.sep}`) && !name.startsWith('node_modules'),
  );
  return Object.fromEntries(
    entries.map(([name, text]) => {
      const [mode = '', time = '', ...rest] = text.split(' ');
      const isFolder = rest[0] === 'folder';
      return [name, [mode, isFolder ? '' : Number(time).toFixed(2), ...rest].join(' ')];
    }),
  );
}

const withoutTimes = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).map(([name, text]) => {
      const [mode, , ...rest] = text.split(' ');
      return [name, [mode, ...rest].join(' ')];
    }),
  );

const isSame = (a: Tree, b: Tree): boolean => differences(a, b) === '';

function differences(before: Tree, now: Tree): string {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((name) => before[name] !== now[name])
    .map((name) => `${name} was ${before[name] ?? 'not there'}, is ${now[name] ?? 'not there'}`)
    .join(', ');
}

function processesMarked(mark: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(`FAULTS_MARK=${mark}\0`)
        ? [Number(name)]
        : [];
    } catch {
      return []; // gone meanwhile, or another user's
    }
  });
}

/** Empty when it is gone. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function commandOf(pid: number): string {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    return `${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()} in ${cwd}`;
  } catch {
    return 'gone';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** mulberry32: the same moments for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const skillNames = ['first', 'second'];

/** Renamed exports; one test has a byte order mark and Windows line ends and may be run, one a second name. */
async function skillShop(): Promise<TemporaryWorkspace> {
  const source = 'export const net = (cents) => cents / 1.2;\n';
  const test = (name: string): string =>
    `import assert from 'node:assert/strict';\nimport { net } from '../${name}.mjs';\n\nexport default () => {\n  assert.equal(net(120), 100);\n  return { passed: 1, failed: 0, errors: [] };\n};\n`;
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{}',
      ...Object.fromEntries(
        skillNames.flatMap((name) => [
          [`${name}.mjs`, source],
          [`tests/${name}.tests.mjs`, test(name)],
        ]),
      ),
    },
    { git: true },
  );
  const { root } = workspace;
  await workspace.write('tests/second.tests.mjs', `\uFEFF${test('second').replaceAll('\n', '\r\n')}`);
  await chmod(path.join(root, 'tests/second.tests.mjs'), 0o755);
  await link(path.join(root, 'tests/first.tests.mjs'), path.join(root, 'second name of first'));
  await writeFile(path.join(root, 'latin1.txt'), Buffer.from([0xe4, 0xf6, 0xfc, 0x0d]));
  workspace.git('add', '-A');
  workspace.git('commit', '-q', '-m', 'odd files');
  for (const name of skillNames) await workspace.write(`${name}.mjs`, source.replace('net', 'withoutTax'));
  return workspace;
}

/** A changed value and a renamed export: values are recorded in the tests' own files, and the former source is tried. */
async function vitestShop(): Promise<TemporaryWorkspace> {
  const source =
    "export const greet = (name) => 'Hello ' + name;\nexport const net = (cents) => cents / 1.2;\n";
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{"name":"shop","type":"module","devDependencies":{"vitest":"*"}}',
      'src/shop.js': source,
      'test/greet.test.js':
        "import { expect, it } from 'vitest';\nimport { greet } from '../src/shop.js';\n\nit('greets', () => expect(greet('Ann')).toBe('Hello Ann'));\n",
      'test/price.test.js':
        "import { expect, it } from 'vitest';\nimport { net } from '../src/shop.js';\n\nit('takes the tax off', () => expect(net(120)).toBe(100));\n",
    },
    { git: true, vitest: true },
  );
  await workspace.write('src/shop.js', source.replace('Hello', 'Hi').replace('net', 'withoutTax'));
  return workspace;
}
