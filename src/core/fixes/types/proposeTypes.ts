// Proposes, for a test file that the compiler stops, one fix that settles every error it finds in it.
import path from 'node:path';
import { hashText } from '../../base/hash.ts';
import { changesReaching } from '../../diagnosis/stops.ts';
import { applyChanges, fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import { codeLine } from '../../model/visibleText.ts';
import type { FixContext } from '../fixProvider.ts';
import { askCompiler } from './askCompiler.ts';
import type { TypeRepair } from './typeAnswer.ts';
import { areReported, isTypeError } from './typeErrors.ts';
import { typeStops } from './typeStops.ts';

export const providerId = 'types';

interface StoppedFile {
  readonly file: string;
  /** Of the tests that it keeps from running. */
  readonly ids: readonly string[];
  /** What the run said of it. */
  readonly message: string;
}

export async function proposeTypes(context: FixContext): Promise<readonly Fix[]> {
  const fixes: Fix[] = [];
  for (const stopped of stoppedFiles(context)) {
    const found = context.signal.aborted ? undefined : await proposeFor(stopped, context);
    if (found === undefined) continue;
    if ('edits' in found) fixes.push(found);
    else for (const id of stopped.ids) context.refuse?.(id, found.reason);
  }
  return fixes;
}

function stoppedFiles(context: FixContext): Iterable<StoppedFile> {
  const byFile = new Map<string, StoppedFile & { readonly ids: string[] }>();
  for (const { result } of context.failing) {
    const { id, file, failure } = result;
    if (failure?.kind !== 'load' || !isTypeError(failure.message)) continue;
    if (!context.isTestFile(file) || !/\.[cm]?tsx?$/.test(file)) continue;
    const known = byFile.get(file);
    if (known === undefined) byFile.set(file, { file, ids: [id], message: failure.message });
    else known.ids.push(id);
  }
  return byFile.values();
}

/** The fix of one file, the reason why it has none, or undefined where there is nothing to say. */
async function proposeFor(
  { file, ids, message }: StoppedFile,
  context: FixContext,
): Promise<Fix | { readonly reason: string } | undefined> {
  const { reaching, when } = await changesReaching(file, context.changes);
  // Without a change of the source the test itself is wrong, or the compiler is another one.
  if (reaching.length === 0) return undefined;
  const text = await context.readText(file);
  const asked = await askCompiler({ root: context.root, file, signal: context.signal });
  if (asked === undefined || text === undefined) return undefined;
  if ('reason' in asked) return asked;
  const { answer } = asked;
  // The compiler reads on behind the mark of the byte order.
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  if (answer === null || answer.text !== hashText(text.slice(mark)) || answer.errors.length === 0)
    return undefined;
  if (!areReported(answer.errors, file, message))
    return {
      reason: `The compiler of the test run and the one that Testmend uses (${asked.compiler}) report different errors.`,
    };
  const { repairs } = answer;
  if ('reason' in repairs) return repairs;
  const changes = repairs
    .flatMap((repair) => repair.changes)
    .map(({ start, end, newText }) => ({ start: start + mark, end: end + mark, newText }));
  try {
    applyChanges(changes, text);
  } catch {
    return undefined;
  }
  const stops = repairs.flatMap((one) => (one.kind === 'expected type' ? typeStops(one.old, one.new) : []));
  const edits = [fileEdit(file, text, changes)];
  const names = reaching.map((one) => path.posix.basename(one.file)).slice(0, 2);
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: titleOf(repairs),
    grade: changes.length === 1 ? 'surgical' : 'conservative',
    trust: stops.length > 0 || repairs.some(({ isWider }) => isWider) ? 'propose' : 'oracle',
    edits,
    failures: [...ids],
    provider: providerId,
    confidence: 0.8,
    evidence: [
      `The compiler infers ${repairs.length === 1 ? 'another type' : `${repairs.length} other types`} in ${file} since ${names.join(' and ')} changed ${when}.`,
      ...repairs.flatMap((one) =>
        one.isWider ? [`The new type is less precise: ${one.old} became ${short(one.new)}.`] : [],
      ),
    ],
    expectation: {
      old: repairs.map((one) => one.old).join('\n'),
      new: repairs.map((one) => one.new).join('\n'),
    },
    ...(stops.length > 0 && { stops }),
  };
}

function titleOf(repairs: readonly TypeRepair[]): string {
  const [first] = repairs;
  const more = repairs.length > 1 ? ` and ${repairs.length - 1} more` : '';
  if (first?.kind === 'expected type')
    return `expect type ${short(first.new)} (was ${short(first.old)})${more}`;
  if (first?.kind === 'expected error')
    return `expect the compiler's error on ${first.new} (was ${first.old})${more}`;
  return `leave type arguments ${short(first?.old ?? '')} to the compiler${more}`;
}

function short(text: string): string {
  const line = codeLine(text);
  return line.length > 50 ? `${line.slice(0, 49)}…` : line;
}
