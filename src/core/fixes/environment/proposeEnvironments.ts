// Proposes to run test files in the environment of a browser, where a changed source uses the globals of one now.
import { frameworkOfId } from '../../model/testId.ts';
import { hashText } from '../../base/hash.ts';
import { changesReaching } from '../../diagnosis/stops.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { isRefusal } from '../assertion/literalChange.ts';
import type { FixContext } from '../fixProvider.ts';
import { missingGlobal } from './browserGlobals.ts';
import { headComment } from './headComment.ts';
import { namedEnvironment, type NamedEnvironment } from './namedEnvironments.ts';
import { newUse, type NewUse } from './newUses.ts';

const providerId = 'environment';

interface Suspect {
  readonly result: TestResult;
  readonly missing: string;
  readonly use: NewUse;
  readonly when: string;
}

/** One fix for each test file. */
export async function proposeEnvironments(context: FixContext): Promise<readonly Fix[]> {
  const byFile = new Map<string, Suspect[]>();
  for (const { result } of context.failing) {
    if (context.signal.aborted) break;
    const missing = missingGlobal(result);
    const suspect = missing === undefined ? undefined : await suspectOf(result, missing, context);
    if (suspect !== undefined) byFile.set(result.file, [...(byFile.get(result.file) ?? []), suspect]);
  }
  const fixes: Fix[] = [];
  for (const [file, suspects] of byFile) {
    const fix = await fixOf(file, suspects, context);
    if (fix !== undefined) fixes.push(fix);
  }
  return fixes;
}

/** The changed source that newly uses the name, where the failure comes from there. */
async function suspectOf(
  result: TestResult,
  missing: string,
  context: FixContext,
): Promise<Suspect | undefined> {
  const { file, failure } = result;
  if (!context.isTestFile(file) || !/\.[cm]?[jt]sx?$/.test(file)) return undefined;
  const places = [...(failure?.stack ?? []), ...(failure?.location === undefined ? [] : [failure.location])];
  const [thrownIn] = places
    .map((place) => place.file)
    .filter((name) => !/^(?:[a-z]+:|\/)|(?:^|\/)node_modules\//i.test(name));
  const { reaching, when, base } = await changesReaching(file, context.changes);
  const changed = reaching.find((one) => one.file === thrownIn);
  if (changed === undefined || changed.status === 'deleted' || !/\.[cm]?[jt]sx?$/.test(changed.file))
    return undefined;
  const now = await context.readText(changed.file);
  const before = changed.status === 'added' ? '' : await base.baseText(changed.from ?? changed.file);
  if (now === undefined || before === undefined || before.length + now.length > 2_000_000) return undefined;
  const use = newUse(changed.file, before, now, missing);
  return use && { result, missing, use, when };
}

async function fixOf(
  file: string,
  suspects: readonly Suspect[],
  context: FixContext,
): Promise<Fix | undefined> {
  const [first] = suspects;
  const text = await context.readText(file);
  if (first === undefined || text === undefined) return undefined;
  const { missing, use, when } = first;
  const refuse = (reason: string): undefined => {
    for (const { result } of suspects) context.refuse?.(result.id, reason);
  };
  const runner = frameworkOfId(first.result.id) === 'jest' ? 'jest' : 'vitest';
  const named = await namedEnvironment(file, runner, context);
  if (named === undefined)
    return refuse(
      `${use.file} now uses \`${missing}\`, but the tests and the configuration do not name exactly one installed browser environment.`,
    );
  const change = headComment(text, named, runner);
  if (isRefusal(change)) return refuse(change.reason);
  const edits = [fileEdit(file, text, [change])];
  const stops = doubtsAbout(named, suspects);
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: `run ${file} in the environment ${named.name}`,
    grade: 'conservative',
    // What the tests do and expect stays; the project runs other tests so.
    trust: stops.length > 0 ? 'propose' : 'mechanical',
    namesEnvironment: true,
    edits,
    failures: suspects.map(({ result }) => result.id),
    provider: providerId,
    confidence: stops.length > 0 ? 0.5 : 0.8,
    evidence: [
      `${use.file} uses \`${missing}\` ${when}, which only browsers provide.`,
      `${named.where} names the environment ${named.name}, which is installed.`,
    ],
    ...(stops.length > 0 && { stops }),
  };
}

const forNoBrowser = /(?:^|[./_-])(?:ssr|server|node|api|cli)(?=[./_-]|$)/i;

/** Why only a person may apply it. */
function doubtsAbout(named: NamedEnvironment, suspects: readonly Suspect[]): NonNullable<Fix['stops']> {
  const guarded = suspects.find(({ use }) => use.asksForBrowser)?.use.file;
  const server = suspects
    .flatMap(({ result, use }) => [result.file, use.file])
    .find((file) => forNoBrowser.test(file));
  const reasons = [
    ...(named.example === undefined
      ? [
          `No other test file of the package names the environment, only ${named.where}: a person must decide which tests need it.`,
        ]
      : []),
    ...(server === undefined ? [] : [`The name ${server} suggests code that does not run in a browser.`]),
    ...(guarded === undefined
      ? []
      : [`${guarded} checks whether it runs in a browser: needing one now may be the mistake.`]),
  ];
  return reasons.map((reason) => ({ kind: 'history', reason }));
}
