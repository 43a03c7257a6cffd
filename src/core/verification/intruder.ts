// What is said when something else wrote in the sandbox while tests ran there.
import { HumanError } from '../base/humanError.ts';

/** What such a run says is not so. */
export function intruder(file: string): HumanError {
  return new HumanError(
    'busy',
    `Something wrote ${file} in the sandbox while the tests ran: nothing they did there counts.`,
    {
      file,
      remedy:
        'The agent had no jail and may have left a process behind: end it. Install bubblewrap (bwrap) to have agents in a jail.',
    },
  );
}
