// How far tests came that do not pass in the end: what led there is taken back, and what remains says it.
import { isInFile } from '../model/testId.ts';
import type { Diagnosis } from '../model/fix.ts';
import { describeStanding } from '../verification/compareRuns.ts';
import type { Advances } from './advances.ts';
import type { CycleBench } from './cycleBench.ts';
import type { CycleState } from './cycleState.ts';

/** While the steps lie in the sandbox. */
export function noteReached(ahead: Advances, bench: CycleBench, state: CycleState): void {
  if (ahead.standing === undefined) return;
  const failing = bench.failing();
  for (const { id, outcome } of bench.settled.values()) {
    if (outcome === 'passed' || outcome === 'skipped') continue;
    const steps = ahead.leadingTo(id).map(({ title }) => title);
    const [next, ...others] = failing.filter((test) => test.id === id || isInFile(test.id, id));
    if (steps.length === 0 || next === undefined) continue;
    const more = others.length === 0 ? '' : ` (and ${others.length} more of its file)`;
    const diagnoses = [next, ...others].map((test) => state.diagnoses.get(test.id) ?? unknown);
    const isSource = diagnoses.every(({ fault }) => fault === 'source');
    state.advanced.set(id, {
      fault: isSource ? 'source' : 'unknown',
      reason:
        `With this it gets further: ${steps.join(', and ')}. Then ${describeStanding(next).replace(/\.$/, '')}${more}. ${diagnoses[0]?.reason ?? ''}`.trim(),
    });
  }
}

const unknown: Diagnosis = { fault: 'unknown', reason: '' };
