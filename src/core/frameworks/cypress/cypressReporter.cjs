// Loaded by the user's Cypress (12 and newer) as its mocha reporter, once for each spec: appends what it hears to a file that our host follows.
'use strict';
const { appendFileSync } = require('node:fs');

module.exports = function TestmendReporter(runner) {
  const keys = new Map();
  let file;
  let open;
  const keyOf = (test) => namesOf(test).join('\u0000');
  const collect = (tests) => {
    const fresh = tests.filter((test) => !keys.has(keyOf(test)));
    for (const test of fresh) keys.set(keyOf(test), `${file}\u0000${keyOf(test)}`);
    return fresh.map((test) => ({
      key: keys.get(keyOf(test)),
      suites: namesOf(test).slice(0, -1),
      title: test.title,
    }));
  };
  const known = (test) => {
    const added = collect([test]);
    if (added.length > 0) tell({ type: 'fileCollected', file, tests: added });
    return keys.get(keyOf(test));
  };
  const end = (test, outcome, failures) => {
    tell({
      type: 'testEnded',
      key: known(test),
      outcome,
      durationMs: Math.max(Number(test.duration) || 0, 0),
      ...failures,
    });
    if (open === test) open = undefined;
  };
  runner.on('start', () => {
    file = fileOf(runner.suite);
    tell({ type: 'fileCollected', file, tests: collect(testsBelow(runner.suite)) });
  });
  runner.on('test', (test) => tell({ type: 'testStarted', key: known(test) }));
  runner.on('pass', (test) => end(test, 'passed'));
  runner.on('pending', (test) => end(test, 'skipped'));
  runner.on('fail', (test, error) => {
    const failure = failureOf(error ?? test.err);
    const isHook = test.type === 'hook' || /^"(?:before|after)/.test(test.title ?? '');
    if (!isHook) return end(test, 'failed', { failures: [failure] });
    const suites = namesOf(test).slice(0, -1);
    tell({
      type: 'fileFailed',
      file,
      suites,
      failure: { ...failure, message: `The hook ${test.title} failed: ${failure.message}` },
    });
  });
  runner.on('end', () => tell({ type: 'fileEnded', file, durationMs: 0 }));
};

/** What the root suite says of its file; older versions say it of the first suite. */
function fileOf(suite) {
  return suite?.file || suite?.suites?.find((one) => one.file)?.file || '';
}

function namesOf(test) {
  const names = [];
  for (let at = test; at && !at.root; at = at.parent) if (at.title) names.unshift(at.title);
  return names;
}

function testsBelow(suite) {
  return [...(suite?.tests ?? []), ...(suite?.suites ?? []).flatMap(testsBelow)];
}

function failureOf(error) {
  const text = (value) =>
    value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
  const plain = (value) =>
    String(value ?? '')
      .replace(/\u001b\[[0-9;]*m/g, '')
      .slice(0, 90_000);
  const compared = error && error.expected !== undefined && error.actual !== undefined;
  return {
    ...(error?.name && { name: String(error.name) }),
    message: plain(error?.message ?? error) || 'It failed without giving a reason.',
    ...(error?.stack && { stack: plain(error.stack) }),
    ...(compared && { expected: text(error.expected), actual: text(error.actual) }),
  };
}

function tell(message) {
  appendFileSync(process.env.TESTMEND_CYPRESS_LINES, `${JSON.stringify(message)}\n`);
}
