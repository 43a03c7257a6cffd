// Proposes, for each failed comparison of Go whose values were recorded, the smallest change of what it expects.
import path from 'node:path';
import { isOfFramework } from '../../model/testId.ts';
import { hashText } from '../../base/hash.ts';
import type { Stop } from '../../diagnosis/valueStops.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { AssertionOf, GoComparison } from '../../model/value.ts';
import {
  assertedNames,
  goExpectations,
  type GoExpectation,
  type UnknownExpectation,
} from '../../syntax/go/expectations.ts';
import { isCountedUp } from '../../syntax/go/givenTo.ts';
import { goSource, type GoSource } from '../../syntax/go/goSource.ts';
import { cellOf } from '../../syntax/go/goTables.ts';
import type { GoExpression } from '../../syntax/go/goExpression.ts';
import { closingAt } from '../../syntax/go/tokens.ts';
import { unreadableAt } from '../../syntax/go/readable.ts';
import { mayBeTakenInPackage } from '../../modules/namesTakenByOthers.ts';
import { expectationOf, titleOf } from '../assertion/fixTitle.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import { shorten } from '../assertion/patchRequest.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { addFix, distinctStops } from '../sharedEdits.ts';
import { findGoRow } from './findGoRow.ts';
import { bindsToRun, goStops } from './goStops.ts';
import { lostGoName } from './lostGoName.ts';
import { patchGoValue, type GoEdit } from './patchGoValue.ts';

const providerId = 'go-expected-value';

/** One fix for each failing test it can mend; tests that need the same edit share one. Refusals are told to the context. */
export async function proposeGoValue(context: FixContext): Promise<readonly Fix[]> {
  const fixes = new Map<string, Fix>();
  for (const test of context.failing) {
    if (context.signal.aborted || !isOfFramework(test.result.id, 'goTest')) continue;
    const fix = await fixOf(test, context);
    if (isRefusal(fix)) {
      context.refuse?.(test.result.id, fix.reason);
      continue;
    }
    addFix(fixes, fix);
  }
  return [...fixes.values()];
}

interface Repair {
  readonly expectation: GoExpectation;
  /** From 0, of a table. */
  readonly row: number | undefined;
  readonly edits: readonly GoEdit[];
  readonly stops: readonly Stop[];
}

async function fixOf(test: FailingTest, context: FixContext): Promise<Fix | Refusal> {
  const { file, id } = test.result;
  if (!context.isTestFile(file)) return refuse(`${file} is not a test file.`);
  const text = await context.readText(file);
  if (text === undefined) return refuse(`${file} cannot be read.`);
  const source = goSource(text);
  if (unreadableAt(source) !== undefined) return refuse(`${file} cannot be read.`);
  const expectations = goExpectations(source, mayBeTakenInPackage(path.join(context.root, file)));
  const captured = test.captured.filter((one) => one.kind === 'go');
  if (captured.length === 0) {
    await tellBuild(test, context);
    return refuse(whyNothing(test, expectations, source));
  }
  const repairs: Repair[] = [];
  for (const one of captured) {
    const repair = repairOf(one, expectations, source, context);
    if (!isRefusal(repair)) repairs.push(repair);
    else if (repairs.length === 0) return repair;
    // What is known of the first is still worth showing, though the test stays red with it.
    else context.refuse?.(id, `Another comparison of the test fails too. ${repair.reason}`);
  }
  const edits = distinctEdits(repairs.flatMap((repair) => repair.edits));
  if (edits === undefined)
    return refuse('Two comparisons of the test need different values for one literal.');
  return edits.length === 0
    ? refuse('The value that differs is not a literal in the test.')
    : fixFrom(repairs, edits, source, test);
}

/** One file that does not compile keeps all files of its package from running. */
async function tellBuild({ result: { id, file, failure } }: FailingTest, context: FixContext): Promise<void> {
  if (failure?.message.startsWith(unbuilt) !== true) return;
  const lost = await lostGoName(failure, context);
  const place = failure.location;
  if (lost === undefined || place === undefined) return;
  if (place.file === file) return context.reach?.(id, lost);
  const account = `${place.file}:${place.line} does not compile: ${lost.account}`;
  return context.reach?.(id, { ...lost, account, isSame: false });
}

const unbuilt = 'The package does not build';

type Found = GoExpectation | UnknownExpectation;

/** Why nothing was recorded of a test that failed. */
function whyNothing({ result }: FailingTest, all: readonly Found[], source: GoSource): string {
  const { failure, file } = result;
  if (failure?.message.startsWith(unbuilt) === true)
    return 'The package does not build, so none of its tests ran.';
  const line = failure?.location?.file === file ? failure.location.line : undefined;
  const lineOf = (token: number): number => source.lines.position(source.tokens[token]?.start ?? 0).line;
  const here = all.find(
    ({ comparison: { at, open } }) =>
      line !== undefined && lineOf(at) <= line && line <= lineOf(closingAt(source.tokens, open)),
  );
  if (here === undefined)
    return 'The test did not fail in a Go comparison that Testmend understands: `if got != want` with a failure of `t` in its block, reflect.DeepEqual, cmp.Diff or assert.Equal.';
  return 'refused' in here ? here.refused : 'The values of the failed comparison could not be recorded.';
}

/** In the order of the text; undefined when two want something else of the same place. */
function distinctEdits(all: readonly GoEdit[]): readonly GoEdit[] | undefined {
  const key = ({ start, end, newText }: GoEdit): string => JSON.stringify([start, end, newText]);
  const edits = [...new Map(all.map((edit) => [key(edit), edit])).values()].sort((a, b) => a.start - b.start);
  const meets = edits.some(({ end }, index) => (edits[index + 1]?.start ?? Infinity) < end);
  return meets ? undefined : edits;
}

function repairOf(
  { go, actual, expected }: AssertionOf<'go'>,
  all: readonly Found[],
  source: GoSource,
  context: FixContext,
): Repair | Refusal {
  const expectation = all.find(({ comparison }) => source.tokens[comparison.at]?.start === go.at);
  if (expectation === undefined) return refuse('The failed comparison cannot be found.');
  if ('refused' in expectation) return refuse(expectation.refused);
  if (expectation.isNothing)
    return refuse('The test expects an empty value there: anything else is a change of behavior.');
  // What is compared with a plain literal takes the type of the other side.
  const isConverted = expectation.comparison.kind === 'unequal' && actual.kind === expected.kind;
  if (!isConverted && go.types[0] !== go.types[1])
    return refuse(`The actual value is of another type: ${go.types[0]} where ${go.types[1]} was expected.`);
  const place = placeOf(expectation, go, source);
  if (isRefusal(place)) return place;
  const edits = patchGoValue({ written: place.written, expected, actual, path: '' }, source);
  if (isRefusal(edits)) return edits;
  const bound = bindsToRun(actual, expected, context.root);
  if (bound !== undefined) return refuse(bound);
  const stops = goStops({
    actual,
    expected,
    asked: assertedNames(expectation, source),
    isCounted: expectation.given.some((one) => isCountedUp(source, one)),
  });
  return { expectation, row: place.row, edits, stops };
}

function placeOf(
  expectation: GoExpectation,
  go: GoComparison,
  source: GoSource,
): { readonly written: GoExpression; readonly row: number | undefined } | Refusal {
  if (expectation.origin !== 'row') return { written: expectation.value, row: undefined };
  const { table, field } = expectation;
  const row = findGoRow(table, go, source);
  if (typeof row !== 'number') return row;
  const entry = table.rows[row];
  const written = entry && cellOf(entry, table, field);
  return written === undefined
    ? refuse(`The row of the table does not state its ${field ?? 'value'} as a literal.`)
    : { written, row };
}

const textOf = ({ from, to }: { readonly from: number; readonly to: number }, source: GoSource): string =>
  source.text.slice(source.tokens[from]?.start, source.tokens[to - 1]?.end);

function fixFrom(
  repairs: readonly Repair[],
  edits: readonly GoEdit[],
  source: GoSource,
  { result }: FailingTest,
): Fix {
  const stops = distinctStops(repairs.flatMap((one) => one.stops));
  const shown = edits.map(({ start, end, newText, path }) => ({
    path,
    old: source.text.slice(start, end),
    new: newText,
  }));
  const changes = edits.map(({ start, end, newText }) => ({ start, end, newText }));
  const edit = fileEdit(result.file, source.text, changes);
  const isDirect =
    edits.length === 1 && repairs.every(({ expectation }) => expectation.origin === 'assertion');
  return {
    id: hashText(JSON.stringify([providerId, edit])),
    title: titleOf(shown),
    grade: isDirect ? 'surgical' : 'conservative',
    trust: stops.length > 0 ? 'propose' : 'oracle',
    edits: [edit],
    failures: [result.id],
    provider: providerId,
    confidence: stops.length > 0 ? 0.25 : isDirect ? 0.85 : 0.75,
    evidence: [...new Set(repairs.flatMap((repair) => evidenceOf(repair, source, result.file)))],
    expectation: expectationOf(shown),
    ...(stops.length > 0 && { stops }),
  };
}

function evidenceOf({ expectation, row, edits }: Repair, source: GoSource, file: string): readonly string[] {
  const { actual, comparison, origin } = expectation;
  const asked = source.lines.position(source.tokens[comparison.at]?.start ?? 0).line;
  const { line } = source.lines.position(edits[0]?.start ?? 0);
  const told = `While the test ran, \`${shorten(textOf(actual, source))}\` was not what line ${asked} expects.`;
  const from = {
    assertion: [],
    variable: [`The expected value comes from ${file}, line ${line}.`],
    row: [`The expected value comes from row ${(row ?? 0) + 1} of the table (${file}, line ${line}).`],
  }[origin];
  return [told, ...from];
}
