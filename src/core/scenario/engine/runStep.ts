// Runs one step: puts its values in, does it in its time, and says what became of it with every attempt.
import type { APIRequestContext, Locator as PageLocator } from 'playwright-core';
import { matchesOf, scopeOf } from '../browser/strategyLocator.ts';
import type { Session } from '../browser/session.ts';
import { orderedStrategies, type Locator } from '../locatorSchema.ts';
import type { Step } from '../stepSchema.ts';
import { apiAssert, apiRequest } from './apiSteps.ts';
import { assertStep, waitStep } from './assertSteps.ts';
import { explainError } from './explainError.ts';
import { findElement, type FoundElement } from './findElement.ts';
import { proposalText, type PageHealer } from './pageHealer.ts';
import { click, fill, hover, navigate, screenshot, script, select } from './pageSteps.ts';
import type { Attempt, Healed, StepResult, WrittenPlace } from './result.ts';
import type { ApiResponse, StepContext } from './stepContext.ts';
import { StepError } from './stepError.ts';
import { substitute, type Values } from './variables.ts';

/** What all steps of one scenario share. */
export interface StepScope {
  readonly session: Session;
  readonly healer: PageHealer;
  readonly values: Record<string, unknown>;
  readonly lenient: boolean;
  readonly baseUrl?: string;
  readonly timeoutMs: number;
  readonly testIdAttribute: string;
  readonly healsPaths: boolean;
  readonly responses: Map<string, ApiResponse>;
  /** Where the locators of the steps are written, by the id of the step. */
  readonly places: Map<string, WrittenPlace>;
  readonly masked: PageLocator[];
  readonly secrets: readonly string[];
  /** Without the cookies of the browser; made at the first need. */
  readonly plainRequests: () => Promise<APIRequestContext>;
  /** Absolute. */
  readonly folder: string;
  /** Absolute. */
  readonly evidence: string;
  readonly signal: AbortSignal;
}

export type PlainStep = Exclude<Step, { readonly type: 'component' }>;
export type Ran = Omit<StepResult, 'line'> & { readonly error?: unknown };

/** Playwright's own limit comes first: it knows more about why, ms. */
const guardGrace = 500;

/** Throws nothing but the cancellation. `parameters` are those of the component that the step belongs to. */
export async function runStep(step: PlainStep, scope: StepScope, parameters: Values = {}): Promise<Ran> {
  const started = performance.now();
  const limit = step.timeout ?? scope.timeoutMs;
  const attempts: Attempt[] = [];
  let healed: Healed | undefined;
  const told = { id: step.id, type: step.type, description: step.description, attempts };
  try {
    const context = contextOf(step.id, scope, started + limit, {
      found: (found) => {
        attempts.push(...found.attempts);
        healed ??= found.healed;
      },
      healed: (one) => (healed ??= one),
    });
    const filled = substitute(step, { ...scope.values, ...parameters }, scope.lenient);
    const work = perform(filled, context, scope);
    const file = await scope.session.guarded(work, limit + guardGrace, 'The step');
    return {
      ...told,
      state: healed ? 'healed' : 'passed',
      durationMs: performance.now() - started,
      ...(healed && { healed }),
      ...(file !== undefined && { screenshot: file }),
    };
  } catch (error) {
    scope.signal.throwIfAborted();
    scope.healer.forget(step.id);
    const details = error instanceof StepError ? error.details : {};
    attempts.push(...(details.attempts ?? []));
    return {
      ...told,
      state: 'failed',
      durationMs: performance.now() - started,
      message: messageOf(error, details.proposals),
      ...(details.expected !== undefined && { expected: details.expected }),
      ...(details.actual !== undefined && { actual: details.actual }),
      ...(details.proposals && { proposals: details.proposals }),
      ...(healed && { healed }),
      error,
    };
  }
}

function messageOf(error: unknown, proposals: StepResult['proposals'] = []): string {
  const text = error instanceof StepError ? error.message : explainError(error);
  if (proposals.length === 0) return text;
  return [text, 'It may be:', ...proposals.map((one) => `  ${proposalText(one)}`)].join('\n');
}

/** Gives the file of a screenshot. */
async function perform(step: PlainStep, context: StepContext, scope: StepScope): Promise<string | undefined> {
  switch (step.type) {
    case 'navigate':
      await navigate(step.config, context);
      return undefined;
    case 'click':
      await click(step.config, context);
      return undefined;
    case 'fill':
      await fill(step.config, context);
      return undefined;
    case 'select':
      await select(step.config, context);
      return undefined;
    case 'hover':
      await hover(step.config, context);
      return undefined;
    case 'assert':
      await assertStep(step.config, context);
      return undefined;
    case 'wait':
      await waitStep(step.config, context);
      return undefined;
    case 'api-request':
      await apiRequest(step.config, context, scope.plainRequests);
      return undefined;
    case 'api-assert':
      apiAssert(step.config, context);
      return undefined;
    case 'script':
      await script(step.config, context);
      return undefined;
    case 'screenshot':
      return screenshot(step.config, context);
  }
}

function contextOf(
  stepId: string,
  scope: StepScope,
  deadline: number,
  on: { readonly found: (found: FoundElement) => void; readonly healed: (healed: Healed) => void },
): StepContext {
  const { session, healer, testIdAttribute, signal, secrets, masked } = scope;
  return {
    session,
    stepId,
    deadline,
    signal,
    folder: scope.folder,
    evidence: scope.evidence,
    responses: scope.responses,
    healsPaths: scope.healsPaths,
    absolute: (url) => absoluteUrl(url, scope.baseUrl),
    find: async (locator, needs, purpose = 'action') => {
      const found = await findElement({
        session,
        locator,
        stepId,
        purpose,
        needs,
        deadline,
        testIdAttribute,
        healer,
        signal,
      });
      on.found(found);
      return found;
    },
    sees: (locator, state) => seesNow(locator, state, session, testIdAttribute),
    set: (name, value) => {
      scope.values[name] = value;
    },
    masks: () => masked,
    mask: (target) => {
      masked.push(target);
    },
    isSecret: (value) => secrets.some((secret) => value.includes(secret)),
    heal: on.healed,
    note: (text) => void session.notes.push(text),
  };
}

/** Without a wait and without healing: whatever any strategy matches counts. */
async function seesNow(
  locator: Locator,
  state: 'visible' | 'attached',
  session: Session,
  testIdAttribute: string,
): Promise<boolean> {
  const scope = scopeOf(session.page, locator);
  for (const strategy of orderedStrategies(locator)) {
    const all = matchesOf(scope, strategy, testIdAttribute);
    const matches = strategy.nth === undefined ? all : all.nth(strategy.nth);
    const seen = state === 'visible' ? matches.filter({ visible: true }) : matches;
    if ((await seen.count().catch(() => 0)) > 0) return true;
  }
  return false;
}

function absoluteUrl(url: string, baseUrl: string | undefined): string {
  try {
    return new URL(
      url,
      baseUrl === undefined
        ? undefined
        : baseUrl.replace(/\/?$/, '/').replace(/\/$/, url.startsWith('/') ? '' : '/'),
    ).href;
  } catch {
    throw new StepError(
      baseUrl === undefined
        ? `"${url}" is a relative address and there is no baseUrl. Set it in scenario.config.yaml, or choose an environment.`
        : `"${url}" is no address below ${baseUrl}.`,
    );
  }
}
