// Where a file of a sandbox lies and where a write to it really lands: never outside of the repository that the sandbox is of.
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { isInside } from '../base/paths.ts';

/** Absolute; `file` is relative to `root`, which lies in `top`. Throws a `bad-input` HumanError for a way out. */
export function placeIn(top: string, root: string, file: string): string {
  const place = path.resolve(root, file);
  if (isInside(top, place)) return place;
  throw outside(file);
}

/** The same through links, of which none may lead out. */
export async function realPlaceIn(top: string, root: string, file: string): Promise<string> {
  let existing = placeIn(top, root, file);
  let rest = '';
  for (;;) {
    const real = await realpath(existing).catch(() => undefined);
    if (real !== undefined) {
      if (!isInside(top, real)) throw outside(file);
      return path.join(real, rest);
    }
    rest = path.join(path.basename(existing), rest);
    existing = path.dirname(existing);
  }
}

function outside(file: string): HumanError {
  return new HumanError('bad-input', `${file} leads outside the workspace.`, {
    file,
    remedy: 'Testmend edits files inside the workspace only.',
  });
}
