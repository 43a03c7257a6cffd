// A file that loads again with fewer tests than it ran before the change: its mended import is a question, which names what is missing.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { CycleReport } from '../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { pythonWith } from '../../support/python.ts';
import { unifiedDiff } from '../../../src/core/workspace/unifiedDiff.ts';
import { testmend } from '../../support/testmendCli.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const script = (tests: string): string =>
  `const { describe, it } = require('node:test');
const assert = require('node:assert/strict');
const { codes, names, hasRates, isCode } = require('../src/list.js');
${tests}
it('refuses small letters', () => assert.ok(!isCode('eur')));
`;
const list = (codes: string, names: string, hasRates: boolean): string =>
  `exports.codes = [${codes}];
exports.names = [${names}];
exports.hasRates = ${hasRates};
exports.isCode = (code) => /^[A-Z]{3}$/.test(code);
exports.isAmount = (text) => /^\\d+(?:\\.\\d\\d)?$/.test(text);
exports.rounded = (amount) => Math.round(amount * 100) / 100;
`;
const isDeletedByHand = `it('knows the franc', () => assert.ok(isCode('CHF')));\n`;
const tests = {
  'test/loop.test.js': script(
    'for (const code of codes) it(`knows ${code}`, () => assert.ok(isCode(code)));',
  ),
  'test/condition.test.js': script(
    "if (hasRates) describe('rates', () => it('are there', () => assert.ok(hasRates)));",
  ),
  'test/skipped.test.js': script("it('has rates', { skip: !hasRates }, () => assert.ok(hasRates));"),
  'test/retitled.test.js': script(
    "for (const name of names) it(`spells ${name}`, () => assert.ok(name !== ''));",
  ),
  'test/byHand.test.js': script(isDeletedByHand),
  'test/renamed.test.mjs': `import { it } from 'node:test';
import { rows } from '../src/rows.mjs';
for (const row of rows) it(\`has row \${row}\`, () => {});
`,
};
const python = `import pytest
from shop.codes import CODES, is_code


@pytest.mark.parametrize("code", CODES)
def test_knows(code):
    assert is_code(code)


def test_refuses():
    assert not is_code("eur")
`;
const codes = (all: string): string =>
  `CODES = [${all}]\n\n\ndef is_code(code):\n    return code.isupper()\n`;

describe('a file that loads again', function () {
  this.timeout(120_000);
  const hasPython = pythonWith() !== undefined;
  let workspace: TemporaryWorkspace;
  let report: CycleReport;

  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{"scripts":{"test":"node --test"}}',
        'src/list.js': list(`'EUR', 'USD', 'GBP'`, `'Euro', 'Dollar'`, true),
        'src/rows.mjs': `export const rows = ['first', 'second', 'third'];\n`,
        ...tests,
        ...(hasPython && {
          'pytest.ini': '[pytest]\npythonpath = .\n',
          'shop/__init__.py': '',
          'shop/codes.py': codes('"EUR", "USD"'),
          'tests/test_codes.py': python,
        }),
      },
      { git: true },
    );
    await rm(path.join(workspace.root, 'src/list.js'));
    await workspace.write('src/money.js', list(`'EUR'`, `'euro', 'dollar'`, false));
    await workspace.write('test/byHand.test.js', script(''));
    await workspace.write('src/rows.mjs', `export const lines = ['first', 'second'];\n`);
    if (hasPython) {
      await rm(path.join(workspace.root, 'shop/codes.py'));
      await workspace.write('shop/money.py', codes('"EUR"'));
    }
    report = await mendWorkspace(workspace);
  });
  after(() => workspace?.dispose());

  const toldOf = (file: string): string =>
    report.fixes
      .filter(({ edits }) => edits.some((edit) => edit.file === file))
      .map(({ trust, state, verdict, stops = [] }) =>
        [verdict.verdict, trust, state, ...stops.map(({ reason }) => reason)].join(' '),
      )
      .join('\n');
  const missing = (names: string): string =>
    `verified propose declined Fewer tests run than before the change: ${names} missing.`;

  it('with fewer rows of a table of the source is a question that names them', () => {
    assert.equal(toldOf('test/loop.test.js'), missing('"knows USD", "knows GBP" are'));
    assert.doesNotMatch(report.patch, /loop\.test/);
  });
  it('without a suite, or with a skipped test, is one, too', () => {
    assert.equal(toldOf('test/condition.test.js'), missing('"are there" is'));
    assert.equal(toldOf('test/skipped.test.js'), missing('"has rates" is'));
  });
  it('by what is a question already says that tests are missing', () => {
    assert.equal(toldOf('test/renamed.test.mjs'), missing('"has row third" is'));
  });
  it('with fewer parameters in Python is one, too', function () {
    if (!hasPython) return this.skip();
    assert.match(
      toldOf('tests/test_codes.py'),
      /^verified propose declined Fewer .* "test_knows\[USD\]" is missing\.$/,
    );
  });
  it('with as many tests of other names, or without one that a person deleted, is mechanical', () => {
    assert.equal(toldOf('test/retitled.test.js'), 'verified mechanical accepted');
    assert.equal(toldOf('test/byHand.test.js'), 'verified mechanical accepted');
  });
  it('by a patch is a question, too, where fewer tests run', async () => {
    const patched = async (file: keyof typeof tests): Promise<string> => {
      const text = file === 'test/byHand.test.js' ? script('') : tests[file];
      const input = unifiedDiff(file, text, text.replace('src/list.js', 'src/money.js'));
      const { code, stdout } = await testmend(['verify', '--patch', '-'], { cwd: workspace.root, input });
      return `${code} ${stdout.replace(/\s+/g, ' ')}`;
    };
    assert.match(
      await patched('test/loop.test.js'),
      /^2 .*Fewer tests run than before the change: "knows USD", "knows GBP" are missing\./,
    );
    assert.match(await patched('test/retitled.test.js'), /^0 /);
    assert.match(await patched('test/byHand.test.js'), /^0 /);
  });
});
