// The key of a model's endpoint: from a file or a descriptor, never from the environment, which every program of the user can read.
import { closeSync, readFileSync } from 'node:fs';
import { errorMessage, HumanError } from '../core/base/humanError.ts';
import type { Options } from './options.ts';

const remedy =
  'Write --model-key-file F, with a file that only you can read, or a descriptor: --model-key-file <(pass show model).';

/** Undefined without one. Throws a `usage` HumanError, which holds nothing of the key. */
export function readModelKey(options: Options): string | undefined {
  // Taking it out of our environment would not help: the system goes on showing what a process was started with.
  if ((process.env['TESTMEND_MODEL_KEY'] ?? '') !== '')
    throw new HumanError(
      'usage',
      'The model key is in the environment variable TESTMEND_MODEL_KEY, where tests and agents can read it.',
      { remedy: `Unset TESTMEND_MODEL_KEY. ${remedy}` },
    );
  const file = options.text('model-key-file');
  if (file === undefined) return undefined;
  const key = readKey(file).trim();
  if (key !== '' && !/\s/.test(key)) return key;
  throw new HumanError('usage', `${file} does not hold a key: a key is one word.`, { file, remedy });
}

function readKey(file: string): string {
  const descriptor = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(file)?.[1];
  try {
    if (descriptor === undefined || Number(descriptor) < 3) return readFileSync(file, 'utf8');
    const text = readFileSync(Number(descriptor), 'utf8');
    // What stays open here can be opened by others, by way of /proc.
    closeSync(Number(descriptor));
    return text;
  } catch (error) {
    throw new HumanError('usage', `The model key cannot be read: ${errorMessage(error)}`, {
      file,
      remedy,
    });
  }
}
