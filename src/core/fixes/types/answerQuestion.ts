// What the compiler says of one test file: its errors with what can be done about them, or its suggestions.
import { readFileSync } from 'node:fs';
import { hashText } from '../../base/hash.ts';
import { suggestionQuestionSchema, type SuggestionAnswer } from '../suggestions/suggestionAnswer.ts';
import { suggestRepairs } from '../suggestions/suggestRepairs.ts';
import { testCompiler, type TestCompiler } from './testCompiler.ts';
import type { TypeAnswer } from './typeAnswer.ts';
import { checkTypes } from './typeCheck.ts';
import { repairTypes } from './typeRepairs.ts';

/** `root` is absolute, `file` relative to it; `question` is the file that holds a SuggestionQuestion, for suggestions. */
export async function answerQuestion(
  root: string,
  file: string,
  question?: string,
): Promise<TypeAnswer | SuggestionAnswer> {
  const compiler = await testCompiler(root, file);
  if (question === undefined) return typesOf(root, file, compiler);
  const wanted = suggestionQuestionSchema.parse(JSON.parse(readFileSync(question, 'utf8')));
  return suggestRepairs(root, file, wanted, compiler);
}

function typesOf(root: string, file: string, compiler: TestCompiler): TypeAnswer {
  const check = checkTypes(root, file, compiler);
  if (check === undefined) return null;
  const { source, errors } = check;
  return {
    text: hashText(source.text),
    errors: errors.map(({ code, start }) => ({
      line: source.getLineAndCharacterOfPosition(start).line + 1,
      code,
    })),
    repairs: errors.length === 0 ? [] : repairTypes(check),
  };
}
