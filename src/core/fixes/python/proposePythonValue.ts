// Proposes, for each failed `assert a == b` and `assert text in a` whose values were recorded, the smallest change of what it expects.
import path from 'node:path';
import { hashText } from '../../base/hash.ts';
import { realPathOr } from '../../base/paths.ts';
import { valueStops, type Stop } from '../../diagnosis/valueStops.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { CapturedAssertion } from '../../model/value.ts';
import { parsePython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { expectationOf, titleOf } from '../assertion/fixTitle.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import { shorten } from '../assertion/patchRequest.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { locateExpectation, type LocatedExpectation } from './locateExpectation.ts';
import { patchExpected } from './patchExpected.ts';
import { bindsToMachine, pythonStops, valueOf } from './pythonStops.ts';
import type { LiteralEdit } from './patchLiteral.ts';

const providerId = 'python-expected-value';

/** One fix for each failing test it can mend; tests that need the same edit share one. Refusals are told to the context. */
export async function proposePythonValue(context: FixContext): Promise<readonly Fix[]> {
  const fixes = new Map<string, Fix>();
  for (const test of context.failing) {
    const [captured] = test.captured;
    if (context.signal.aborted || captured?.python === undefined) continue;
    const fix = await fixOf(test, captured, context);
    if (isRefusal(fix)) {
      context.refuse?.(test.result.id, fix.reason);
      continue;
    }
    const same = fixes.get(fix.id);
    fixes.set(fix.id, same === undefined ? fix : { ...same, failures: [...same.failures, ...fix.failures] });
  }
  return [...fixes.values()];
}

async function fixOf(
  test: FailingTest,
  captured: CapturedAssertion,
  context: FixContext,
): Promise<Fix | Refusal> {
  const { file } = test.result;
  if (test.captured.length > 1) return refuse('More than one assertion was recorded for the test.');
  if (!/^(?:==|in|match)$/.test(captured.python?.operator ?? ''))
    return refuse(
      `An assertion with \`${captured.python?.operator ?? ''}\` says nothing of which other value would be right.`,
    );
  if (!context.isTestFile(file)) return refuse(`${file} is no test file.`);
  const text = await context.readText(file);
  if (text === undefined) return refuse(`${file} cannot be read.`);
  const source = parsePython(text);
  const conftests = await conftestsAround(file, context);
  const found = locateExpectation({
    source,
    captured,
    result: test.result,
    conftests,
    line: lineIn(captured, test.result, context),
  });
  if (isRefusal(found)) return found;
  const edits = patchExpected(found, source);
  if (isRefusal(edits)) return edits;
  if (edits.length === 0) return refuse('The source already expects the actual value.');
  const bound = bindsToMachine(found.actual, found.expected, context.root);
  if (bound !== undefined) return refuse(bound);
  const still = found.sought === undefined ? [] : await stillWritten(found.sought, context);
  return fixFrom(edits, found, source, test, still);
}

/** A changed source that has the old text still may have given another one for another reason. */
async function stillWritten(text: string, context: FixContext): Promise<readonly Stop[]> {
  for (const { file } of context.changes.files)
    if (file.endsWith('.py') && (await context.readText(file))?.includes(text))
      return [
        { kind: 'value', reason: `${file} still has the old text: another one was given in its place.` },
      ];
  return [];
}

function fixFrom(
  edits: readonly LiteralEdit[],
  { actual, expected, side, origin, rowIndex }: LocatedExpectation,
  source: PythonSource,
  { result }: FailingTest,
  further: readonly Stop[],
): Fix {
  const stops = [
    ...further,
    ...valueStops({ matcher: '==', actual: valueOf(actual), expected: valueOf(expected) }).map(
      ({ kind, reason }) => ({
        kind,
        reason: reason.replaceAll(/\bnull\b/g, 'None'),
      }),
    ),
    ...pythonStops(actual, expected, source.textOf(side.actual)),
  ];
  const shown = edits.map(({ start, end, newText, path: place }) => ({
    path: place,
    old: source.text.slice(start, end),
    new: newText,
  }));
  const edit = fileEdit(
    result.file,
    source.text,
    edits.map(({ start, end, newText }) => ({ start, end, newText })),
  );
  const call = shorten(source.textOf(side.actual));
  const line = source.lineOf(edits[0]?.start ?? 0);
  const from = {
    assertion: [],
    variable: [`The expected value comes from ${result.file}, line ${line}.`],
    row: [
      `The expected value comes from row ${(rowIndex ?? 0) + 1} of the table (${result.file}, line ${line}).`,
    ],
  }[origin];
  return {
    id: hashText(JSON.stringify([providerId, edit])),
    title: titleOf(shown),
    grade: edits.length === 1 && origin === 'assertion' ? 'surgical' : 'conservative',
    trust: stops.length > 0 ? 'propose' : 'oracle',
    edits: [edit],
    failures: [result.id],
    provider: providerId,
    confidence: stops.length > 0 ? 0.25 : origin === 'assertion' && edits.length === 1 ? 0.85 : 0.75,
    evidence: [
      side.kind === 'match'
        ? `While the test ran, the same kind of error had another message than line ${source.lineOf(side.node.from)} expects.`
        : side.kind === 'in'
          ? `While the test ran, \`${call}\` did not hold the text of line ${source.lineOf(side.comparison.from)}, but one line that is like it.`
          : `While the test ran, \`${call}\` was not what line ${source.lineOf(side.comparison.from)} expects.`,
      ...from,
    ],
    expectation: expectationOf(shown),
    ...(stops.length > 0 && { stops }),
  };
}

/** The line of the assertion, where it failed in the test itself and nowhere deeper. */
function lineIn(
  { stack }: CapturedAssertion,
  { file, title }: TestResult,
  { root }: FixContext,
): number | undefined {
  const last = stack.split('\n').at(-1) ?? '';
  const [, place, line, name] = /^File "(.+)", line (\d+), in (.*)$/.exec(last) ?? [];
  const isHere = place !== undefined && realPathOr(place) === realPathOr(path.join(root, file));
  return isHere && name === title.replace(/\[.*$/s, '') ? Number(line) : undefined;
}

async function conftestsAround(file: string, context: FixContext): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
    const text = await context.readText(path.posix.join(folder, 'conftest.py'));
    if (text !== undefined) texts.push(text);
    if (folder === '.' || folder === '/') return texts;
  }
}
