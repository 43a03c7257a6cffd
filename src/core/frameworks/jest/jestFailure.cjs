// Runs inside the user's jest (28 to 30): what was thrown, as the parent process wants it.
'use strict';
const { createRequire } = require('node:module');
const { shortened } = require('../failureTexts.cjs');

/** Where jest's own printer is found from. */
const jestFile = process.env.TESTMEND_JEST_RUNNER ?? process.argv[1];

module.exports = { failureOf: (thrown) => shortened(failureOf(thrown)) };

/** A thrown value as the parent wants it; circus pairs it with an error that knows where it was thrown. */
function failureOf(thrown) {
  const [error, place] = Array.isArray(thrown) ? thrown : [thrown];
  const isError = error && (typeof error.stack === 'string' || error.message);
  if (!isError) return { message: `thrown: ${printed(error)}`, stack: textOf(place?.stack) };
  const { matcherResult } = error;
  const compared = matcherResult ?? (typeof error === 'object' ? error : {});
  const values = {};
  // A snapshot that is not stored is not `undefined`.
  const isComparison = matcherResult && !/Snapshot/.test(matcherResult.name ?? '');
  for (const key of ['expected', 'actual'])
    if (key in compared && (isComparison || compared[key] !== undefined))
      values[key] = printed(compared[key]);
  return {
    name: matcherResult ? 'JestAssertionError' : textOf(error.name),
    message: String(error.message || firstLines(error.stack)),
    stack: textOf(error.stack),
    ...values,
  };
}

const textOf = (value) => (typeof value === 'string' ? value : undefined);
const firstLines = (stack) => String(stack).split(/\n\s+at /)[0];

/** Text as it is, anything else as jest's own printer shows it. */
function printed(value) {
  if (typeof value === 'string') return value;
  try {
    const { format } = createRequire(jestFile)('pretty-format');
    return format(value, { maxDepth: 10, escapeString: false, printBasicPrototype: false });
  } catch {
    return String(value);
  }
}
