// Keeps what located elements looked like on the last green run, beside the scenarios, in a file that people can commit.
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { fingerprintSchema, type ElementFingerprint } from '../healing/fingerprint.ts';
import { fileName } from './evidence.ts';

const fileSchema = z.object({
  version: z.literal(1),
  scenario: z.string(),
  /** By the id of the step, then by the name of the element. */
  steps: z.record(z.string(), z.record(z.string(), fingerprintSchema)),
});
type Fingerprints = Readonly<Record<string, Readonly<Record<string, ElementFingerprint>>>>;

/** `.fingerprints/checkout.json` beside the scenario with the id checkout. Absolute. */
export function fingerprintFileOf(scenarioFile: string, scenarioId: string): string {
  return path.join(path.dirname(scenarioFile), '.fingerprints', `${fileName(scenarioId)}.json`);
}

/** Empty where there is none, or none that can be read. */
export async function readFingerprints(file: string): Promise<Fingerprints> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).steps;
  } catch {
    return {};
  }
}

/**
 * Adds what a green run saw. What is the same stays untouched; steps that are gone go (`known`: ids of those there are, components'
 * with their prefix). Written whole or not at all; of two runs at once the second one adds to what the first one wrote. Gives a sentence
 * where it could not be written: the run is no worse for it.
 */
export async function writeFingerprints(
  file: string,
  scenario: string,
  seen: Fingerprints,
  known: ReadonlySet<string>,
): Promise<string | undefined> {
  if (Object.keys(seen).length === 0) return undefined;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    return await locked(`${file}.lock`, async () => {
      const before = await readFile(file, 'utf8').catch(() => '');
      const kept = Object.entries(await readFingerprints(file)).filter(([id]) => known.has(writtenStep(id)));
      const steps: Record<string, Readonly<Record<string, ElementFingerprint>>> = Object.fromEntries(kept);
      for (const [id, elements] of Object.entries(seen)) steps[id] = { ...steps[id], ...elements };
      const sorted = Object.fromEntries(Object.entries(steps).sort(([a], [b]) => (a < b ? -1 : 1)));
      const text = `${JSON.stringify({ version: 1, scenario, steps: sorted }, null, 1)}\n`;
      if (text === before) return undefined;
      const temporary = `${file}.${process.pid}.new`;
      await writeFile(temporary, text);
      await rename(temporary, file);
      return undefined;
    });
  } catch (error) {
    return `The fingerprints were not written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Steps of a component are called after the step that uses it: `log-in/step-2`. */
const writtenStep = (step: string): string => step.split('/')[0] ?? step;

/** A lock that is older belongs to a process that was ended, ms. */
const staleAfter = 10_000;

async function locked<T>(lock: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const handle = await open(lock, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || tries > 400) throw error;
    });
    if (handle) {
      try {
        await handle.close();
        return await work();
      } finally {
        await rm(lock, { force: true });
      }
    }
    const age = Date.now() - ((await stat(lock).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > staleAfter) await rm(lock, { force: true });
    else await pause(25);
  }
}
