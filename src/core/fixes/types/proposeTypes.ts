// Proposes, for a test file that the compiler stops, one fix that settles every error it finds in it.
import path from 'node:path';
import { hashText } from '../../base/hash.ts';
import { changesReaching } from '../../diagnosis/stops.ts';
import { applyChanges, fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { FixContext } from '../fixProvider.ts';
import { areReported, checkTypes, isTypeError } from './typeCheck.ts';
import { typeStops } from './typeStops.ts';
import { repairTypes, type TypeRepair } from './typeRepairs.ts';

export const providerId = 'types';

export async function proposeTypes(context: FixContext): Promise<readonly Fix[]> {
  const fixes: Fix[] = [];
  const byFile = new Map<string, { readonly ids: string[]; readonly message: string }>();
  for (const { result } of context.failing) {
    const { failure } = result;
    if (failure?.kind !== 'load' || !isTypeError(failure.message)) continue;
    if (!context.isTestFile(result.file) || !/\.[cm]?tsx?$/.test(result.file)) continue;
    const known = byFile.get(result.file);
    if (known === undefined) byFile.set(result.file, { ids: [result.id], message: failure.message });
    else known.ids.push(result.id);
  }
  for (const [file, { ids: failures, message }] of byFile) {
    if (context.signal.aborted) break;
    const { reaching, when } = await changesReaching(file, context.changes);
    // Without a change of the source the test itself is wrong, or the compiler is another one.
    if (reaching.length === 0) continue;
    const text = await context.readText(file);
    const check = checkTypes(context.root, file);
    if (check === undefined || check.source.text !== text || check.errors.length === 0) continue;
    if (!areReported(check, file, message)) {
      for (const id of failures)
        context.refuse?.(id, 'The compiler of the test run and the one here find different errors.');
      continue;
    }
    const repairs = repairTypes(check);
    if ('reason' in repairs) {
      for (const id of failures) context.refuse?.(id, repairs.reason);
      continue;
    }
    const changes = repairs.flatMap((repair) => repair.changes);
    try {
      applyChanges(changes, text);
    } catch {
      continue;
    }
    const stops = repairs.flatMap((one) => (one.kind === 'expected type' ? typeStops(one.old, one.new) : []));
    const edits = [fileEdit(file, text, changes)];
    const names = reaching.map((one) => path.posix.basename(one.file)).slice(0, 2);
    fixes.push({
      id: hashText(JSON.stringify([providerId, edits])),
      title: titleOf(repairs),
      grade: changes.length === 1 ? 'surgical' : 'conservative',
      trust: stops.length > 0 || repairs.some(({ isWider }) => isWider) ? 'propose' : 'oracle',
      edits,
      failures,
      provider: providerId,
      confidence: 0.8,
      evidence: [
        `The compiler finds ${repairs.length === 1 ? 'another type' : `${repairs.length} other types`} in ${file} since ${names.join(' and ')} changed ${when}.`,
        ...repairs.flatMap((one) =>
          one.isWider ? [`It knows less than before: ${one.old} became ${short(one.new)}.`] : [],
        ),
      ],
      expectation: {
        old: repairs.map((one) => one.old).join('\n'),
        new: repairs.map((one) => one.new).join('\n'),
      },
      ...(stops.length > 0 && { stops }),
    });
  }
  return fixes;
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
  const line = text.replace(/\s+/g, ' ');
  return line.length > 50 ? `${line.slice(0, 49)}…` : line;
}
