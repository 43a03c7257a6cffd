// Errors as people and programs read them.
import { HumanError, errorMessage, remedyWith } from '../core/base/humanError.ts';
import type { ErrorJson } from '../core/engine/documentSchemas.ts';
import { plainLine, wrapText } from '../core/reports/paint.ts';
import type { Terminal } from './terminal.ts';

const options = {
  root: '--root',
  session: '--session',
  copy: '--sandbox copy',
  framework: '--framework',
  affected: '--affected',
};

/** The document for --json; anything that is no HumanError is a bug of ours and says so. */
export function errorJson(error: unknown): ErrorJson {
  return error instanceof HumanError
    ? { ...error.toJSON(), remedy: remedyWith(error, options) }
    : {
        code: 'internal',
        message: errorMessage(error),
        remedy: 'This is a bug in Testmend; please report it with the lines on stderr.',
      };
}

export function errorText(error: unknown, terminal: Terminal): string {
  const { message, file, remedy } = errorJson(error);
  const paint = terminal.errorPaint;
  const width = terminal.width - 2;
  return [
    `${paint.red('✗')} ${wrapText(plainLine(message), width).join('\n  ')}`,
    ...(file !== undefined && !message.includes(file) ? [`  ${paint.dim(plainLine(file))}`] : []),
    ...wrapText(plainLine(remedy), width).map((line) => `  ${line}`),
    '',
  ].join('\n');
}
