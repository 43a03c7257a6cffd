// Refuses a regular expression that does not get done with the titles it is meant for, before a run waits for it in vain.
import { HumanError } from '../base/humanError.ts';

/** For all titles together, ms; 10,000 usual ones take about 5. */
const patience = 1000;

/**
 * Throws a `bad-input` HumanError when the pattern is not done with the titles (suites and title joined by a space) within a
 * second. Titles that only a run knows are not tried: there the run's time limit holds.
 */
export async function refuseSlowFilter(pattern: string, titles: readonly string[]): Promise<void> {
  const { createContext, runInContext } = await import('node:vm');
  const tried = { pattern, titles, at: 0 };
  try {
    runInContext(
      'const filter = new RegExp(pattern); for (; at < titles.length; at++) filter.test(titles[at]);',
      createContext(tried),
      { timeout: patience },
    );
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const title = titles[tried.at] ?? '';
    const shown = title.length > 80 ? `${title.slice(0, 79)}…` : title;
    throw new HumanError('bad-input', `The filter needs more than a second for the title "${shown}".`, {
      value: pattern,
      remedy: 'Avoid repetition inside repetition, such as (a+)+, or use the plain filter.',
    });
  }
}

/** The error comes from a realm of its own, so it is no instance of our Error. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
