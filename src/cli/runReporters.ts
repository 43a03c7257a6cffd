// The reporters that `--reporter NAME[=FILE]` asks for.
import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import { HumanError } from '../core/base/humanError.ts';
import { fileReporter, fileReports, type FileReport } from '../core/reports/fileReporter.ts';
import { createPaint } from '../core/reports/paint.ts';
import type { RunReporter } from '../core/reports/reporter.ts';
import { terminalReporter } from '../core/reports/terminalReporter.ts';
import type { Terminal } from './terminal.ts';

interface ReporterRequest {
  readonly root: string;
  readonly terminal: Terminal;
  readonly readText: (file: string) => Promise<string | undefined>;
  readonly flaky: () => ReadonlySet<string>;
}

/** Without any the terminal tells the run, unless stdout belongs to --json. Throws a `usage` HumanError for an unknown name. */
export function runReporters(specs: readonly string[], request: ReporterRequest): RunReporter[] {
  const { terminal } = request;
  const reporters = specs.map((spec) => oneReporter(spec, request));
  const told = terminal.json || specs.some((spec) => spec.split('=')[0] === 'terminal');
  return told ? reporters : [onTerminal(request), ...reporters];
}

function oneReporter(spec: string, request: ReporterRequest): RunReporter {
  const [name = '', ...rest] = spec.split('=');
  const typed = rest.join('=');
  const file = typed === '' ? undefined : path.resolve(typed);
  if (isFileReport(name))
    return fileReporter(name, {
      root: request.root,
      ...(file === undefined ? {} : { file }),
      flaky: request.flaky,
      page: async (summary) => {
        const { htmlReportOf } = await import('../core/engine/reportOfRun.ts');
        return htmlReportOf(request.root, { summary, flaky: request.flaky() });
      },
    });
  if (name === 'terminal') return file === undefined ? onTerminal(request) : intoFile(file, request);
  throw new HumanError('usage', `There is no reporter "${name}".`, {
    value: name,
    remedy: `The reporters are terminal, ${Object.keys(fileReports).join(', ')}.`,
  });
}

/** Does one of them tell what the tests ran of the sources? */
export function tellsCoverage(specs: readonly string[]): boolean {
  return specs.some((spec) => /^(?:lcov|cobertura)(?:=|$)/.test(spec));
}

function isFileReport(name: string): name is FileReport {
  return Object.hasOwn(fileReports, name);
}

function onTerminal({ terminal, readText }: ReporterRequest): RunReporter {
  // With --json only the result document may go to stdout.
  const write = (text: string): Promise<void> => (terminal.json ? terminal.err(text) : terminal.out(text));
  const paint = terminal.json ? terminal.errorPaint : terminal.paint;
  return terminalReporter({ paint, width: terminal.width, readText, write });
}

function intoFile(file: string, { root, readText }: ReporterRequest): RunReporter {
  return terminalReporter({
    paint: createPaint(false),
    width: 80,
    readText,
    write: async (text) => {
      const { hidingTexts } = await import('../core/engine/discretion.ts');
      await writeFile(file, hidingTexts(root)(text));
    },
  });
}
