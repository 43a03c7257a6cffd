// The fallback when nothing was recorded: expected and actual from the reporter's strings, only where their type is certain.
import path from 'node:path';
import { partsAroundCut } from '../failures/shorten.ts';
import type { Failure, TestResult } from '../model/testResult.ts';
import type { CapturedAssertion, Value } from '../model/value.ts';

/** The failed assertion as printed, or undefined when the printed text could mean more than one value. */
export function reportedAssertion(result: TestResult, root: string): CapturedAssertion | undefined {
  const failure = result.failure;
  if (failure?.expected === undefined || failure.actual === undefined || failure.kind !== 'assertion')
    return undefined;
  const { expected, actual } = failure;
  if ([expected, actual].some((side) => partsAroundCut(side) !== undefined)) return undefined;
  const values =
    bothText(failure.message, expected, actual) ?? bothNumbers(failure.message, expected, actual);
  if (values === undefined) return undefined;
  return {
    kind: 'values',
    testName: [...result.suites, result.title].join(' > '),
    matcher: '',
    negated: false,
    ...values,
    message: failure.message,
    stack: stackText(failure, root),
  };
}

type Sides = Pick<CapturedAssertion, 'actual' | 'expected'>;

/** Chai prints strings in quotes and cuts long ones: what is quoted must begin the printed value. */
function bothText(message: string, expected: string, actual: string): Sides | undefined {
  const match =
    /^expected '(.*?)(…[^']*)?' to (?:deeply |strictly |loosely )?(?:be|equal) '(.*?)(…[^']*)?'(?: \/\/|$)/s.exec(
      message,
    );
  if (match === null) return undefined;
  const begins = (text: string, start: string | undefined, cut: string | undefined): boolean =>
    start !== undefined && (cut === undefined ? text === start : text.startsWith(start));
  if (!begins(actual, match[1], match[2]) || !begins(expected, match[3], match[4])) return undefined;
  const text = (value: string): Value => ({ kind: 'string', value });
  return { actual: text(actual), expected: text(expected) };
}

function bothNumbers(message: string, expected: string, actual: string): Sides | undefined {
  const match =
    /^expected (-?[\d.]+) to (?:deeply |strictly |loosely )?(?:be|equal) (-?[\d.]+)(?: \/\/|$)/.exec(message);
  if (match?.[1] !== actual || match[2] !== expected) return undefined;
  const number = (text: string): Value => ({ kind: 'number', text });
  return { actual: number(actual), expected: number(expected) };
}

function stackText(failure: Failure, root: string): string {
  const frames =
    failure.stack.length > 0 ? failure.stack : failure.location ? [{ name: '', ...failure.location }] : [];
  return frames
    .map(({ name, file, line, column }) => {
      const place = `${/^[a-z]+:|^\//i.test(file) ? file : path.join(root, file)}:${line}:${column}`;
      return `    at ${name === '' ? place : `${name} (${place})`}`;
    })
    .join('\n');
}
