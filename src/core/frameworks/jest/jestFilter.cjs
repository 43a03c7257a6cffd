// Runs inside the user's jest (28 to 30): learns which files it is about to run, and leaves those of projects below to them.
'use strict';
const path = require('node:path');

const { folders, major } = JSON.parse(process.env.TESTMEND_JEST_FILTER);
delete process.env.TESTMEND_JEST_FILTER;
/** Read by the reporter, which jest starts later. */
const queued = new Set();
globalThis[Symbol.for('testmend.jest.queued')] = queued;

module.exports = async (files) => {
  const own = files.filter((file) => !folders.some((folder) => file.startsWith(folder + path.sep)));
  for (const file of own) queued.add(file);
  return { filtered: major >= 30 ? own : own.map((test) => ({ test })) };
};
