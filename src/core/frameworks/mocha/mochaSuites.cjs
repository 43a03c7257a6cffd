// The tree of suites that mocha builds: what is in it, where it is written, and how to take out of it what a file added.
'use strict';

const path = require('node:path');

/** Returns what takes out of the root suite everything that a file adds from now on. */
function remember(mocha) {
  const { suite } = mocha;
  const lists = [
    'suites',
    'tests',
    '_beforeAll',
    '_beforeEach',
    '_afterAll',
    '_afterEach',
    '_onlyTests',
    '_onlySuites',
  ];
  const lengths = lists.map((name) => suite[name]?.length);
  return () => {
    lists.forEach((name, index) => lengths[index] !== undefined && suite[name].splice(lengths[index]));
    // The interface still stands in the suite whose callback threw.
    suite.removeAllListeners('pre-require').removeAllListeners('require').removeAllListeners('post-require');
    mocha.ui(mocha.options.ui);
  };
}

/** In the order in which mocha runs them; `within`: only the suites below that are among these. */
function eachTest(suite, within, visit) {
  for (const test of suite.tests) visit(test);
  for (const inner of suite.suites) if (within?.has(inner) ?? true) eachTest(inner, within, visit);
}

function isBelow(test, suite) {
  for (let at = test.parent; at; at = at.parent) if (at === suite) return true;
  return false;
}

/** Where it is written, as its suites know when it does not. */
function placeOfSuite(runnable) {
  for (let at = runnable; at; at = at.parent) if (at.file) return path.resolve(at.file);
  return undefined;
}

module.exports = { eachTest, isBelow, placeOfSuite, remember };
