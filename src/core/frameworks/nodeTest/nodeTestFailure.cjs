// What the reporter of node:test tells of an error.
'use strict';

const { spawnSync } = require('node:child_process');
const { inspect } = require('node:util');

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
  const stack = typeof thrown.stack === 'string' ? { stack: usersStack(thrown.stack) } : {};
  const name = typeof thrown.name === 'string' ? { name: thrown.name } : {};
  return shortened({ ...name, ...stack, ...comparedValues(thrown), message });
}

/** Nobody reads more, and a line of many megabytes would not arrive. A stack begins with the message; its places stand at the end. */
const longest = 90_000;
function shortened(failure) {
  const cut = (text) => {
    const left = text.length - longest;
    const half = longest / 2;
    return left <= 0 ? text : `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`;
  };
  const texts = Object.entries(failure).map(([key, text]) => [
    key,
    key === 'stack' ? text.slice(-longest) : cut(text),
  ]);
  return Object.fromEntries(texts);
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

/** Without node's own frames. Node tells the place of a syntax error above the message only: it becomes the first frame. */
function usersStack(stack) {
  const lines = stack.split('\n').filter((line) => !/^\s+at .*\bnode:/.test(line));
  const [, file, line] = /^(?:file:\/\/)?(\/.*|[A-Za-z]:\\.*):(\d+)$/.exec(lines[0]) ?? [];
  if (file === undefined) return lines.join('\n');
  const column = Math.max(lines.find((one) => /^\s*\^+\s*$/.test(one))?.indexOf('^') ?? 0, 0) + 1;
  const message = lines.findIndex((one) => /^\w*Error\b/.test(one));
  return [
    ...lines.slice(0, message + 1),
    `    at ${file}:${line}:${column}`,
    ...lines.slice(message + 1),
  ].join('\n');
}

/** Of a module that cannot be parsed node tells the place on stderr only, after everything else: we ask for it once more. */
function withSyntaxPlace(failure, file) {
  if (failure.name !== 'SyntaxError' || !/\.[cm]?js$/.test(file) || failure.stack?.includes('\n    at '))
    return failure;
  const { stderr = '' } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 5000 });
  const stack = usersStack(stderr.trim());
  return stack.includes(`at ${file}:`) ? { ...failure, stack } : failure;
}

module.exports = { failureOf, withSyntaxPlace };
