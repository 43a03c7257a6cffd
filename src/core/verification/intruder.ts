// What is said when something else wrote in the sandbox while tests ran there.
import { HumanError } from '../base/humanError.ts';

/** What such a run says is not so. */
export function intruder(file: string): HumanError {
  return new HumanError(
    'busy',
    `Another process wrote ${file} in the sandbox while the tests ran, so the results of this run do not count.`,
    {
      file,
      remedy:
        'The agent ran without a jail and may have left a process running: end that process. Install bubblewrap (bwrap) to run agents in a jail.',
    },
  );
}
