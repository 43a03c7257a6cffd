// Fix cycles over tests that run what a build made of TypeScript sources: fresh, stale, or not there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { CycleReport } from '../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const testOf = (from: string, name: string, title: string, assertion: string): string =>
  `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${name} } from '../dist/${from}.js';

test('${title}', () => {
  ${assertion}
});
`;
const greet = (word: string): string => `export const greet = (name: string) => \`${word}, \${name}\`;\n`;
const greetTest = testOf('greet', 'greet', 'greets', `assert.equal(greet('Ada'), 'Hi, Ada');`);
const price = {
  'src/price.ts': 'export const net = (cents: number) => cents / 1.2;\n',
  'test/price.test.js': testOf('price', 'net', 'takes the tax off', 'assert.equal(net(120), 100);'),
};
const withoutTax = 'export const withoutTax = (cents: number) => cents / 1.2;\n';
const shop = {
  '.gitignore': 'node_modules\ndist\n',
  'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "rootDir": "src", "outDir": "dist", "types": [] }, "include": ["src"] }',
  'src/greet.ts': greet('Hi'),
  'test/greet.test.js': greetTest,
};

describe('a fix cycle over tests of built code', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  const open = async (files: Readonly<Record<string, string>>): Promise<void> => {
    workspace = await temporaryWorkspace(files, { git: true, packages: ['typescript'] });
  };
  const build = (): void =>
    void execFileSync(process.execPath, ['node_modules/typescript/bin/tsc'], { cwd: workspace.root });
  const fixes = (report: CycleReport): readonly string[] =>
    report.fixes.map(({ title, trust, state }) => `${title}: ${trust}, ${state}`).sort();
  const left = (report: CycleReport): readonly string[] =>
    report.remaining.map(({ title, fault, reason }) => `${title}: ${fault}: ${reason}`).sort();

  it('asks about what the new build gives, because nobody saw the tests pass on the former sources', async () => {
    await open({ ...shop, ...price });
    await workspace.write('src/greet.ts', greet('Hello'));
    await workspace.write('src/price.ts', withoutTax);
    build();
    const asked = await mendWorkspace(workspace);
    assert.deepEqual(fixes(asked), [
      "expect 'Hello, Ada' (was 'Hi, Ada'): oracle, unreviewed",
      "import withoutTax from '../dist/price.js' (was net): mechanical, accepted",
    ]);
    const evidence = asked.fixes.flatMap((fix) => fix.evidence).join('\n');
    assert.match(evidence, /Unconfirmed: the test runs built code/);
    assert.deepEqual(fixes(await mendWorkspace(workspace, { assume: 'source-is-right' })), [
      "expect 'Hello, Ada' (was 'Hi, Ada'): propose, declined",
      "import withoutTax from '../dist/price.js' (was net): mechanical, accepted",
    ]);
  });

  it('follows a name when the only test cannot load what was built', async () => {
    await open({ ...shop, ...price, 'test/greet.test.js': greetTest.replace("'Hi", "'H' + 'i") });
    await workspace.write('src/price.ts', withoutTax);
    build();
    const report = await mendWorkspace(workspace);
    assert.deepEqual(fixes(report), [
      "import withoutTax from '../dist/price.js' (was net): mechanical, accepted",
    ]);
    assert.deepEqual(left(report), []);
  });

  it('never takes what an old build gives for the answer: it says what to build', async () => {
    await open({ ...shop, ...price });
    build();
    await workspace.write('src/greet.ts', greet('Hello'));
    await workspace.write('test/greet.test.js', greetTest.replace('Hi', 'Hello'));
    await workspace.write('src/price.ts', withoutTax);
    await workspace.write('test/price.test.js', price['test/price.test.js'].replaceAll('net', 'withoutTax'));
    const stale = await mendWorkspace(workspace, { assume: 'source-is-right' });
    assert.deepEqual(fixes(stale), []);
    assert.deepEqual(left(stale), [
      'greets: environment: dist/greet.js is older than src/greet.ts: build again, because the test still runs the old output.',
      'test/price.test.js: environment: dist/price.js is older than src/price.ts: build again, because the test still runs the old output.',
    ]);
    build();
    assert.equal((await mendWorkspace(workspace)).status, 'nothing-to-do');
  });

  it('leaves a test alone that is built itself, and says what has changed and where to mend it', async () => {
    await open({
      ...shop,
      '.gitignore': 'node_modules\ndist*\n',
      'package.json':
        '{ "name": "shop", "type": "module", "scripts": { "test": "node --test dist-node/test/*.js" } }',
      'tsconfig.json': shop['tsconfig.json'].replace('"dist"', '"dist-node"').replace('nodenext', 'es2022'),
      'test/greet.test.js': '',
      'src/test/greet.test.ts': `// @ts-nocheck\n${greetTest.replace('dist/', '')}`,
    });
    await workspace.write('src/greet.ts', greet('Hello'));
    build();
    const report = await mendWorkspace(workspace, { assume: 'source-is-right' });
    assert.deepEqual(fixes(report), []);
    assert.deepEqual(left(report), [
      'greets: unknown: src/greet.ts changed since the last commit, and the test still expects the old behavior. dist-node/test/greet.test.js is built: change src/test/greet.test.ts instead, and build again.',
    ]);
  });

  it('says what to build when nothing was built yet', async () => {
    await open(shop);
    const report = await mendWorkspace(workspace, { assume: 'source-is-right' });
    assert.deepEqual(left(report), [
      'test/greet.test.js: environment: dist/greet.js does not exist: run the build that makes it from src/greet.ts.',
    ]);
  });
});
