// Which folders git ignores, by the .gitignore files along the way: git itself, which runs what a repository configures, is not asked.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Ignore } from 'ignore';
import { toRelativePosix } from '../base/paths.ts';

/** The rules of one folder, for what lies in it. */
interface Rules {
  /** Relative to the root of the walk, with a slash at its end unless it is empty; `..` where it lies above. */
  readonly folder: string;
  readonly matcher: Ignore;
}

export class IgnoredFolders {
  readonly #root: string;
  readonly #rules = new Map<string, Rules>();
  readonly #above: readonly Rules[];
  readonly #make: (text: string) => Ignore;

  private constructor(root: string, above: readonly string[], make: (text: string) => Ignore) {
    this.#root = root;
    this.#make = make;
    this.#above = above.flatMap((folder) => this.#read(folder) ?? []);
  }

  /** Undefined outside of a repository: there nobody ignores anything. */
  static async open(root: string): Promise<IgnoredFolders | undefined> {
    const above = foldersUpToRepository(root);
    if (above === undefined) return undefined;
    const { default: ignore } = await import('ignore');
    const make = (text: string): Ignore => ignore({ ignorecase: process.platform !== 'linux' }).add(text);
    const found = new IgnoredFolders(root, above, make);
    // Who opens an ignored folder wants what is in it.
    return found.#decides(found.#above, '') ? new IgnoredFolders(root, [], make) : found;
  }

  /** Takes the rules of a folder into account; relative to the root, empty for the root itself. */
  enter(folder: string): void {
    const rules = this.#read(path.join(this.#root, folder));
    if (rules) this.#rules.set(folder, rules);
  }

  /** Is this folder ignored? Its parents have been entered. */
  has(folder: string): boolean {
    const along = [...this.#above];
    const names = folder.split('/');
    for (let depth = 0; depth < names.length; depth++) {
      const rules = this.#rules.get(names.slice(0, depth).join('/'));
      if (rules) along.push(rules);
    }
    return this.#decides(along, folder);
  }

  /** The innermost rules that say something decide. */
  #decides(along: readonly Rules[], folder: string): boolean {
    for (const { folder: base, matcher } of along.toReversed()) {
      const below = toRelativePosix(path.join(this.#root, base), path.join(this.#root, folder));
      if (below === '') continue;
      const { ignored, unignored } = matcher.test(`${below}/`);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  #read(folder: string): Rules | undefined {
    const text = [path.join(folder, '.git/info/exclude'), path.join(folder, '.gitignore')]
      .map(textOf)
      .join('\n');
    if (text.trim() === '') return undefined;
    return { folder: path.relative(this.#root, folder), matcher: this.#make(text) };
  }
}

/** The folders above, outermost first, from the one that holds the repository on; undefined without a repository. */
function foldersUpToRepository(root: string): readonly string[] | undefined {
  const above: string[] = [];
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (folder !== root) above.unshift(folder);
    if (existsSync(path.join(folder, '.git'))) return above;
    if (folder === path.dirname(folder)) return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return '';
  }
}
