// Notices that the folder under test is deleted while its tests run: what runs there then may wait for ever.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';

export interface RootWatch {
  /** Aborted with a `broken-project` HumanError as soon as the folder is gone. */
  readonly signal: AbortSignal;
  /** The error when the folder is gone now. */
  check(): HumanError | undefined;
  dispose(): void;
}

/**
 * Looks every half second. Gone is a folder that does not exist, or of which nothing is left that it held at the beginning: tools
 * make caches anew where it was.
 */
export function watchRoot(root: string): RootWatch {
  const names = namesIn(root);
  const controller = new AbortController();
  const check = (): HumanError | undefined => {
    if (names.length === 0 || names.some((name) => existsSync(path.join(root, name)))) return undefined;
    return new HumanError('broken-project', `The folder ${root} was deleted while its tests ran.`, {
      file: root,
      remedy: 'Bring it back, and look which test deletes it.',
    });
  };
  const timer = setInterval(() => {
    const error = check();
    if (error) controller.abort(error);
  }, 500);
  timer.unref();
  return { signal: controller.signal, check, dispose: () => clearInterval(timer) };
}

function namesIn(root: string): readonly string[] {
  try {
    return readdirSync(root).filter((name) => name !== 'node_modules');
  } catch {
    return [];
  }
}
