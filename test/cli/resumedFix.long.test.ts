// A fix cycle that is killed in the middle, by the hardest of signals: the next command takes up what was proven, or forgets it.
import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { renamedShop, skillFile, skillText } from '../support/renamedShop.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { atTerminal, testmend, type CliResult } from '../support/testmendCli.ts';
import { fixDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const names = ['first', 'second', 'third'];
const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

describe('testmend fix, killed in the middle', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  // It is killed once, and lies there again before each test: the workspace with its caches and what was kept of the cycle.
  let folder: string;
  let killed: string;
  let begun: number;
  let died: number;
  const faithfully = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  before(async () => {
    workspace = await renamedShop(names);
    folder = path.dirname(workspace.root);
    killed = `${folder}-killed`;
    begun = Date.now();
    await fixAndDie();
    died = Date.now();
    await cp(folder, killed, faithfully);
  });
  beforeEach(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    await cp(killed, folder, faithfully);
  });
  after(async () => {
    await workspace.dispose();
    await rm(killed, { recursive: true, force: true });
  });

  const run = (...args: string[]): Promise<CliResult> => testmend(args, { cwd: workspace.root });
  const status = (): string => workspace.git('status', '--porcelain', '--untracked-files=all').trim();

  const records = async (): Promise<readonly string[]> => {
    const caches = path.join(workspace.root, '../caches/testmend');
    const all = await readdir(caches, { recursive: true });
    return all.filter((name) => name.endsWith('.record.jsonl')).map((name) => path.join(caches, name));
  };

  /** The process dies in the very call that writes down the second proven fix, half of whose line is on the disk. */
  const fixAndDie = async (...more: readonly string[]): Promise<void> => {
    const before = status();
    const script = path.join(workspace.root, '../die.mjs');
    await writeFile(
      script,
      `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const original = fs.appendFileSync;
fs.appendFileSync = (file, text) => {
  const isThird = String(file).endsWith('.record.jsonl') && String(text).includes('third.tests');
  original(file, isThird ? String(text).slice(0, 60) : text);
  if (isThird) process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();
`,
    );
    const { code, stderr } = await testmend(['fix', '--dry-run', '--strategy', 'surgical', ...more], {
      cwd: workspace.root,
      env: { NODE_OPTIONS: `--import=${pathToFileURL(script).href}` },
    });
    assert.equal(code, null, stderr);
    assert.equal(status(), before);
    const [record = ''] = await records();
    assert.doesNotMatch(await readFile(record, 'utf8'), /\n$/, 'it died in the middle of a line');
  };

  it('is taken up: what was proven is proven again, the iterations count, and the rest is mended', async () => {
    const { code, stdout } = await run('fix', '--resume', '--apply');
    assert.match(stdout, /Resumed: 2 of 2 fixes proven again\./);
    assert.match(stdout, /teration 3/);
    assert.doesNotMatch(stdout, /teration 1/);
    assert.equal(code, 0, stdout);
    for (const name of names) assert.match(await workspace.read(skillFile(name)), /withoutTax\(120\)/);
    assert.deepEqual(await records(), [], 'a cycle that ended leaves no record');
    const again = await run('fix', '--resume', '--json');
    assert.equal(again.code, 2);
    assert.match(again.stdout, /"code":"usage","message":"There is no killed fix cycle to resume\."/);
  });

  it('is told of in one line where nobody can be asked, and the new cycle takes its place', async () => {
    const told = await run('fix', '--dry-run', '--json');
    assert.match(
      told.stderr,
      /^! A fix cycle of \d\d:\d\d was killed after 2 iterations with 2 proven fixes\. Resume it with --resume, or discard it with --discard\.$/m,
    );
    assert.equal(documentOf(fixDocument, told).fixes.length, 3);
    assert.deepEqual(await records(), []);
    const next = await run('fix', '--dry-run', '--json');
    assert.doesNotMatch(next.stderr, /was killed/);
    for (const one of [told, next]) assert.ok(!('takenUp' in documentOf(fixDocument, one)));
  });

  it('gives up what no longer fits its file, and says so', async () => {
    await workspace.write(skillFile('first'), `// Mine.\n${skillText('first')}`);
    const { stdout } = await run('fix', '--resume', '--apply');
    assert.match(stdout, /Resumed: 1 of 2 fixes proven again\./);
    assert.match(oneLine(stdout), /Not resumed: "[^"]+": it no longer fits tests\/first\.tests\.mjs\./);
    assert.match(await workspace.read(skillFile('first')), /^\/\/ Mine\.\n[^]*withoutTax\(120\)/);
  });

  it('says of a fix whose test passes meanwhile that it is not needed', async () => {
    await workspace.write('first.mjs', 'export const net = (cents) => cents / 1.2;\n');
    const { stdout } = await run('fix', '--resume', '--dry-run');
    assert.match(oneLine(stdout), /^ ?Resumes the cycle of \d\d:\d\d, which was cut off after 2 iterations/);
    assert.match(stdout, /Resumed: 1 of 2 fixes proven again\./);
    assert.match(oneLine(stdout), /Not resumed: "[^"]+": its test does not fail any more\./);
  });

  it('is told in the documents: when it began, how far it came, and what fell away', async () => {
    await workspace.write(skillFile('first'), `// Mine.\n${skillText('first')}`);
    const reports = ['json=../fix.json', 'markdown=../fix.md'].map((one) => `--reporter=${one}`);
    const document = documentOf(fixDocument, await run('fix', '--resume', '--dry-run', '--json', ...reports));
    assert.ok(document.takenUp);
    const { startedAt, dropped, ...counts } = document.takenUp;
    assert.deepEqual(counts, { iterations: 2, fixes: 2, proven: 1 });
    assert.deepEqual(
      dropped.map(({ reason }) => reason),
      ['it no longer fits tests/first.tests.mjs.'],
    );
    assert.match(dropped[0]?.title ?? '', /withoutTax/);
    assert.equal(startedAt, new Date(startedAt).toISOString());
    assert.ok(Date.parse(startedAt) >= begun && Date.parse(startedAt) <= died);
    assert.deepEqual(JSON.parse(await workspace.read('../fix.json')), document);
    const markdown = await workspace.read('../fix.md');
    assert.match(
      markdown,
      /^- Resumes the cycle of \d\d:\d\d, which was cut off after 2 iterations with 2 proven fixes\.$/m,
    );
    assert.match(markdown, /^- `Resumed: 1 of 2 fixes proven again\.`$/m);
  });

  it('still tells the coverage that was asked for where a session was to count it', async () => {
    await fixAndDie('--coverage', '--session', '../S1');
    const { coverage } = documentOf(fixDocument, await run('fix', '--resume', '--dry-run', '--json'));
    assert.equal(coverage?.lines, 100);
  });

  it('is forgotten with --discard', async () => {
    const { stderr } = await run('fix', skillFile('third'), '--discard', '--dry-run');
    assert.doesNotMatch(stderr, /was killed/);
    assert.equal((await run('fix', '--resume')).code, 2);
  });

  it('is asked about at a terminal', async function () {
    const shown = await atTerminal(['fix'], ['y', 'n'], workspace.root);
    if (shown === undefined) return this.skip();
    assert.match(
      shown,
      /was killed after 2 iterations with 2 proven fixes\. Resume it\? {2}y Yes · n No, start a new one · d Discard it/,
    );
    assert.match(shown, /Resumed: 2 of 2 fixes proven again\./);
    assert.match(shown, /Apply 3 fixes that change no meaning\?/);
  });

  it('is not taken up together with --discard or with other files', async () => {
    const both = await run('fix', '--resume', '--discard');
    assert.equal(both.code, 2);
    assert.match(both.stderr, /--resume and --discard exclude each other/);
    const files = await run('fix', '--resume', skillFile('first'));
    assert.equal(files.code, 2);
    assert.match(files.stderr, /continues with the files of the killed cycle/);
  });
});
