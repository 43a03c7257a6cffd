// What is asked of those who write a recorded value in the way of a written one.
import type { PythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import type { Refusal } from '../assertion/literalChange.ts';

export type CallLiteral = Extract<PythonLiteral, { kind: 'call' }>;
export type Form = PythonLiteral | Refusal;

/**
 * `like`: what is written for `was`, as far as there is something. Of that with the value `was` itself this gives `like`, or the two
 * do not belong together. `pool`: all calls and names of the test's value, for what is new in it.
 */
export interface FormRequest {
  readonly value: PythonLiteral;
  readonly like: PythonLiteral | undefined;
  readonly was: PythonLiteral | undefined;
  readonly pool: readonly PythonLiteral[];
  /** For what is inside. */
  readonly inner: (request: FormRequest) => Form;
}
