// `testmend scenario`: finds the operation that is asked for.
import { HumanError } from '../core/base/humanError.ts';
import type { Command } from './command.ts';

/** Each loads what it needs; its files are what follows its name. */
const operations: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./scenarioRun.ts')).scenarioRunCommand,
  import: async () => (await import('./scenarioTransfer.ts')).importCommand,
  export: async () => (await import('./scenarioTransfer.ts')).exportCommand,
  record: async () => (await import('./scenarioRecord.ts')).recordCommand,
  healings: async () => (await import('./scenarioHealings.ts')).healingsCommand,
};

export const scenarioCommand: Command = async (context) => {
  const [typed, ...files] = context.files;
  const load = typed !== undefined && Object.hasOwn(operations, typed) ? operations[typed] : undefined;
  if (load === undefined) {
    const message =
      typed === undefined ? 'testmend scenario needs an operation.' : `There is no operation "${typed}".`;
    throw new HumanError('usage', message, {
      ...(typed !== undefined && { value: typed }),
      remedy: `The operations are ${Object.keys(operations).join(', ')}.`,
    });
  }
  return (await load())({ ...context, files });
};
