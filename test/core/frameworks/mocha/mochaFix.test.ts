// Failing mocha tests mended from end to end: CommonJS and ES modules, node:assert and chai, one after the other and in parallel.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { drawn, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { testmend } from '../../../support/testmendCli.ts';

const label = (unit: string): string =>
  `exports.label = (n) => \`\${n} ${unit}\`;\nexports.view = (n) => ({ n, text: exports.label(n) });\n`;
const app = (status: number): string => `const { label } = require('./label');
exports.createApp = () => require('node:http').createServer((request, response) => {
  response.statusCode = request.method === 'GET' ? 200 : ${status};
  if (request.url === '/page') return response.end('<p>' + label(7) + '</p>');
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-label', label(8));
  response.end(JSON.stringify({ text: label(2) }));
});
`;
const files = {
  'package.json': '{ "scripts": { "test": "mocha --require ./test/support/env.js test/ test/more" } }',
  'lib/label.js': label('items'),
  'lib/total.js': `exports.total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n`,
  'test/support/env.js': `process.env.SHOP = 'open';\n`,
  'test/label.js': `'use strict';
const assert = require('node:assert');
const { expect } = require('chai');
const { label, view } = require('../lib/label');

describe('label', function () {
  it('counts', function () {
    assert.strictEqual(process.env.SHOP, 'open');
    assert.strictEqual(label(2), '2 items');
  });
  it('counts for chai', function () {
    expect(label(3)).to.equal('3 items');
  });
  it('is part of the view', function () {
    expect(view(4)).to.deep.equal({ n: 4, text: '4 items' });
  });
  it('is never empty', function () {
    assert.notEqual(label(1), '');
  });
});
`,
  'test/more/module.mjs': `import { equal } from 'node:assert';
import { total } from '../../lib/total.js';
it('adds in a module', () => { equal(total([1, 2]), 3); });
`,
  'test/more/total.js': `const { equal } = require('node:assert');
const { total } = require('../../lib/total');
it('adds', () => { equal(total([1, 2]), 3); });
`,
  'lib/app.js': app(200),
  'test/app.js': `const chai = require('chai');
const { strictEqual: same } = require('node:assert');
const request = require('supertest');
const { createApp } = require('../lib/app');
const { label } = require('../lib/label');
chai.should();
it('answers', (done) => {
  request(createApp()).get('/').expect(200, { text: '2 items' }, done);
});
it('shows', () => request(createApp()).get('/page').expect('<p>7 items</p>'));
it('labels', (done) => { request(createApp()).get('/').expect('X-Label', '8 items').end(done); });
it('saves', async () => { await request(createApp()).post('/').expect(200); });
it('should count', () => { label(5).should.equal('5 items'); });
it('counts under another name', () => { same(label(6), '6 items'); });
`,
  'test/module.mjs': `import assert from 'node:assert/strict';
import { label } from '../lib/label.js';
it('labels one', () => { assert.equal(label(1), '1 items'); });
`,
};

async function patched(
  change: Record<string, string>,
  remove: string,
  base: Record<string, string>,
): Promise<{ readonly changes: readonly string[]; readonly tests: readonly string[] }> {
  const workspace = await temporaryWorkspace(base, {
    packages: ['mocha', 'chai', 'supertest'],
    git: true,
  });
  try {
    if (remove !== '') workspace.git('rm', '-q', remove);
    for (const [file, text] of Object.entries(change)) await workspace.write(file, text);
    const patch = path.join(workspace.root, '..', 'fixes.patch');
    const result = await testmend(['fix', '--dry-run', '--json', '--patch', patch], { cwd: workspace.root });
    assert.equal(result.code, 1, result.stderr);
    const text = await readFile(patch, 'utf8');
    workspace.git('apply', patch);
    const { summary } = await runWorkspace(workspace.root);
    const changes = text.split('\n').filter((line) => /^[-+](?!\+\+|--)/.test(line));
    return { changes, tests: drawn(summary.tests) };
  } finally {
    await workspace.dispose();
  }
}

describe('mending mocha tests', function () {
  this.timeout(300_000);

  it('follows moved modules in require() and import, and changed values of node:assert, chai, should and supertest', async () => {
    const { changes, tests } = await patched(
      { 'lib/label.js': label('things'), 'lib/sums/total.js': files['lib/total.js'], 'lib/app.js': app(500) },
      'lib/total.js',
      files,
    );
    assert.deepEqual(changes, [
      "-  request(createApp()).get('/').expect(200, { text: '2 items' }, done);",
      "+  request(createApp()).get('/').expect(200, { text: '2 things' }, done);",
      "-it('shows', () => request(createApp()).get('/page').expect('<p>7 items</p>'));",
      "-it('labels', (done) => { request(createApp()).get('/').expect('X-Label', '8 items').end(done); });",
      "+it('shows', () => request(createApp()).get('/page').expect('<p>7 things</p>'));",
      "+it('labels', (done) => { request(createApp()).get('/').expect('X-Label', '8 things').end(done); });",
      "-it('should count', () => { label(5).should.equal('5 items'); });",
      "-it('counts under another name', () => { same(label(6), '6 items'); });",
      "+it('should count', () => { label(5).should.equal('5 things'); });",
      "+it('counts under another name', () => { same(label(6), '6 things'); });",
      "-    assert.strictEqual(label(2), '2 items');",
      "+    assert.strictEqual(label(2), '2 things');",
      "-    expect(label(3)).to.equal('3 items');",
      "+    expect(label(3)).to.equal('3 things');",
      "-    expect(view(4)).to.deep.equal({ n: 4, text: '4 items' });",
      "+    expect(view(4)).to.deep.equal({ n: 4, text: '4 things' });",
      "-it('labels one', () => { assert.equal(label(1), '1 items'); });",
      "+it('labels one', () => { assert.equal(label(1), '1 things'); });",
      "-import { total } from '../../lib/total.js';",
      "+import { total } from '../../lib/sums/total.js';",
      "-const { total } = require('../../lib/total');",
      "+const { total } = require('../../lib/sums/total');",
    ]);
    assert.deepEqual(tests, [
      'passed mocha:test/app.js#answers',
      'passed mocha:test/app.js#shows',
      'passed mocha:test/app.js#labels',
      // A server that fails now is no changed expectation.
      'failed mocha:test/app.js#saves',
      'passed mocha:test/app.js#should count',
      'passed mocha:test/app.js#counts under another name',
      'passed mocha:test/label.js#label › counts',
      'passed mocha:test/label.js#label › counts for chai',
      'passed mocha:test/label.js#label › is part of the view',
      'passed mocha:test/label.js#label › is never empty',
      'passed mocha:test/module.mjs#labels one',
      'passed mocha:test/more/module.mjs#adds in a module',
      'passed mocha:test/more/total.js#adds',
    ]);
  });

  it('records values in the workers of a parallel run', async () => {
    const suite = `const { assert } = require('chai');
const { label } = require('../lib/label');
suite('tdd', () => {
  test('labels', () => { assert.equal(label(1), '1 items'); });
});
`;
    const { changes } = await patched({ 'lib/label.js': label('things') }, '', {
      'package.json': '{ "scripts": { "test": "mocha --ui tdd --parallel --jobs 2" } }',
      'lib/label.js': label('items'),
      'test/a.js': suite,
      'test/b.js': suite.replaceAll('1', '2'),
    });
    assert.deepEqual(changes, [
      "-  test('labels', () => { assert.equal(label(1), '1 items'); });",
      "+  test('labels', () => { assert.equal(label(1), '1 things'); });",
      "-  test('labels', () => { assert.equal(label(2), '2 items'); });",
      "+  test('labels', () => { assert.equal(label(2), '2 things'); });",
    ]);
  });
});
