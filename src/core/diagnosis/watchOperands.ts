// Runs failing tests in the sandbox with parts of their assertions watched: what these expressions were each time.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import type { TestResult } from '../model/testResult.ts';
import type { Value } from '../model/value.ts';
import type { Undo } from '../sandbox/sandbox.ts';
import { recordsOf, RunRecords } from './captureRecords.ts';
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
  const wrapped = await wrapOperands(request);
  const values = new Map<string, readonly (readonly Value[])[]>();
  try {
    for (const [framework, group] of byFramework(request.results)) {
      const way = wayOfFramework(framework);
      if (way === undefined || request.signal?.aborted === true) continue;
      const recorded = await runRecorded(request, group, way, watching);
      const byOperand = request.operands.map((_, index) => {
        const own = recorded.records.filter(({ operand }) => operand === index);
        return new RunRecords(own, recorded.tests, request.root);
      });
      for (const result of group)
        values.set(
          result.id,
          byOperand.map((records) => distinct(recordsOf(result, records).map(({ actual }) => actual))),
        );
    }
    return values;
  } finally {
    await wrapped.undo();
  }
}

/** As while values are recorded a test goes on after a failed comparison: what comes after it is watched, too. */
const watching = { TESTMEND_CAPTURE_ON: '1', TESTMEND_OPERANDS: '1' };

function distinct(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Puts a call of our hook around each operand, on the lines that are there. */
async function wrapOperands({ root, operands, write }: WatchRequest): Promise<Undo> {
  const contents = new Map<string, string>();
  const indexed = operands.map((operand, index) => ({ ...operand, index }));
  for (const name of new Set(operands.map(({ file }) => file))) {
    let text = await readFile(path.join(root, name), 'utf8');
    const own = indexed.filter((operand) => operand.file === name).sort((a, b) => b.start - a.start);
    for (const { start, end, index } of own)
      text = `${text.slice(0, start)}${hookOf(name)}(${index}, ${text.slice(start, end)})${text.slice(end)}`;
    contents.set(name, text);
  }
  return write(contents);
}

/** A global, so that nothing is imported; in TypeScript with a type, since some runners check it. */
function hookOf(file: string): string {
  return /\.[cm]?tsx?$/.test(file)
    ? '(globalThis as unknown as { testmendOperand: <T>(place: number, value: T) => T }).testmendOperand'
    : 'globalThis.testmendOperand';
}
