// Failures as an agent needs them first: message, place, five frames, both sides, each cut; `get_failure_details` has the rest.
import { z } from 'zod';
import { caseNumberOf } from '../core/model/testId.ts';
import { fullName } from '../core/model/testName.ts';
import type { Failure, StackFrame, TestResult } from '../core/model/testResult.ts';
import { cut } from './pages.ts';

const frames = 5;

const failurePart = {
  message: z.string(),
  location: z.string().optional().describe('file:line:column'),
  frames: z.array(z.string()),
  expected: z.string().optional(),
  actual: z.string().optional(),
  kind: z.string(),
  severity: z.string(),
};

export const shortFailureSchema = z.object({
  id: z.string(),
  name: z.string().optional().describe('Of a case of a parametrised test.'),
  outcome: z.enum(['failed', 'errored']),
  quarantined: z.literal(true).optional(),
  ...failurePart,
});
type ShortFailure = z.infer<typeof shortFailureSchema>;

export const isRed = ({ outcome }: Pick<TestResult, 'outcome'>): boolean =>
  outcome === 'failed' || outcome === 'errored';

export function shortFailure(test: TestResult): ShortFailure {
  const told = test.failure ?? noReason;
  return {
    id: test.id,
    ...(caseNumberOf(test.id) !== undefined && { name: fullName(test) }),
    outcome: test.outcome === 'errored' ? 'errored' : 'failed',
    ...(test.quarantined && { quarantined: test.quarantined }),
    ...failureText(told, test, frames, 2_000),
  };
}

export const fullFailureSchema = z.object(failurePart);

/** `most`: characters of each text. */
export function failureText(
  { message, location, stack, expected, actual, kind, severity }: Failure,
  { file, line }: Pick<TestResult, 'file' | 'line'>,
  mostFrames: number,
  most: number,
): z.infer<typeof fullFailureSchema> {
  return {
    message: cut(message, most),
    location: location === undefined ? `${file}:${line}` : placeText(location),
    frames: stack.slice(0, mostFrames).map(frameText),
    ...(expected !== undefined && { expected: cut(expected, most) }),
    ...(actual !== undefined && { actual: cut(actual, most) }),
    kind,
    severity,
  };
}

const noReason: Failure = {
  message: 'The test failed without giving a reason.',
  stack: [],
  kind: 'error',
  severity: 'medium',
};

const placeText = ({ file, line, column }: Omit<StackFrame, 'name'>): string => `${file}:${line}:${column}`;

const frameText = (frame: StackFrame): string =>
  frame.name === '' ? placeText(frame) : `${frame.name} ${placeText(frame)}`;
