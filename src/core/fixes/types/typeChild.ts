// A process of ours: asks the compiler about one test file, says what it finds on its fourth pipe, and ends. `typeChild ROOT FILE`
import { Socket } from 'node:net';
import { hashText } from '../../base/hash.ts';
import type { TypeAnswer } from './typeAnswer.ts';
import { checkTypes } from './typeCheck.ts';
import { repairTypes } from './typeRepairs.ts';

const [root = '', file = ''] = process.argv.slice(2);
const pipe = new Socket({ fd: 3, readable: false, writable: true });
pipe.end(`${JSON.stringify(answerFor(root, file))}\n`);

function answerFor(root: string, file: string): TypeAnswer {
  const check = checkTypes(root, file);
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
