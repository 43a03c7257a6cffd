// Answers of models by what they were asked, so that nothing is paid for twice.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hashText } from '../../base/hash.ts';

export interface AnswerCache {
  get(question: string): Promise<string | undefined>;
  /** A folder that cannot be written to is no failure. */
  set(question: string, answer: string): Promise<void>;
}

/** In files that only the user can read; `folder` absolute, made when it is needed. */
export function answerCache(folder: string): AnswerCache {
  const fileOf = (question: string): string => path.join(folder, `answer-${hashText(question)}.txt`);
  return {
    get: (question) => readFile(fileOf(question), 'utf8').catch(() => undefined),
    set: async (question, answer) => {
      const file = fileOf(question);
      const draft = `${file}.${process.pid}`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(draft, answer, { mode: 0o600 });
        await rename(draft, file);
      } catch {
        await rm(draft, { force: true }).catch(() => undefined);
      }
    },
  };
}
