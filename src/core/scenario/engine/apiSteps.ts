// Steps that speak with an API: api-request and api-assert, with the cookies of the browser or without (CONTRACTS S2).
import type { APIRequestContext, APIResponse } from 'playwright-core';
import type { ConfigOf } from '../stepSchema.ts';
import { healApiPath } from '../healing/apiPath.ts';
import { atJsonPath, mismatch } from './jsonPath.ts';
import { timeLeft, type ApiResponse, type StepContext } from './stepContext.ts';
import { StepError } from './stepError.ts';

/** Name under which the last response is kept. */
const lastResponse = '';
const mostRedirects = 20;

/** `plain` sends and stores no cookie of the browser. */
export async function apiRequest(
  config: ConfigOf<'api-request'>,
  context: StepContext,
  plain: () => Promise<APIRequestContext>,
): Promise<void> {
  const { method, url, headers, body, saveResponseAs, cookies } = config;
  const request = cookies === 'browser' ? context.session.context.request : await plain();
  const isJson =
    typeof body === 'object' && !Object.keys(headers).some((name) => /^content-type$/i.test(name));
  const sent = {
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { data: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
  const response = await follow(context, context.absolute(url), (address, isRedirected) =>
    request.fetch(address, {
      ...(isRedirected ? { method: 'GET' } : { method, ...sent }),
      timeout: timeLeft(context),
      maxRedirects: context.session.isRestricted ? 0 : mostRedirects,
    }),
  );
  const text = await response.text();
  const read: ApiResponse = {
    status: response.status(),
    headers: response.headers(),
    body: jsonOr(text),
    url: response.url(),
  };
  await response.dispose();
  context.responses.set(lastResponse, read);
  if (saveResponseAs === undefined) return;
  context.responses.set(saveResponseAs, read);
  context.set(saveResponseAs, read);
}

/** Where addresses are restricted each one that a redirect names is looked at before it is asked. */
async function follow(
  { session }: StepContext,
  first: string,
  ask: (address: string, isRedirected: boolean) => Promise<APIResponse>,
): Promise<APIResponse> {
  let address = first;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const refused = await session.refusal(address);
    if (refused !== undefined) throw new StepError(refused);
    const response = await ask(address, redirects > 0);
    const next = response.headers()['location'];
    const isRedirect = [301, 302, 303, 307, 308].includes(response.status());
    if (!session.isRestricted || !isRedirect || next === undefined) return response;
    address = new URL(next, address).href;
  }
  throw new StepError(`${first} redirects without an end.`);
}

/** Throws a `StepError` with both values. Nothing is waited for: the response is there. */
export function apiAssert(config: ConfigOf<'api-assert'>, context: StepContext): void {
  const { responses } = context;
  const response = responses.get(config.response ?? lastResponse);
  if (response === undefined) {
    const known = [...responses.keys()].filter((name) => name !== lastResponse);
    throw new StepError(
      config.response === undefined
        ? 'No api-request came before this step.'
        : `There is no response "${config.response}". ${known.length === 0 ? 'Name one with saveResponseAs.' : `Known: ${known.join(', ')}.`}`,
    );
  }
  const [what, actual] = lookedAt(config, response);
  const wrong = mismatch(actual, config.matcher, config.value);
  if (wrong === undefined) return;
  if (actual === undefined && healPath(config, response, context)) return;
  throw new StepError(`${what} ${wrong}.`, {
    ...(config.value !== undefined && { expected: JSON.stringify(config.value) }),
    actual: JSON.stringify(actual) ?? 'undefined',
  });
}

/** A value whose path has changed, as long as the assertion holds for it (S9). */
function healPath(config: ConfigOf<'api-assert'>, { body }: ApiResponse, context: StepContext): boolean {
  if (config.assertion !== 'body' || config.path === undefined || !context.healsPaths) return false;
  // That something exists, or not, holds for whatever is there.
  if (config.matcher === 'exists') return false;
  const found = healApiPath(config.path, body);
  if (found === undefined || mismatch(found.value, config.matcher, config.value) !== undefined) return false;
  context.heal({
    displayName: `${config.response ?? 'response'}.${config.path}`,
    originalStrategy: { type: 'jsonPath', path: config.path },
    usedStrategy: { type: 'jsonPath', path: found.path },
    confidence: found.confidence,
    trigger: 'api_path_changed',
    evidence: [`the value at ${found.path} meets the assertion`],
  });
  return true;
}

function lookedAt(config: ConfigOf<'api-assert'>, response: ApiResponse): readonly [string, unknown] {
  switch (config.assertion) {
    case 'status':
      return ['The status', response.status];
    case 'header':
      return [`The header ${config.header}`, response.headers[config.header.toLowerCase()]];
    case 'body':
      return config.path === undefined
        ? ['The body', response.body]
        : [`The body at ${config.path}`, atJsonPath(response.body, config.path)];
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
