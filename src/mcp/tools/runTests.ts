// `run_tests`, `run_failed` and `run_affected`: tests run, their results are kept, and the answer tells what failed.
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../../core/base/humanError.ts';
import { chooseTests, type ChosenTests } from '../../core/engine/chooseTests.ts';
import type { OpenedWorkspace } from '../../core/engine/openWorkspace.ts';
import { blot } from '../../core/base/redactSecrets.ts';
import { keepRun, lastRun, storedRun } from '../../core/engine/runStore.ts';
import { runWorkspace } from '../../core/engine/runWorkspace.ts';
import { isFileId } from '../../core/model/testId.ts';
import { fullName } from '../../core/model/testName.ts';
import type { TestResult } from '../../core/model/testResult.ts';
import { plural } from '../../core/reports/paint.ts';
import { openAt, rootNamed } from '../allowedRoots.ts';
import { filesSchema, filterSchema, handleSchema, placesIn, rootArgument } from '../argumentSchemas.ts';
import { runAnswer, runAnswerSchema, type RunAnswer } from '../runAnswers.ts';
import { isRed } from '../shortFailures.ts';
import { tool, type ToolCall } from '../tool.ts';

const runKind = { readOnly: false, output: runAnswerSchema } as const;
const repeatSchema = z
  .number()
  .int()
  .min(1)
  .max(100)
  .optional()
  .describe('Run so often, and tell who is flaky.');

export const runTests = tool({
  ...runKind,
  name: 'run_tests',
  title: 'Run tests',
  about:
    'Runs tests in isolated processes and tells what failed. exit_code 0 only when at least one test ran and none failed. Without arguments everything runs.',
  input: z.strictObject({
    filter: filterSchema
      .optional()
      .describe(
        'In the syntax of the runner: a pattern of names for JavaScript runners, -k of pytest, -run of go test.',
      ),
    title: filterSchema.optional().describe('Part of the full title, in any case and any framework.'),
    files: filesSchema.optional().describe('Test files, folders, or file:line, relative to the root.'),
    layer: z.enum(['L1', 'L2', 'L3']).optional().describe('Only unit, integration or end-to-end tests.'),
    repeat: repeatSchema,
    headed: z
      .boolean()
      .optional()
      .describe('Show the browser: for Playwright, Cypress and pytest-playwright, as browser is.'),
    browser: z.enum(['chromium', 'firefox', 'webkit']).optional(),
    ...rootArgument,
  }),
  run: async ({ filter, title, files = [], layer, repeat, headed, browser, root: name }, call) => {
    const root = rootNamed(call.settings, name);
    const places = placesIn(root, files);
    const opened = await openAt(root, call.settings, call.signal);
    const inBrowser = { ...(headed === true && { headed }), ...(browser && { name: browser }) };
    const chosen = await chooseTests(
      {
        files: places,
        filter: title,
        nativeFilter: filter,
        layer,
        ...(Object.keys(inBrowser).length > 0 && { browser: inBrowser }),
      },
      opened,
      call.signal,
    );
    return runAndKeep(opened, chosen, call, { repeat });
  },
});

export const runFailed = tool({
  ...runKind,
  name: 'run_failed',
  title: 'Run failed tests',
  about:
    'Runs the tests again that failed in the last run of this server or another one, or in the run of `runId`.',
  input: z.strictObject({ runId: handleSchema.optional(), repeat: repeatSchema, ...rootArgument }),
  run: async ({ runId, repeat, root: name }, call) => {
    const root = rootNamed(call.settings, name);
    const run = runId === undefined ? await lastRun(root) : await storedRun(root, runId);
    if (run === undefined) throw unknownRun(runId);
    const red = run.summary.tests.filter(isRed);
    if (red.length === 0)
      throw new HumanError('no-tests', `No test failed in ${run.runId}, so none ran.`, {
        value: run.runId,
        remedy: 'Call run_tests to run all of them.',
      });
    const opened = await openAt(root, call.settings, call.signal);
    return runAndKeep(opened, again(red, opened), call, { repeat });
  },
});

export const runAffected = tool({
  ...runKind,
  name: 'run_affected',
  title: 'Run affected tests',
  about:
    'Runs the tests that the changes since the commit before HEAD can affect, by imports and names; all of them where none is known.',
  input: z.strictObject({ ...rootArgument }),
  run: async ({ root: name }, call) => {
    const opened = await openAt(rootNamed(call.settings, name), call.settings, call.signal);
    const chosen = await chooseTests({ affected: true }, opened, call.signal);
    return runAndKeep(opened, chosen, call, {});
  },
});

export function unknownRun(runId: string | undefined): HumanError {
  return new HumanError(
    'stale',
    runId === undefined ? 'No run is known.' : `The run ${runId} is not known.`,
    {
      ...(runId !== undefined && { value: runId }),
      remedy: 'Call run_tests; the last 30 runs are kept.',
    },
  );
}

/** Tests by their names; as a whole a file that did not load, or has one whose name holds a secret. */
function again(red: readonly TestResult[], { workspace }: OpenedWorkspace): ChosenTests {
  const place = (file: string): string => path.resolve(workspace.root, file);
  const whole = new Set(
    red.filter((test) => isFileId(test.id) || fullName(test).includes(blot)).map(({ file }) => place(file)),
  );
  const tests = red
    .map(({ file, suites, title }) => ({ file: place(file), names: [...suites, title] }))
    .filter(({ file }) => !whole.has(file));
  return {
    selection: { ...(whole.size > 0 && { files: [...whole] }), ...(tests.length > 0 && { tests }) },
    notes: [],
  };
}

interface RunOptions {
  readonly repeat?: number | undefined;
}

async function runAndKeep(
  opened: OpenedWorkspace,
  chosen: ChosenTests,
  { signal, progress }: ToolCall,
  { repeat = 1 }: RunOptions,
): Promise<RunAnswer> {
  const { root, historyRuns: keeps } = opened.workspace;
  const printed = { stdout: '', stderr: '' };
  let done = 0;
  let failed = 0;
  const run = runWorkspace({ opened, chosen, times: repeat, signal });
  for (;;) {
    const { value, done: isOver } = await run.next();
    if (isOver === true) {
      const retries = opened.projects.some(({ framework }) => framework === 'maestro');
      return runAnswer(await keepRun(root, value, { begins: true, keeps }), {
        retries: retries && process.env['MAESTRO_RETRY'] !== '0',
        timeoutSeconds: opened.workspace.limits.timeoutMs / 1_000,
        printed,
      });
    }
    if (value.type === 'output') printed[value.stream] = (printed[value.stream] + value.text).slice(-4_000);
    if (value.type !== 'testEnded') continue;
    done += 1;
    if (isRed(value.result)) failed += 1;
    progress(`${plural(done, 'test')} ended, ${failed} failed`, done);
  }
}
