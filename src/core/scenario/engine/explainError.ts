// Turns what Playwright throws into a sentence with a remedy.

/** Known reasons of Chromium and Playwright, with what can be done. */
const known: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [
    /net::ERR_CONNECTION_REFUSED at (\S+)/,
    ([, url]) => `Nothing answers at ${url}. Start the application, or correct baseUrl.`,
  ],
  [/net::ERR_TOO_MANY_REDIRECTS at (\S+)/, ([, url]) => `${url} redirects without an end.`],
  [/net::ERR_NAME_NOT_RESOLVED at (\S+)/, ([, url]) => `The name of ${url} is not known on this network.`],
  [/net::ERR_CERT_\w+ at (\S+)/, ([, url]) => `The certificate of ${url} is not trusted.`],
  [/net::(ERR_\w+) at (\S+)/, ([, reason, url]) => `${url} cannot be opened: ${reason}.`],
  [
    /ECONNREFUSED (\S+)/,
    ([, address]) => `Nothing answers at ${address}. Start the application, or correct baseUrl.`,
  ],
  [/Max redirect count exceeded/, () => 'The address redirects without an end.'],
  [/Target page, context or browser has been closed/, () => 'The browser was closed.'],
];

/** What the log of a call says about why it did not come to its end, last line first. */
const telling =
  /intercepts pointer events|not enabled|not visible|not stable|outside of the viewport|not editable|did not find some options/;

export function explainError(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).replace(/\u001b\[[\d;]*m/g, '');
  for (const [expression, explain] of known) {
    const match = expression.exec(text);
    if (match) return explain(match);
  }
  const [head = ''] = text.split(/\n\s*Call log:/);
  const reason = text
    .split('\n')
    .map((line) => line.replace(/^[\s-]+/, '').replace(/^\d+ × /, ''))
    .filter((line) => telling.test(line))
    .at(-1);
  const plain = head.replace(/^(?:locator|page|elementHandle|frame|browserContext|apiRequestContext)\.\w+: /, '').replace(/^(?:Timeout)?Error: /, '').trim(); // prettier-ignore
  return reason === undefined ? plain : `${plain}\n  ${reason}`;
}
