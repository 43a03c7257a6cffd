// The gate for Python: what it forbids by name, what it lets through, and that everything else is never called proven.
import assert from 'node:assert/strict';
import { checkPolicy, checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import { checkPython } from '../../../../src/core/policy/python/checkPython.ts';
import { allowed, edited, file, forbidden, suspect, suspectByName, unjudged, type Edits } from './changes.ts';
import { otherFiles, untrustedFiles } from './files.ts';
import { trustedHelpers, untrustedHelpers } from './helperFiles.ts';
import { trustedLoops, untrustedLoops } from './loopFiles.ts';

const change = (edits: Edits, text = file) => ({
  file: 'tests/test_shop.py',
  before: text,
  after: edited(edits, text),
});

describe('the gate for Python', () => {
  for (const [rule, cases] of Object.entries(forbidden))
    for (const [name, edits] of Object.entries(cases))
      it(`forbids ${rule}: ${name}`, () => {
        const rules = checkPolicy(change(edits)).map((found) => found.rule);
        assert.ok(rules.includes(rule), `found ${rules.join(', ') || 'nothing'}`);
      });

  for (const [name, edits] of Object.entries(allowed))
    it(`lets through: ${name}`, () => {
      assert.deepEqual(checkPython(change(edits)), { findings: [] });
    });

  for (const [name, edits] of Object.entries(suspect))
    it(`leaves to a person: ${name}`, () => {
      const rules = checkPolicy(change(edits)).map((found) => found.rule);
      assert.deepEqual([...new Set(rules)], ['suspect-value']);
    });

  for (const [name, [line, was, is]] of Object.entries(suspectByName))
    it(`leaves to a person what is asked by its name: ${name}`, () => {
      const written = (value: string): string =>
        `from unittest.mock import ANY\nfrom shop import get, lint, run, send\n\ndef test_a():\n    ${line.replace('VALUE', value)}\n`;
      const found = checkPython({ file: 'tests/test_a.py', before: written(was), after: written(is) });
      assert.deepEqual([...new Set(found.findings.map(({ rule }) => rule))], ['suspect-value']);
    });

  for (const [name, edits] of Object.entries(unjudged))
    it(`does not judge: ${name}`, () => {
      assert.match(checkPython(change(edits)).unjudged ?? '', /cannot judge/);
    });

  for (const [name, { text, edits }] of Object.entries({
    ...untrustedFiles,
    ...untrustedLoops,
    ...untrustedHelpers,
  }))
    it(`proves nothing where an expected value is not certain: ${name}`, () => {
      const found = checkPython(change(edits, text));
      assert.ok(found.unjudged !== undefined || found.findings.length > 0, JSON.stringify(found));
    });

  for (const [name, { text, edits }] of Object.entries({ ...otherFiles, ...trustedLoops, ...trustedHelpers }))
    it(`lets through in other files: ${name}`, () => {
      assert.deepEqual(checkPython(change(edits, text)), { findings: [] });
    });

  it('lets the edit through for every ending of a line, with a mark of the byte order, and with tabs', () => {
    const forms = [
      file.replaceAll('\n', '\r\n'),
      '\uFEFF' + file,
      file.replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
    ];
    for (const text of forms)
      assert.deepEqual(checkPython(change([['result == 12', 'result == 13']], text)), { findings: [] });
  });

  it('says the line in the new text', () => {
    const [found] = checkPolicy(change([['    assert result == 12\n', '\n\n    assert result != 12\n']]));
    assert.equal(found?.line, 14);
  });

  it('forbids what a fixture of conftest.py may do with an expected value, also where it is somewhere else', () => {
    const conftest = 'import pytest\n\n@pytest.fixture\ndef cart(value):\n    return value\n';
    const found = checkPython(change([['("2", 2)', '("2", 22)']]), (name) =>
      name === 'conftest.py' ? conftest : undefined,
    );
    assert.match(found.unjudged ?? '', /cannot judge/);
  });

  it('forbids every change of what pytest and Python read before the tests', () => {
    for (const name of [
      'conftest.py',
      'tests/conftest.py',
      'pytest.ini',
      'tox.ini',
      'setup.cfg',
      'pyproject.toml',
      'tests/fixtures/conftest.py',
    ])
      assert.deepEqual(
        checkPolicyOfEdits(
          [{ file: name, before: '', after: '[pytest]\naddopts = -k nothing\n' }],
          () => true,
        ).map(({ rule }) => rule),
        ['only-test-files'],
        name,
      );
  });

  it('forbids that a file of tests goes, and does not judge a new one', () => {
    assert.equal(checkPolicy({ file: 'test_a.py', before: file, after: undefined })[0]?.rule, 'removed-file');
    assert.ok(checkPython({ file: 'test_a.py', before: undefined, after: file }).unjudged);
  });
});
