// Proposes what the compiler itself suggests, where a test file has errors that are new since its sources changed.
import path from 'node:path';
import { diffWordsWithSpace } from 'diff';
import { hashText } from '../../base/hash.ts';
import { changesReaching } from '../../diagnosis/stops.ts';
import { fileEdit, type TextChange } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { FixContext } from '../fixProvider.ts';
import { areReported, isTypeError } from '../types/typeErrors.ts';
import { askSuggestions } from './askSuggestions.ts';
import type { Suggestion, SuggestionQuestion } from './suggestionAnswer.ts';

export const providerId = 'compiler';

/** Failing tests of one file that one answer of the compiler is for. */
interface Asked {
  readonly file: string;
  readonly ids: string[];
  /** What the run said, when the compiler kept the file from loading. */
  readonly message?: string;
  readonly only?: SuggestionQuestion['only'];
}

/** The other fixers know more of what became of the code: they go first. */
export async function proposeSuggestions(context: FixContext): Promise<readonly Fix[]> {
  const mended = new Set(context.proposed?.flatMap(({ failures }) => failures));
  const asked = new Map<string, Asked>();
  for (const { result } of context.failing) {
    if (mended.has(result.id) || !context.isTestFile(result.file) || !/\.[cm]?tsx?$/.test(result.file))
      continue;
    const about = aboutFailure(result);
    if (about === undefined) continue;
    const key = JSON.stringify([result.file, about]);
    const known = asked.get(key) ?? { file: result.file, ids: [], ...about };
    known.ids.push(result.id);
    asked.set(key, known);
  }
  const fixes: Fix[] = [];
  for (const one of asked.values()) {
    const found = context.signal.aborted ? undefined : await proposeFor(one, context);
    if (found === undefined) continue;
    if ('edits' in found) fixes.push(found);
    else for (const id of one.ids) context.refuse?.(id, found.reason);
  }
  return fixes;
}

/** What the compiler may know of a failure: it reported it itself, or the engine ran into what it would have reported. */
function aboutFailure({ failure }: TestResult): Pick<Asked, 'message' | 'only'> | undefined {
  if (failure === undefined) return undefined;
  const { message, kind } = failure;
  if (kind === 'load' && isTypeError(message)) return { message };
  const missing = /^(?:ReferenceError: )?(?<name>[\w$]+) is not defined\b/.exec(message)?.groups?.['name'];
  if (missing !== undefined) return { only: { name: missing, codes: [2304, 2503, 2552, 2686, 2693] } };
  const made = /^(?:TypeError: )?Class constructor (?<name>[\w$]+) cannot be invoked without 'new'/.exec(
    message,
  )?.groups?.['name'];
  return made === undefined ? undefined : { only: { name: `typeof ${made}`, codes: [2348] } };
}

async function proposeFor(
  { file, ids, message, only }: Asked,
  context: FixContext,
): Promise<Fix | { readonly reason: string } | undefined> {
  const { reaching, when, base } = await changesReaching(file, context.changes);
  if (reaching.length === 0) return undefined;
  const text = await context.readText(file);
  const before: Record<string, string | null> = {};
  for (const one of [...reaching, ...(base.testFiles ?? [])]) {
    if (one.from !== undefined) before[one.file] = null;
    before[one.from ?? one.file] = (await base.baseText(one.from ?? one.file)) ?? null;
  }
  const sources = reaching.filter(({ status }) => status !== 'deleted').map((one) => one.file);
  const question: SuggestionQuestion = { before, sources, ...(only && { only }) };
  const asked = await askSuggestions({ root: context.root, file, signal: context.signal }, question);
  if (asked === undefined || text === undefined) return undefined;
  if ('reason' in asked) return asked;
  const { answer } = asked;
  if (answer === null || 'reason' in answer) return answer ?? undefined;
  // The compiler reads on behind the mark of the byte order.
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  if (answer.text !== hashText(text.slice(mark.length))) return undefined;
  if (message !== undefined && !areReported(answer.errors, file, message))
    return {
      reason: `The compiler of the test run and the one here (${asked.compiler}) find different errors.`,
    };
  const { suggestions, after } = answer;
  const changes = changesBetween(text, mark + after);
  if (changes.some(({ newText }) => /\b(?:any|unknown)\b|@ts-/.test(newText)))
    return { reason: 'What the compiler suggests would say less about the types of the test.' };
  const edits = [fileEdit(file, text, changes)];
  const names = reaching.map((one) => path.posix.basename(one.file)).slice(0, 2);
  const [first] = suggestions;
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: `${lower(first?.says ?? '')}${suggestions.length > 1 ? ` and ${suggestions.length - 1} more` : ''}`,
    grade: 'conservative',
    trust: suggestions.every(keepsMeaning) ? 'mechanical' : 'propose',
    mendsCalls: true,
    edits,
    failures: [...ids],
    provider: providerId,
    confidence: 0.8,
    evidence: suggestions.map(
      ({ says, error, code }) =>
        `Since ${names.join(' and ')} changed ${when} the compiler says: ${error.slice(0, 160)} (TS${code}); it suggests: ${says}.`,
    ),
  };
}

/** The compiler looks at the test alone: whether the sources wait, or call, as well, is for a person to say. */
const asked: ReadonlySet<string> = new Set([
  'spelling',
  'returnValueCorrect',
  'fixImportNonExportedMember',
  'addMissingAwait',
  'addMissingAsync',
  'fixAwaitInSyncFunction',
  'fixMissingCallParentheses',
]);

/** Forms of imports and calls; a name that is only similar, another result, or an import from elsewhere is for a person. */
function keepsMeaning({ kind, isOfChanged }: Suggestion): boolean {
  if (kind === 'import') return isOfChanged;
  return !asked.has(kind);
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Word for word what differs, so that everything else stays as it is. */
function changesBetween(before: string, after: string): readonly TextChange[] {
  const changes: TextChange[] = [];
  let at = 0;
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    const last = changes.at(-1);
    if (added) {
      if (last?.end === at) changes.splice(-1, 1, { ...last, newText: last.newText + value });
      else changes.push({ start: at, end: at, newText: value });
    } else {
      if (removed) {
        if (last?.end === at) changes.splice(-1, 1, { ...last, end: at + value.length });
        else changes.push({ start: at, end: at + value.length, newText: '' });
      }
      at += value.length;
    }
  }
  return changes;
}
