// Runs inside the user's jest (28 to 30): leaves the test files of projects below to those.
'use strict';
const path = require('node:path');

const { folders, major } = JSON.parse(process.env.TESTMEND_JEST_FILTER);
delete process.env.TESTMEND_JEST_FILTER;

module.exports = async (files) => {
  const own = files.filter((file) => !folders.some((folder) => file.startsWith(folder + path.sep)));
  return { filtered: major >= 30 ? own : own.map((test) => ({ test })) };
};
