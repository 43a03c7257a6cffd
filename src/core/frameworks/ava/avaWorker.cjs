// Loaded into each worker of the user's AVA before the test file: notes at which line a test is declared.
'use strict';
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const home = process.env.TESTMEND_AVA;
const hooks = process.env.TESTMEND_CAPTURE_HOOKS;
delete process.env.TESTMEND_AVA;
const part = (name) => import(pathToFileURL(path.join(home, 'lib', name)).href);
const watching = hooks && require('./avaAssertions.cjs')(require(hooks), part('test.js'));
// Code under test starts processes of its own, which record nothing.
delete process.env.TESTMEND_CAPTURE_HOOKS;
delete process.env.TESTMEND_CAPTURE;
delete process.env.TESTMEND_CAPTURE_ON;
const ready = Promise.all([part('runner.js'), watching]).then(([{ default: Runner }, watch]) => {
  const { emit } = Runner.prototype;
  Runner.prototype.emit = function (name, event) {
    watch?.setFile(this.file);
    if (name === 'stateChange' && event.type === 'declared-test') {
      const place = placeIn(this.file);
      if (place) event.testmend = place;
    }
    return emit.apply(this, arguments);
  };
});

// AVA 6 and newer wait for what a loaded module exports.
module.exports = () => ready;

/** Where the call that is going on stands in the file; as the source maps of the process tell it. */
function placeIn(file) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 25;
  const { stack } = new Error('where');
  Error.stackTraceLimit = stackTraceLimit;
  if (typeof stack !== 'string') return undefined;
  const names = [file, pathToFileURL(file).href];
  for (const line of stack.split('\n')) {
    const name = names.find((one) => line.includes(`${one}:`));
    if (name === undefined) continue;
    const [, row, column] = /^:(\d+):(\d+)/.exec(line.slice(line.indexOf(`${name}:`) + name.length)) ?? [];
    if (row !== undefined) return { line: Number(row), column: Number(column) };
  }
  return undefined;
}
