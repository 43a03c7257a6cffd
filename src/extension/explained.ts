// Commands that ask the engine: what it refuses is shown with its remedy.
import { HumanError } from '../core/base/humanError.ts';
import { EngineEnded } from './engineEnded.ts';
import { tell } from './tell.ts';

/** Does the work of a command; a refusal becomes a message, of a dead engine the user knows already, a bug goes on. */
export async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof EngineEnded) return;
    if (!(error instanceof HumanError)) throw error;
    void tell.error(`Testmend: ${error.message} ${error.details.remedy}`);
  }
}
