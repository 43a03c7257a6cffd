// Numbers whose new value says that something went wrong: no condition is to be content with them.

/** Why another number in the condition would bless a failure; undefined where nothing in the name of what is asked says so. */
export function whyFailure(
  asked: string,
  kind: 'equal' | 'limit' | 'near',
  was: number,
  now: number,
): string | undefined {
  const name = /(\w+)(?:\(\))?$/.exec(asked.trim())?.[1] ?? '';
  const isStatus = /status$|code$/i.test(name);
  if (isStatus && (kind === 'limit' || was === 0 || (was < 400 && now >= 400)))
    return 'A status or code that tells of a failure is no answer to a changed source.';
  if (now === 0 && /(?:length|size|count|calls?)$/i.test(name))
    return 'Nothing is left where there was something.';
  if (kind === 'near' && Math.sign(was) !== Math.sign(now))
    return 'The number has another sign, or is nothing.';
  return undefined;
}
