// Whole cycles over failures where a changed expectation is the wrong answer: what is offered for them, and what is never applied.
import assert from 'node:assert/strict';
import type { CycleFix, CycleReport } from '../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const head = (names: string, from: string): string =>
  `import assert from 'node:assert/strict';\nimport { ${names} } from '../src/${from}.js';\n\n`;

const base = {
  'package.json': JSON.stringify({
    name: 'shop',
    type: 'module',
    devDependencies: { mocha: '12' },
    scripts: { test: 'mocha "tests/**/*.test.js"' },
  }),
  'src/red.js': 'export const label = (n) => `${n} pcs`;\nexport const one = () => 1;\n',
  'tests/red.test.js':
    head('label, one', 'red') +
    "it('labels', () => {\n  assert.equal(label(2), '2 pieces');\n});\nit('one', () => {\n  assert.equal(one(), 1);\n});\n",
  'src/count.js': 'let count = 0;\nexport const next = () => ++count;\nexport const name = () => "shop";\n',
  'tests/count.test.js':
    head('name, next', 'count') +
    "it('is named', () => {\n  assert.equal(name(), 'shop');\n});\nit('starts with one', () => {\n  assert.equal(next(), 1);\n});\n",
  'src/total.js':
    'export const total = (list) => list.length;\nexport const legacyTotal = (list) => list.length + 1;\n',
  'tests/total.test.js':
    "import assert from 'node:assert/strict';\nimport * as shop from '../src/total.js';\n\n" +
    "it('counts', () => {\n  assert.equal(shop.total([1]), 1);\n});\n\n// As the first version did.\nit('counts as it did', () => {\n  assert.equal(shop.legacyTotal([1]), 2);\n});\n",
  'src/parse.js':
    "export const parse = (text) => {\n  if (text === '') throw new Error('nothing to read');\n  return text.split(',');\n};\n",
  'tests/parse.test.js':
    head('parse', 'parse') +
    "it('wants a text', () => {\n  assert.throws(() => parse(''), { message: 'nothing to read' });\n});\nit('parses', () => {\n  assert.deepEqual(parse('a'), ['a']);\n});\n",
  'src/link.js':
    "export const link = (url) => {\n  if (url === 'back') return '/referrer';\n  return encodeURI(url);\n};\nexport const strip = (text, from) => {\n  const clean = text.replace(/#.*/, '');\n  return from === '' ? clean : `${clean}#${from}`;\n};\nexport const flags = (text) => text.split(/[ ,]+/);\n",
  'tests/link.test.js':
    head('link', 'link') +
    "it('keeps a path', () => {\n  assert.equal(link('/a'), '/a');\n});\n\ndescribe('back', () => {\n  it('goes back', () => {\n    assert.equal(link('back'), '/referrer');\n  });\n\n  it('goes back again', () => {\n    const url = link('back');\n    assert.equal(url, '/referrer');\n  });\n});\n",
  'tests/strip.test.js':
    head('strip', 'link') +
    "const rows = [\n  { text: '/a', from: '', out: '/a' },\n  { text: '/a#b', from: '', out: '/a' },\n  { text: '/a#b', from: 'c', out: '/a#c' },\n];\n\nfor (const row of rows) {\n  it(`${row.text} + ${row.from}`, () => {\n    assert.equal(strip(row.text, row.from), row.out);\n  });\n}\n",
  'tests/flags.test.js':
    head('flags', 'link') + "it('splits', () => {\n  assert.deepEqual(flags('-e'), ['-e']);\n});\n",
  'src/join.js':
    "export function join(...parts) {\n  const segments = [];\n  for (const part of parts) {\n    for (const one of part.split('/')) {\n      if (one === '..') segments.pop();\n      else if (one !== '') segments.push(one);\n    }\n  }\n  return segments.join('/');\n}\n",
  'tests/join.test.js':
    head('join', 'join') +
    "it('goes up', () => {\n  assert.equal(join('a', '../b'), 'b');\n});\nit('joins', () => {\n  assert.equal(join('a', 'b'), 'a/b');\n});\n",
  'src/price.js':
    "export const price = (n) => `${n} €`;\nexport const unit = (n) => (n === 1 ? 'piece' : 'pieces');\n",
  'tests/price.test.js':
    head('price, unit', 'price') +
    "it('prices', () => {\n  assert.equal(price(2), '2 €');\n});\nit('names the unit', () => {\n  assert.equal(unit(2), 'pieces');\n});\n",
};

const change = {
  'src/red.js': 'export const label = (n) => `${n} pcs`;\nexport const one = () => Number(1);\n',
  'src/count.js':
    'let count = 0;\nexport const next = () => ++count;\nexport const name = () => (next(), "shop");\n',
  'src/total.js': 'export const total = (list) => list.length;\n',
  'src/parse.js': "export const parse = (text) => text.split(',');\n",
  'src/link.js':
    "export const link = (url) => encodeURI(url);\nexport const strip = (text, from) => {\n  if (!from || from === '#') {\n    return text;\n  }\n  const clean = text.replace(/#.*/, '');\n  return from === '' ? clean : `${clean}#${from}`;\n};\nexport const flags = (text) => {\n  if (!text.startsWith('-')) throw new Error(`invalid flags: '${text}'`);\n  return text.split(/[ ,]+/);\n};\n",
  'src/join.js':
    "export function join(...parts) {\n  return parts.join('/');\n}\n\nexport function joinRelative(...parts) {\n  const segments = [];\n  for (const part of parts) {\n    for (const one of part.split('/')) {\n      if (one === '..') segments.pop();\n      else if (one !== '') segments.push(one);\n    }\n  }\n  return segments.join('/');\n}\n",
  'src/price.js':
    "export const price = (n) => `${n} EUR`;\nexport const unit = (n) => (n === 1 ? 'item' : 'items');\n",
};

describe('a fix cycle that takes the source as right', () => {
  let report: CycleReport;

  const of = (file: string): readonly CycleFix[] =>
    report.fixes.filter(({ edits }) => edits.some((edit) => edit.file === `tests/${file}.test.js`));
  const told = (fixes: readonly CycleFix[]): readonly string[] =>
    fixes.map(({ trust, verdict, state, title }) => `${trust} ${verdict.verdict} ${state}: ${title}`).sort();
  const deletion = (file: string): CycleFix => {
    const found = of(file).find(({ removesTests }) => removesTests === true);
    assert.ok(found, `no deletion for ${file}: ${JSON.stringify(told(of(file)))}`);
    return found;
  };
  const removed = ({ diff }: CycleFix): readonly string[] =>
    diff.split('\n').filter((line) => /^[-+](?![-+])/.test(line));

  before(async function () {
    this.timeout(600_000);
    const workspace = await temporaryWorkspace(base, { git: true, packages: ['mocha'] });
    try {
      for (const [file, text] of Object.entries(change)) await workspace.write(file, text);
      report = await mendWorkspace(workspace, { assume: 'source-is-right' });
    } finally {
      await workspace.dispose();
    }
  });

  it('still takes ordinary new values', () => {
    assert.deepEqual(told(of('price')), [
      "oracle verified accepted: expect '2 EUR' (was '2 €')",
      "oracle verified accepted: expect 'items' (was 'pieces')",
    ]);
    const applied = report.fixes.filter(({ state }) => state === 'accepted');
    assert.deepEqual(
      new Set(applied.flatMap(({ edits }) => edits.map(({ file }) => file))),
      new Set(['tests/price.test.js']),
    );
  });

  it('leaves a test alone that was red before the change', () => {
    assert.deepEqual(
      of('red').map(({ trust, state }) => [trust, state]),
      [['propose', 'declined']],
    );
    assert.match(JSON.stringify(report.remaining), /failed before the source changed/);
  });

  it('leaves a test alone that is green without the tests around it', () => {
    assert.deepEqual(
      of('count').map(({ trust, state }) => [trust, state]),
      [['propose', 'declined']],
    );
    const left = report.remaining.find(({ title }) => title === 'starts with one');
    assert.deepEqual([left?.fault, /what ran before/.test(left?.reason ?? '')], ['flaky', true]);
  });

  it('offers to delete the test of a function that is gone, with the comment above it', () => {
    const fix = deletion('total');
    assert.deepEqual([fix.trust, fix.verdict.verdict, fix.state], ['propose', 'verified', 'declined']);
    assert.deepEqual(removed(fix), [
      '-',
      '-// As the first version did.',
      "-it('counts as it did', () => {",
      '-  assert.equal(shop.legacyTotal([1]), 2);',
      '-});',
    ]);
  });

  it('offers to delete the test of an error that is not thrown any more', () => {
    const fix = deletion('parse');
    assert.equal(fix.verdict.verdict, 'verified');
    assert.match(fix.evidence.join(), /`parse` in src\/parse\.js no longer throws "nothing to read"/);
  });

  it('offers the deletion of a whole suite beside the new values where a case of the source was removed', () => {
    const fix = deletion('link');
    assert.deepEqual([fix.verdict.verdict, fix.failures.length], ['verified', 2]);
    assert.match(fix.evidence.join(), /passes the text 'back'/);
    assert.ok(removed(fix).includes("-describe('back', () => {"));
    const others = of('link').filter((one) => one !== fix);
    assert.deepEqual(
      others.map(({ trust, verdict, state }) => [trust, verdict.verdict, state]),
      [
        ['propose', 'verified', 'declined'],
        ['propose', 'verified', 'declined'],
      ],
    );
    assert.ok(others.every(({ otherSide }) => otherSide?.includes("'back'")));
  });

  it('offers to delete one row of a table where the source gives back what it was given', () => {
    const fix = deletion('strip');
    assert.deepEqual(
      [fix.verdict.verdict, removed(fix)],
      ['verified', ["-  { text: '/a#b', from: '', out: '/a' },"]],
    );
    assert.match(fix.evidence.join(), /`strip` returns the input '\/a#b'/);
  });

  it('offers both sides where another function does what the tested one did', () => {
    const [fix, ...others] = of('join');
    assert.deepEqual([others.length, fix?.trust, fix?.state], [0, 'propose', 'declined']);
    assert.match(fix?.otherSide ?? '', /The new `joinRelative` in .* does the work of/);
  });
});
