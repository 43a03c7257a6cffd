// The sources of the workspace, changed or not, that may still use what a test would follow: read once, when first asked for.
import { walkTree } from '../../workspace/walk.ts';
import { createImportGraph } from '../../modules/importGraph.ts';
import type { SourceChanges } from '../../diagnosis/sourceChanges.ts';

interface SourceText {
  /** Relative to the root. */
  readonly file: string;
  readonly text: string;
}

export interface WorkspaceSources {
  /**
   * Sources of the language of `of` that hold the word and are that file or import it, directly or not; `anywhere`: also those that
   * do not. Undefined where there are too many sources to look through.
   */
  mentioning(word: string, of: string, anywhere?: 'anywhere'): Promise<readonly SourceText[] | undefined>;
}

interface SourcesRequest {
  /** Absolute; other paths are relative to it. */
  readonly root: string;
  readonly changes: Pick<SourceChanges, 'files'>;
  readonly signal: AbortSignal;
  readText(file: string): Promise<string | undefined>;
  isTestFile(file: string): boolean;
}

/** Together; a workspace with more is not looked through. */
const limits = { files: 20_000, characters: 100_000_000, ofOneFile: 1_000_000 };

const languages: readonly RegExp[] = [/(?<!\.d)\.[cm]?[jt]sx?$/, /\.py$/];

/** The sources that the cycle shares among its fixers, or this fixer's own. */
export const sourcesOf = (
  context: SourcesRequest & { readonly sources?: WorkspaceSources },
): WorkspaceSources => context.sources ?? createWorkspaceSources(context);

/** Tests of types, which their own tools run (tstyche, tsd): they are left to be mended as tests are. */
const typeTest = /\.(?:tst|test-d)\.[cm]?tsx?$/;

/** Reads nothing before the first question, each file once. */
export function createWorkspaceSources(request: SourcesRequest): WorkspaceSources {
  const { root, signal } = request;
  const graph = createImportGraph({ root, signal });
  const texts = new Map<RegExp, Promise<readonly SourceText[] | undefined>>();
  let files: Promise<readonly string[]> | undefined;
  const listed = async (): Promise<readonly string[]> => {
    const { files: found } = await walkTree(root, signal);
    const changed = request.changes.files.filter(({ status }) => status !== 'deleted');
    return [...new Set([...changed.map(({ file }) => file), ...found])];
  };
  const readAll = async (language: RegExp): Promise<readonly SourceText[] | undefined> => {
    const names = (await (files ??= listed())).filter(
      (file) => language.test(file) && !typeTest.test(file) && !request.isTestFile(file),
    );
    if (names.length > limits.files) return undefined;
    const found: SourceText[] = [];
    let size = 0;
    for (const file of names) {
      if (signal.aborted) return undefined;
      const text = await request.readText(file);
      // What is longer is no source that somebody wrote.
      if (text === undefined || text.length > limits.ofOneFile) continue;
      size += text.length;
      if (size > limits.characters) return undefined;
      found.push({ file, text });
    }
    return found;
  };
  return {
    async mentioning(word, of, anywhere) {
      const language = languages.find((one) => one.test(of));
      if (language === undefined) return [];
      const known = texts.get(language) ?? readAll(language);
      texts.set(language, known);
      const whole = (await known)?.filter(({ text }) => holdsWord(text, word));
      if (whole === undefined || anywhere !== undefined) return whole;
      const reaching: SourceText[] = [];
      for (const one of whole)
        if (one.file === of || (await graph.reaches(one.file)).has(of)) reaching.push(one);
      return reaching;
    },
  };
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  return false;
}

const isPart = (letter: string | undefined): boolean =>
  letter !== undefined && /[\p{L}\p{N}_$]/u.test(letter);

/** What is said where the sources cannot be looked through. */
export const tooMany = (name: string): string =>
  `There are too many source files to check whether one of them still uses ${name}.`;
