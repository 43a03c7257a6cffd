// A process of ours: asks the compiler about one test file, says what it finds on its fourth pipe, and ends. `typeChild ROOT FILE [QUESTION]`
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { hashText } from '../../base/hash.ts';
import { suggestionQuestionSchema } from '../suggestions/suggestionAnswer.ts';
import { suggestRepairs } from '../suggestions/suggestRepairs.ts';
import type { TypeAnswer } from './typeAnswer.ts';
import { checkTypes } from './typeCheck.ts';
import { testCompiler } from './testCompiler.ts';
import { repairTypes } from './typeRepairs.ts';

const [root = '', file = '', question] = process.argv.slice(2);
const pipe = new Socket({ fd: 3, readable: false, writable: true });
const compiler = await testCompiler(root, file);
const answer =
  question === undefined
    ? answerFor()
    : suggestRepairs(
        root,
        file,
        suggestionQuestionSchema.parse(JSON.parse(readFileSync(question, 'utf8'))),
        compiler,
      );
pipe.end(`${JSON.stringify(answer)}\n`);

function answerFor(): TypeAnswer {
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
