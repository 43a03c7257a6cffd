// The demo from start to end: a green shop, a change that breaks it, the fix cycle with its questions, and the proof.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { RunSummary } from '../core/model/testResult.ts';
import { changedLines } from '../core/reports/fixText.ts';
import { indent, plural } from '../core/reports/paint.ts';
import { runTotals } from '../core/reports/runTotals.ts';
import { runWorkspace } from '../core/engine/runWorkspace.ts';
import { fixWorkspace } from '../cli/fix.ts';
import { LiveLine } from '../cli/liveLine.ts';
import { Options } from '../cli/options.ts';
import type { Terminal } from '../cli/terminal.ts';
import { openedFrom } from '../cli/workspaceOptions.ts';
import { checkOutcome } from './checkOutcome.ts';
import { carefulUser } from './carefulUser.ts';
import { changeSource, git, makeShop, sourceHashes } from './shopWorkspace.ts';
import type { ShopWords } from './shopWords.ts';

interface StoryRequest {
  readonly seed: number;
  readonly words: ShopWords;
  /** Absolute; made by the story. */
  readonly folder: string;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Tells the story on stdout; true when everything went as it should. */
export async function tellStory({ seed, words, folder, terminal, signal }: StoryRequest): Promise<boolean> {
  const { paint } = terminal;
  const say = (text = ''): Promise<void> => terminal.out(`${text}\n`);
  const run = (): Promise<RunSummary> => runShop(folder, terminal, signal);
  const state = await mkdtemp(path.join(os.tmpdir(), 'testmend-demo-state-'));
  const patchFile = path.join(state, 'fixes.patch');
  try {
    await say(
      `${paint.bold('Testmend demo')}  seed ${seed}  ${paint.dim(`(again with: npm run demo -- --seed ${seed})`)}`,
    );

    await say(chapter(terminal, 1, `${words.shop}, a small shop with tests for vitest and one skill`));
    await makeShop(folder, words);
    await say(`  ${paint.dim('git log')}  ${(await git(folder, 'log', '--oneline')).trim()}`);
    const green = await run();
    await say(`  ${runTotals(green, paint)}`);

    await say(chapter(terminal, 2, 'A colleague changes the source and forgets the tests'));
    await changeSource(folder, words);
    const before = await sourceHashes(folder);
    await say(
      indentLines(changedLines(await git(folder, 'diff', '--', 'src', ':!src/dates.ts'), terminal, 2)),
    );
    await say(`  ${paint.dim(`src/dates.ts moved to src/${words.datesFolder}/dates.ts`)}`);
    const broken = await run();
    await say(`\n  ${runTotals(broken, paint)}`);

    await say(chapter(terminal, 3, 'testmend fix: every fix is proven in a sandbox copy first'));
    const options = new Options(
      new Map([
        ['root', [folder]],
        ['patch', [patchFile]],
      ]),
    );
    const ask = carefulUser(terminal);
    const fixed = await fixWorkspace({ options, files: [], terminal, signal }, ask);

    await say(chapter(terminal, 4, 'The patch of everything proven'));
    await say(indentLines(await git(folder, 'apply', '--stat', patchFile)));

    await say(chapter(terminal, 5, 'What happened'));
    const checks = checkOutcome({
      green,
      broken,
      fixed,
      after: await run(),
      patch: await readFile(patchFile, 'utf8').catch(() => ''),
      sourceBefore: before,
      sourceAfter: await sourceHashes(folder),
    });
    for (const { good, text } of checks) await say(`  ${good ? paint.green('✓') : paint.red('✗')} ${text}`);
    const failed = checks.filter(({ good }) => !good).length;
    await say(
      `\n${failed === 0 ? paint.green('The demo went as it should.') : paint.red(`The demo failed: ${plural(failed, 'check')} did not hold.`)}`,
    );
    return failed === 0;
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

/** A run of everything on disk. */
async function runShop(folder: string, terminal: Terminal, signal: AbortSignal): Promise<RunSummary> {
  const opened = await openedFrom({
    options: new Options(new Map([['root', [folder]]])),
    signal,
    terminal,
  });
  const live = new LiveLine(terminal);
  live.show('running the tests');
  const run = runWorkspace({ opened, chosen: { selection: {}, notes: [] }, signal });
  try {
    for (;;) {
      const { value, done } = await run.next();
      if (done === true) return value.summary;
    }
  } finally {
    live.clear();
  }
}

const chapter = ({ paint }: Terminal, number: number, title: string): string =>
  `\n${paint.inverse(` ${number} `)} ${paint.bold(title)}\n`;

const indentLines = (text: string): string => indent(text.trimEnd(), 2);
