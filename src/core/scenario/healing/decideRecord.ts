// Approves and rejects healings: an approval rewrites the scenario, and only one that nobody changed since (CONTRACTS S6).
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hashText } from '../../base/hash.ts';
import { HumanError } from '../../base/humanError.ts';
import { isInside, leadsOutside } from '../../base/paths.ts';
import type { HealingRecord } from './healingRecord.ts';
import type { HealingStore } from './healingStore.ts';
import { rewriteLocator } from './rewriteLocator.ts';

interface ApprovedHealing {
  readonly record: HealingRecord;
  /** Relative to the root, those that were rewritten; the file of the healing first. */
  readonly files: readonly string[];
}

/**
 * Writes the healed locator into the scenario. With `propagateTo` (files relative to the root) also into every locator of the same name
 * there. Throws a HumanError, `usage` for an unknown or decided record, `stale` for a scenario that changed since the run or no longer has the
 * locator; nothing is written then.
 */
export async function approveHealing(
  root: string,
  store: HealingStore,
  id: string,
  propagateTo?: readonly string[],
): Promise<ApprovedHealing> {
  const record = await pendingRecord(store, id);
  if (record.trigger === 'api_path_changed')
    throw new HumanError('usage', `${id} is about a path in an answer, not about a locator.`, {
      remedy: `Change the path in ${record.file} by hand, then reject the healing.`,
    });
  const text = await readFile(inRoot(root, record.file), 'utf8').catch(() => undefined);
  if (text === undefined || hashText(text) !== record.fileHash)
    throw new HumanError(
      'stale',
      `${record.file} changed since the step was healed, so the healing is not written.`,
      {
        remedy: 'Run the scenario again: a healing that still holds is proposed anew.',
      },
    );
  const change = {
    displayName: record.locatorDisplayName,
    original: record.originalStrategy,
    healed: [record.healedStrategy, ...record.furtherStrategies],
  };
  const own = rewriteLocator(text, propagateTo === undefined ? { ...change, stepId: record.stepId } : change);
  if (own === undefined)
    throw new HumanError(
      'stale',
      `The locator "${record.locatorDisplayName}" is not in ${record.file} any more.`,
      {
        remedy: 'Run the scenario again.',
      },
    );
  const texts = new Map([[record.file, { before: text, after: own }]]);
  for (const file of propagateTo ?? []) {
    if (texts.has(file)) continue;
    const before = await readFile(inRoot(root, file), 'utf8');
    const after = rewriteIfReadable(before, change);
    if (after !== undefined) texts.set(file, { before, after });
  }
  for (const [file, { after }] of texts) await replaceFile(inRoot(root, file), after);
  const approved: HealingRecord = {
    ...record,
    status: 'approved',
    fileHash: hashText(own),
    decidedAt: new Date().toISOString(),
  };
  await store.write(approved);
  for (const [file, { before, after }] of texts)
    await followChange(store, file, hashText(before), hashText(after));
  return { record: approved, files: [...texts.keys()] };
}

/** Remembers that this is not the element: the same healing is not proposed again. Throws as `approveHealing` does. */
export async function rejectHealing(store: HealingStore, id: string): Promise<HealingRecord> {
  const record = await pendingRecord(store, id);
  const rejected: HealingRecord = { ...record, status: 'rejected', decidedAt: new Date().toISOString() };
  await store.write(rejected);
  return rejected;
}

async function pendingRecord(store: HealingStore, id: string): Promise<HealingRecord> {
  const record = await store.read(id);
  if (record === undefined)
    throw new HumanError('usage', `There is no healing ${id}.`, {
      remedy: '`testmend scenario healings` lists them.',
    });
  if (record.status !== 'pending')
    throw new HumanError('usage', `The healing ${id} is ${record.status.replace('_', ' ')} already.`, {
      remedy: 'Only pending healings can be approved or rejected.',
    });
  return record;
}

/** Our own change is none by people: other healings of the file can still be approved. */
async function followChange(store: HealingStore, file: string, before: string, after: string): Promise<void> {
  for (const record of await store.list())
    if (record.file === file && record.status === 'pending' && record.fileHash === before)
      await store.write({ ...record, fileHash: after });
}

/** A broken file elsewhere does not stop an approval. */
function rewriteIfReadable(text: string, change: Parameters<typeof rewriteLocator>[1]): string | undefined {
  try {
    return rewriteLocator(text, change);
  } catch {
    return undefined;
  }
}

function inRoot(root: string, file: string): string {
  const absolute = path.resolve(root, file);
  if (isInside(root, absolute) && !leadsOutside(root, file)) return absolute;
  throw new HumanError('usage', `${file} lies outside of the root.`, { remedy: '' });
}

async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.testmend`;
  try {
    await writeFile(draft, text, { mode: (await stat(file)).mode });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
