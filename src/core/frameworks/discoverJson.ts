// The JSON face of discovery (INTERFACES, CLI `discover`).
import path from 'node:path';
import { toRelativePosix } from '../base/paths.ts';
import type { TestFile, TestKind, TestNode } from '../model/testNode.ts';
import type { Discovery, TestListing } from './discover.ts';
import type { ProjectProblem } from './packageJson.ts';
import { frameworkOf } from './registry.ts';

export interface DiscoverJson {
  readonly root: string;
  /** `root` relative to the workspace, `.` for itself; `project` where the framework has several. */
  readonly frameworks: readonly {
    readonly id: string;
    readonly root: string;
    readonly version?: string;
    readonly project?: string;
  }[];
  readonly files: readonly {
    readonly file: string;
    readonly framework: string;
    readonly project?: string;
    readonly tests: readonly DiscoveredTest[];
    readonly warnings?: readonly string[];
  }[];
  readonly totals: { readonly files: number; readonly tests: number };
  readonly durationMs: number;
  readonly notes: readonly string[];
  readonly problems: readonly ProjectProblem[];
}

interface DiscoveredTest {
  readonly id: string;
  readonly title: string;
  readonly suites: readonly string[];
  readonly line: number;
  readonly kind: TestKind;
}

/** What `discover --json` prints: tests without their suites, which the titles of their `suites` tell. */
export function toDiscoverJson({ listing, files, durationMs }: Omit<Discovery, 'isSettled'>): DiscoverJson {
  const told = filesJson(listing.root, files);
  const { root, frameworks, notes, problems } = listingJson(listing);
  return { root, frameworks, ...told, durationMs: Math.round(durationMs), notes, problems };
}

/** The part that the texts of the test files decide. */
export function filesJson(root: string, files: readonly TestFile[]): Pick<DiscoverJson, 'files' | 'totals'> {
  const listed = files.map((file) => ({
    file: file.file,
    framework: file.framework,
    ...(file.project === undefined ? {} : { project: file.project }),
    tests: testsOf(file, root),
    ...(file.warnings.length > 0 ? { warnings: file.warnings } : {}),
  }));
  const totals = {
    files: new Set(listed.map(({ file }) => file)).size,
    tests: listed.reduce((sum, { tests }) => sum + tests.length, 0),
  };
  return { files: listed, totals };
}

/** The part that the listing decides. */
export function listingJson(
  listing: TestListing,
): Pick<DiscoverJson, 'root' | 'frameworks' | 'notes' | 'problems'> {
  const { root, notes, problems } = listing;
  return { root, frameworks: frameworksOf(listing), notes, problems };
}

/**
 * Every test of a file that can run; one that stands for several, also because a suite around it does, is a template. A file that
 * is one test lists itself.
 */
export function testsOf(file: TestFile, root = ''): readonly DiscoveredTest[] {
  const title = frameworkOf(file).fileTitle?.(path.join(root, file.file));
  if (title !== undefined) return [{ id: file.id, title, suites: [], line: 1, kind: 'test' }];
  const tests: DiscoveredTest[] = [];
  const visit = (node: TestNode, repeated: boolean): void => {
    const isTemplate = repeated || node.kind === 'template';
    for (const child of node.children) visit(child, isTemplate);
    if (node.kind === 'suite' || (isTemplate && node.children.length > 0)) return;
    const { id, title, suites, range } = node;
    tests.push({ id, title, suites, line: range.start.line, kind: isTemplate ? 'template' : 'test' });
  };
  for (const node of file.tests) visit(node, false);
  return tests;
}

function frameworksOf({ root, projects, files }: TestListing): DiscoverJson['frameworks'] {
  return projects.flatMap((project) => {
    const { framework: id, version } = project;
    const place = toRelativePosix(root, project.root) || '.';
    const entry = { id, root: place, ...(version === undefined ? {} : { version }) };
    const names = new Set(
      files.filter((file) => file.frameworkProject === project).map((file) => file.project),
    );
    const own = names.size === 0 ? [undefined] : [...names];
    return own.map((name) => (name === undefined ? entry : { ...entry, project: name }));
  });
}
