'use strict';
// The next window on the same data: results are there without a run, outdated only where a file changed meanwhile.
const assert = require('node:assert/strict');
const { ask, commandsBelow, open, openTestingView, quickFixes, rowOf, until } = require('../support.cjs');

describe('results after a reload', () => {
  it('are shown again without a run', async () => {
    await openTestingView();
    await until('the file has its state', async () => (await rowOf('greeting.test.ts'))?.startsWith('✖'));
    await ask('expand', 'greeting.test.ts');
    await ask('expand', 'greeting');
    await until('the tests have theirs', async () => (await rowOf('says goodbye')) === '✔ says goodbye');
    assert.equal(await rowOf('greets a customer by name'), '✖ greets a customer by name');
    assert.deepEqual(
      commandsBelow().filter((command) => /vitest/.test(command)),
      [],
    );
  });

  it('are outdated in a file that changed meanwhile', async () => {
    await ask('expand', 'money.test.ts');
    await until(
      'the test is outdated',
      async () => (await rowOf('reads an amount back')) === '✔ reads an amount back (outdated)',
    );
  });

  it('still have their fixes', async () => {
    const document = await open('tests/greeting.test.ts');
    const fixes = await until('fixes are offered', async () => {
      const found = await quickFixes(document, "expect(greet('Ada'))");
      return found.length > 0 && found;
    });
    assert.match(fixes[0].title, /^Fix \(surgical\): /);
  });
});
