// What the script `test` does beside the tests that are run, and what of it is worth a word.
import assert from 'node:assert/strict';
import path from 'node:path';
import { restOfScripts } from '../../../src/core/frameworks/restOfScripts.ts';
import { openWorkspace } from '../../../src/core/engine/openWorkspace.ts';
import { runWorkspace } from '../../../src/core/engine/runWorkspace.ts';
import type { FrameworkId } from '../../../src/core/model/testNode.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

/** The commands that are named, of a package with these scripts in which the frameworks are found. */
async function named(scripts: Record<string, string>, ...frameworks: FrameworkId[]): Promise<string> {
  const { root, ...workspace } = await temporaryWorkspace({ 'package.json': JSON.stringify({ scripts }) });
  const projects = frameworks.map((framework) => ({ framework, root, sign: 'script' as const }));
  const note = restOfScripts(projects, [path.join(root, 'test', 'a.js')], root) ?? '';
  await workspace.dispose();
  return note.replace(/^Not run: (.*), which the script "test" of package.json starts\.$/, '$1');
}

describe('the rest of the script test', () => {
  it('names what is no part of the run', async () => {
    const cases: readonly (readonly [string, string, FrameworkId])[] = [
      ['node --test && node check.js', 'node check.js', 'nodeTest'],
      ['mocha && vitest run', 'vitest run', 'mocha'],
      ['tsc && jest; tsd', 'tsd', 'jest'],
      ['vitest run --coverage && c8 check-coverage --lines 90', 'c8 check-coverage --lines 90', 'vitest'],
      ['mocha && sh test/smoke.sh && make e2e', 'sh test/smoke.sh, make e2e', 'mocha'],
      ['node run.mjs', 'node run.mjs', 'nodeTest'],
      ['npm run lint && npm run unit && npm run smoke', 'node smoke.js', 'jest'],
      ['run-s lint unit smoke', 'node smoke.js', 'jest'],
      ['jest && jest -c e2e.json && jest --config=e2e.json', 'jest -c e2e.json', 'jest'],
      ['vitest run && A=1 npx vitest run -c e2e.mjs', 'A=1 npx vitest run -c e2e.mjs', 'vitest'],
      ['node --test && A=1 node --test && node --test', 'A=1 node --test', 'nodeTest'],
      ['jest && TZ=Asia/Tokyo npx jest', 'TZ=Asia/Tokyo npx jest', 'jest'],
      ['vitest run && vitest run --root pk/b', 'vitest run --root pk/b', 'vitest'],
      ['ava && npm run test:build', 'node try-it.js', 'ava'],
      ['NODE_ENV=test npx mocha && cross-env A=1 node test/b.js', 'cross-env A=1 node test/b.js', 'mocha'],
    ];
    const scripts = {
      lint: 'node tools/style.js',
      unit: 'jest',
      smoke: 'node smoke.js',
      'test:build': 'node try-it.js',
    };
    for (const [test, rest, framework] of cases)
      assert.equal(await named({ ...scripts, test }, framework), rest, test);
    assert.equal(await named({ test: 'ava', posttest: 'node late.js' }, 'ava'), 'node late.js');
  });

  it('names starts of a framework before and after the script that are not run', async () => {
    const cases: readonly (readonly [before: string, test: string, rest: string, FrameworkId])[] = [
      ['mocha it/*.js', 'mocha', 'mocha it/*.js', 'mocha'],
      ['node --test it', 'node --test test/', 'node --test it', 'nodeTest'],
      ['npm run it', 'npx mocha', 'mocha --config it.json', 'mocha'],
      ['jest -c e2e.json', 'jest', 'jest -c e2e.json', 'jest'],
      ['mocha test/*.js', 'mocha', '', 'mocha'],
      ['npx mocha', 'mocha', '', 'mocha'],
      ['mocha it', 'node check.js', 'node check.js', 'mocha'],
      ['jest unit', 'jest', '', 'jest'],
    ];
    for (const [before, test, rest, framework] of cases)
      for (const name of ['pretest', 'posttest']) {
        const scripts = { [name]: before, test, it: 'mocha --config it.json' };
        assert.equal(await named(scripts, framework), rest, `${name}: ${before}`);
      }
  });

  it('says nothing of builds, linters and formatters, nor of what runs the tests', async () => {
    const cases: readonly (readonly [string, FrameworkId])[] = [
      ['tsc -p . && eslint . && prettier --check . && rimraf out && mocha', 'mocha'],
      ['npm run build && npm run lint && c8 --all node --test | tap-spec', 'nodeTest'],
      ['node scripts/build.mjs && node tools/generate/index.js && vite build && vitest', 'vitest'],
      ['npm run unit -- --bail', 'jest'],
      ['start-server-and-test start http://localhost:3000 unit', 'jest'],
      ['concurrently "npm:lint" "jest --watch"', 'jest'],
      ['npm ci && yarn eslint && pnpm exec tsc && npx -y attw && NODE_ENV=x', 'ava'],
      ['node test/a.js', 'nodeTest'],
      ['mocha a.js && mocha --config other.json b.js', 'mocha'],
      ['A=1 mocha a.js && A=2 mocha b.js', 'mocha'],
      ['jest unit && jest integration', 'jest'],
      ['A=1 jest unit && A=2 jest integration', 'jest'],
      ['vitest run && npx vitest run --root=test', 'vitest'],
      ['react-scripts test', 'jest'],
      ['python -m pytest && echo done || exit 1', 'pytest'],
      ['make build && playwright test', 'playwright'],
      ['turbo run test', 'vitest'],
      ['lerna run test', 'vitest'],
    ];
    const scripts = {
      build: 'node tools/x.js',
      lint: 'node tools/y.js',
      unit: 'jest',
      start: 'node serve.js',
    };
    for (const [test, framework] of cases)
      assert.equal(await named({ ...scripts, test }, framework), '', test);
    assert.equal(await named({ test: 'mocha && vitest' }, 'mocha', 'vitest'), '');
    assert.equal(await named({ test: 'node check.js' }, 'script'), '');
    assert.equal(await named({ other: 'node check.js' }, 'mocha'), '');
  });

  it('is told once in a run of everything, and in no other', async () => {
    const packages = await temporaryWorkspace({
      'package.json': '{ "scripts": { "test": "node --test && node check.js" } }',
      'a.test.js': `require('node:test')('x', () => {});\n`,
      'packages/b/package.json': '{ "scripts": { "test": "node --test && node other.js" } }',
      'packages/b/b.test.js': `require('node:test')('x', () => {});\n`,
    });
    const { root } = packages;
    const notesOf = async (frameworks: readonly string[], filter?: string): Promise<readonly string[]> => {
      const limits = { timeoutMs: 60_000, skillTimeoutMs: 60_000, maxParallel: 1 };
      const { signal } = new AbortController();
      const opened = await openWorkspace({ root, limits, frameworks, cacheFolder: `${root}-cache` }, signal);
      const selection = filter === undefined ? {} : { filter };
      const run = runWorkspace({ opened, chosen: { selection, notes: [] }, signal });
      for (;;) {
        const next = await run.next();
        if (next.done === true) return next.value.summary.notes;
      }
    };
    const note =
      'Not run: node check.js, which the script "test" of package.json starts (also: packages/b/package.json).';
    assert.deepEqual(await notesOf([]), [note]);
    assert.deepEqual(await notesOf(['nodeTest']), []);
    assert.deepEqual(await notesOf([], 'x'), []);
    await packages.dispose();
  });
});
