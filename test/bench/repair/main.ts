// `npm run bench:repair -- --cases FILE --clones DIR [--only PART]…`: replays known cases on local clones and prints the score by category.
import { mkdir, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage, HumanError } from '../../../src/core/base/humanError.ts';
import { realPathOr } from '../../../src/core/base/paths.ts';
import { chooseCommits, type Commit } from '../../../src/core/replay/commits.ts';
import type { InstallSteps } from '../../../src/core/replay/environments.ts';
import { loadMutator } from '../../../src/core/replay/mutants.ts';
import { replayCommits } from '../../../src/core/replay/replayCommits.ts';
import type { CommitRecord, ReplayReport } from '../../../src/core/replay/replayReport.ts';
import { reportOf } from '../../../src/core/replay/totals.ts';
import { createPaint } from '../../../src/core/reports/paint.ts';
import { replaySummary } from '../../../src/core/reports/replaySummary.ts';
import { gitIn } from '../../../src/core/workspace/git.ts';
import { readCases, type ListedCase } from './cases.ts';
import { scoreTable } from './scoreTable.ts';

const usage = `npm run bench:repair -- --cases FILE --clones DIR [--only PART]… [--mutants] [--commit-timeout S] [--json FILE]
  FILE  {"cases": [{repo, commit, parent, runner, cwd, category, failing, packages?}]}
  DIR   clones in DIR/<owner>/<name>; installed packages are kept in DIR/environments
  PART  only cases whose repository, commit or category holds this text`;

const { values } = parseArgs({
  options: {
    cases: { type: 'string' },
    clones: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    'commit-timeout': { type: 'string', default: '600' },
    mutants: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
if (values.cases === undefined || values.clones === undefined) {
  console.error(usage);
  process.exit(2);
}
const clones = path.resolve(values.clones);
const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new HumanError('cancelled', 'Cancelled.', { remedy: '' })));

const started = performance.now();
const cases = (await readCases(values.cases)).filter(({ repo, commit, category }) =>
  values.only.every((part) => [repo, commit, category].some((text) => text.includes(part))),
);
const mutate = values.mutants ? await loadMutator(clones) : undefined;
const records: CommitRecord[] = [];
for (const repo of new Set(cases.map((one) => one.repo))) {
  const own = cases.filter((one) => one.repo === repo);
  for (const cwd of new Set(own.map((one) => one.cwd)))
    await replayListed(
      repo,
      cwd,
      own.filter((one) => one.cwd === cwd),
    );
}
const report = await writeReport();
console.log(replaySummary(report, { paint: createPaint(process.stdout.isTTY), width: 140 }));
console.log(scoreTable(report.commits));
process.exitCode = interruption.signal.aborted ? 130 : 0;

/** After each case, so that what was measured is not lost with what was not. */
async function writeReport(): Promise<ReplayReport> {
  const report = reportOf(records, {
    root: clones,
    mutants: values.mutants,
    notes: values.mutants ? [] : ['Sound is without K2: no mutants of the changed lines were tried.'],
    ended: interruption.signal.aborted ? 'cancelled' : 'complete',
    durationMs: Math.round(performance.now() - started),
  });
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(report, null, 1));
  return report;
}

/** Records all cases of one folder of one repository, also those that cannot be prepared. */
async function replayListed(repo: string, cwd: string, listed: readonly ListedCase[]): Promise<void> {
  const keep = async (...found: readonly CommitRecord[]): Promise<void> => {
    records.push(...found);
    await writeReport();
  };
  if (interruption.signal.aborted) return;
  const clone = path.join(clones, repo);
  const isThere = (await stat(clone).catch(() => undefined))?.isDirectory() === true;
  for (const one of listed) {
    if (interruption.signal.aborted) break;
    const skip = (reason: string): Promise<void> => keep({ ...skipped(one), reason });
    if (!isThere) await skip(`There is no clone ${path.join(values.clones ?? '', repo)}.`);
    else
      try {
        const root = realPathOr(path.join(clone, cwd));
        const [commit] = await chooseCommits(root, { kind: 'named', revisions: [one.commit] });
        if (commit === undefined) throw new Error('The commit is not in the clone.');
        await keep(...(await replayCase(one, commit, root)));
      } catch (error) {
        await skip(errorMessage(error));
      }
  }
}

async function replayCase(one: ListedCase, commit: Commit, root: string): Promise<readonly CommitRecord[]> {
  const environmentsFolder = path.join(clones, 'environments', one.repo);
  await mkdir(environmentsFolder, { recursive: true });
  const started = performance.now();
  const { commits } = await replayCommits(
    {
      workspace: {
        root,
        limits: {
          timeoutMs: 300_000,
          skillTimeoutMs: 30_000,
          maxParallel: Math.max(1, os.availableParallelism()),
        },
        frameworks: [],
        cacheFolder: path.join(environmentsFolder, 'cache'),
      },
      commits: [commit],
      install: await installOf(one, root),
      environmentsFolder,
      ...(mutate && { mutate }),
      commitTimeoutMs: Number(values['commit-timeout']) * 1000,
      installTimeoutMs: 600_000,
      categoryOf: () => one.category,
      signal: interruption.signal,
    },
    (event) => {
      if (event.type === 'progress') tellProgress(one, event.text, performance.now() - started);
    },
  );
  return commits.map((record) => withListing({ ...record, repository: one.repo }, one));
}

/** Lockfiles of npm are kept to; those of others, and of Python, are not read, so ranges decide. */
async function installOf({ parent, runner, packages = [] }: ListedCase, root: string): Promise<InstallSteps> {
  if (runner === 'pytest')
    return [
      ['python3', '-m', 'venv', '.venv'],
      [
        'python3',
        '-m',
        'pip',
        'install',
        '-q',
        '--disable-pip-version-check',
        '-e',
        '.',
        'pytest',
        ...packages,
      ],
    ];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const lock = await gitIn(root)(['cat-file', '-e', `${parent}:package-lock.json`], { mayFail: true });
  return lock.exitCode === 0
    ? [['npm', 'ci', ...quiet]]
    : [['npm', 'install', '--no-package-lock', '--legacy-peer-deps', ...quiet]];
}

/** Says where the list has other failing tests than were found here. */
function withListing(record: CommitRecord, { failing }: ListedCase): CommitRecord {
  if (record.state === 'case' && record.broken.length !== failing.length)
    return {
      ...record,
      notes: [
        ...record.notes,
        `The list has ${failing.length} failing tests, here ${record.broken.length} fail.`,
      ],
    };
  if (record.state === 'intact' || record.state === 'irrelevant')
    return { ...record, state: 'skipped', reason: `It is no case here: ${record.reason ?? ''}` };
  return record;
}

function skipped({ repo, commit, parent, category, date }: ListedCase): CommitRecord {
  return {
    commit,
    parent,
    subject: '',
    date,
    repository: repo,
    category,
    state: 'skipped',
    broken: [],
    notes: [],
    durationMs: 0,
  };
}

function tellProgress({ repo, commit }: ListedCase, text: string, ms: number): void {
  console.error(`${repo} ${commit.slice(0, 8)} ${(ms / 1000).toFixed(0).padStart(4)} s  ${text}`);
}
