// Reason of an abort that nobody wished for, as when the process has to go: what was proven by then may be taken up again.
import { HumanError } from './humanError.ts';

export class CutOff extends HumanError {
  constructor() {
    super('cancelled', 'Interrupted before its end.', { remedy: 'Start it again when you are ready.' });
  }
}
