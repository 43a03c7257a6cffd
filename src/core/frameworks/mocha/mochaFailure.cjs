// What the reporter of mocha tells of an error, and where in a test file something was called.
'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');
const { shortened, usersStack } = require('../failureTexts.cjs');

/** Frames of mocha's and of ours are none of the user's. */
const innerFrame = /[\\/]node_modules[\\/]mocha[\\/](?:lib|bin|index)\b/;
const ownFrame = path.join(__dirname, 'mochaReporter.cjs');
const isInner = (line) => innerFrame.test(line) || line.includes(ownFrame);

/** A failure as the parent process takes it; `stringify` prints compared values as mocha does. */
function failureOf(error, stringify) {
  const thrown =
    (typeof error === 'object' || typeof error === 'function') && error ? error : { message: String(error) };
  const text = (key) => (typeof thrown[key] === 'string' ? { [key]: thrown[key] } : {});
  const message = String(thrown.message || thrown.name || 'unknown error');
  const stack = typeof thrown.stack === 'string' ? { stack: usersStack(thrown.stack, isInner) } : {};
  return shortened({ ...text('name'), ...stack, ...comparedValues(thrown, stringify), message });
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

/** Where something in the file is being declared, as a stack that nobody has put into words yet. */
function declaration(file) {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 20;
  const error = new Error();
  Error.stackTraceLimit = limit;
  return { file, error };
}

/** Line and column of the nearest call in the file; mocha itself keeps none. */
function placeInStack({ file, error: { stack } }) {
  if (typeof stack !== 'string') return undefined;
  const at = stack.indexOf(`${file}:`);
  const found = at < 0 ? null : /^:(\d+):(\d+)/.exec(stack.slice(at + file.length));
  return found ? { line: Number(found[1]), column: Number(found[2]) } : undefined;
}

/**
 * Which of the tests of a file the parent finds by their names alone: no other has the same, and each name stands in the file
 * as plain text in a call that declares a suite or test.
 */
function certainNames(file, tests) {
  const full = ({ suites, title }) => JSON.stringify([suites, title]);
  const counts = new Map();
  for (const test of tests) counts.set(full(test), (counts.get(full(test)) ?? 0) + 1);
  const written = writtenNames(file);
  return (test) =>
    counts.get(full(test)) === 1 && [...test.suites, test.title].every((name) => written.has(name));
}

function writtenNames(file) {
  try {
    const calls =
      /\b(?:describe|context|suite|it|test|specify|only|skip|x(?:describe|context|it|specify))\s*\(\s*(['"])([^'"\\\n]*)\1\s*[,)]/g;
    return new Set(Array.from(readFileSync(file, 'utf8').matchAll(calls), (match) => match[2]));
  } catch {
    return new Set();
  }
}

module.exports = { failureOf, declaration, placeInStack, certainNames };
