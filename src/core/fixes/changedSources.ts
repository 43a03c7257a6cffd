// The changed sources that reach a test, each as it was and as it is, read by whatever reads their language.
import { changesReaching } from '../diagnosis/stops.ts';
import type { FixContext } from './fixProvider.ts';

export interface ChangedPair<Source> {
  /** Path of the present file, or of the former one when it is gone. */
  readonly file: string;
  readonly before: Source;
  /** Of an empty text when the file is gone. */
  readonly now: Source;
}

export interface ChangedSources<Source> {
  readonly pairs: readonly ChangedPair<Source>[];
  /** "since the last commit" */
  readonly when: string;
}

interface SourceLanguage<Source> {
  readonly isSource: (file: string) => boolean;
  /** Undefined for a text that cannot be read: its file is left out. */
  readonly parse: (file: string, text: string) => Source | undefined;
}

/** Reads each changed source once, whatever number of tests reaches it; no added files, and at most 50 for a test. */
export function createChangedReader<Source>(
  context: FixContext,
  { isSource, parse }: SourceLanguage<Source>,
): (testFile: string) => Promise<ChangedSources<Source>> {
  const pairs = new Map<string, Promise<ChangedPair<Source> | undefined>>();
  const files = new Map<string, Promise<ChangedSources<Source>>>();
  const pairOf = async (
    file: string,
    before: Promise<string | undefined>,
    now: Promise<string | undefined> | '',
  ): Promise<ChangedPair<Source> | undefined> => {
    const [was, is = ''] = [await before, await now];
    if (was === undefined || was.length + is.length > 2_000_000) return undefined;
    const [former, present] = [parse(file, was), parse(file, is)];
    return former === undefined || present === undefined ? undefined : { file, before: former, now: present };
  };
  const read = async (testFile: string): Promise<ChangedSources<Source>> => {
    const { reaching, when, base } = await changesReaching(testFile, context.changes);
    const changed = reaching.filter(({ file, status }) => status !== 'added' && isSource(file));
    const found: ChangedPair<Source>[] = [];
    for (const { file, from = file, status } of changed.slice(0, 50)) {
      const both =
        pairs.get(file) ??
        pairOf(file, base.baseText(from), status === 'deleted' ? '' : context.readText(file));
      pairs.set(file, both);
      const known = await both;
      if (known !== undefined) found.push(known);
    }
    return { pairs: found, when };
  };
  return (testFile) => {
    const known = files.get(testFile) ?? read(testFile);
    files.set(testFile, known);
    return known;
  };
}
