// What the tests of an opened workspace notice: bugs planted in a sandbox copy of its sources.
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import { testFileRule } from '../cycle/testFileRule.ts';
import type { ListedTestFile } from '../frameworks/discover.ts';
import { rootsOfListing } from '../run/graphRoots.ts';
import { measureStrength, type Strength, type StrengthProgress } from '../strength/measureStrength.ts';
import { isRepeatable, loadsModules } from '../strength/repeatable.ts';
import { isSource, strengthFiles } from '../strength/reachedSources.ts';
import { openVerification } from '../verification/openVerification.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';
import { withSandbox } from './withSandbox.ts';

export type { BugFate, Strength, StrengthProgress, TriedBug } from '../strength/measureStrength.ts';

interface StrengthQuestion {
  readonly opened: OpenedWorkspace;
  /** Test files and sources, relative to the root or absolute; none for everything. */
  readonly files: readonly string[];
  /** For the repetitions of tests. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
  readonly onProgress?: (progress: StrengthProgress) => void;
}

/**
 * Throws a HumanError for files that are neither tests nor sources, where no test can be asked, where no sandbox can be made, and the
 * cancellation error.
 */
export async function strengthWorkspace(question: StrengthQuestion): Promise<Strength> {
  const { opened, seconds, signal, onNote, onProgress } = question;
  const { workspace, projects, frameworks, listing, testFiles } = opened;
  const { root } = workspace;
  const repeatable = new Map(listing.files.filter(isRepeatable).map((one) => [one.file, one]));
  const { sources, tests } = await strengthFiles({
    root,
    testFiles: [...repeatable.keys()],
    graphRoots: rootsOfListing(listing),
    named: namedFiles(question, repeatable),
    signal,
  });
  if (tests.length === 0 || sources.length === 0) throw nothingToAsk(question, repeatable.size);
  const isTestFile = await testFileRule({ root, testFiles, signal });
  return withSandbox({ root, inPlace: false, signal, onNote }, async (chosen) => {
    const selection = { files: tests.map((file) => path.join(root, file)) };
    const asked = { workspace, projects, frameworks, isTestFile, selection, signal, onNote, ...chosen };
    const context = await openVerification(asked);
    try {
      const { sandbox } = context;
      return await measureStrength({
        sandbox: {
          root: sandbox.root,
          readText: (file) => sandbox.readText(file),
          write: (contents) => sandbox.write(contents),
          run: (wanted, runSignal) => context.run(wanted, runSignal),
          loadsModules: (file) => isModuleLoader(repeatable.get(file)),
        },
        sources,
        tests,
        seconds,
        signal,
        ...(onProgress && { onProgress }),
      });
    } finally {
      await context.dispose();
    }
  });
}

const isModuleLoader = (listed: ListedTestFile | undefined): boolean =>
  listed !== undefined && loadsModules(listed);

function namedFiles(
  { files, opened }: StrengthQuestion,
  repeatable: ReadonlyMap<string, ListedTestFile>,
): readonly string[] {
  const { root } = opened.workspace;
  return files.map((typed) => {
    const file = toRelativePosix(root, path.resolve(root, typed));
    if (repeatable.has(file) || isSource(file)) return file;
    throw new HumanError(
      'usage',
      `${typed} is neither a test file whose tests can be repeated nor a source.`,
      {
        file: typed,
        value: typed,
        remedy:
          'Name test files of vitest, jest, mocha, node:test, AVA or Playwright, or sources that they reach.',
      },
    );
  });
}

function nothingToAsk({ files }: StrengthQuestion, tests: number): HumanError {
  const what = files.length > 0 ? files.join(', ') : 'this workspace';
  return tests === 0
    ? new HumanError('no-tests', 'No test can be repeated with a bug in the sources.', {
        remedy: 'Strength is measured with vitest, jest, mocha, node:test, AVA and Playwright Test.',
      })
    : new HumanError('no-tests', `No test reaches a source of ${what}.`, {
        remedy: 'Name a source that tests import, or a test file that imports sources of the workspace.',
      });
}
