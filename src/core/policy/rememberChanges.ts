// Remembers what the gate found out about texts and changes of one workspace, so that each is parsed and judged once.
import { hashText } from '../base/hash.ts';
import { factsOf, type FileChange, type FileFacts, type Finding, type KnownChanges } from './fileFacts.ts';

/** So many texts are remembered, and so many characters of them: those who ask go from file to file. */
const mostTexts = 8;
const mostCharacters = 200_000;
const mostAnswers = 20_000;

/** For as long as it stays the same which files are tests; texts are told apart by their content. */
export function rememberChanges(): KnownChanges {
  /** The one that was asked for last is the last. */
  const facts = new Map<string, FileFacts>();
  const answers = new Map<string, readonly Finding[]>();
  const keys = new WeakMap<FileChange, string>();
  let characters = 0;
  const keyOf = (change: FileChange): string => {
    const { file, before, after } = change;
    const key = keys.get(change) ?? hashText(JSON.stringify([file, before ?? null, after ?? null]));
    keys.set(change, key);
    return key;
  };
  return {
    factsOf: (file, text) => {
      const key = `${file}\0${text}`;
      const known = facts.get(key) ?? factsOf(file, text);
      if (!facts.delete(key)) characters += key.length;
      facts.set(key, known);
      for (const oldest of facts.keys()) {
        if (oldest === key || (facts.size <= mostTexts && characters <= mostCharacters)) break;
        facts.delete(oldest);
        characters -= oldest.length;
      }
      return known;
    },
    saidOf: (change, rules, judge) => {
      const key = `${rules} ${keyOf(change)}`;
      const known = answers.get(key);
      if (known !== undefined) return known;
      // Without the trees that they may have been found in.
      const said = judge().map(({ rule, line, text }) => ({ rule, line, text }));
      if (answers.size >= mostAnswers) answers.clear();
      answers.set(key, said);
      return said;
    },
  };
}
