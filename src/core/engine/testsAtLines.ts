// `cart.test.ts:12` on the command line: the tests that stand at a line of a test file.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import type { Selection } from '../model/frameworkProject.ts';
import { visitTests, type TestFile, type TestNode } from '../model/testNode.ts';
import { selectFiles } from './selectFiles.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';

const linesToName = 20;

interface TypedPlaces {
  /** As typed, without those with a line. */
  readonly files: readonly string[];
  readonly tests: NonNullable<Selection['tests']>;
}

/**
 * The smallest tests around each line; the line of a suite stands for all that it holds. Throws a `usage` HumanError for files that
 * are no tests, and for lines without one.
 */
export async function testsAtLines(typed: readonly string[], opened: OpenedWorkspace): Promise<TypedPlaces> {
  const { root } = opened.workspace;
  const files: string[] = [];
  const tests: { file: string; names: readonly string[] }[] = [];
  for (const name of typed) {
    const [, file, line] = /^(.+):([1-9]\d*)$/.exec(name) ?? [];
    const isFile = existsSync(path.resolve(name)) || existsSync(path.resolve(root, name));
    if (file === undefined || isFile) files.push(name);
    else tests.push(...(await testsAt(file, Number(line), opened)));
  }
  return { files, tests };
}

/** Once for each project that lists the file. */
async function testsAt(
  name: string,
  line: number,
  { workspace, testFiles, listing }: OpenedWorkspace,
): Promise<TypedPlaces['tests']> {
  const [file, more] = await selectFiles([name], workspace.root, testFiles);
  if (file === undefined || more !== undefined)
    throw new HumanError('usage', `${name} is a folder: it has no line ${line}.`, {
      value: `${name}:${line}`,
      remedy: 'Name a test file before the line.',
    });
  const { discoverFile } = await import('../frameworks/discover.ts');
  const listed = listing.files.filter(({ absolute }) => absolute === file);
  const found = await Promise.all(listed.map((one) => discoverFile(one)));
  const paths = found.flatMap(({ tests }) => smallestAround(tests, line));
  if (paths.length > 0) return paths.map(({ suites, title }) => ({ file, names: [...suites, title] }));
  throw new HumanError('usage', `There is no test at line ${line} of ${name}.`, {
    file: listed[0]?.file ?? name,
    value: `${name}:${line}`,
    remedy: whereTestsBegin(found),
  });
}

/** The line of a suite is none of a test. */
function whereTestsBegin(found: readonly Pick<TestFile, 'tests'>[]): string {
  const begin = new Set<number>();
  for (const { tests } of found)
    visitTests(tests, ({ kind, range }) => void (kind !== 'suite' && begin.add(range.start.line)));
  const lines = [...begin].sort((a, b) => a - b);
  const [last] = lines.slice(-1);
  if (last === undefined) return 'Leave out the line to run the file.';
  if (lines.length === 1) return `Its only test begins at line ${last}.`;
  return lines.length > linesToName
    ? `Its tests begin at lines ${lines.slice(0, linesToName).join(', ')}, ….`
    : `Its tests begin at lines ${lines.slice(0, -1).join(', ')} and ${last}.`;
}

/** Several tests can stand at one line. */
function smallestAround(nodes: readonly TestNode[], line: number): readonly TestNode[] {
  const around = nodes.filter(({ range }) => range.start.line <= line && line <= range.end.line);
  return around.flatMap((node) => {
    const inner = smallestAround(node.children, line);
    return inner.length > 0 ? inner : [node];
  });
}
