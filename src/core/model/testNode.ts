// What discovery finds: suites, tests and templates of parametrised tests, with their places.
import type { Range } from './position.ts';

export const frameworkIds = [
  'skill',
  'vitest',
  'jest',
  'mocha',
  'nodeTest',
  'ava',
  'playwright',
  'cypress',
  'pytest',
  'goTest',
  'maestro',
  'scenario',
  'script',
] as const;
export type FrameworkId = (typeof frameworkIds)[number];

/** template: a parametrised or computed title; its cases are known after a run only. */
export type TestKind = 'suite' | 'test' | 'template';
export type TestMode = 'run' | 'skip' | 'todo' | 'only';

/** What a parser sees, before it is known to which framework and project the file belongs. */
export interface ScannedTest {
  readonly kind: TestKind;
  /** The leaf title; for a template the text of the title expression without its quotes. */
  readonly title: string;
  readonly mode: TestMode;
  readonly range: Range;
  readonly children: readonly ScannedTest[];
}

export interface TestNode {
  readonly id: string;
  readonly kind: TestKind;
  readonly title: string;
  readonly suites: readonly string[];
  readonly mode: TestMode;
  readonly range: Range;
  readonly children: readonly TestNode[];
}

export interface TestFile {
  /** Relative to the root, POSIX separators. */
  readonly file: string;
  readonly framework: FrameworkId;
  readonly project?: string;
  /** Id of the file itself, `framework[/project]:file`. */
  readonly id: string;
  readonly tests: readonly TestNode[];
  /** For the user: duplicate titles, a syntax error, … */
  readonly warnings: readonly string[];
}

/** Calls `visit` for every node, parents first. */
export function visitTests(nodes: readonly TestNode[], visit: (node: TestNode) => void): void {
  for (const node of nodes) {
    visit(node);
    visitTests(node.children, visit);
  }
}
