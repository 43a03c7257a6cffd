// The folder that `--session` names: where it is, and whether it can be one.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import type { Options } from './options.ts';

/** Absolute. Throws a `usage` HumanError without `--session`. */
export function sessionFolder(options: Options): string {
  const session = options.text('session');
  if (session !== undefined) return path.resolve(options.text('root') ?? '.', session);
  throw new HumanError('usage', 'The folder of the session is missing.', {
    remedy: 'Name it with --session DIR, such as .workflow/.team/S1.',
  });
}

/** For what reads a session: it has to be there, so that a misspelt one does not look quiet. Throws a `usage` HumanError. */
export async function refuseNoSession(options: Options): Promise<void> {
  await refuseNoFolder(options);
  const folder = sessionFolder(options);
  const { isSession } = await import('../core/engine/sessionMessages.ts');
  if (isSession(folder)) return;
  throw wrong(options, `There is no session in ${folder}.`);
}

/** For what makes a session where there is none: no file may stand in its way. Throws a `usage` HumanError. */
export async function refuseNoFolder(options: Options): Promise<void> {
  for (let place = sessionFolder(options); ; place = path.dirname(place)) {
    const stats = await stat(place).catch(() => undefined);
    if (stats === undefined && place !== path.dirname(place)) continue;
    if (stats?.isDirectory() === false)
      throw wrong(options, `${sessionFolder(options)} cannot be a session: ${place} is not a folder.`);
    return;
  }
}

function wrong(options: Options, message: string): HumanError {
  const value = options.text('session');
  return new HumanError('usage', message, {
    file: sessionFolder(options),
    ...(value !== undefined && { value }),
    remedy:
      'Name the folder of the session with --session DIR; a relative path starts at the root of the workspace.',
  });
}
