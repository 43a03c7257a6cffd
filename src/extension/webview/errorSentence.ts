// An error as one text for the user: what happened, and what to do about it.
import { errorMessage, HumanError } from '../../core/base/humanError.ts';

export function errorSentence(error: unknown): string {
  return error instanceof HumanError ? `${error.message} ${error.details.remedy}` : errorMessage(error);
}
