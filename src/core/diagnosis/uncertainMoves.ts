// Takes back what git calls a rename where another new file could be the former one as well: then the names in it have to tell.
import path from 'node:path';
import { similarityOfWords } from '../workspace/similarity.ts';

const code = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|go)$/;

/** git takes any file that is half the same; so does this one for who else may be meant. */
const leastLikeness = 0.5;
/** So much liker than any other has to be what a file is now. */
const margin = 0.15;

interface Change {
  readonly file: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly from?: string;
}

interface MoveTexts {
  /** As of the base. */
  readonly before: (file: string) => Promise<string | undefined>;
  readonly now: (file: string) => Promise<string | undefined>;
}

/** The same changes; a rename that is not certain is a file that is gone and one that is new. */
export async function withoutUncertainMoves(
  changes: readonly Change[],
  { before, now }: MoveTexts,
): Promise<readonly Change[]> {
  const added = changes.filter(({ file, status }) => status === 'added' && code.test(file));
  const moved = changes.filter(({ file, status }) => status === 'renamed' && code.test(file));
  if (added.length === 0 || moved.length === 0) return changes;
  const texts = new Map<string, Promise<string | undefined>>();
  const textNow = (file: string): Promise<string | undefined> => {
    const text = texts.get(file) ?? now(file);
    texts.set(file, text);
    return text;
  };
  const uncertain = new Set<Change>();
  for (const change of moved) {
    const { file, from = file } = change;
    const old = await before(from);
    if (old === undefined) continue;
    const standing = async (other: string): Promise<number> => {
      const text = await textNow(other);
      const likeness = text === undefined ? 0 : similarityOfWords(old, text);
      const isCalledSo = path.posix.basename(other) === path.posix.basename(from);
      return likeness < leastLikeness
        ? 0
        : likeness + (isCalledSo ? margin : 0) + (text === old ? margin : 0);
    };
    const own = await standing(file);
    for (const other of added)
      if ((await standing(other.file)) > Math.max(0, own - margin)) uncertain.add(change);
  }
  return changes.flatMap((change) =>
    uncertain.has(change) && change.from !== undefined
      ? [
          { file: change.from, status: 'deleted' as const },
          { file: change.file, status: 'added' as const },
        ]
      : [change],
  );
}
