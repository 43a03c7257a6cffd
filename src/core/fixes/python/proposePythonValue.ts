// Proposes, for each failed `assert a == b` and `assert text in a` whose values were recorded, the smallest change of what it expects.
import path from 'node:path';
import { hashText } from '../../base/hash.ts';
import { realPathOr } from '../../base/paths.ts';
import type { Stop } from '../../diagnosis/valueStops.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { AssertionOf } from '../../model/value.ts';
import { assertedNames } from '../../syntax/python/expectedSides.ts';
import { parsePython, type PythonSource } from '../../syntax/python/parsePython.ts';
import type { PythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import { mayBeTakenByOthers } from '../../modules/namesTakenByOthers.ts';
import { expectationOf, titleOf } from '../assertion/fixTitle.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import { shorten } from '../assertion/patchRequest.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { addFix, distinctStops } from '../sharedEdits.ts';
import {
  locateExpectation,
  unsaid,
  type CalledPlace,
  type ExpectationQuestion,
  type LocatedExpectation,
} from './locateExpectation.ts';
import { patchExpected } from './patchExpected.ts';
import { patchMockCall } from './patchMockCall.ts';
import { bindsToMachine, pythonValueStops } from './pythonStops.ts';
import type { LiteralEdit } from './patchLiteral.ts';
import { testModules } from './testModules.ts';
import { classIn, writeLiteral } from './writeLiteral.ts';

const providerId = 'python-expected-value';

/** One fix for each failing test it can mend; tests that need the same edit share one. Refusals are told to the context. */
export async function proposePythonValue(context: FixContext): Promise<readonly Fix[]> {
  const fixes = new Map<string, Fix>();
  for (const test of context.failing) {
    const [captured] = test.captured;
    if (context.signal.aborted) break;
    if (captured?.kind !== 'python') {
      const helper = helperOf(test.result);
      if (helper !== undefined)
        context.refuse?.(
          test.result.id,
          `The assertion failed in ${helper}, in a function that the test calls.`,
        );
      continue;
    }
    const fix = await fixOf(test, context);
    if (isRefusal(fix)) {
      context.refuse?.(test.result.id, fix.reason);
      continue;
    }
    addFix(fixes, fix);
  }
  return [...fixes.values()];
}

/** The file that the assertion of a test of pytest stands in, where that is another one: pytest tells no values of it. */
function helperOf({ file, failure }: TestResult): string | undefined {
  const place = failure?.kind === 'assertion' ? failure.stack[0]?.file : undefined;
  const isOther = place?.endsWith('.py') === true && file.endsWith('.py') && place !== file;
  return isOther ? place : undefined;
}

interface Repair {
  readonly edits: readonly LiteralEdit[];
  readonly stops: readonly Stop[];
  /** Only the assertion itself is changed, not what it names. */
  readonly isDirect: boolean;
  readonly evidence: readonly string[];
}

async function fixOf(test: FailingTest, context: FixContext): Promise<Fix | Refusal> {
  const { file, id } = test.result;
  if (!context.isTestFile(file)) return refuse(`${file} is not a test file.`);
  const text = await context.readText(file);
  if (text === undefined) return refuse(`${file} cannot be read.`);
  const source = parsePython(text);
  const conftests = await conftestsAround(file, context);
  const isTaken = mayBeTakenByOthers(context.root, file);
  const readModule = await testModules(file, source, context);
  const around = { source, result: test.result, conftests, isTaken, readModule };
  const repairs: Repair[] = [];
  for (const [index, captured] of test.captured.filter((one) => one.kind === 'python').entries()) {
    const repair = await repairOf(captured, around, context);
    if (!isRefusal(repair)) repairs.push(repair);
    else if (index === 0) return repair;
    // What is known of the first is still worth showing, though the test stays red with it.
    else context.refuse?.(id, `Another assertion of the test fails too. ${repair.reason}`);
  }
  const edits = distinctEdits(repairs.flatMap((repair) => repair.edits));
  if (edits === undefined) return refuse('Two assertions of the test need different values for one literal.');
  return fixFrom(repairs, edits, source, test);
}

/** In the order of the text; undefined when two want something else of the same place. */
function distinctEdits(all: readonly LiteralEdit[]): readonly LiteralEdit[] | undefined {
  const key = ({ start, end, newText }: LiteralEdit): string => JSON.stringify([start, end, newText]);
  const edits = [...new Map(all.map((edit) => [key(edit), edit])).values()].sort((a, b) => a.start - b.start);
  const meets = edits.some(({ start, end }, index) => {
    const next = edits[index + 1];
    return next !== undefined && (next.start < end || next.start === start);
  });
  return meets ? undefined : edits;
}

async function repairOf(
  captured: AssertionOf<'python'>,
  around: Omit<ExpectationQuestion, 'captured' | 'line' | 'calls'>,
  context: FixContext,
): Promise<Repair | Refusal> {
  const question = { ...around, captured, ...placesIn(captured, around.result, context) };
  if (captured.python.calls !== undefined) return repairOfCall(question, context);
  const { operator } = captured.python;
  if (!/^(?:==|is|in|match)$/.test(operator)) return unsaid(operator);
  const found = locateExpectation(question);
  if (isRefusal(found)) return found;
  const { actual, expected, side, sought } = found;
  const edits = patchExpected(found, around.source);
  if (isRefusal(edits)) return edits;
  if (edits.length === 0) return refuse('The source already expects the actual value.');
  const bound = bindsToMachine(actual, expected, context.root);
  if (bound !== undefined) return refuse(bound);
  const still = sought === undefined ? [] : await stillWritten(sought, context);
  const stops = [...still, ...pythonValueStops(actual, expected, assertedNames(side, around.source))];
  const isDirect = found.origin === 'assertion';
  return { edits, stops, isDirect, evidence: evidenceOf(found, edits, around.source, around.result.file) };
}

/** What a mock was called with instead. */
function repairOfCall(question: ExpectationQuestion, { root }: FixContext): Repair | Refusal {
  const { source } = question;
  const patch = patchMockCall(question);
  if (isRefusal(patch)) return patch;
  const { edits, values, asked, isDirect } = patch;
  if (edits.length === 0) return refuse('The test already expects the call that was made.');
  const bound = values.map(({ actual, expected }) => bindsToMachine(actual, expected, root)).find(Boolean);
  if (bound !== undefined) return refuse(bound);
  const stops = values.flatMap(({ actual, expected }) => pythonValueStops(actual, expected, ''));
  const said = `While the test ran, the mock was called with other arguments than line ${source.lineOf(asked.from)} expects.`;
  return { edits, stops, isDirect, evidence: [said] };
}

/** A changed source that has the old text still may have given another one for another reason. */
async function stillWritten(text: string, context: FixContext): Promise<readonly Stop[]> {
  for (const { file } of context.changes.files)
    if (file.endsWith('.py') && (await context.readText(file))?.includes(text))
      return [
        {
          kind: 'value',
          reason: `${file} still contains the old text: the code returned another text in its place.`,
        },
      ];
  return [];
}

function fixFrom(
  repairs: readonly Repair[],
  edits: readonly LiteralEdit[],
  source: PythonSource,
  { result }: FailingTest,
): Fix {
  const stops = distinctStops(repairs.flatMap((one) => one.stops));
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
  const isDirect = edits.length === 1 && repairs.every((one) => one.isDirect);
  return {
    id: hashText(JSON.stringify([providerId, edit])),
    title: titleOf(shown),
    grade: isDirect ? 'surgical' : 'conservative',
    trust: stops.length > 0 ? 'propose' : 'oracle',
    edits: [edit],
    failures: [result.id],
    provider: providerId,
    confidence: stops.length > 0 ? 0.25 : isDirect ? 0.85 : 0.75,
    evidence: [...new Set(repairs.flatMap((repair) => repair.evidence))],
    expectation: expectationOf(shown),
    ...(stops.length > 0 && { stops }),
  };
}

function evidenceOf(
  { side, origin, rowIndex, actual, expected }: LocatedExpectation,
  edits: readonly LiteralEdit[],
  source: PythonSource,
  file: string,
): readonly string[] {
  const call = shorten(source.textOf(side.actual));
  const line = source.lineOf(edits[0]?.start ?? 0);
  const asked = source.lineOf((side.kind === 'match' ? side.node : side.comparison).from);
  const said = {
    match: `the same kind of error had a message other than line ${asked} expects.`,
    in: `\`${call}\` did not contain the text of line ${asked}, but one line that is similar.`,
    equal: `\`${call}\` was ${comparedWith(asked, actual, expected)}.`,
  };
  const from = {
    assertion: [],
    argument: [`The expected value is passed to a function that compares it (${file}, line ${line}).`],
    variable: [`The expected value comes from ${file}, line ${line}.`],
    row: [`The expected value comes from row ${(rowIndex ?? 0) + 1} of the table (${file}, line ${line}).`],
  }[origin];
  const kind = side.kind === 'match' || side.kind === 'in' ? side.kind : 'equal';
  return [`While the test ran, ${said[kind]}`, ...from];
}

/** Both values where they are short and can be written down. */
function comparedWith(line: number, actual: PythonLiteral, expected: PythonLiteral | undefined): string {
  const other = `not what line ${line} expects`;
  if (expected === undefined || [actual, expected].some((one) => classIn(one) !== undefined)) return other;
  const [now, was] = [writeLiteral(actual), writeLiteral(expected)];
  return now.length + was.length > 160 ? other : `${now}; line ${line} expects ${was}`;
}

/** The line of the test itself, and what it called down to the assertion. */
function placesIn(
  { stack, python }: AssertionOf<'python'>,
  { file, title }: TestResult,
  { root }: FixContext,
): Pick<ExpectationQuestion, 'line' | 'calls'> {
  const name = title.replace(/\[.*$/s, '');
  const own = realPathOr(path.join(root, file));
  const told = stack.split('\n').flatMap((frame) => {
    const [, place, line, called = ''] = /^File "(.+)", line (\d+), in (.*)$/.exec(frame) ?? [];
    return place === undefined ? [] : [{ file: place, line: Number(line), name: called }];
  });
  const places = (python.frames ?? told).map((one) => ({ ...one, file: realPathOr(one.file) }));
  const at = places.findLastIndex((one) => one.file === own && one.name === name);
  const calls = places.slice(at + 1).map((one): CalledPlace => ({
    ...one,
    file: one.file === own ? undefined : path.relative(realPathOr(root), one.file).replaceAll('\\', '/'),
  }));
  return { line: places[at]?.line, calls };
}

async function conftestsAround(file: string, context: FixContext): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
    const text = await context.readText(path.posix.join(folder, 'conftest.py'));
    if (text !== undefined) texts.push(text);
    if (folder === '.' || folder === '/') return texts;
  }
}
