// A reporter for `mocha --dry-run`, and a module for its --require: writes what mocha lists, with lines, to LISTED_TESTS_FILE.
'use strict';

const { writeFileSync } = require('node:fs');
const { fileURLToPath } = require('node:url');

const mocha = require(require.resolve('mocha', { paths: [process.cwd()] }));
const stacks = (globalThis[Symbol.for('listed tests')] ??= new WeakMap());
if (!mocha.Suite.prototype.addTest.isWatched) {
  const { addTest } = mocha.Suite.prototype;
  mocha.Suite.prototype.addTest = function (test) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 50;
    stacks.set(test, new Error().stack ?? '');
    Error.stackTraceLimit = limit;
    return addTest.call(this, test);
  };
  mocha.Suite.prototype.addTest.isWatched = true;
}

/** The innermost line of the test's own file at which it was declared. */
function lineOf(test) {
  for (const line of (stacks.get(test) ?? '').split('\n')) {
    const [, place, number] = /\(?((?:file:\/\/)?\/[^()]*?):(\d+):\d+\)?$/.exec(line) ?? [];
    if (place !== undefined && (place.startsWith('file:') ? fileURLToPath(place) : place) === test.file)
      return Number(number);
  }
  return undefined;
}

module.exports = function Lister(runner) {
  const tests = [];
  runner.suite.eachTest((test) =>
    tests.push({ file: test.file, names: test.titlePath(), line: lineOf(test) }),
  );
  writeFileSync(process.env.LISTED_TESTS_FILE, JSON.stringify({ tests, leftOut: [] }));
};
