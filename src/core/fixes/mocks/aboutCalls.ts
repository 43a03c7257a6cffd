// Tells assertions about the calls of mocks from all others.

/** Is this an assertion about the calls of a mock? */
export function isAboutCalls({
  calls,
  matcher,
}: {
  readonly calls?: unknown;
  readonly matcher: string;
}): boolean {
  return calls !== undefined || matcher.endsWith('CalledTimes');
}
