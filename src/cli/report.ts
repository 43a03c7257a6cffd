// `testmend report`: the last kept run in another format, and what the history says of its tests. Runs nothing.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, HumanError } from '../core/base/humanError.ts';
import { readHistory } from '../core/engine/runHistory.ts';
import { lastRun, storedRun, type StoredRun } from '../core/engine/runStore.ts';
import { reportFolder, reportText } from '../core/reports/fileReporter.ts';
import { plainLine, plural } from '../core/reports/paint.ts';
import { isRemarkable, testTrends, type TestTrend } from '../core/reports/testHistory.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';
import { exitCodes } from './command.ts';
import { readyOutputs, writeOutput } from './outputFiles.ts';
import { workspaceFrom } from './workspaceOptions.ts';

const formats = ['markdown', 'html', 'json', 'junit', 'ctrf', 'tap', 'allure'] as const;

export const reportCommand: Command = async (context) => {
  const { options, terminal } = context;
  const { root } = await workspaceFrom(context);
  if (options.flag('flaky')) return tellHistory(root, context);
  if (options.flag('plan')) return tellPlan(root, context);
  const opens = options.flag('open');
  const format = options.choice('format', formats) ?? (opens ? 'html' : terminal.json ? 'json' : 'markdown');
  if (opens && format !== 'html')
    throw new HumanError('usage', `--open shows the page of the report, and --format ${format} is none.`, {
      value: format,
      remedy: 'Leave one of the two out.',
    });
  const run = await runOf(root, options.text('run'));
  if (format === 'html') return writePage(root, run, context);
  if (format === 'allure') return writeAllure(root, run, context);
  await readyOutputs(options);
  const endedAt = Date.parse(run.endedAt);
  const flaky = (): ReadonlySet<string> => new Set(run.flaky);
  const text = await reportText(format, run.summary, { root, flaky, endedAt });
  const out = options.text('out');
  if (out !== undefined) {
    await writeOutput({ what: 'report', option: '--out F', file: out }, text);
    if (!terminal.json) await terminal.out(`Written: ${plainLine(out)}\n`);
    return { exitCode: exitCodes.ok, json: { runId: run.runId, format, file: out } };
  }
  if (!terminal.json) await terminal.out(text);
  const isJson = format === 'json' || format === 'ctrf';
  return { exitCode: exitCodes.ok, json: isJson ? JSON.parse(text) : { runId: run.runId, format, text } };
};

const pageName = 'report.html';

/** A page that nothing opens is written all the same. */
async function openInBrowser(file: string): Promise<void> {
  try {
    const { default: open } = await import('open');
    await open(file);
  } catch (error) {
    const remedy = 'Open the file yourself.';
    throw new HumanError('not-installed', `No browser can be opened: ${errorMessage(error)}`, {
      file,
      remedy,
    });
  }
}

async function runOf(root: string, runId: string | undefined): Promise<StoredRun> {
  const run = runId === undefined ? await lastRun(root) : await storedRun(root, runId);
  if (run !== undefined) return run;
  throw new HumanError('usage', runId === undefined ? 'No run is known here.' : 'This run is not known.', {
    ...(runId !== undefined && { value: runId }),
    remedy: 'Run the tests first: testmend run. The last 30 runs of a folder are kept.',
  });
}

/** In `.testmend/report.html` unless it is named. */
async function writePage(
  root: string,
  run: StoredRun,
  { options, terminal }: CommandContext,
): Promise<CommandResult> {
  await readyOutputs(options);
  const named = options.text('out');
  const file = path.resolve(named ?? path.join(await reportFolder(root), pageName));
  const { htmlReportOf } = await import('../core/engine/reportOfRun.ts');
  await writeOutput({ what: 'report', option: '--out F', file }, await htmlReportOf(root, run));
  if (!terminal.json) await terminal.out(`Written: ${plainLine(named ?? file)}\n`);
  if (options.flag('open')) await openInBrowser(file);
  return { exitCode: exitCodes.ok, json: { runId: run.runId, format: 'html', file } };
}

/** Former results of ours in its usual folder go; a folder that was named must be new or empty. */
async function writeAllure(
  root: string,
  run: StoredRun,
  { options, terminal }: CommandContext,
): Promise<CommandResult> {
  const { allureResults } = await import('../core/reports/allureResults.ts');
  const out = options.text('out');
  const folder =
    out === undefined ? path.join(await reportFolder(root), 'allure-results') : path.resolve(out);
  if (out === undefined) await rm(folder, { recursive: true, force: true });
  else if ((await readdir(folder).catch(() => [])).length > 0)
    throw new HumanError('usage', `The folder ${out} is not empty.`, {
      value: out,
      remedy: 'Name a new folder with --out F: results of two runs would be one report.',
    });
  const about = { flaky: new Set(run.flaky), endedAt: Date.parse(run.endedAt) };
  const files = allureResults(run.summary, about, root);
  await mkdir(folder, { recursive: true });
  for (const { name, text } of files) await writeFile(path.join(folder, name), text);
  if (!terminal.json)
    await terminal.out(`${plural(files.length, 'result')} written to ${plainLine(folder)}\n`);
  return {
    exitCode: exitCodes.ok,
    json: { runId: run.runId, format: 'allure', file: folder, results: files.length },
  };
}

async function tellHistory(root: string, { terminal }: CommandContext): Promise<CommandResult> {
  const { runs, warnings } = await readHistory(root);
  for (const warning of warnings) await terminal.err(`! ${plainLine(warning)}\n`);
  const tests = testTrends(runs).filter(isRemarkable);
  if (!terminal.json) {
    const told = tests.length === 0 ? 'No test is flaky, broken or slower' : plural(tests.length, 'test');
    await terminal.out(`${told} in ${plural(runs.length, 'run')}.\n${tests.map(lineOf).join('')}`);
  }
  return { exitCode: exitCodes.ok, json: { runs: runs.length, tests, warnings } };
}

async function tellPlan(root: string, { options, terminal }: CommandContext): Promise<CommandResult> {
  await readyOutputs(options);
  const { optimizationPlan, planMarkdown } = await import('../core/reports/optimizationPlan.ts');
  const { runs, warnings } = await readHistory(root);
  for (const warning of warnings) await terminal.err(`! ${plainLine(warning)}\n`);
  const out = options.text('out');
  if (out !== undefined)
    await writeOutput({ what: 'report', option: '--out F', file: out }, planMarkdown(runs));
  if (!terminal.json)
    await terminal.out(out === undefined ? planMarkdown(runs) : `Written: ${plainLine(out)}\n`);
  return {
    exitCode: exitCodes.ok,
    json: { runs: runs.length, actions: optimizationPlan(runs), warnings },
  };
}

const lineOf = ({ category, flakeScore, outcomes, id }: TestTrend): string =>
  `${category.padEnd(15)} ${flakeScore.toFixed(2)}  ${outcomes.padEnd(20)} ${plainLine(id)}\n`;
