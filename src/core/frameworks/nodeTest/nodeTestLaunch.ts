// The processes that run a selection of a node:test project: one for each file, as node's own runner does it.
import { pathToFileURL } from 'node:url';
import { realPathOr } from '../../base/paths.ts';
import type { Workspace } from '../../model/settings.ts';
import type { ScannedTest } from '../../model/testNode.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import { textOfFile } from '../configFiles.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { checkFilter, escapePattern, matchesFilter } from '../filter.ts';
import { nodeCoverageEnv } from '../nodeCoverage.ts';
import { checkNativeFilter, selectedFiles } from '../launchParts.ts';
import { NodeTestFrames } from './nodeTestFrames.ts';
import { nodeTestPlans, type NodeTestPlan } from './nodeTestPlan.ts';
import { scanNodeTests, wholeFileTitle } from './nodeTestScan.ts';

/**
 * `node <flags of the script> <file>` with our reporter for each selected file: what `node --test` starts, without the process
 * around. Throws a `bad-input` HumanError for filters that CONTRACTS Q4 refuses.
 */
export async function nodeTestLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
): Promise<readonly Launch[]> {
  const { nativeFilter, filter } = selection;
  if (filter !== undefined) checkFilter(filter);
  const native = nativeFilter === undefined ? undefined : checkNativeFilter(nativeFilter, 'node:test');
  const plans = await nodeTestPlans(project);
  const chosen = selectedFiles(selection);
  const owners = new Map(
    plans.flatMap((plan) => plan.files.map((file) => [realPathOr(file), plan] as const)),
  );
  const files = chosen ?? plans.flatMap((plan) => plan.files);
  const reporter = injectedFile('frameworks/nodeTest', 'nodeTestReporter.cjs');
  const launches: Launch[] = [];
  for (const file of files) {
    const plan = owners.get(realPathOr(file)) ?? plans[0];
    const { whole, names } = await narrowed(file, selection);
    if (!plan || names?.length === 0) continue;
    const pattern = nativeFilter ?? (names && `^(?:${names.map(escapePattern).join('|')})$`);
    launches.push({
      project,
      args: [
        // What the script preloads comes later.
        `--require=${reporter}`,
        ...ownFlags(plan, pattern).filter((flag) => !selection.debug || !flag.startsWith('--test-timeout')),
        ...(selection.updateSnapshots === true && hasSnapshots(file) ? ['--test-update-snapshots'] : []),
        `--test-reporter=${pathToFileURL(reporter).href}`,
        '--test-reporter-destination=stdout',
        file,
      ],
      cwd: project.root,
      env: {
        ...plan.env,
        ...nodeCoverageEnv(selection),
        ...(whole !== undefined && { TESTMEND_WHOLE_FILE: whole }),
      },
      files: [file],
      timeoutMs: workspace.limits.timeoutMs,
      exitTells: true,
      inherited: () => new NodeTestFrames(),
      ...(plan.isSerial && { lane: project.root }),
      ...(native && {
        accepts: (path) => path.some((name) => native.test(name)) || native.test(path.join(' ')),
      }),
    });
  }
  return launches;
}

/** A pattern of the script is one more way in: where we ask for certain tests it has to go. */
function ownFlags({ flags }: NodeTestPlan, pattern: string | undefined): readonly string[] {
  if (pattern === undefined) return flags;
  return [
    ...flags.filter((flag) => !flag.startsWith('--test-name-pattern')),
    `--test-name-pattern=${pattern}`,
  ];
}

interface Narrowing {
  /** The names by which node finds what is wanted, none when the file certainly holds nothing of it; absent where only a run can tell. */
  readonly names?: readonly string[];
  /** Title of the file where it is itself the test. */
  readonly whole?: string;
}

async function narrowed(file: string, { files = [], tests, filter }: Selection): Promise<Narrowing> {
  const text = textOfFile(file);
  if (text === undefined) return {};
  const scanned = await scanNodeTests(file, text);
  const whole = wholeFileTitle(file, text, { tests: [] });
  if (whole !== undefined && scanned.tests[0]?.title === whole) return { whole };
  const wanted = (tests ?? []).filter((one) => one.file === file).map(({ names }) => names);
  const isWhole = wanted.length === 0 || files.includes(file) || wanted.some(({ length }) => length === 0);
  if (isWhole && filter === undefined) return {};
  const candidates = [...leavesOf(scanned.tests)].filter(
    ({ path }) => isWhole || wanted.some((one) => one.every((name, index) => path[index] === name)),
  );
  // Names that are known after a run only can be anything, and so can tests that discovery does not know.
  if (!isWhole && candidates.length === 0) return {};
  if (candidates.some(({ isTemplate }) => isTemplate)) return {};
  const names = candidates
    .filter(({ path }) => filter === undefined || matchesFilter(path, filter))
    .map(({ matched }) => matched);
  return { names: [...new Set(names)] };
}

interface Leaf {
  readonly path: readonly string[];
  /** What has to match for it to run: its own name, or that of the test around it. */
  readonly matched: string;
  readonly isTemplate: boolean;
}

function* leavesOf(
  nodes: readonly ScannedTest[],
  above: readonly string[] = [],
  outer?: string,
  isTemplate = false,
): Generator<Leaf> {
  for (const { kind, title, children } of nodes) {
    const path = [...above, title];
    const matched = outer ?? title;
    const computed = isTemplate || kind === 'template';
    if (kind !== 'suite') yield { path, matched, isTemplate: computed };
    yield* leavesOf(children, path, kind === 'suite' ? outer : matched, computed);
  }
}

function hasSnapshots(file: string): boolean {
  return /\.snapshot\s*\(|\bfileSnapshot\b/.test(textOfFile(file) ?? '');
}
