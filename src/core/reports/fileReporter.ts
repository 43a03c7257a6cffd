// Writes a run's report to a file, by default into `.testmend/` in the root, which keeps itself out of git.
import { access, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { leadsOutside } from '../base/paths.ts';
import type { RunSummary } from '../model/testResult.ts';
import type { RunReporter } from './reporter.ts';

export const fileReports = {
  json: 'report.json',
  junit: 'junit.xml',
  lcov: 'lcov.info',
  cobertura: 'cobertura.xml',
  ctrf: 'ctrf.json',
  tap: 'report.tap',
  markdown: 'report.md',
  html: 'report.html',
} as const;
export type FileReport = keyof typeof fileReports;

interface FileReporterOptions {
  readonly root: string;
  /** Absolute; absent means the report's own name in `.testmend/`. */
  readonly file?: string;
  /** Ids of tests that both passed and failed in the run, known at its end. */
  readonly flaky?: () => ReadonlySet<string>;
  /** ms since 1970; now when left out. */
  readonly endedAt?: number;
  /** Makes the page of `html`, which tells more than the run. */
  readonly page?: (summary: RunSummary) => Promise<string>;
}

/** Writes the report when the run ended; replaces an older file in one step. */
export function fileReporter(report: FileReport, options: FileReporterOptions): RunReporter {
  return {
    name: report,
    async onEnd(summary) {
      const file = options.file ?? path.join(await reportFolder(options.root), fileReports[report]);
      await mkdir(path.dirname(file), { recursive: true });
      await replaceText(file, await reportText(report, summary, options));
    },
  };
}

/** In one step, unless it is no plain file: links, pipes and devices stay what they are and take the text. */
async function replaceText(file: string, text: string): Promise<void> {
  const former = await lstat(file).catch(() => undefined);
  if (former !== undefined && !former.isFile()) return writeFile(file, text);
  const partial = `${file}.${process.pid}.partial`;
  try {
    await writeFile(partial, text);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Loads what writes the report: a run without it starts sooner. */
export async function reportText(
  report: FileReport,
  summary: RunSummary,
  { root, flaky, endedAt = Date.now(), page }: FileReporterOptions,
): Promise<string> {
  const told = async (): Promise<Set<string>> =>
    (await import('../diagnosis/toldSecrets.ts')).toldBy(summary.tests, root);
  switch (report) {
    case 'json': {
      const { jsonReport } = await import('./jsonReporter.ts');
      return JSON.stringify(jsonReport(summary, flaky?.(), await told()), undefined, 2) + '\n';
    }
    case 'junit':
      return (await import('./junitReporter.ts')).junitXml(summary, undefined, await told());
    case 'ctrf': {
      const { ctrfReport } = await import('./ctrfReport.ts');
      const about = { flaky: flaky?.() ?? new Set<string>(), endedAt };
      return JSON.stringify(ctrfReport(summary, about, await told()), undefined, 2) + '\n';
    }
    case 'tap':
      return (await import('./tapReport.ts')).tapReport(summary, await told());
    case 'markdown':
      return (await import('./runMarkdown.ts')).runMarkdown(summary, flaky?.() ?? new Set(), await told());
    case 'lcov':
      return (await import('./lcovReport.ts')).lcovInfo(summary.coverage?.files ?? []);
    case 'html':
      if (page === undefined) throw new Error('nothing makes the page');
      return page(summary);
    case 'cobertura':
      return (await import('./coberturaReport.ts')).coberturaXml(summary.coverage?.files ?? [], root);
  }
}

/** `.testmend` in the root, made where it is not there. Throws a `usage` HumanError where a link leads out of the root. */
export async function reportFolder(root: string): Promise<string> {
  const folder = path.join(root, '.testmend');
  await mkdir(folder, { recursive: true });
  if (leadsOutside(root, '.testmend'))
    throw new HumanError('usage', 'The folder .testmend is a link that leads out of the root.', {
      file: folder,
      remedy: 'Remove the link: Testmend makes the folder itself.',
    });
  const ignore = path.join(folder, '.gitignore');
  await access(ignore).catch(() => writeFile(ignore, '*\n'));
  return folder;
}
