// A patch of tests that run what a build made: with an old build it proves nothing.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { verifyPatch } from '../../../src/core/verification/verifyPatch.ts';
import { unifiedDiff } from '../../../src/core/workspace/unifiedDiff.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { requestFor } from './request.ts';

const greet = (word: string): string => `export const greet = (name: string) => \`${word}, \${name}\`;\n`;
const test = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from '../dist/greet.js';

test('greets', () => {
  assert.equal(greet('Ada'), 'Hello, Ada');
});
`;

describe('a patch of tests of built code', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  it('is not proven by an old build, only by a fresh one', async () => {
    workspace = await temporaryWorkspace(
      {
        '.gitignore': 'node_modules\ndist\n',
        'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }',
        'tsconfig.json':
          '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "rootDir": "src", "outDir": "dist", "types": [] }, "include": ["src"] }',
        'src/greet.ts': greet('Hi'),
        'test/greet.test.js': test,
      },
      { git: true, packages: ['typescript'] },
    );
    const build = (): void =>
      void execFileSync(process.execPath, ['node_modules/typescript/bin/tsc'], { cwd: workspace.root });
    const verify = (to: string): ReturnType<typeof verifyPatch> =>
      requestFor(workspace).then((request) =>
        verifyPatch(unifiedDiff('test/greet.test.js', test, test.replace('Hello', to)), {
          ...request,
          isTestFile: (file) => file.startsWith('test/'),
        }),
      );
    build();
    // The source says Hello by now, what was built says Hi.
    await workspace.write('src/greet.ts', greet('Hello'));
    const stale = await verify('Hi');
    assert.deepEqual(
      [stale.verdict, stale.reason],
      [
        'unverifiable',
        'dist/greet.js is older than src/greet.ts: build again, because the test still runs the old output.',
      ],
    );
    await workspace.write('src/greet.ts', greet('Hi'));
    build();
    assert.equal((await verify('Hi')).verdict, 'verified');
  });
});
