// Why a question to the engine got no answer; the user has been told already, once, whatever was going on.
import { HumanError } from '../core/base/humanError.ts';

export class EngineEnded extends HumanError {
  constructor(message: string, remedy: string) {
    super('cancelled', message, { remedy });
  }
}

export function engineStopped(): EngineEnded {
  return new EngineEnded(
    'The engine stopped before it finished this.',
    'Nothing in the workspace was changed; try again.',
  );
}

export function engineNotStarted(): EngineEnded {
  return new EngineEnded('The engine did not start.', 'Run "Testmend: Show Log" to see why.');
}

/** For `catch`: what the user was told already needs no second message; anything else goes on. */
export function unlessTold(error: unknown): void {
  if (!(error instanceof EngineEnded)) throw error;
}
