// What the reporter of mocha tells of an error, and where in a test file something was called.
'use strict';

const path = require('node:path');

/** Frames of ours are none of the user's. */
const ownFrame = path.join(__dirname, 'mochaReporter.cjs');

/** A failure as the parent process takes it; `stringify` prints compared values as mocha does. */
function failureOf(error, stringify) {
  const thrown =
    (typeof error === 'object' || typeof error === 'function') && error ? error : { message: String(error) };
  const text = (key) => (typeof thrown[key] === 'string' ? { [key]: thrown[key] } : {});
  const message = String(thrown.message || thrown.name || 'unknown error');
  const { stack } = thrown;
  const frames = typeof stack === 'string' && stack.split('\n').filter((line) => !line.includes(ownFrame));
  return {
    ...text('name'),
    ...(frames && { stack: frames.join('\n') }),
    ...comparedValues(thrown, stringify),
    message,
  };
}

function comparedValues(error, stringify) {
  if (error.showDiff === false || !('expected' in error) || !('actual' in error)) return {};
  if (error.expected === undefined && error.actual === undefined) return {};
  const print = (value) => (typeof value === 'string' ? value : String(stringify(value)));
  try {
    return { expected: print(error.expected), actual: print(error.actual) };
  } catch {
    return {};
  }
}

/** Line and column of the nearest call in the file; mocha itself keeps none. */
function placeInStack(file) {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 20;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  if (typeof stack !== 'string') return undefined;
  const at = stack.indexOf(`${file}:`);
  const found = at < 0 ? null : /^:(\d+):(\d+)/.exec(stack.slice(at + file.length));
  return found ? { line: Number(found[1]), column: Number(found[2]) } : undefined;
}

module.exports = { failureOf, placeInStack };
