// Stands in for prettier in jest's snapshot update: so old that jest writes inline snapshots without it. Jest 28 and 29 refuse
// prettier 3, and what prettier would do to the rest of the file is not wanted.
'use strict';
module.exports = { version: '1.0.0' };
