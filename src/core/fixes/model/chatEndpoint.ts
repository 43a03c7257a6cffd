// A model behind an endpoint that speaks OpenAI's chat completions: a service, or Ollama, llama.cpp, vLLM on this machine.
import { z } from 'zod';
import { errorMessage, HumanError, throwIfCancelled } from '../../base/humanError.ts';
import { redactSecrets } from '../../base/redactSecrets.ts';
import {
  HalfAnswer,
  type ChatAnswer,
  type ChatModel,
  type ChatQuestion,
  type ChatUsage,
} from './chatModel.ts';

export interface ChatEndpoint {
  /** Of the interface, as `https://…/v1`. */
  readonly baseUrl: URL;
  readonly model: string;
  /** Sent as a bearer token, and never told. */
  readonly key?: string;
  /** Silence after which a request is given up, ms; default 60,000. */
  readonly silenceMs?: number;
  /** All of a request, ms; default 180,000. */
  readonly limitMs?: number;
  /** What its user sets. */
  readonly setBy: EndpointSettings;
}

/** How people call what they set, for remedies. */
interface EndpointSettings {
  readonly url: string;
  readonly model: string;
  readonly key: string;
}

const silenceMs = 60_000;
const limitMs = 180_000;
/** Longer than any answer that is asked for: an endpoint that goes on is cut off, characters. */
const answerLimit = 200_000;
/** So much is read of what an endpoint says of an error, characters. */
const errorLimit = 4_000;
/** The longest wait that an endpoint may ask for, seconds. */
const longestWait = 30;
/** Shorter keys are words like any other: blotting them out would spoil what is told. */
const shortestSecret = 8;

export function endpointModel(endpoint: ChatEndpoint): ChatModel {
  return {
    name: endpoint.model,
    place: endpoint.baseUrl.href,
    ask: (question) => askChat(endpoint, question),
  };
}

/** Throws a HumanError that names the endpoint and the remedy; its text holds no key. */
export async function askChat(endpoint: ChatEndpoint, question: ChatQuestion): Promise<ChatAnswer> {
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) question.onAgain?.();
    const response = await send(endpoint, question, attempt === 0);
    const { status } = response;
    if (status >= 300 && status < 400) throw redirected(response, endpoint);
    if (response.ok) return readResponse(response, endpoint, question);
    const said = cutLine(await saidIn(response, endpoint, question.signal), endpoint);
    if (attempt === 0) {
      // Not every endpoint knows schemas: the prompt asks for the same form.
      if (status === 400 || status === 422) continue;
      if (status === 429 || status === 503) {
        const seconds = retryAfter(response);
        if (seconds > longestWait) throw busyFor(seconds, endpoint);
        await wait(seconds * 1000, question.signal);
        continue;
      }
    }
    throw troubleOf(status, said, endpoint);
  }
}

async function send(
  endpoint: ChatEndpoint,
  { system, user, schema, maxTokens, signal }: ChatQuestion,
  withSchema: boolean,
): Promise<Response> {
  const { baseUrl, model, key, silenceMs: silence = silenceMs } = endpoint;
  const address = new URL(`${baseUrl.pathname.replace(/\/+$/, '')}/chat/completions`, baseUrl);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), silence);
  try {
    return await fetch(address, {
      method: 'POST',
      // The key stays with the address that it was given for.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
        max_tokens: maxTokens,
        temperature: 0,
        stream: true,
        stream_options: { include_usage: true },
        ...(withSchema && {
          response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } },
        }),
      }),
      signal: AbortSignal.any([signal, stop.signal]),
    });
  } catch (error) {
    throwIfCancelled(signal);
    const why = stop.signal.aborted
      ? `no data arrived for ${silence / 1000} s`
      : cutLine(causeOf(error), endpoint);
    throw unreachable(endpoint, why);
  } finally {
    clearTimeout(timer);
  }
}

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        message: z.object({ content: z.string().nullish() }).nullish(),
      }),
    )
    .optional(),
  usage: z
    .object({
      prompt_tokens: z.number().optional(),
      completion_tokens: z.number().optional(),
      cost: z.number().optional(),
    })
    .nullish(),
  error: z.object({ message: z.string() }).optional(),
});

/** Both kinds: a stream of events, and one document where an endpoint does not stream. */
async function readResponse(
  response: Response,
  endpoint: ChatEndpoint,
  question: ChatQuestion,
): Promise<ChatAnswer> {
  const streams = response.headers.get('content-type')?.includes('text/event-stream') === true;
  let answer = '';
  let usage: ChatUsage = {};
  let isWhole = !streams;
  const take = (json: string): void => {
    const chunk = chunkSchema.safeParse(parsed(json));
    if (!chunk.success) throw broken(endpoint, 'the response is not a chat completion');
    const { choices = [], usage: told, error } = chunk.data;
    if (error) throw broken(endpoint, cutLine(error.message, endpoint));
    answer += choices[0]?.delta?.content ?? choices[0]?.message?.content ?? '';
    if (told)
      usage = {
        ...(told.prompt_tokens !== undefined && { inputTokens: told.prompt_tokens }),
        ...(told.completion_tokens !== undefined && { outputTokens: told.completion_tokens }),
        ...(told.cost !== undefined && { cost: told.cost }),
      };
    question.onProgress?.(answer.length);
  };
  let rest = '';
  for await (const text of textsOf(response, endpoint, question.signal)) {
    rest += text;
    if (rest.length + answer.length > answerLimit) throw broken(endpoint, 'the response does not end');
    if (!streams) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const data = /^data:\s?(.*?)\r?$/.exec(line)?.[1];
      if (data === '[DONE]') isWhole = true;
      else if (data !== undefined && data !== '') take(data);
    }
  }
  if (!streams) take(rest);
  if (!isWhole) throw broken(endpoint, 'the connection closed in the middle of the response');
  return { text: withoutKey(answer, endpoint), usage };
}

/** Gives up after silence, and after the whole time. */
async function* textsOf(
  response: Response,
  endpoint: ChatEndpoint,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  const end = performance.now() + (endpoint.limitMs ?? limitMs);
  try {
    for (;;) {
      const left = Math.min(endpoint.silenceMs ?? silenceMs, end - performance.now());
      const step = await withinTime(reader.read(), Math.max(0, left));
      throwIfCancelled(signal);
      if (step === undefined) throw broken(endpoint, 'the response was not complete within the time limit');
      if (step.done) return;
      yield decoder.decode(step.value, { stream: true });
    }
  } catch (error) {
    throwIfCancelled(signal);
    throw error instanceof HumanError ? error : broken(endpoint, cutLine(causeOf(error), endpoint));
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Undefined when the time is over first. */
async function withinTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
  throwIfCancelled(signal);
}

/** Seconds; as a number or as a date. */
function retryAfter(response: Response): number {
  const told = response.headers.get('retry-after') ?? '2';
  const seconds = /^\d+$/.test(told) ? Number(told) : (Date.parse(told) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 2;
}

/** The beginning of an answer that is none; an endpoint may go on for ever in it. */
async function saidIn(response: Response, endpoint: ChatEndpoint, signal: AbortSignal): Promise<string> {
  let said = '';
  try {
    for await (const text of textsOf(response, endpoint, signal)) {
      said += text;
      if (said.length >= errorLimit) break;
    }
  } catch {
    throwIfCancelled(signal);
  }
  return said.slice(0, errorLimit);
}

function cutLine(text: string, endpoint: ChatEndpoint): string {
  const line = withoutKey(text, endpoint).replace(/\s+/g, ' ').trim();
  return redactSecrets(line.slice(0, 300));
}

/** An endpoint may say the key that it was given. */
function withoutKey(text: string, { key }: ChatEndpoint): string {
  return key === undefined || key.length < shortestSecret ? text : text.replaceAll(key, '[redacted]');
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The cause below `fetch failed`. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return errorMessage(cause instanceof Error && cause.message !== '' ? cause : error);
}

function troubleOf(status: number, said: string, endpoint: ChatEndpoint): HumanError {
  const refused = status === 401 || status === 403;
  const what = refused ? 'rejected the key' : status === 429 ? 'has no capacity left' : `answers ${status}`;
  const { url, model, key } = endpoint.setBy;
  const remedy = refused
    ? `Set the right key in ${key}.`
    : status === 404
      ? `Check that ${url} has the path that the service requires (usually /v1), and that the service offers this ${model}.`
      : `Try again later, or with another ${model}.`;
  const text = `The model ${endpoint.model} at ${endpoint.baseUrl.origin} ${what}${said === '' ? '' : `: ${said}`}`;
  return new HumanError('bad-input', text, { value: String(status), remedy });
}

/** Where to may be long, and may hold what is nobody's business. */
function redirected(response: Response, endpoint: ChatEndpoint): HumanError {
  const { model, baseUrl, setBy } = endpoint;
  const to = cutLine(response.headers.get('location') ?? '', endpoint);
  return new HumanError(
    'bad-input',
    `The model ${model} at ${baseUrl.origin} redirects${to === '' ? '' : ` to ${to}`}`,
    {
      value: baseUrl.origin,
      remedy: `Set the final address with ${setBy.url}: Testmend does not follow redirects.`,
    },
  );
}

const busyFor = (seconds: number, { model, baseUrl, setBy }: ChatEndpoint): HumanError =>
  new HumanError(
    'bad-input',
    `The model ${model} at ${baseUrl.origin} has no capacity left: it accepts requests again in ${Math.ceil(seconds)} s`,
    { value: String(seconds), remedy: `Try again then, or with another ${setBy.model}.` },
  );

const unreachable = ({ baseUrl, setBy }: ChatEndpoint, why: string): HumanError =>
  new HumanError('bad-input', `No model can be reached at ${baseUrl.origin}: ${why}`, {
    value: baseUrl.origin,
    remedy: `Start the model, or set the right address with ${setBy.url}.`,
  });

const broken = ({ model, baseUrl, setBy }: ChatEndpoint, why: string): HumanError =>
  new HalfAnswer('bad-input', `The model ${model} at ${baseUrl.origin} did not answer completely: ${why}`, {
    value: model,
    remedy: `Try again, or with another ${setBy.model}.`,
  });
