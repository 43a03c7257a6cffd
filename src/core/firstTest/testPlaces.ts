// Where a test of a source belongs, by where the tests that exist lie and what they are called.
import path from 'node:path';
import { sharedFolders } from './chooseRunner.ts';
import { stemOf } from './subject.ts';

const { posix } = path;

interface PlaceRequest {
  /** Relative to the root, POSIX separators, as all paths here. */
  readonly source: string;
  /** Test files of the framework. */
  readonly tests: readonly string[];
  /** Every file of the workspace. */
  readonly files: readonly string[];
}

/** Folders for tests. */
const testFolder = /^(?:tests?|__tests?__|specs?|unit)$/i;
const scriptName =
  /^(?<before>test[-_])?(?<stem>.+?)(?<after>[._-](?:unit\.)?(?:tests?|specs?))?(?<extension>\.[cm]?[jt]sx?)$/;
const pythonName = /^(?<before>test_)?(?<stem>.+?)(?<after>_tests?)?(?<extension>\.py)$/;

interface TestName {
  readonly before: string;
  readonly stem: string;
  readonly after: string;
  readonly extension: string;
}

/** Files for a test of the source as the existing tests would have it, the likeliest first; none without tests. */
export function learnedPlaces({ source, tests, files }: PlaceRequest): readonly string[] {
  const isTest = new Set(tests);
  const sources = new Map<string, string[]>();
  for (const file of files) {
    if (isTest.has(file) || !isAlike(file, source)) continue;
    const stem = stemOf(file);
    const same = sources.get(stem);
    if (same) same.push(file);
    else sources.set(stem, [file]);
  }
  const votes = new Map<string, number>();
  for (const test of tests) {
    const name = nameOf(test);
    if (name === undefined) continue;
    const partner = (sources.get(name.stem) ?? [])
      .map((file) => ({ file, shared: sharedFolders(file, test) }))
      .sort((a, b) => b.shared - a.shared)[0];
    const folder = folderLike(
      posix.dirname(test),
      partner && posix.dirname(partner.file),
      posix.dirname(source),
    );
    if (folder === undefined) continue;
    const place = posix.join(
      folder,
      `${name.before}${stemOf(source)}${name.after}${extensionLike(name, source)}`,
    );
    const isOfLanguage = isTyped(test) === isTyped(source);
    // What is near outweighs any number of tests far away.
    const weight = (partner ? 4 : 1) * (isOfLanguage ? 2 : 1) * 8 ** Math.min(8, sharedFolders(test, source));
    votes.set(place, (votes.get(place) ?? 0) + weight);
  }
  return [...votes]
    .filter(([place]) => place !== source)
    .sort(([, a], [, b]) => b - a)
    .map(([place]) => place);
}

/** Where frameworks look by themselves; folders for tests that are there come first. */
export function usualPlaces({ source, files }: PlaceRequest, projectFolder: string): readonly string[] {
  const stem = stemOf(source);
  const own = posix.dirname(source);
  const inProject = (folder: string): string => posix.join(projectFolder, folder);
  const present = ['tests', 'test', '__tests__', 'spec']
    .map(inProject)
    .filter((folder) => files.some((file) => file.startsWith(`${folder}/`)));
  if (source.endsWith('.py')) {
    const isInPackage = files.includes(posix.join(own, '__init__.py'));
    const folders = [...present, isInPackage ? inProject('tests') : own, inProject('tests')];
    return unique(
      folders.flatMap((folder) => [
        posix.join(folder, `test_${stem}.py`),
        posix.join(folder, `${stem}_test.py`),
      ]),
    );
  }
  const folders = [
    ...present,
    own,
    posix.join(own, '__tests__'),
    ...['test', 'tests', '__tests__', 'spec'].map(inProject),
  ];
  const [first = ''] = extensionsFor(source);
  return unique([
    ...folders.map((folder) => posix.join(folder, `${stem}.test${first}`)),
    ...folders.flatMap((folder) =>
      extensionsFor(source).flatMap((extension) => [
        posix.join(folder, `${stem}.test${extension}`),
        posix.join(folder, `${stem}.spec${extension}`),
        posix.join(folder, `${stem}${extension}`),
      ]),
    ),
  ]).filter((place) => place !== source);
}

function nameOf(test: string): TestName | undefined {
  const pattern = test.endsWith('.py') ? pythonName : scriptName;
  const groups = pattern.exec(posix.basename(test))?.groups;
  if (groups === undefined) return undefined;
  const { before = '', stem = '', after = '', extension = '' } = groups;
  return { before, stem, after, extension };
}

/** The folder that stands to `source` as the folder of a test stands to that of what it tests. */
function folderLike(test: string, partner: string | undefined, source: string): string | undefined {
  if (partner === test) return source;
  if (partner !== undefined && posix.dirname(test) === partner && testFolder.test(posix.basename(test)))
    return posix.join(source, posix.basename(test));
  const [head, tail] = headAndTail(test);
  if (head === undefined) return undefined;
  if (partner === undefined || !(partner === tail || partner.endsWith(tail === '' ? '' : `/${tail}`))) {
    // Nobody knows what it tests: the folder for tests, where it serves the source too.
    const owner = posix.dirname(head);
    return owner === '.' || source === owner || source.startsWith(`${owner}/`) ? head : undefined;
  }
  const partnerHead = tail === '' ? partner : partner.slice(0, -tail.length).replace(/\/$/, '');
  const below = belowFolder(source, partnerHead === '' ? '.' : partnerHead);
  return below === undefined ? undefined : posix.join(head, below);
}

/** Up to the innermost folder for tests, and what follows; undefined where there is none. */
function headAndTail(folder: string): readonly [string | undefined, string] {
  const parts = folder.split('/');
  const last = parts.findLastIndex((part) => testFolder.test(part));
  return last < 0 ? [undefined, ''] : [parts.slice(0, last + 1).join('/'), parts.slice(last + 1).join('/')];
}

function belowFolder(folder: string, outer: string): string | undefined {
  if (folder === outer) return '';
  if (outer === '.') return folder;
  return folder.startsWith(`${outer}/`) ? folder.slice(outer.length + 1) : undefined;
}

const isScript = (file: string): boolean => /\.[cm]?[jt]sx?$/.test(file);
const isTyped = (file: string): boolean => /\.[cm]?tsx?$/.test(file);
const isAlike = (a: string, b: string): boolean =>
  isScript(a) ? isScript(b) : posix.extname(a) === posix.extname(b);

/** That of the tests, but JSX stays with JSX where the tests have no opinion on it. */
function extensionLike({ extension }: TestName, source: string): string {
  if (extension === '.tsx' && source.endsWith('.ts')) return '.ts';
  if (extension === '.jsx' && /\.[cm]?js$/.test(source)) return '.js';
  return extension;
}

function extensionsFor(source: string): readonly string[] {
  const extension = posix.extname(source);
  switch (extension) {
    case '.mts':
    case '.cts':
      return ['.ts', extension];
    case '.mjs':
    case '.cjs':
      return [extension, '.js'];
    case '.tsx':
      return ['.tsx', '.ts'];
    case '.jsx':
      return ['.jsx', '.js'];
    default:
      return [extension];
  }
}

const unique = (places: readonly string[]): readonly string[] => [...new Set(places)];
