// How a test is named for people: by its suites and its title.
import { suiteSeparator } from './testId.ts';

interface NamedTest {
  /** Outermost first; absent at the top of a file. */
  readonly suites?: readonly string[] | undefined;
  readonly title: string;
}

/** "total › is zero when empty": titles alone occur more than once in many files. */
export function fullName({ suites = [], title }: NamedTest): string {
  return [...suites, title].join(suiteSeparator);
}

/** The suites as messages have them: nothing at the top of a file. */
export function suitesOf({ suites }: { readonly suites: readonly string[] }): { readonly suites?: string[] } {
  return suites.length > 0 ? { suites: [...suites] } : {};
}
