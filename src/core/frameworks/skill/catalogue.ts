// The catalogue of skills (CONTRACTS K1): folders with a skill descriptor, each with its tests file when it has one.
import path from 'node:path';
import picomatch from 'picomatch';
import { textOfFile } from '../configFiles.ts';
import type { SkillRecord } from './skillRecord.ts';
import { walkTree, type FileTree } from '../../workspace/walk.ts';

interface CatalogueOptions {
  /** Globs of skill descriptors, relative to the root, matched without regard to case. */
  readonly descriptors?: readonly string[];
  /** A walk of the root, to share. */
  readonly tree?: FileTree;
}

/** `SKILL.md`, `tskill.md`, `cskill.md`, `oskill.md`, … */
const defaultDescriptors: readonly string[] = ['**/skill.md', '**/[a-z]skill.md'];

const testsFile = /^(?:.*\/)?tests\/([^/]+)\.tests\.mjs$/;

/** Skill tests among paths relative to the root: `*.tests.mjs` in a folder named `tests`. */
export function skillTestFiles(files: readonly string[]): readonly string[] {
  return files.filter((file) => testsFile.test(file));
}

/** All skills of the root and all skill tests, sorted by short name. Throws the cancellation error. */
export async function readSkillCatalogue(
  root: string,
  options: CatalogueOptions = {},
  signal?: AbortSignal,
): Promise<readonly SkillRecord[]> {
  const tree = options.tree ?? (await walkTree(root, signal));
  const isDescriptor = picomatch([...(options.descriptors ?? defaultDescriptors)], {
    dot: true,
    nocase: true,
  });
  const tests = skillTestFiles(tree.files);
  const taken = new Set<string>();
  const records: SkillRecord[] = [];
  for (const descriptor of tree.files.filter((file) => isDescriptor(file))) {
    const skill = readSkill(tree.root, descriptor);
    const own = nearest(
      tests.filter((file) => shortNameOf(file) === skill.shortName && !taken.has(file)),
      path.posix.dirname(descriptor),
    );
    if (own !== undefined) taken.add(own);
    records.push(own === undefined ? skill : { ...skill, testFile: path.join(tree.root, own) });
  }
  for (const file of tests.filter((one) => !taken.has(one))) {
    const name = shortNameOf(file);
    records.push({
      skillName: name,
      shortName: name,
      skillType: 'unknown',
      testFile: path.join(tree.root, file),
    });
  }
  return records.sort(
    (a, b) => compare(a.shortName, b.shortName) || compare(a.testFile ?? '', b.testFile ?? ''),
  );
}

function shortNameOf(file: string): string {
  return testsFile.exec(file)?.[1] ?? file;
}

/** The name is what the descriptor's front matter says, the short name what it says there, else the folder's name. */
function readSkill(root: string, descriptor: string): SkillRecord {
  const skillDir = path.join(root, path.posix.dirname(descriptor));
  const header = frontMatter(path.join(root, descriptor));
  const shortName = header.get('shortname') ?? path.basename(skillDir);
  return {
    skillName: header.get('name') ?? shortName,
    shortName,
    skillType: path.posix
      .basename(descriptor)
      .replace(/\.[^.]*$/, '')
      .toLowerCase(),
    skillDir,
  };
}

/** Scalar entries of a YAML head; keys in lower case without dashes and underscores. */
function frontMatter(file: string): ReadonlyMap<string, string> {
  const head = /^---\r?\n([^]*?)\r?\n---/.exec(textOfFile(file) ?? '')?.[1] ?? '';
  const entries = [
    ...head.matchAll(
      /^([\w-]+):[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#"'>|][^\n]*?))(?:[ \t]+#[^\n]*)?[ \t]*\r?$/gm,
    ),
  ];
  return new Map(
    entries.map((entry) => [
      (entry[1] ?? '').toLowerCase().replace(/[-_]/g, ''),
      entry[2] ?? entry[3] ?? entry[4] ?? '',
    ]),
  );
}

/** The file that shares the longest way from the root with the folder. */
function nearest(files: readonly string[], folder: string): string | undefined {
  const way = folder.split('/');
  const shared = (file: string): number => {
    const parts = file.split('/');
    const parting = way.findIndex((part, index) => part !== parts[index]);
    return parting < 0 ? way.length : parting;
  };
  return [...files].sort((a, b) => shared(b) - shared(a) || a.length - b.length)[0];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
