// What the compiler says of one test file: its errors, and what can be done about them.
import { hashText } from '../../base/hash.ts';
import { testCompiler } from './testCompiler.ts';
import type { TypeAnswer } from './typeAnswer.ts';
import { checkTypes } from './typeCheck.ts';
import { repairTypes } from './typeRepairs.ts';

/** `root` is absolute, `file` relative to it. */
export async function answerTypes(root: string, file: string): Promise<TypeAnswer> {
  const compiler = await testCompiler(root, file);
  const check = compiler && checkTypes(root, file, compiler);
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
