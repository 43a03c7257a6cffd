// `testmend fix` as a CI runs it: limited to a layer, with coverage, and its result as patch, JUnit, JSON and marks; nothing else is written.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';
import { errorDocument, fixDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const vitestFile = (imports: string, ...tests: readonly (readonly [string, string])[]): string =>
  `import { expect, test } from 'vitest';\n${imports}\n${tests.map(([title, body]) => `\ntest('${title}', () => {\n  ${body}\n});\n`).join('')}`;
const files = {
  'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "4" } }',
  'src/price.js':
    'export const price = (n) => n * 2;\nexport const net = (n) => {\n  if (n > 100) {\n    return n - 10;\n  }\n  return n;\n};\n',
  'src/greet.js': 'export const greet = (name) => `Hi, ${name}`;\n',
  'test/unit/price.test.js': vitestFile(
    "import { net, price } from '../../src/price.js';",
    ['doubles', 'expect(price(2)).toBe(4);'],
    ['keeps small sums', 'expect(net(50)).toBe(50);'],
  ),
  'test/unit/greet.test.js': vitestFile("import { greet } from '../../src/greet.js';", [
    'greets',
    "expect(greet('Ada')).toBe('Hi, Ada');",
  ]),
  'test/integration/shop.test.js': vitestFile(
    "import { greet } from '../../src/greet.js';\nimport { price } from '../../src/price.js';",
    ['greets with a price', "expect(`${greet('Ada')}: ${price(3)}`).toBe('Hi, Ada: 6');"],
  ),
};

describe('testmend fix in CI', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  const fix = (...args: string[]): Promise<CliResult> => testmend(['fix', ...args], { cwd: workspace.root });
  const status = (): string => workspace.git('status', '--porcelain', '--untracked-files=all').trim();

  /** A pull request: an export was renamed, a text changed; what nobody ran yet is red in both layers. */
  beforeEach(async () => {
    workspace = await temporaryWorkspace(files, {
      git: true,
      vitest: true,
      packages: ['@vitest/coverage-v8'],
    });
    await workspace.write('src/price.js', files['src/price.js'].replace('price =', 'total ='));
    await workspace.write('src/greet.js', files['src/greet.js'].replace('Hi', 'Hello'));
    workspace.git('commit', '-qam', 'Rename price, say hello');
  });
  afterEach(() => workspace.dispose());

  it('writes the files that were named and no other, and each tells the same', async () => {
    const reports = ['junit=out/fix.xml', 'json=out/fix.json', 'github'].map((one) => `--reporter=${one}`);
    const result = await fix('--preset=qa', '--layer=L1', '--patch=fixes.patch', '--json', ...reports);
    const document = documentOf(fixDocument, result);
    assert.deepEqual(
      [result.code, document.status, document.layer, document.passRate, document.passRateReviewed],
      [1, 'needs-attention', 'L1', 100, 66.6],
    );
    // With the fixes in place one line of six is run by nothing: `return n - 10`.
    assert.deepEqual(document.coverage, { lines: 83.3, target: 80 });
    assert.equal(document.ended, 'target');
    assert.match(document.notes.join('\n'), /^Layer L1: 2 of 3 test files/m);
    assert.equal(status(), '?? fixes.patch\n?? out/fix.json\n?? out/fix.xml');
    assert.deepEqual(JSON.parse(await workspace.read('out/fix.json')), document);
    assert.equal(await workspace.read('fixes.patch'), document.patch);
    assert.doesNotMatch(document.patch, /integration/);

    const junit = await workspace.read('out/fix.xml');
    assert.match(junit, /<testsuites name="testmend fix, layer L1" tests="3" failures="2" errors="0" /);
    assert.match(
      junit,
      /fault: test\nreason: [^<]+<\/failure>\n\s+<system-out>Proven fix, not applied \(mechanical\): import total/,
    );
    assert.match(junit, /<system-out>Proven fix, needs your approval \(oracle\): expect 'Hello, Ada'/);
    assert.ok(!junit.includes(workspace.root) && !junit.includes('integration'));

    assert.match(
      result.stderr,
      /^::notice file=test\/unit\/price\.test\.js,line=2,title=A proven fix is not applied::/m,
    );
    assert.match(
      result.stderr,
      /^::notice file=test\/unit\/greet\.test\.js,line=5,title=A proven fix needs your approval::/m,
    );
    assert.match(result.stderr, /^::notice title=Coverage::Line coverage 83\.3 %25, target of L1: 80 %25$/m);

    workspace.git('apply', 'fixes.patch');
    assert.equal((await testmend(['run', '--layer', 'L1'], { cwd: workspace.root })).code, 0);
  });

  it('judges the layer on disk after it wrote, and leaves other layers alone', async () => {
    const apply = ['--apply', '--assume', 'source-is-right', '--reporter', 'junit', '--json'];
    const result = await fix('--layer', 'L1', ...apply);
    const document = documentOf(fixDocument, result);
    assert.deepEqual(
      [result.code, document.status, document.layer, document.passRateReviewed, document.coverage],
      [0, 'passed', 'L1', 100, undefined],
    );
    assert.equal(status(), 'M test/unit/greet.test.js\n M test/unit/price.test.js');
    const junit = await workspace.read('.testmend/fix.xml');
    assert.match(junit, /tests="3" failures="0" errors="0"/);
    assert.match(junit, /<system-out>Proven fix, applied \(mechanical\): import total/);
    assert.equal((await testmend(['run', '--layer', 'L2'], { cwd: workspace.root })).code, 1);
  });

  it('says before anything runs that a layer has no tests, or none of the files', async () => {
    const none = await fix('--layer', 'L3', '--json');
    const { error } = documentOf(errorDocument, none);
    assert.deepEqual([none.code, error.code, error.value], [2, 'no-tests', 'L3']);
    assert.match(
      error.message,
      /No test file belongs to the layer\. Layer L3: 0 of 3 test files \(L1: 2, L2: 1\)\./,
    );
    const others = await fix('test/integration/shop.test.js', '--layer', 'L1', '--json');
    assert.equal(others.code, 2);
    assert.match(
      documentOf(errorDocument, others).error.message,
      /None of the chosen test files belongs to L1\./,
    );
    assert.equal(status(), '');
  });

  it('refuses two reports in one file, and one in a place where nothing can be written', async () => {
    const same = await fix('--reporter', 'junit=out.txt', '--reporter', 'json=./out.txt', '--json');
    assert.match(documentOf(errorDocument, same).error.message, /out\.txt is named for two outputs/);
    const broken = await fix('--layer=L1', '--dry-run', '--json', '--reporter=json=package.json/fix.json');
    assert.equal(documentOf(errorDocument, broken).error.code, 'read-only');
  });
});
