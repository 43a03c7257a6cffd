// Which tests a run is about: the files, filters, layer and changes that were asked for.
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import type { Layer } from '../model/settings.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import type { BrowserChoice, ScenarioChoice, Selection } from '../model/frameworkProject.ts';
import { plural } from '../reports/paint.ts';
import { selectFiles } from './selectFiles.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';

interface AskedTests {
  /** Test files, folders and `file:line`, as typed; none for all. */
  readonly files?: readonly string[];
  /** Part of the full title. */
  readonly filter?: string | undefined;
  /** In the syntax of the framework. */
  readonly nativeFilter?: string | undefined;
  readonly layer?: Layer | undefined;
  readonly browser?: BrowserChoice | undefined;
  readonly scenario?: ScenarioChoice | undefined;
  /** Those that the last changes can touch. */
  readonly affected?: boolean;
}

export interface ChosenTests {
  readonly selection: Selection;
  /** How it came about, as sentences. */
  readonly notes: readonly string[];
}

/**
 * Throws a HumanError for files that are no tests, for lines without one, for files together with --affected, for a layer without
 * tests, and for a browser where no framework drives one.
 */
export async function chooseTests(
  { files: typed = [], filter, nativeFilter, layer: asked, browser, scenario, affected = false }: AskedTests,
  opened: OpenedWorkspace,
  signal: AbortSignal,
): Promise<ChosenTests> {
  const filters = {
    ...(filter === undefined ? {} : { filter }),
    ...(nativeFilter === undefined ? {} : { nativeFilter }),
    ...(browser === undefined ? {} : { browser }),
    ...(scenario === undefined ? {} : { scenario }),
  };
  if (browser !== undefined) refuseWithoutBrowser(opened);
  const chosen = await chooseFiles(typed, affected, opened, signal);
  if (asked === undefined)
    return {
      selection: { ...filters, ...selectionOf(chosen) },
      notes: chosen.notes,
    };
  const { outsideLayer, testsOfLayer } = await import('./testsOfLayer.ts');
  const layer = await testsOfLayer(asked, opened.listing);
  const files = (chosen.files ?? opened.testFiles).filter((file) => layer.files.has(file));
  const tests = (chosen.tests ?? []).filter(({ file }) => layer.files.has(file));
  if (files.length + tests.length === 0) throw outsideLayer(layer);
  return {
    selection: { ...filters, ...selectionOf({ files, tests, byRule: true }) },
    notes: [...chosen.notes, layer.note],
  };
}

function refuseWithoutBrowser({ projects }: OpenedWorkspace): void {
  const all = projects.map(frameworkOf);
  if (all.some(({ drivesBrowser }) => drivesBrowser)) return;
  const names = [...new Set(all.map(({ label }) => label))].join(', ');
  throw new HumanError('usage', `No browser can be chosen for ${names}.`, {
    value: names,
    remedy: 'Leave out headed and browser: they are for Playwright, Cypress and pytest-playwright.',
  });
}

/** Without files and tests: everything. */
type Chosen = Pick<Selection, 'files' | 'tests' | 'byRule'>;

function selectionOf({ files, tests = [], byRule }: Chosen): Chosen {
  return {
    ...(files !== undefined && { files }),
    ...(tests.length > 0 && { tests }),
    ...(byRule && { byRule }),
  };
}

/** No files stands for all of them. */
async function chooseFiles(
  typed: readonly string[],
  isAffected: boolean,
  opened: OpenedWorkspace,
  signal: AbortSignal,
): Promise<Chosen & { readonly notes: readonly string[] }> {
  if (typed.length > 0) {
    if (isAffected) {
      throw new HumanError('usage', 'The affected tests are chosen without naming files.', {
        remedy: 'Leave out the files, or this choice.',
        choice: 'affected',
      });
    }
    const { files, tests } = typed.some((name) => /:\d+$/.test(name))
      ? await (await import('./testsAtLines.ts')).testsAtLines(typed, opened)
      : { files: typed, tests: [] };
    const selected = await selectFiles(files, opened.workspace.root, opened.testFiles);
    const isEachNamed = files.length === selected.length;
    return { files: selected, tests, ...(!isEachNamed && { byRule: true }), notes: [] };
  }
  if (!isAffected) return { notes: [] };
  const { files, notes } = await affectedFiles(opened, signal);
  return files.length > 0 ? { files, byRule: true, notes } : { notes };
}

/** T2 and T6: nothing affected means the full suite. */
async function affectedFiles(
  { workspace: { root }, testFiles, listing }: OpenedWorkspace,
  signal: AbortSignal,
): Promise<{ readonly files: readonly string[]; readonly notes: readonly string[] }> {
  const [{ affectedTests }, { rootsOfListing }] = await Promise.all([
    import('../run/affectedTests.ts'),
    import('../run/graphRoots.ts'),
  ]);
  const relative = testFiles.map((file) => toRelativePosix(root, file));
  const {
    files,
    changed,
    unavailable,
    notes = [],
  } = await affectedTests({ root, testFiles: relative, roots: rootsOfListing(listing), signal });
  const note = unavailable
    ? `${unavailable} The full suite runs.`
    : files.length === 0
      ? 'No test is affected by the latest changes: the full suite runs.'
      : `${files.length} of ${relative.length} test files are affected by ${plural(changed.length, 'changed file')}.`;
  return { files: files.map((file) => path.join(root, file)), notes: [note, ...notes] };
}
