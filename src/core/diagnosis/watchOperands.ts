// Runs failing tests in the sandbox with parts of their assertions watched: what these expressions were each time.
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import type { TestResult } from '../model/testResult.ts';
import type { Value } from '../model/value.ts';
import { recordsOf } from './captureRecords.ts';
import { byFramework, runRecorded, wayOfFramework, type RecordRequest } from './recordRun.ts';

/** An expression of a test file, by its offsets in the text. */
export interface Operand {
  /** Relative to the root. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** By test id: the different values that each of the operands had in that test, in the order of the operands. */
export type OperandValues = ReadonlyMap<string, readonly (readonly Value[])[]>;

export interface WatchRequest extends RecordRequest {
  readonly results: readonly TestResult[];
  readonly operands: readonly Operand[];
  readonly times: number;
  readonly signal?: AbortSignal;
}

/** One answer for each run; files of the sandbox are restored byte for byte, also on cancel, when it throws. Operands may not overlap. */
export async function watchOperands(request: WatchRequest): Promise<readonly OperandValues[]> {
  const runs: OperandValues[] = [];
  for (let time = 0; time < request.times && request.signal?.aborted !== true; time++)
    runs.push(await watchOnce(request));
  throwIfCancelled(request.signal);
  return runs;
}

async function watchOnce(request: WatchRequest): Promise<OperandValues> {
  const restore = await wrapOperands(request);
  const values = new Map<string, readonly (readonly Value[])[]>();
  try {
    for (const [framework, group] of byFramework(request.results)) {
      const way = wayOfFramework(framework);
      if (way === undefined || request.signal?.aborted === true) continue;
      const recorded = await runRecorded(request, group, way, watching);
      const again = new Map(recorded.tests.map((test) => [test.id, test]));
      for (const result of group) {
        const test = { result, rerun: again.get(result.id) ?? result, ...recorded, root: request.root };
        const valuesOf = (index: number): Value[] =>
          recordsOf(
            test,
            recorded.records.filter(({ operand }) => operand === index),
          ).map(({ actual }) => actual);
        values.set(
          result.id,
          request.operands.map((_, index) => distinct(valuesOf(index))),
        );
      }
    }
    return values;
  } finally {
    await restore();
  }
}

/** As while values are recorded a test goes on after a failed comparison: what comes after it is watched, too. */
const watching = { TESTMEND_CAPTURE_ON: '1', TESTMEND_OPERANDS: '1' };

function distinct(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Puts a call of our hook around each operand, on the lines that are there; gives what takes them away again. */
async function wrapOperands({ root, operands }: WatchRequest): Promise<() => Promise<void>> {
  const done: { file: string; bytes: Uint8Array; atime: Date; mtime: Date }[] = [];
  const restore = async (): Promise<void> => {
    for (const { file, bytes, atime, mtime } of done.splice(0)) {
      await writeFile(file, bytes);
      await utimes(file, atime, mtime);
    }
  };
  const indexed = operands.map((operand, index) => ({ ...operand, index }));
  try {
    for (const name of new Set(operands.map(({ file }) => file))) {
      const file = path.join(root, name);
      const bytes = await readFile(file);
      const { atime, mtime } = await stat(file);
      const own = indexed.filter((operand) => operand.file === name).sort((a, b) => b.start - a.start);
      let text = bytes.toString('utf8');
      for (const { start, end, index } of own)
        text = `${text.slice(0, start)}${hookOf(name)}(${index}, ${text.slice(start, end)})${text.slice(end)}`;
      done.push({ file, bytes, atime, mtime });
      await writeFile(file, text);
    }
  } catch (error) {
    await restore();
    throw error;
  }
  return restore;
}

/** A global, so that nothing is imported; in TypeScript with a type, since some runners check it. */
function hookOf(file: string): string {
  return /\.[cm]?tsx?$/.test(file)
    ? '(globalThis as unknown as { testmendOperand: <T>(place: number, value: T) => T }).testmendOperand'
    : 'globalThis.testmendOperand';
}
