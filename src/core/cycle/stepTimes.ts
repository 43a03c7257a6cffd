// How long each step of the last cycle of a scope took, kept so that the next one can say how much time is left.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hashText } from '../base/hash.ts';
import { cyclePhaseSchema } from '../model/cycle.ts';

const stepTimeSchema = z.object({ phase: cyclePhaseSchema, ms: z.number() });
export type StepTime = z.infer<typeof stepTimeSchema>;

const fileSchema = z.record(z.string(), z.array(stepTimeSchema));

/** Scopes that are kept: the latest. */
const keptScopes = 30;
const keptSteps = 200;

export interface TimedScope {
  readonly root: string;
  readonly cacheFolder: string;
  /** Equal for cycles that begin with the same tests. */
  readonly scope: string;
}

/** None when there was no such cycle yet. */
export async function readStepTimes({ root, cacheFolder, scope }: TimedScope): Promise<readonly StepTime[]> {
  return (await readAll(cacheFolder))[keyOf(root, scope)] ?? [];
}

/** Never throws: without it nothing is lost but a guess. */
export async function keepStepTimes(scope: TimedScope, times: readonly StepTime[]): Promise<void> {
  const { root, cacheFolder } = scope;
  const key = keyOf(root, scope.scope);
  const { [key]: _before, ...others } = await readAll(cacheFolder);
  const kept = Object.fromEntries([
    ...Object.entries(others).slice(1 - keptScopes),
    [key, times.slice(0, keptSteps)],
  ]);
  const file = fileOf(cacheFolder);
  try {
    await mkdir(cacheFolder, { recursive: true });
    await writeFile(`${file}.new`, JSON.stringify(kept));
    await rename(`${file}.new`, file);
  } catch {
    // A full disk.
  }
}

/**
 * How long the rest takes, ms, if it goes like the former cycle; undefined where it goes otherwise. The last of `times` goes on.
 */
export function leftAt(former: readonly StepTime[], times: readonly StepTime[]): number | undefined {
  const now = times.at(-1);
  const then = former[times.length - 1];
  if (now === undefined || then === undefined) return undefined;
  if (times.some(({ phase }, index) => former[index]?.phase !== phase)) return undefined;
  const later = former.slice(times.length).reduce((sum, { ms }) => sum + ms, 0);
  return Math.max(0, then.ms - now.ms) + later;
}

async function readAll(cacheFolder: string): Promise<z.infer<typeof fileSchema>> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(fileOf(cacheFolder), 'utf8')));
  } catch {
    return {};
  }
}

const fileOf = (cacheFolder: string): string => path.join(cacheFolder, 'cycleTimes.json');
const keyOf = (root: string, scope: string): string => hashText(JSON.stringify([root, scope])).slice(0, 16);
