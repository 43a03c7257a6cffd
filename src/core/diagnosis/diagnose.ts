// Who is at fault for a failing test, from evidence only: without evidence the answer is unknown (invariant 4).
import type { Diagnosis, Fix } from '../model/fix.ts';
import type { Failure, TestResult } from '../model/testResult.ts';
import type { CapturedAssertion } from '../model/value.ts';
import { faultOf, type ReachedChange } from './reachedChange.ts';
import type { ChangedSource, SourceChanges } from './sourceChanges.ts';
import { changesReaching } from './stops.ts';
import { valueStops } from './valueStops.ts';

interface DiagnosisRequest {
  readonly result: TestResult;
  readonly captured: readonly CapturedAssertion[];
  readonly changes: SourceChanges;
  /** What the fixers proposed for this test. */
  readonly proposals?: readonly Fix[];
  /** What the fixers found that this failure runs into. */
  readonly reached?: ReachedChange | undefined;
  /** Takes paths relative to the root; by name when absent. */
  readonly isTestFile?: (file: string) => boolean;
  /** Text of a file relative to the root; without it a syntax error is where the runner says. */
  readonly readText?: (file: string) => Promise<string | undefined>;
}

/** The fault and one or two sentences why. A changed expectation alone never says who is right. */
export async function diagnose(request: DiagnosisRequest): Promise<Diagnosis> {
  const { result, changes, proposals = [] } = request;
  const { failure } = result;
  if (!failure) return unknown('The test failed without giving a reason.');
  const moved = proposals.find((fix) => fix.trust === 'mechanical' && fix.failures.includes(result.id));
  if (moved) {
    const what = moved.origin?.outdated ?? 'uses the source as it was before the change';
    return { fault: 'test', reason: `The test ${what}. ${moved.evidence[0] ?? ''}`.trim() };
  }
  const called = proposals.find((fix) => fix.mendsCalls === true && fix.failures.includes(result.id));
  if (called)
    return unknown(
      `${called.evidence[0] ?? ''} Either the test is outdated, or the change of the source is a mistake.`.trim(),
    );
  if (request.reached !== undefined) return faultOf(request.reached);
  if (failure.kind === 'empty') return { fault: 'test', reason: 'The file contains no tests.' };
  const { reaching, when } = await changesReaching(result.file, changes);
  const history: History = { changes, reaching, when, isTestFile: request.isTestFile ?? isNamedAsTest };
  const environment = environmentReason(failure, changes);
  if (environment !== undefined) return { fault: 'environment', reason: environment };
  if (failure.kind === 'load')
    return (await unreadSource(request, failure, history)) ?? diagnoseLoad(result, failure, history);
  if (failure.kind === 'timeout' || failure.kind === 'crash')
    return unknown(
      `The test ${failure.kind === 'crash' ? 'crashed its process' : 'did not finish within its time limit'}. ${aboutHistory(history)}`,
    );
  const thrown = failure.kind === 'error' ? thrownBySource(failure, history) : undefined;
  return thrown ?? degenerateValue(request, failure, history) ?? byHistory(result, history);
}

interface History {
  readonly changes: SourceChanges;
  readonly reaching: readonly ChangedSource[];
  readonly when: string;
  readonly isTestFile: (file: string) => boolean;
}

const unknown = (reason: string): Diagnosis => ({ fault: 'unknown', reason });

const isNamedAsTest = (file: string): boolean =>
  /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e)\/|[._-](?:tests?|spec)\.\w+$/.test(file);

/** Trouble around the code: only from errors, never from the values of an expectation. */
function environmentReason({ kind, message }: Failure, changes: SourceChanges): string | undefined {
  if (kind === 'assertion') return undefined;
  const missing =
    /(?:Cannot find (?:module|package)|Failed to resolve import|Failed to load url|Could not resolve) ['"]?(?<name>[^'"\s]+)/.exec(
      message,
    )?.groups?.['name'];
  const isOurs = changes.files.some(({ file, from }) => `${from ?? ''} ${file}`.includes(missing ?? ' '));
  if (missing !== undefined && isPackageName(missing) && !isOurs)
    return `The package ${missing} is not installed.`;
  const ownEnvironment = /\bTest environment (\S+) cannot be found\b/.exec(message)?.[1];
  if (ownEnvironment !== undefined) return `The test environment ${ownEnvironment} is not installed.`;
  const command = /\bspawn (\S+) ENOENT\b|(\S+): (?:command )?not found\b/.exec(message);
  if (command) return `The program ${command[1] ?? command[2]} is not installed or not on PATH.`;
  const network =
    /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|EADDRINUSE)\b[^\n]*/.exec(message);
  if (network) return `A network service did not answer: ${network[0].trim()}.`;
  const variable =
    /\b(?:environment variable|env(?:ironment)? var(?:iable)?)s?\b[^\n]{0,60}?\b([A-Z][A-Z0-9_]{2,})\b|\b([A-Z][A-Z0-9_]{2,})\b[^\n]{0,30}\b(?:environment variable|env var)\b[^\n]*|\bprocess\.env\.([A-Z][A-Z0-9_]+)\b[^\n]*\b(?:not set|missing|required|undefined)\b/.exec(
      message,
    );
  if (variable)
    return `The environment variable ${variable[1] ?? variable[2] ?? variable[3]} seems to be missing.`;
  if (/\bExecutable doesn't exist\b|\bbrowserType\.launch\b/.test(message))
    return 'The browser that the test needs is not installed: run `npx playwright install`.';
  return undefined;
}

/** A bare specifier of a package; `@/x`, `~/x` and `#x` are aliases of the workspace's own modules. */
const isPackageName = (specifier: string): boolean =>
  /^(?:@[a-z0-9-][\w.-]*\/)?[a-z0-9_][\w.-]*(?:\/|$)/i.test(specifier) &&
  !specifier.startsWith('src/') &&
  !/^[A-Za-z]:/.test(specifier);

const syntaxMessage =
  /\bSyntaxError\b(?!: The requested module)|^Transform failed|\b(?:PARSE_ERROR|Unexpected token|Expected .{1,20} but found|Unterminated|Parse failure)\b/;

/** Node's own runner does not say which of the modules it could not read: the changed source that does not parse, when the test does. */
async function unreadSource(
  { result, readText }: DiagnosisRequest,
  { location, message }: Failure,
  { reaching, when }: History,
): Promise<Diagnosis | undefined> {
  if (location !== undefined || readText === undefined || !syntaxMessage.test(message)) return undefined;
  const files = [result.file, ...reaching.map(({ file }) => file)].filter((file) =>
    /\.[cm]?[jt]sx?$/.test(file),
  );
  const { parseTests } = await import('../syntax/javascript/parseTests.ts');
  const { scriptVocabulary } = await import('../frameworks/vocabularies.ts');
  for (const file of files) {
    const error = parseTests((await readText(file)) ?? '', file, scriptVocabulary).warnings[0];
    const line = error === undefined ? undefined : /line (\d+)/.exec(error)?.[1];
    if (line === undefined) continue;
    if (file === result.file) return undefined;
    return {
      fault: 'source',
      reason: `${file}:${line} does not parse since it changed ${when}: ${firstLine(message)}`,
    };
  }
  return undefined;
}

/** Did code throw it that ran, as parsers do? A file that does not parse has run no line, and shows at most the place itself. */
function isThrownByCode({ stack }: Failure, place: string, testFile: string): boolean {
  const top = stack.find(isOwnFrame);
  return top !== undefined && (top.file === place ? top.name !== '' : place === testFile);
}

const isOwnFrame = ({ file }: Failure['stack'][number]): boolean =>
  !/node_modules|^node:/.test(file) && !file.startsWith('/');

function diagnoseLoad(result: TestResult, failure: Failure, history: History): Diagnosis {
  const { location, message } = failure;
  const place = location?.file ?? result.file;
  const isSyntax = syntaxMessage.test(message) && !isThrownByCode(failure, place, result.file);
  if (place !== result.file && !history.isTestFile(place) && !place.includes('node_modules')) {
    const changed = history.reaching.some((change) => change.file === place);
    const what = isSyntax ? 'does not parse' : 'does not load';
    return {
      fault: 'source',
      reason: `${place}${lineOf(location)} ${what}${changed ? ` since it changed` : ''}: ${firstLine(message)}`,
    };
  }
  if (isSyntax)
    return { fault: 'test', reason: `${place}${lineOf(location)} has a syntax error: ${firstLine(message)}` };
  const thrown = thrownBySource(failure, history);
  if (thrown) return thrown;
  const gone = history.reaching.filter((change) => change.status === 'deleted');
  if (gone.length > 0)
    return unknown(
      `The test still uses ${listed(gone)}, which was deleted ${history.when}. Either the test is obsolete, or the deletion is a mistake.`,
    );
  return byHistory(result, history);
}

/** An error out of a source which changed. Old calls of a new signature throw there too: only what no caller can cause is its fault. */
function thrownBySource(failure: Failure, history: History): Diagnosis | undefined {
  const top = failure.stack.find(isOwnFrame);
  if (!top || !history.reaching.some((change) => change.file === top.file)) return undefined;
  const message = firstLine(failure.message);
  const isOwnFault =
    /\bis not defined$|\bbefore initialization$|__vite_ssr_import_|\(0 ?, ?[\w$.]+\) is not a function/.test(
      message,
    );
  const what = `${top.file}:${top.line} throws since it changed: ${message}`;
  return isOwnFault
    ? { fault: 'source', reason: what }
    : unknown(`${what}. Either the source is broken, or the test is outdated.`);
}

/** A value that no one means, with a changed source that reaches the test. */
function degenerateValue(
  { captured }: DiagnosisRequest,
  failure: Failure,
  history: History,
): Diagnosis | undefined {
  const signs = captured.flatMap(valueStops).map((stop) => stop.reason);
  const degenerate = signs.find((sign) => neverMeant.test(sign)) ?? fromText(failure);
  if (degenerate === undefined) return undefined;
  if (history.reaching.length === 0) return unknown(`${degenerate} ${aboutHistory(history)}`);
  return {
    fault: 'source',
    reason: `${degenerate.replace(/\.$/, '')} since ${listed(history.reaching)} changed.`,
  };
}

/** Null, emptiness and missing keys may be meant; these are not. */
const neverMeant = /\bis (?:NaN|undefined|an error)\b|\bcontains "|\bdate of .* is invalid/;

/** The same from the printed values, when nothing was recorded. */
function fromText({ actual, expected }: Failure): string | undefined {
  if (actual === undefined || expected === undefined) return undefined;
  const sign = ['NaN', 'undefined', '[object Object]', 'Invalid Date'].find(
    (text) => actual.includes(text) && !expected.includes(text),
  );
  return sign === undefined ? undefined : `The actual value contains ${sign}.`;
}

function byHistory(result: TestResult, history: History): Diagnosis {
  const { changes, reaching, when } = history;
  const own = changes.testFiles?.find((change) => change.file === result.file);
  if (changes.unavailable === undefined && reaching.length === 0 && own && own.status !== 'added')
    return { fault: 'test', reason: `The test changed ${when}, but no source file that it uses did.` };
  if (own?.status === 'added' && reaching.length === 0)
    return unknown('The test is new: its history cannot show whether the test or the source is wrong.');
  return unknown(aboutHistory(history));
}

function aboutHistory({ changes, reaching, when }: History): string {
  if (changes.unavailable !== undefined)
    return `The changes are not known (${changes.unavailable}), so it is unclear whether the test or the source is wrong.`;
  if (reaching.length === 0)
    return `No source file that this test uses changed ${when}. Check time, test order and environment, and whether the test failed before.`;
  return `${listed(reaching)} changed ${when}, and the test still expects the old behavior. Either may be right.`;
}

/** `a.ts and b.ts`, `a.ts, b.ts and 3 more files`. */
export function listed(changes: readonly ChangedSource[]): string {
  const names = changes.slice(0, 2).map((change) => change.file);
  const others = changes.length - names.length;
  if (others === 0) return names.join(' and ');
  return `${names.join(', ')} and ${others === 1 ? '1 more file' : `${others} more files`}`;
}

const lineOf = (location: Failure['location']): string => (location ? `:${location.line}` : '');

const firstLine = (message: string): string => (message.split('\n')[0] ?? '').slice(0, 200);
