// Makes a first test for one source file: its text and its place, in the style of the workspace. Runs and writes nothing.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { isInside, realPlaceOf, toRelativePosix } from '../base/paths.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import type { FrameworkProject } from '../model/frameworkProject.ts';
import type { Workspace } from '../model/settings.ts';
import { goSource } from '../syntax/go/goSource.ts';
import { walkTree, type FileTree } from '../workspace/walk.ts';
import { chooseRunner, type Runner } from './chooseRunner.ts';
import { callsToTest, readSource, stemOf, type Exported, type SourceFile } from './subject.ts';
import { learnedPlaces, usualPlaces } from './testPlaces.ts';

export interface FirstTest {
  /** The source, relative to the root, POSIX separators. */
  readonly source: string;
  /** Where its test belongs, likewise; there is no such file yet. */
  readonly file: string;
  readonly text: string;
  readonly project: FrameworkProject;
  /** Does it hold places for real assertions? A module that only passes on what others export has none. */
  readonly hasPlaces: boolean;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

/**
 * `typed` is a path, absolute or from the root. The test checks that the module loads and has what it exports, and holds a place for
 * each real assertion that counts as no pass. Throws a HumanError for what has no first test, above all where there is one already.
 */
export async function makeFirstTest(
  workspace: Workspace,
  typed: string,
  signal?: AbortSignal,
): Promise<FirstTest> {
  const { root } = workspace;
  const source = readSource(root, typed);
  const tree = await walkTree(root, signal);
  const runner = await chooseRunner(workspace, source, tree, signal);
  if (runner.tests.includes(source.file)) {
    throw new HumanError('bad-input', `${source.file} is a test file itself.`, {
      file: source.file,
      remedy: 'Name the source file that it should test.',
    });
  }
  const made = await textFor(source, runner, tree, workspace);
  return { source: source.file, ...made, project: runner.project, notes: notesOn(runner, root) };
}

type Made = Pick<FirstTest, 'file' | 'text' | 'hasPlaces'>;

async function textFor(
  source: SourceFile,
  runner: Runner,
  tree: FileTree,
  workspace: Workspace,
): Promise<Made> {
  const { root } = workspace;
  if (source.language === 'go') {
    const [{ readGo }, { goText }] = await Promise.all([import('./goSubject.ts'), import('./goText.ts')]);
    const subject = readGo(source);
    const file = source.file.replace(/\.go$/, '_test.go');
    checkPlace(root, file, source.file);
    const taken = testNamesIn(path.dirname(source.absolute));
    return { file, text: goText(subject, source.file, taken), hasPlaces: true };
  }
  if (source.language === 'python') {
    const [{ readPython }, { pythonText }] = await Promise.all([
      import('./pythonSubject.ts'),
      import('./pythonText.ts'),
    ]);
    const subject = readPython(source);
    const file = await placeFor(source, runner, tree, root);
    const text = pythonText({ subject, source: source.file, files: tree.files });
    return { file, text, hasPlaces: hasPlaces(subject.exported) };
  }
  const { readScript } = await import('./scriptSubject.ts');
  const [{ scriptStyle }, { bindingOf, specifierOf }, { scriptText }] = await Promise.all([
    import('./scriptStyle.ts'),
    import('./scriptImport.ts'),
    import('./scriptText.ts'),
  ]);
  const subject = await readScript(root, source);
  const file = await placeFor(source, runner, tree, root);
  const { project, tests } = runner;
  const { framework } = project;
  const style = scriptStyle({
    root,
    project,
    tests,
    source: subject.tree,
    sourceFormat: subject.format,
    place: file,
  });
  const specifier = specifierOf({
    source: source.absolute,
    place: path.join(root, file),
    style,
    resolver: subject.resolver,
    isUrl: style.format === 'esm' && framework !== 'vitest' && framework !== 'jest',
  });
  const { stringSource } = await import('../syntax/javascript/literalSource.ts');
  const binding = bindingOf(subject, style, source.absolute, stringSource(specifier, style.quote));
  const text = scriptText({ framework, subject, style, binding, source: source.file });
  return {
    file,
    text,
    hasPlaces: hasPlaces([...(subject.whole ? [subject.whole] : []), ...subject.exported]),
  };
}

const hasPlaces = (exported: readonly Exported[]): boolean =>
  callsToTest(exported, ({ name }) => name).length > 0;

/** The first place that the framework would look at; throws where a test of the source is there. */
async function placeFor(
  source: SourceFile,
  { project, tests }: Runner,
  tree: FileTree,
  root: string,
): Promise<string> {
  const request = { source: source.file, tests, files: tree.files };
  const projectFolder = toRelativePosix(root, project.root);
  const places = [...new Set([...learnedPlaces(request), ...usualPlaces(request, projectFolder)])];
  const inProject = places.filter((place) => isInside(project.root, path.join(root, place)));
  const withPlaces = { ...tree, files: [...new Set([...tree.files, ...inProject])].sort() };
  const listed = await frameworkOf(project).listTestFiles(project, undefined, { tree: withPlaces });
  const seen = new Set(listed.map((one) => toRelativePosix(root, one.file)));
  const place = inProject.find((one) => seen.has(one)) ?? inProject[0] ?? `${stemOf(source.file)}.test.js`;
  checkPlace(root, place, source.file);
  return place;
}

/** Throws where a file, a link or anything else is at the place, or a folder above it leads out of the workspace. */
export function checkPlace(root: string, place: string, source: string): void {
  const absolute = path.join(root, place);
  // A folder of tests by that name is the same module to Python.
  const present = [place, ...(place.endsWith('.py') ? [place.slice(0, -'.py'.length)] : [])].find(
    (one) => lstatSync(path.join(root, one), { throwIfNoEntry: false }) !== undefined,
  );
  if (present !== undefined) {
    throw new HumanError('bad-input', `${present} already exists.`, {
      file: present,
      value: source,
      remedy: 'Add to it: a first test never overwrites a file.',
    });
  }
  let above = path.dirname(absolute);
  while (!lstatSync(above, { throwIfNoEntry: false })) above = path.dirname(above);
  if (!isInside(root, realPlaceOf(path.join(above, 'x')))) {
    throw new HumanError('bad-input', `${place} is outside the workspace: a folder above it is a link.`, {
      file: place,
      remedy: 'Write the test by hand where it belongs.',
    });
  }
}

/** Functions that the tests of a Go package have already. */
function testNamesIn(folder: string): ReadonlySet<string> {
  const tests = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith('_test.go'),
  );
  const texts = tests.map(({ name }) => readFileSync(path.join(folder, name), 'utf8'));
  return new Set(texts.flatMap((text) => goSource(text).functions.map(({ name }) => name)));
}

function notesOn({ project, isNew }: Runner, root: string): readonly string[] {
  if (!isNew || project.framework !== 'nodeTest') return [];
  const notes = [
    "No test framework is used here: the test is for Node's own runner, which needs no package.",
  ];
  if (readdirSync(project.root).includes('package.json')) return notes;
  const where = toRelativePosix(root, project.root);
  return [
    ...notes,
    `Testmend lists such tests where there is a package.json${where === '' ? '' : ` in ${where}`}: \`npm init -y\` writes one.`,
  ];
}
