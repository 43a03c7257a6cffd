// What the reporter of node:test tells of an error.
'use strict';

const { spawnSync } = require('node:child_process');
const { inspect } = require('node:util');
const { shortened, usersStack } = require('../failureTexts.cjs');

const isInner = (line) => /^\s+at .*\bnode:/.test(line);

/** A failure as the parent process takes it; node wraps what a test threw into an error of its own. */
function failureOf(error) {
  const isWrapped = error?.code === 'ERR_TEST_FAILURE' && 'cause' in error;
  const hook = isWrapped && error.failureType === 'hookFailed' ? error.message : undefined;
  const thrown = isWrapped && error.cause !== undefined ? error.cause : error;
  const isObject = (typeof thrown === 'object' || typeof thrown === 'function') && thrown !== null;
  const text = isObject ? String(thrown.message || thrown.name || inspect(thrown)) : String(thrown);
  const which = /^failed running (\w+) hook/.exec(hook ?? '')?.[1];
  const message = which === undefined ? text : `The ${which} hook failed: ${text}`;
  if (!isObject) return { message };
  const stack = typeof thrown.stack === 'string' ? { stack: usersStack(thrown.stack, isInner) } : {};
  const name = typeof thrown.name === 'string' ? { name: thrown.name } : {};
  return shortened({ ...name, ...stack, ...comparedValues(thrown), message });
}

function comparedValues(error) {
  if (!('expected' in error) || !('actual' in error)) return {};
  if (error.expected === undefined && error.actual === undefined) return {};
  const print = (value) =>
    typeof value === 'string' ? value : inspect(value, { depth: 20, sorted: true, breakLength: 80 });
  try {
    return { expected: print(error.expected), actual: print(error.actual) };
  } catch {
    return {};
  }
}

/** Of a module that cannot be parsed node tells the place on stderr only, after everything else: we ask for it once more. */
function withSyntaxPlace(failure, file) {
  if (failure.name !== 'SyntaxError' || !/\.[cm]?js$/.test(file) || failure.stack?.includes('\n    at '))
    return failure;
  const { stderr = '' } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 5000 });
  const stack = usersStack(stderr.trim(), isInner);
  return stack.includes(`at ${file}:`) ? { ...failure, stack } : failure;
}

module.exports = { failureOf, withSyntaxPlace };
