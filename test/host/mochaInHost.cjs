'use strict';
// Runs mocha inside the extension host: VS Code requires this file and awaits run(); a rejection becomes exit code 1.
// Reads TESTMEND_HOST_SPECS (JSON array of files), TESTMEND_HOST_RESULTS (file to write), TESTMEND_HOST_GREP.
const fs = require('node:fs');
const util = require('node:util');
const Mocha = require('mocha');

// The host forwards console calls without applying format strings, and drops those whose first argument is no string.
Mocha.reporters.Base.consoleLog = (...args) => console.log(util.format(...args));

/** Titles as they pass and fail; the one who started the host counts them. */
class Titles extends Mocha.reporters.Spec {
  epilogue() {}
}

exports.run = async function run() {
  const { TESTMEND_HOST_SPECS, TESTMEND_HOST_RESULTS, TESTMEND_HOST_GREP } = process.env;
  const result = { passed: [], failed: [], finished: false };
  const save = () => fs.writeFileSync(TESTMEND_HOST_RESULTS, JSON.stringify(result));
  save();
  const mocha = new Mocha({
    ui: 'bdd',
    color: false,
    reporter: Titles,
    timeout: 180_000,
    grep: TESTMEND_HOST_GREP || undefined,
  });
  for (const file of JSON.parse(TESTMEND_HOST_SPECS)) mocha.addFile(file);
  await mocha.loadFilesAsync();
  const failures = await new Promise((done) =>
    mocha
      .run(done)
      .on('pass', (test) => {
        result.passed.push(test.fullTitle());
        save();
      })
      .on('fail', (test, error) => {
        result.failed.push({ title: test.fullTitle(), message: String(error && error.stack) });
        save();
      }),
  );
  result.finished = true;
  save();
  if (failures) throw new Error(failures + ' test(s) failed');
};
