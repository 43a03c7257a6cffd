// Runs one scenario in a browser context of its own: setup, steps, teardown, and what is kept of it (CONTRACTS S5, S8).
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { APIRequestContext, Browser, BrowserContextOptions } from 'playwright-core';
import { Session } from '../browser/session.ts';
import type { LoadedScenario } from '../project/loadProject.ts';
import type { Step } from '../stepSchema.ts';
import { fileName, takeScreenshot, takeSnapshot } from './evidence.ts';
import { expandStep } from './expandSteps.ts';
import { fingerprintFileOf, readFingerprints, writeFingerprints } from './fingerprintFile.ts';
import { PageHealer } from './pageHealer.ts';
import { isRejected, writtenPlace } from './healingRecords.ts';
import { countsOf, stateOf, type ScenarioResult, type StepResult, type WrittenPlace } from './result.ts';
import { runStep, type Ran, type StepScope } from './runStep.ts';
import { hiding, startValues, type StartValues } from './scenarioValues.ts';

interface ScenarioRun extends LoadedScenario {
  readonly browser: Browser;
  /** For api steps without cookies. */
  readonly newRequests: () => Promise<APIRequestContext>;
  readonly runId: string;
  /** Absolute: of the workspace. */
  readonly root: string;
  /** Absolute folder of this scenario's evidence; made when there is some. */
  readonly evidence: string;
  /** Absolute folder of saved storage states. */
  readonly states: string;
  /** It failed before in this run. */
  readonly isRetry: boolean;
  readonly untrusted: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly onStep?: (step: StepResult) => void;
}

/** CONTRACTS S8. */
const defaultTimeout = 30_000;
const defaultViewport = { width: 1280, height: 720 };

/** Throws only when cancelled, or when the browser is gone; the context is closed either way. */
export async function runScenario(run: ScenarioRun): Promise<ScenarioResult> {
  const { scenario, project, environment, signal } = run;
  const started = performance.now();
  const notes: string[] = [];
  let start: StartValues;
  try {
    start = startValues(scenario, environment, run.env);
  } catch (error) {
    return failedBefore(run, error, started);
  }
  const { secrets } = start;
  const state = stateFile(run, scenario.storageState?.use);
  if (state !== undefined && !existsSync(state)) {
    const message = `The storage state "${scenario.storageState?.use}" has not been saved yet: run the scenario that saves it first.`;
    return failedBefore(run, new Error(message), started);
  }
  const timeoutMs = scenario.timeout ?? project.config.timeout ?? defaultTimeout;
  const recordsVideo = project.config.video && secrets.length === 0;
  const traces =
    project.config.trace === 'on' ||
    ((project.config.trace === 'failures' || (project.config.trace === 'retries' && run.isRetry)) &&
      secrets.length === 0);
  if (secrets.length > 0 && project.config.video)
    notes.push('No video was recorded: the scenario has secrets.');
  const options: BrowserContextOptions = {
    viewport: project.config.viewport ?? defaultViewport,
    acceptDownloads: true,
    ...(state !== undefined && { storageState: state }),
    ...(recordsVideo && { recordVideo: { dir: run.evidence } }),
  };
  const rules = {
    untrusted: run.untrusted,
    ...(environment.allowedOrigins && { allowedOrigins: environment.allowedOrigins }),
  };
  const session = await Session.open({ browser: run.browser, rules, context: options, timeoutMs });
  let requests: Promise<APIRequestContext> | undefined;
  try {
    if (traces) await session.context.tracing.start({ snapshots: true, title: scenario.name });
    const file = fingerprintFileOf(run.file, scenario.id);
    const places = new Map<string, WrittenPlace>();
    const healer = new PageHealer({
      remembered: await readFingerprints(file),
      testIdAttribute: project.config.testIdAttribute,
      heals: project.config.healing,
      isRejected: async (stepId, healing) => {
        const place = places.get(stepId);
        return place !== undefined && isRejected(run.root, place, healing);
      },
    });
    const { mask } = project.config;
    const scope: StepScope = {
      session,
      healer,
      values: { ...start.values },
      lenient: scenario.lenient,
      ...(environment.baseUrl !== undefined && { baseUrl: environment.baseUrl }),
      timeoutMs,
      testIdAttribute: project.config.testIdAttribute,
      healsPaths: project.config.healing,
      responses: new Map(),
      places,
      masked: mask.map((selector) => session.page.locator(selector)),
      secrets,
      plainRequests: () => (requests ??= run.newRequests()),
      folder: path.dirname(run.file),
      evidence: run.evidence,
      signal,
    };
    const steps = await runParts(run, scope, hiding(secrets));
    const outcome = stateOf(steps);
    if (outcome === 'passed' || outcome === 'healed') {
      await saveState(run, session);
      const known = new Set([...scenario.setup, ...scenario.steps, ...scenario.teardown].map(({ id }) => id));
      const trouble = await writeFingerprints(file, scenario.id, green(healer, steps), known);
      if (trouble !== undefined) notes.push(trouble);
    }
    const keepsTrace = traces && (outcome === 'failed' || project.config.trace === 'on');
    const trace = path.join(run.evidence, 'trace.zip');
    if (keepsTrace) await mkdir(run.evidence, { recursive: true });
    if (traces) await session.context.tracing.stop(keepsTrace ? { path: trace } : {}).catch(() => undefined);
    else if (outcome === 'failed' && project.config.trace === 'failures' && secrets.length > 0)
      notes.push(
        'No trace was kept: the scenario has secrets. `trace: on` in scenario.config.yaml keeps one all the same.',
      );
    const video = recordsVideo
      ? await session.page
          .video()
          ?.path()
          .catch(() => undefined)
      : undefined;
    return {
      ...summary(run, steps, started),
      name: hiding(secrets)(scenario.name),
      notes: [...notes, ...session.notes].map(hiding(secrets)),
      ...(keepsTrace && existsSync(trace) && { trace }),
      ...(video !== undefined && { video }),
    };
  } finally {
    await session.close();
    await requests?.then((one) => one.dispose()).catch(() => undefined);
  }
}

/** A healed step saw what it took for the element: that is the truth only once the healing is accepted. */
function green(healer: PageHealer, steps: readonly StepResult[]): PageHealer['seen'] {
  const passed = new Set(steps.filter(({ state }) => state === 'passed').map(({ id }) => id));
  return Object.fromEntries(Object.entries(healer.seen).filter(([id]) => passed.has(id)));
}

const parts = ['setup', 'steps', 'teardown'] as const;

async function runParts(
  run: ScenarioRun,
  scope: StepScope,
  hide: (text: string) => string,
): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  let isBlocked = false;
  for (const part of parts)
    for (const [at, step] of run.scenario[part].entries()) {
      const line = run.rangeOf([part, at]).start.line;
      const keep = (written: StepResult): void => {
        const result = { ...written, description: hide(written.description) };
        results.push(result);
        run.onStep?.(result);
      };
      // What was begun is cleaned up, whatever happened.
      if (isBlocked && part !== 'teardown') {
        keep({ ...plainStep(step), state: 'skipped', durationMs: 0, line, attempts: [] });
        continue;
      }
      const failed = await runWritten(step, line, run, scope, hide, keep);
      if (failed) isBlocked = true;
    }
  return results;
}

const plainStep = ({ id, type, description }: Step): Pick<StepResult, 'id' | 'type' | 'description'> => ({
  id,
  type,
  description,
});

/** One step as it is written, which may be many of a component. True where the scenario cannot go on. */
async function runWritten(
  step: Step,
  line: number,
  run: ScenarioRun,
  scope: StepScope,
  hide: (text: string) => string,
  keep: (result: StepResult) => void,
): Promise<boolean> {
  let planned: ReturnType<typeof expandStep>;
  try {
    planned = expandStep(step, run.file, run.components, () => scope.values, scope.lenient);
  } catch (error) {
    const message = hide(error instanceof Error ? error.message : String(error));
    keep({ ...plainStep(step), state: 'failed', durationMs: 0, line, message, attempts: [] });
    return !step.continueOnError;
  }
  let isStopped = false;
  for (const { step: one, parameters, file, writtenId } of planned) {
    if (isStopped) {
      keep({ ...plainStep(one), state: 'skipped', durationMs: 0, line, attempts: [] });
      continue;
    }
    const written = writtenPlace(one, file, writtenId);
    if (written) scope.places.set(one.id, written);
    const ran = await runStep(one, scope, parameters);
    const result = hidden(await withEvidence(ran, line, run, scope, hide), hide);
    keep({
      ...result,
      ...(result.state === 'healed' && written && { written }),
      ...(result.state === 'failed' && one.continueOnError && { continued: true }),
    });
    if (result.state === 'failed' && !one.continueOnError) isStopped = true;
  }
  return isStopped;
}

/** A screenshot and the document of a failed or healed step, as far as the page still gives them. */
async function withEvidence(
  { error: _error, ...ran }: Ran,
  line: number,
  { project, evidence }: ScenarioRun,
  { session, masked }: StepScope,
  hide: (text: string) => string,
): Promise<StepResult> {
  const { screenshots } = project.config;
  const isWanted =
    ran.state === 'failed' || ran.state === 'healed' ? screenshots !== 'off' : screenshots === 'steps';
  if (!isWanted || ran.type.startsWith('api-')) return { ...ran, line };
  const folder = evidence;
  const work = async (): Promise<Pick<StepResult, 'screenshot' | 'snapshot'>> => {
    const { page } = session;
    const name = fileName(ran.id);
    const screenshot =
      ran.screenshot ?? (await takeScreenshot(page, { folder, name, masks: masked, timeoutMs: 4000 }));
    return ran.state === 'failed'
      ? { screenshot, snapshot: await takeSnapshot(page, { folder, name, hide }) }
      : { screenshot };
  };
  const taken = await session.guarded(work(), 5000, 'The screenshot').catch(() => ({}));
  return { ...ran, line, ...taken };
}

function hidden(result: StepResult, hide: (text: string) => string): StepResult {
  const { message, expected, actual } = result;
  return {
    ...result,
    ...(message !== undefined && { message: hide(message) }),
    ...(expected !== undefined && { expected: hide(expected) }),
    ...(actual !== undefined && { actual: hide(actual) }),
    attempts: result.attempts.map((one) =>
      one.reason === undefined ? one : { ...one, reason: hide(one.reason) },
    ),
  };
}

function stateFile({ states, environment }: ScenarioRun, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  return path.join(states, `${fileName(`${environment.name ?? 'default'}-${name}`)}.json`);
}

/** Holds the cookies of a session: for the user alone. */
async function saveState(run: ScenarioRun, { context }: Session): Promise<void> {
  const file = stateFile(run, run.scenario.storageState?.saveAs);
  if (file === undefined) return;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await context.storageState({ path: file });
}

function summary(
  run: ScenarioRun,
  steps: readonly StepResult[],
  started: number,
): Omit<ScenarioResult, 'notes'> {
  const { scenario, file, runId } = run;
  return {
    scenarioId: scenario.id,
    name: scenario.name,
    file,
    runId,
    state: stateOf(steps),
    durationMs: performance.now() - started,
    steps,
    counts: countsOf(steps),
  };
}

function failedBefore(run: ScenarioRun, error: unknown, started: number): ScenarioResult {
  const message = error instanceof Error ? error.message : String(error);
  const steps = parts.flatMap((part) =>
    run.scenario[part].map((step, at): StepResult => {
      const line = run.rangeOf([part, at]).start.line;
      return { ...plainStep(step), state: 'skipped', durationMs: 0, line, attempts: [] };
    }),
  );
  const [first, ...rest] = steps;
  const told = first === undefined ? [] : [{ ...first, state: 'failed' as const, message }, ...rest];
  return { ...summary(run, told, started), notes: [] };
}
