// Is there a go to run tests with? With CI=true there must be one.
import { execFileSync } from 'node:child_process';

/** Throws where CI=true and there is none. */
export function hasGo(): boolean {
  try {
    execFileSync('go', ['version']);
    return true;
  } catch {
    if (process.env['CI'] === 'true') throw new Error('there is no go on PATH');
    console.warn('    (skipped: there is no go on PATH)');
    return false;
  }
}
