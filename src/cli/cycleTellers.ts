// Where `testmend fix` tells its events and its report besides the terminal: `--events` and `--reporter`.
import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, HumanError } from '../core/base/humanError.ts';
import type { CycleEvent, CycleReport } from '../core/model/cycle.ts';
import { cycleMarkdown } from '../core/reports/cycleMarkdown.ts';
import { reportFolder } from '../core/reports/fileReporter.ts';
import { githubCycle } from '../core/reports/githubCycle.ts';
import type { Options } from './options.ts';
import type { Terminal } from './terminal.ts';

export interface CycleTellers {
  /** Stdout belongs to the events: what is for people goes to stderr. */
  readonly ownsStdout: boolean;
  onEvent(event: CycleEvent): void;
  /** Once, with the report as the workspace is on disk. Throws a HumanError for what cannot be written. */
  onEnd(report: CycleReport): Promise<void>;
}

/** Throws a `usage` HumanError for names that it does not know, before anything is run. */
export function cycleTellers(options: Options, root: string, terminal: Terminal): CycleTellers {
  const events = eventsTo(options.text('events'), terminal);
  const reporters = options.list('reporter').map((spec) => oneReporter(spec, root, terminal));
  if (events?.ownsStdout === true && options.list('reporter').some((spec) => spec.startsWith('github')))
    throw usage(
      '--events on stdout and --reporter github exclude each other.',
      'Write --events ndjson=FILE.',
    );
  return {
    ownsStdout: events?.ownsStdout ?? false,
    onEvent: (event) => events?.write(`${JSON.stringify(event)}\n`),
    onEnd: async (report) => {
      await events?.end();
      for (const tell of reporters) await tell(report);
    },
  };
}

interface EventSink {
  readonly ownsStdout: boolean;
  write(line: string): void;
  end(): Promise<void>;
}

function eventsTo(spec: string | undefined, terminal: Terminal): EventSink | undefined {
  if (spec === undefined) return undefined;
  const [format, ...rest] = spec.split('=');
  const file = rest.join('=');
  if (format !== 'ndjson')
    throw usage(
      `There is no form of events "${format ?? ''}".`,
      'Write --events ndjson or --events ndjson=FILE.',
      spec,
    );
  if (file === '') {
    if (terminal.json)
      throw usage('--events on stdout and --json exclude each other.', 'Write --events ndjson=FILE.');
    return { ownsStdout: true, write: (line) => void terminal.out(line), end: () => Promise.resolve() };
  }
  const stream = createWriteStream(path.resolve(file));
  let trouble: Error | undefined;
  stream.on('error', (error) => (trouble = error));
  return {
    ownsStdout: false,
    write: (line) => void stream.write(line),
    end: async () => {
      await new Promise<void>((resolve) => stream.end(resolve));
      if (trouble) throw unwritable('events', file, trouble);
    },
  };
}

type Tell = (report: CycleReport) => Promise<void>;

function oneReporter(spec: string, root: string, terminal: Terminal): Tell {
  const [name = '', ...rest] = spec.split('=');
  const file = rest.join('=');
  if (name === 'markdown')
    return async (report) => {
      const target = file === '' ? path.join(await reportFolder(root), 'fix.md') : path.resolve(file);
      await writeReport(target, cycleMarkdown(report, root));
    };
  if (name === 'github' && file === '')
    return async (report) => {
      const marks = githubCycle(report);
      await (terminal.json ? terminal.err(marks) : terminal.out(marks));
      const summary = process.env['GITHUB_STEP_SUMMARY'];
      if (summary !== undefined && summary !== '')
        await appendFile(summary, cycleMarkdown(report, root)).catch((error: unknown) => {
          throw unwritable('summary', summary, error);
        });
    };
  if (name === 'terminal' && file === '') return () => Promise.resolve();
  throw usage(
    `There is no reporter "${spec}" for fix.`,
    'The reporters are terminal, markdown, markdown=FILE and github.',
    spec,
  );
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw unwritable('report', file, error);
  }
}

const unwritable = (what: string, file: string, error: unknown): HumanError =>
  new HumanError(
    'read-only',
    `The ${what} cannot be written to ${file}: ${errorMessage(error)}`,
    { file, value: file, remedy: 'Name a file that can be written.' },
    { cause: error },
  );

const usage = (message: string, remedy: string, value?: string): HumanError =>
  new HumanError('usage', message, { remedy, ...(value === undefined ? {} : { value }) });
