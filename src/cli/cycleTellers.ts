// Where `testmend fix` tells its events and its report besides the terminal: `--events` and `--reporter`.
import { createWriteStream, type WriteStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import type { CycleEvent } from '../core/model/cycle.ts';
import type { CycleOutcome } from '../core/reports/cycleOutcome.ts';
import { eventLines } from '../core/reports/eventLines.ts';
import { reportFolder } from '../core/reports/fileReporter.ts';
import type { Options } from './options.ts';
import { unwritable, writeOutput } from './outputFiles.ts';
import type { Terminal } from './terminal.ts';

export interface CycleTellers {
  /** Stdout belongs to the events: what is for people goes to stderr. */
  readonly ownsStdout: boolean;
  onEvent(event: CycleEvent): void;
  /** Once. Tells all that it can; resolves with what kept the others from being written. */
  onEnd(outcome: CycleOutcome): Promise<readonly unknown[]>;
}

/** Throws a `usage` HumanError for names that it does not know, before anything is run. */
export function cycleTellers(options: Options, root: string, terminal: Terminal): CycleTellers {
  const lineOf = eventLines(root);
  const events = eventsTo(options.text('events'), terminal);
  refuseSamePlaces(options);
  const reporters = options.list('reporter').map((spec) => oneReporter(spec, root, terminal));
  if (events?.ownsStdout === true && options.list('reporter').some((spec) => spec.startsWith('github')))
    throw usage(
      '--events on stdout and --reporter github exclude each other.',
      'Write --events ndjson=FILE.',
    );
  return {
    ownsStdout: events?.ownsStdout ?? false,
    onEvent: (event) => {
      events?.write(lineOf(event));
    },
    onEnd: async (outcome) => {
      const troubles: unknown[] = [];
      const noted = (error: unknown): void => void troubles.push(error);
      await events?.end().catch(noted);
      for (const tell of reporters) await tell(outcome).catch(noted);
      return troubles;
    },
  };
}

/** Two reports in one file would leave the last of them. */
function refuseSamePlaces(options: Options): void {
  const named = ['reporter', 'events'].flatMap((name) =>
    options.list(name).flatMap((spec) => /=(.+)/s.exec(spec)?.[1] ?? []),
  );
  const files = [...named, ...options.list('patch'), ...options.list('hand-over')].map((file) =>
    path.resolve(file),
  );
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined)
    throw usage(`${twice} is named for two outputs.`, 'Name a different file for each.', twice);
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
      `There is no event format "${format ?? ''}".`,
      'Write --events ndjson or --events ndjson=FILE.',
      spec,
    );
  if (file === '') {
    if (terminal.json)
      throw usage('--events on stdout and --json exclude each other.', 'Write --events ndjson=FILE.');
    return { ownsStdout: true, write: (line) => void terminal.out(line), end: () => Promise.resolve() };
  }
  let stream: WriteStream | undefined;
  let trouble: Error | undefined;
  // With the first event, which comes only once no other cycle of the folder runs: an older recording is not emptied for nothing.
  const open = (): WriteStream =>
    createWriteStream(path.resolve(file)).on('error', (error) => (trouble = error));
  return {
    ownsStdout: false,
    write: (line) => void (stream ??= open()).write(line),
    end: async () => {
      const { writable } = (stream ??= open());
      if (writable) await new Promise<void>((resolve) => stream?.end(resolve));
      if (trouble) throw unwritable({ what: 'events', option: '--events ndjson=FILE', file }, trouble);
    },
  };
}

type Tell = (outcome: CycleOutcome) => Promise<void>;

interface FileReport {
  /** In `.testmend/`, where none is named. */
  readonly file: string;
  /** Loaded when it is written. */
  text(outcome: CycleOutcome, root: string): Promise<string>;
}

const fileReports: ReadonlyMap<string, FileReport> = new Map([
  ['markdown', { file: 'fix.md', text: markdownOf }],
  ['junit', { file: 'fix.xml', text: junitOf }],
  ['json', { file: 'fix.json', text: jsonOf }],
]);

async function markdownOf(outcome: CycleOutcome, root: string): Promise<string> {
  const { cycleMarkdown } = await import('../core/reports/cycleMarkdown.ts');
  return cycleMarkdown(outcome, root);
}

async function junitOf(outcome: CycleOutcome, root: string): Promise<string> {
  const { cycleJunit } = await import('../core/reports/cycleJunit.ts');
  return cycleJunit(outcome, root);
}

async function jsonOf({ report }: CycleOutcome, root: string): Promise<string> {
  const { fixJson } = await import('../core/engine/fixJson.ts');
  return `${JSON.stringify(fixJson(report, root), undefined, 2)}\n`;
}

function oneReporter(spec: string, root: string, terminal: Terminal): Tell {
  const [name = '', ...rest] = spec.split('=');
  const file = rest.join('=');
  const report = fileReports.get(name);
  if (report !== undefined)
    return async (outcome) => {
      const target = file === '' ? path.join(await reportFolder(root), report.file) : path.resolve(file);
      const output = { what: 'report', option: `--reporter ${name}=FILE`, file: target } as const;
      await writeOutput(output, await report.text(outcome, root));
    };
  if (name === 'github' && file === '') return (outcome) => tellGithub(outcome, root, terminal);
  if (name === 'terminal' && file === '') return () => Promise.resolve();
  throw usage(
    `There is no reporter "${spec}" for fix.`,
    `The reporters are terminal, github and, each also as NAME=FILE, ${[...fileReports.keys()].join(', ')}.`,
    spec,
  );
}

async function tellGithub(outcome: CycleOutcome, root: string, terminal: Terminal): Promise<void> {
  const { githubCycle } = await import('../core/reports/githubCycle.ts');
  const marks = githubCycle(outcome, root);
  await (terminal.json ? terminal.err(marks) : terminal.out(marks));
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary === undefined || summary === '') return;
  await appendFile(summary, await markdownOf(outcome, root)).catch((error: unknown) => {
    throw unwritable({ what: 'summary', option: 'GITHUB_STEP_SUMMARY', file: summary }, error);
  });
}

const usage = (message: string, remedy: string, value?: string): HumanError =>
  new HumanError('usage', message, { remedy, ...(value === undefined ? {} : { value }) });
