// Asks the compiler, in its own process, what it suggests for the new errors of a test file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { askChild, type Answered, type CompilerQuestion } from '../types/askCompiler.ts';
import {
  suggestionAnswerSchema,
  type SuggestionAnswer,
  type SuggestionQuestion,
} from './suggestionAnswer.ts';

/** Undefined when it was cancelled. The question is too long for an argument: it lies in a folder of its own until then. */
export async function askSuggestions(
  { root, file, ...limits }: CompilerQuestion,
  question: SuggestionQuestion,
): Promise<Answered<SuggestionAnswer> | undefined> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-compiler-'));
  try {
    const name = path.join(folder, 'question.json');
    await writeFile(name, JSON.stringify(question));
    return await askChild([root, file, name], suggestionAnswerSchema, limits);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
