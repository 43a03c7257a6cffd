// The one gate for every edit (CONTRACTS F4): what a fix may do to a test file, decided on its syntax tree.
import path from 'node:path';
import { snapshotOwner } from '../frameworks/testFiles.ts';
import type { Violation } from '../model/fix.ts';
import { withinDepth } from '../syntax/nesting.ts';
import { assertionRules } from './assertionRules.ts';
import { blottedText } from './blottedText.ts';
import { callRules } from './callRules.ts';
import { contextRules } from './contextRules.ts';
import { decidingRules } from './decidingRules.ts';
import { duplicateKeys } from './duplicateKeys.ts';
import { environmentRules } from './environmentRules.ts';
import { erasedCallRules } from './erasedCallRules.ts';
import { sidesOf, type FileChange, type Finding, type Rule } from './fileFacts.ts';
import { importRules } from './importRules.ts';
import { checkGo } from './go/checkGo.ts';
import { inputRules } from './inputRules.ts';
import { newCapabilities } from './newCapabilities.ts';
import { otherInputs } from './otherInputs.ts';
import { inSourceRules } from './inSourceRules.ts';
import { keptExpectations } from './keptExpectations.ts';
import { lesserTexts } from './lesserTexts.ts';
import { limitRules } from './limitRules.ts';
import { syntaxError } from './parseSource.ts';
import { checkPython, type Followed } from './python/checkPython.ts';
import { redirectionRules } from './redirectionRules.ts';
import { repointedImports, turnedImports, type ReadSource } from './repointedImports.ts';
import { replacedValueRules } from './replacedValueRules.ts';
import { settingRules } from './settingRules.ts';
import { setUpRules } from './setUpRules.ts';
import { shadowRules } from './shadowRules.ts';
import { sideEffectRules } from './sideEffectRules.ts';
import { skipRules } from './skipRules.ts';
import { soughtTexts } from './soughtTexts.ts';
import { stepRules } from './stepRules.ts';
import { structureRules } from './structureRules.ts';
import { suppressionRules } from './suppressionRules.ts';
import { suspectValueRules } from './suspectValueRules.ts';
import { tableRules } from './tableRules.ts';
import { tamperingRules } from './tamperingRules.ts';
import { waitingRules } from './waitingRules.ts';
import { addedSnapshotRules, fixtureRules, snapshotRules } from './textFileRules.ts';

export type { FileChange };

/** Violations that lower a fix to *propose* instead of forbidding it: a person may apply it, nothing else may. */
export const proposeOnlyRules: ReadonlySet<string> = new Set([
  'inverted',
  'changed-predicate',
  'widened',
  'lost-value',
  'changed-type',
  'unclear-rename',
  'suspect-value',
  'new-set-up',
  'changed-condition',
]);

const rules: readonly Rule[] = [
  inSourceRules,
  structureRules,
  tableRules,
  duplicateKeys,
  assertionRules,
  soughtTexts,
  suspectValueRules,
  stepRules,
  replacedValueRules,
  shadowRules,
  erasedCallRules,
  skipRules,
  suppressionRules,
  settingRules,
  setUpRules,
  decidingRules,
  tamperingRules,
  contextRules,
  sideEffectRules,
  limitRules,
  waitingRules,
  importRules,
];

/** Everything the change of one test file does that no fix may do; empty means the gate holds. Pure. Throws `tooDeep` for a file that nests so. */
export function checkPolicy(
  change: FileChange,
  readSource?: ReadSource,
  followed?: readonly Followed[],
): readonly Violation[] {
  return withinDepth(change.file, () => judge(change, readSource, followed));
}

function judge(
  change: FileChange,
  readSource: ReadSource | undefined,
  followed: readonly Followed[] | undefined,
): readonly Violation[] {
  const { file, before = '', after } = change;
  const judged = /\.py$/i.test(file)
    ? checkPython(change, readSource, followed)
    : /\.go$/i.test(file)
      ? checkGo(change, readSource)
      : undefined;
  if (judged !== undefined)
    return judged.findings.map(({ rule, line, text }) => ({ rule, file, line, text }));
  const found = after === undefined ? [removedFile] : before === after ? [] : findings(change, before, after);
  const seen = new Set<string>();
  const violations = found.map(({ rule, line, text }) => ({ rule, file, line, text }));
  return violations.filter((violation) => {
    const key = JSON.stringify(violation);
    return seen.size !== seen.add(key).size;
  });
}

export interface GateContext {
  /** Reads files that are not changed, relative to the root; without it nothing is known of the code under test. */
  readonly readSource?: ReadSource;
  /** The fix says that it changes what is expected and nothing else. */
  readonly isExpectation?: boolean;
  /** The fix says that a trial found the literal, which shows in what is expected and nowhere else. */
  readonly isTried?: boolean;
  /** The fix says that it follows names, imports or awaits, and that the meaning of the test stays. */
  readonly keepsExpectations?: boolean;
  /** Nobody says what kind of change it is: a patch from outside. */
  readonly isUndeclared?: boolean;
  /** The fix says that it changes how the code is called and nothing else. */
  readonly isCall?: boolean;
  /** The fix says that it names the environment of test files and does nothing else. */
  readonly namesEnvironment?: boolean;
  /** Of Python files (`followedMoves`). */
  readonly followed?: ReadonlyMap<string, readonly Followed[]>;
}

/** The gate over all files of a fix; `isTestFile` decides by path what a fix may touch. */
export function checkPolicyOfEdits(
  files: readonly FileChange[],
  isTestFile: (file: string) => boolean,
  gate: GateContext = {},
): readonly Violation[] {
  const { readSource, isExpectation = false, isTried = false, isCall = false, followed } = gate;
  const changed = new Set(files.map(({ file }) => file));
  return files.flatMap((change) => {
    const { file } = change;
    const misplaced = checkPlaces(change, isTestFile);
    if (misplaced.length > 0) return misplaced;
    if (gate.namesEnvironment === true)
      return environmentRules(change).map((finding) => ({ ...finding, file }));
    // Python and Go are judged by other files, too.
    const known = /\.(?:py|go)$/i.test(file) ? undefined : change.known;
    const once = (rules: string, judge: () => Iterable<Finding>): readonly Finding[] =>
      known === undefined ? [...judge()] : known.saidOf(change, rules, () => [...judge()]);
    const turnsImports = once('turned', () => turnedImports(change)).length > 0;
    return [
      ...[
        ...once('policy', () => checkPolicy(change, readSource, followed?.get(file))),
        ...once('redirected', () => redirectionRules(change, isTestFile)),
        ...(turnsImports && readSource !== undefined ? repointedImports(change, readSource) : []),
        ...(isExpectation
          ? once(isTried ? 'tried input' : 'input', () => inputRules(change, isTestFile, isTried))
          : []),
        ...(gate.isUndeclared === true
          ? [
              ...otherInputs(change, isTestFile),
              ...blottedText(change),
              ...withinDepth(file, () => [...lesserTexts(change)]),
              ...withinDepth(file, () => [...newCapabilities(change, changed, readSource)]),
            ]
          : []),
        ...(isCall ? once('call', () => callRules(change, isTestFile)) : []),
        ...(gate.keepsExpectations === true ? once('kept', () => keptExpectations(change, isTestFile)) : []),
      ].map((finding) => ({ ...finding, file })),
      ...unrelatedSnapshots(change, files),
    ];
  });
}

/** Whether a fix may touch this file at all, whatever it does there. */
export function checkPlaces(
  { file, before }: FileChange,
  isTestFile: (file: string) => boolean,
): readonly Violation[] {
  const refuse = (rule: string, text: string): Violation[] => [{ rule, file, line: 1, text }];
  if (!isPlainPath(file)) return refuse('unsafe-path', 'The path leaves the workspace or is not normalized.');
  if (!isTestFile(file)) return refuse('only-test-files', 'A fix may change only test files.');
  if (isConfiguration(file)) return refuse('only-test-files', 'A fix must not change how tests are run.');
  if (before === undefined && /(?:^|\/)__mocks__\//.test(file))
    return refuse('mocked-source', 'A new test double replaces the code under test.');
  return [];
}

/** New entries of a stored file are fine beside a change of its test file. */
function unrelatedSnapshots(
  { file, before = '', after = '' }: FileChange,
  files: readonly FileChange[],
): readonly Violation[] {
  const owner = snapshotOwner(file);
  if (owner === undefined || files.some((other) => other.file === owner)) return [];
  return [...addedSnapshotRules(before, after)].map((finding) => ({ ...finding, file }));
}

const removedFile: Finding = { rule: 'removed-file', line: 1, text: 'The fix deletes a test file.' };

function findings(change: FileChange, before: string, after: string): readonly Finding[] {
  const { file } = change;
  if (file.endsWith('.snap')) return [...snapshotRules(before, after)];
  if (!/\.[cm]?[jt]sx?$/.test(file)) return [...fixtureRules(file, before, after)];
  const [was, is] = sidesOf(change);
  const broken = syntaxError(is.source);
  if (broken !== undefined)
    return [
      { rule: 'syntax-error', line: broken.line, text: `The file no longer parses: ${broken.message}` },
    ];
  return rules.flatMap((rule) => [...rule(was, is)]);
}

/** Relative, forward slashes, no way up, nothing hidden from tools that list files. */
function isPlainPath(file: string): boolean {
  return (
    file !== '' &&
    !path.posix.isAbsolute(file) &&
    !path.win32.isAbsolute(file) &&
    path.posix.normalize(file) === file &&
    // Some file systems do not tell letters by their case.
    !file.split('/').some((part) => /^(?:\.\.|\.git|node_modules)$/i.test(part)) &&
    !/[\\\u0000-\u001f]/.test(file)
  );
}

function isConfiguration(file: string): boolean {
  return (
    /^(?:package(?:-lock)?\.json|tsconfig[\w.-]*\.json|(?:vitest|vite|jest|playwright|cypress|ava|babel|postcss)(?:\.[\w-]+)*\.(?:config|workspace|setup)\.[\w.]+|\.(?:mocharc|babelrc|swcrc)[\w.-]*|\.env[\w.-]*)$/.test(
      path.posix.basename(file),
    ) || isPythonConfiguration(path.posix.basename(file))
  );
}

/** What pytest and Python read before any test. */
function isPythonConfiguration(name: string): boolean {
  return /^(?:conftest\.py|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.(?:cfg|py)|pyproject\.toml|noxfile\.py|\.coveragerc|(?:site|user)customize\.py|__init__\.py|.*\.pth)$/i.test(
    name,
  );
}
