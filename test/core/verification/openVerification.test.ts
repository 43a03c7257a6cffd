// Holds what a run in the copy must have in common with one in the workspace: the same tests, once, under the same ids.
import assert from 'node:assert/strict';
import { openVerification } from '../../../src/core/verification/openVerification.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { requestFor } from './request.ts';

const test = (title: string): string =>
  `import { expect, test } from 'vitest';\ntest('${title}', () => expect(1).toBe(1));\n`;

describe('a verification', () => {
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  it('runs the tests of packages below once in the copy, and names a package that cannot run as in the original', async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","workspaces":["packages/*"],"devDependencies":{"vitest":"4"}}',
        'vitest.config.js': 'export default {};\n',
        'cart.test.js': test('adds'),
        'packages/tax/package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
        'packages/tax/vitest.config.js': "export default { test: { include: ['spec/*.js'] } };\n",
        'packages/tax/spec/tax.js': test('rounds'),
        'packages/tax/tax.test.js': test('is no test of its package'),
        'packages/old/package.json': '{"type":"module","devDependencies":{"vitest":"0.1.0"}}',
        'packages/old/vitest.config.js': 'export default {};\n',
        'packages/old/node_modules/vitest/package.json':
          '{"name":"vitest","version":"0.1.0","bin":{"vitest":"./vitest.mjs"}}',
        'packages/old/node_modules/vitest/vitest.mjs': '',
      },
      { vitest: true },
    );
    const context = await openVerification(await requestFor(workspace));
    try {
      const { tests } = await context.run({}, new AbortController().signal);
      assert.deepEqual(
        tests.map(({ id }) => id),
        [
          'vitest:cart.test.js#adds',
          'vitest:packages/old/package.json',
          'vitest:packages/tax/spec/tax.js#rounds',
        ],
      );
    } finally {
      await context.dispose();
    }
  });
});
