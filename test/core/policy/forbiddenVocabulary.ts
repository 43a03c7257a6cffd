// Changes the gate forbids in the words of mocha, jest, chai, sinon, should and node:assert, and in CommonJS.
import { file, type Case } from './changes.ts';

const mocha = (body: string, more = ''): string => `const { expect } = require('chai');
const sinon = require('sinon');
const shop = require('../src/shop');
const { greet, save } = require('../src/shop');
${more}
describe('the shop', function () {
  it('greets', async function () {
    ${body}
  });
});
`;
const jestFile = (body: string, more = ''): string => `const { greet, save } = require('../src/shop');
const shop = require('../src/shop');
${more}
test('greets', async () => {
  ${body}
});
`;
const assertFile = (body: string): string => `const assert = require('assert');
const { greet } = require('../src/shop');
it('greets', () => {
  ${body}
});
`;
const chai = (name: string, before: string, after: string): Case => file(name, mocha(before), mocha(after));
const jest = (name: string, before: string, after: string): Case =>
  file(name, jestFile(before), jestFile(after));
const node = (name: string, before: string, after: string): Case =>
  file(name, assertFile(before), assertFile(after));
const nodeTestFile = `import { test } from 'node:test';
import { greet } from '../src/shop.js';
test('greets', async (context) => {
  context.plan(2);
  context.assert.equal(greet('Ada'), 'Hi, Ada');
  await context.test('in', (own) => { own.assert.deepEqual(greet('Bo'), 'Hi, Bo'); });
});
`;
const nodeTest = (name: string, before: string, after: string): Case =>
  file(name, nodeTestFile, nodeTestFile.replace(before, after));
const hi = `expect(greet('Ada')).to.equal('Hi, Ada');`;
const hello = `expect(greet('Ada')).toBe('Hi, Ada');`;

export const forbiddenVocabulary: Readonly<Record<string, readonly Case[]>> = {
  'skip-or-only': [
    chai('a test that is marked as pending', hi, `this.test.pending = true; ${hi}`),
    chai('this.skip()', hi, `this.skip(); ${hi}`),
    chai('this.skip() under a condition', hi, `if (process.env.CI) this.skip(); ${hi}`),
    chai('this.test.skip()', hi, `this.test.skip(); ${hi}`),
    file(
      'a suite that skips itself',
      mocha(hi),
      mocha(hi).replace("it('greets'", "before(function () { this.skip(); });\n  it('greets'"),
    ),
    file('it.skip', mocha(hi), mocha(hi).replace("it('greets'", "it.skip('greets'")),
    nodeTest('options that skip', "test('greets', ", "test('greets', { skip: 'later' }, "),
    nodeTest('options that say todo', "test('greets', ", "test('greets', { todo: true }, "),
    nodeTest('options that expect a failure', "test('greets', ", "test('greets', { expectFailure: true }, "),
    nodeTest('test.todo of node:test', "test('greets'", "test.todo('greets'"),
    nodeTest('skip() of the context', '(context) => {', '(context) => { context.skip();'),
    nodeTest('todo() of the context', '(context) => {', "(context) => { context.todo('later');"),
    nodeTest('runOnly() of the context', '(context) => {', '(context) => { context.runOnly(true);'),
    nodeTest('a subtest with options that skip', "test('in', ", "test('in', { skip: true }, "),
    file('it.only', mocha(hi), mocha(hi).replace("it('greets'", "it.only('greets'")),
    file('describe.skip', mocha(hi), mocha(hi).replace("describe('", "describe.skip('")),
    file('xit', mocha(hi), mocha(hi).replace("it('greets'", "xit('greets'")),
    file('xdescribe', mocha(hi), mocha(hi).replace("describe('", "xdescribe('")),
    file(
      'xcontext',
      mocha(hi).replace("describe('", "context('"),
      mocha(hi).replace("describe('", "xcontext('"),
    ),
    file('test.failing', jestFile(hello), jestFile(hello).replace("test('", "test.failing('")),
    file(
      'test.todo',
      jestFile(hello),
      jestFile(hello).replace(/test\('greets'[^]*/, "test.todo('greets');\n"),
    ),
    file(
      'test.concurrent.skip',
      jestFile(hello),
      jestFile(hello).replace("test('", "test.concurrent.skip('"),
    ),
    jest('pending()', hello, `pending(); ${hello}`),
    jest('a context that skips', hello, `ctx.skip(); ${hello}`),
  ],
  'mocked-source': [
    file('everything mocked', jestFile(hello), jestFile(hello, 'jest.enableAutomock();')),
    file('jest.mock', jestFile(hello), jestFile(hello, `jest.mock('../src/shop');`)),
    file(
      'jest.mock with a factory',
      jestFile(hello),
      jestFile(hello, `jest.mock('../src/shop', () => ({ greet: () => 'Hi, Ada' }));`),
    ),
    file('jest.doMock', jestFile(hello), jestFile(hello, `jest.doMock('../src/shop', () => ({}));`)),
    jest(
      'jest.spyOn of the code',
      `expect(shop.greet('Ada')).toBe('Hi, Ada');`,
      `jest.spyOn(shop, 'greet').mockReturnValue('Hi, Ada'); expect(shop.greet('Ada')).toBe('Hi, Ada');`,
    ),
    jest(
      'an assigned function',
      `expect(shop.greet('Ada')).toBe('Hi, Ada');`,
      `shop.greet = () => 'Hi, Ada'; expect(shop.greet('Ada')).toBe('Hi, Ada');`,
    ),
    jest(
      'Object.assign over the code',
      `expect(shop.greet('Ada')).toBe('Hi, Ada');`,
      `Object.assign(shop, { greet: () => 'Hi, Ada' }); expect(shop.greet('Ada')).toBe('Hi, Ada');`,
    ),
    jest(
      'Object.defineProperty on the code',
      `expect(shop.greet('Ada')).toBe('Hi, Ada');`,
      `Object.defineProperty(shop, 'greet', { value: () => 'Hi, Ada' }); expect(shop.greet('Ada')).toBe('Hi, Ada');`,
    ),
    chai(
      'sinon.stub',
      `expect(shop.greet('Ada')).to.equal('Hi, Ada');`,
      `sinon.stub(shop, 'greet').returns('Hi, Ada'); expect(shop.greet('Ada')).to.equal('Hi, Ada');`,
    ),
    chai(
      'sinon.replace',
      `expect(shop.greet('Ada')).to.equal('Hi, Ada');`,
      `sinon.replace(shop, 'greet', () => 'Hi, Ada'); expect(shop.greet('Ada')).to.equal('Hi, Ada');`,
    ),
    chai(
      'a sandbox',
      `expect(shop.greet('Ada')).to.equal('Hi, Ada');`,
      `const sandbox = sinon.createSandbox(); sandbox.stub(shop, 'greet').returns('Hi, Ada'); expect(shop.greet('Ada')).to.equal('Hi, Ada');`,
    ),
    chai(
      'sinon.mock',
      `expect(shop.greet('Ada')).to.equal('Hi, Ada');`,
      `sinon.mock(shop).expects('greet').returns('Hi, Ada'); expect(shop.greet('Ada')).to.equal('Hi, Ada');`,
    ),
    file(
      'proxyquire',
      mocha(hi),
      mocha(hi).replace(
        `const { greet, save } = require('../src/shop');`,
        `const { greet, save } = require('proxyquire')('../src/shop', { './text': { hi: () => 'Hi, Ada' } });`,
      ),
    ),
    file(
      'proxyquire under a name',
      mocha(hi),
      mocha(hi, `const proxyquire = require('proxyquire');\nproxyquire('../src/shop', { './text': {} });`),
    ),
    file(
      'rewire',
      mocha(hi),
      mocha(
        hi,
        `const rewire = require('rewire');\nconst inner = rewire('../src/shop');\ninner.__set__('text', 'Hi');`,
      ),
    ),
    file(
      'mock-require',
      mocha(hi),
      mocha(hi, `const mock = require('mock-require');\nmock('../src/shop', { greet: () => 'Hi, Ada' });`),
    ),
    file(
      'the cache of require',
      mocha(hi),
      mocha(hi, `require.cache[require.resolve('../src/shop')] = { exports: { greet: () => 'Hi, Ada' } };`),
    ),
    file(
      'td.replace',
      mocha(hi),
      mocha(hi, `const td = require('testdouble');\ntd.replace('../src/shop', { greet: () => 'Hi, Ada' });`),
    ),
  ],
  'redirected-import': [
    file(
      'a required double',
      jestFile(hello),
      jestFile(hello).replace(
        `const { greet, save } = require('../src/shop')`,
        `const { greet, save } = require('../test/fakes/shop')`,
      ),
    ),
    file(
      'a literal in place of a require',
      jestFile(hello),
      jestFile(hello).replace(
        `const { greet, save } = require('../src/shop')`,
        `const { greet, save } = { greet: () => 'Hi, Ada', save() {} }`,
      ),
    ),
    file(
      'a function in place of a require',
      jestFile(hello),
      jestFile(hello).replace(
        `const { greet, save } = require('../src/shop');`,
        `const { save } = require('../src/shop');\nfunction greet() { return 'Hi, Ada'; }`,
      ),
    ),
  ],
  'weaker-matcher': [
    nodeTest(
      'an assertion of the context',
      "context.assert.equal(greet('Ada'), 'Hi, Ada')",
      "context.assert.ok(greet('Ada'))",
    ),
    chai('a matcher that is not called', hi, `expect(greet('Ada')).to.equal;`),
    chai(
      'any of the keys',
      `expect(shop).to.have.all.keys('a', 'b');`,
      `expect(shop).to.have.any.keys('a', 'b');`,
    ),
    chai('some keys', `expect(shop).to.have.keys('a', 'b');`, `expect(shop).to.include.keys('a', 'b');`),
    chai('some members', `expect(all()).to.have.members([1, 2]);`, `expect(all()).to.include.members([1]);`),
    chai(
      'members in any order',
      `expect(all()).to.have.ordered.members([1, 2]);`,
      `expect(all()).to.have.members([2, 1]);`,
    ),
    chai(
      'a larger difference in chai',
      `expect(shop.rate()).to.be.approximately(1, 0.1);`,
      `expect(shop.rate()).to.be.approximately(1, 9);`,
    ),
    chai(
      'fewer arguments of a spy',
      `sinon.assert.calledWith(save, 1, 2);`,
      `sinon.assert.calledWith(save, 1);`,
    ),
    jest(
      'another choice in a pattern',
      `expect(() => save()).toThrow(/no stock/);`,
      `expect(() => save()).toThrow(/no stock|cannot read the/);`,
    ),
    jest(
      'a letter in place of a message',
      `expect(() => save()).toThrow('no stock');`,
      `expect(() => save()).toThrow('e');`,
    ),
    jest(
      'a computed pattern',
      `expect(() => save()).toThrow(/no stock/);`,
      `expect(() => save()).toThrow(new RegExp(''));`,
    ),
    node(
      'any error in place of a pattern',
      `assert.throws(() => save(), /no/);`,
      `assert.throws(() => save(), Error);`,
    ),
    chai('equal → ok', hi, `expect(greet('Ada')).to.be.ok;`),
    chai('equal → exist', hi, `expect(greet('Ada')).to.exist;`),
    chai('equal → a string', hi, `expect(greet('Ada')).to.be.a('string');`),
    chai('equal → include', hi, `expect(greet('Ada')).to.include('Hi');`),
    chai('equal → match', hi, `expect(greet('Ada')).to.match(/Hi/);`),
    chai(
      'deep.equal → include',
      `expect(shop.cart()).to.deep.equal({ a: 1, b: 2 });`,
      `expect(shop.cart()).to.deep.include({ a: 1 });`,
    ),
    chai(
      'deep.equal → keys',
      `expect(shop.cart()).to.deep.equal({ a: 1, b: 2 });`,
      `expect(shop.cart()).to.have.keys('a', 'b');`,
    ),
    chai('equal → oneOf', hi, `expect(greet('Ada')).to.be.oneOf(['Hi, Ada', 'Hello, Ada']);`),
    chai('equal → satisfy', hi, `expect(greet('Ada')).to.satisfy(() => true);`),
    chai(
      'throw without its message',
      `expect(() => greet()).to.throw('no name');`,
      `expect(() => greet()).to.throw();`,
    ),
    chai(
      'throw with a class only',
      `expect(() => greet()).to.throw('no name');`,
      `expect(() => greet()).to.throw(Error);`,
    ),
    chai(
      'should equal → should exist',
      `greet('Ada').should.equal('Hi, Ada');`,
      `greet('Ada').should.exist;`,
    ),
    chai('sinon.assert', `sinon.assert.calledWith(save, 1);`, `sinon.assert.called(save);`),
    chai(
      'sinon.assert with match.any',
      `sinon.assert.calledWith(save, 1);`,
      `sinon.assert.calledWith(save, sinon.match.any);`,
    ),
    node('equal → ok', `assert.equal(greet('Ada'), 'Hi, Ada');`, `assert.ok(greet('Ada'));`),
    node('equal → assert', `assert.equal(greet('Ada'), 'Hi, Ada');`, `assert(greet('Ada'));`),
    node(
      'strictEqual → equal',
      `assert.strictEqual(greet('Ada'), 'Hi, Ada');`,
      `assert.equal(greet('Ada'), 'Hi, Ada');`,
    ),
    node(
      'strictEqual → match',
      `assert.strictEqual(greet('Ada'), 'Hi, Ada');`,
      `assert.match(greet('Ada'), /Hi/);`,
    ),
    node(
      'deepStrictEqual → partial',
      `assert.deepStrictEqual(greet('Ada'), { a: 1 });`,
      `assert.partialDeepStrictEqual(greet('Ada'), { a: 1 });`,
    ),
    jest(
      'toThrow → not.toThrow elsewhere',
      `expect(() => greet()).toThrow('no name');`,
      `expect(() => greet()).toThrow(/./);`,
    ),
    jest('toBe → toEqual of a wildcard', hello, `expect(greet('Ada')).toEqual(expect.any(String));`),
    jest(
      'toHaveBeenCalledWith a wildcard',
      `expect(save).toHaveBeenCalledWith({ a: 1 });`,
      `expect(save).toHaveBeenCalledWith(expect.objectContaining({}));`,
    ),
  ],
  inverted: [
    chai('equal → not empty', hi, `expect(greet('Ada')).to.not.be.empty;`),
    chai('a new not', hi, `expect(greet('Ada')).to.not.equal('Hi, Ada');`),
    chai('true → false', `expect(shop.open()).to.be.true;`, `expect(shop.open()).to.be.false;`),
    chai('throw → not throw', `expect(() => greet()).to.throw();`, `expect(() => greet()).to.not.throw();`),
    node('ok → not ok', `assert.ok(shop.open());`, `assert.ok(!shop.open());`),
    node('throws → doesNotThrow', `assert.throws(() => greet());`, `assert.doesNotThrow(() => greet());`),
    chai(
      'should → should.not',
      `greet('Ada').should.equal('Hi, Ada');`,
      `greet('Ada').should.not.equal('Hi, Ada');`,
    ),
    chai('should be true → false', `shop.open().should.be.true;`, `shop.open().should.be.false;`),
  ],
  'longer-timeout': [
    chai('this.timeout', hi, `this.timeout(60000); ${hi}`),
    chai('this.timeout(0)', hi, `this.timeout(0); ${hi}`),
    file('timeout of a test', mocha(hi), mocha(hi).replace(/\}\);\n\}\);/, '}).timeout(60000);\n});')),
    file('jest.setTimeout', jestFile(hello), jestFile(hello, 'jest.setTimeout(60000);')),
    file('enableTimeouts', mocha(hi), mocha(`this.enableTimeouts(false); ${hi}`)),
  ],
  retry: [
    chai('this.retries', hi, `this.retries(3); ${hi}`),
    file(
      'retries of a suite',
      mocha(hi),
      mocha(hi).replace("  it('greets'", "  this.retries(4);\n  it('greets'"),
    ),
    file('jest.retryTimes', jestFile(hello), jestFile(hello, 'jest.retryTimes(3);')),
  ],
  'assertion-count': [
    nodeTest('a smaller plan of node:test', 'plan(2)', 'plan(1)'),
    jest('expect.assertions removed', `expect.assertions(1); ${hello}`, hello),
    jest('expect.hasAssertions removed', `expect.hasAssertions(); ${hello}`, hello),
    jest('expect.assertions lowered', `expect.assertions(2); ${hello}`, `expect.assertions(0); ${hello}`),
  ],
  'swallowed-error': [
    chai('try around chai', hi, `try { ${hi} } catch (e) {}`),
    node(
      'try around assert',
      `assert.equal(greet('Ada'), 'Hi');`,
      `try { assert.equal(greet('Ada'), 'Hi'); } catch { /* known */ }`,
    ),
    jest(
      'catch of an async helper',
      `await expect(save()).resolves.toBe(1);`,
      `await expect(save()).resolves.toBe(1).catch(() => undefined);`,
    ),
  ],
  'unreachable-assertion': [
    chai('return early', hi, `return; ${hi}`),
    chai('return when something is missing', hi, `if (!process.env.SHOP) return; ${hi}`),
  ],
  'fewer-assertions': [
    chai('should.exist', `expect(greet('Ada')).to.equal('Hi, Ada');`, `should.exist(greet('Ada'));`),
    chai('a chai assertion gone', `${hi} expect(shop.open()).to.be.true;`, hi),
    node(
      'an assert gone',
      `assert.ok(shop.open()); assert.equal(greet('Ada'), 'Hi');`,
      `assert.ok(shop.open());`,
    ),
    chai('a sinon assertion gone', `${hi} sinon.assert.calledOnce(save);`, hi),
    chai(
      'a should gone',
      `greet('Ada').should.equal('Hi'); shop.open().should.be.true;`,
      `shop.open().should.be.true;`,
    ),
  ],
  'removed-await': [
    nodeTest('a subtest that nobody waits for', 'await context.test', 'context.test'),
    jest(
      'rejects without await',
      `await expect(save()).rejects.toThrow('x');`,
      `expect(save()).rejects.toThrow('x');`,
    ),
    node('rejects without await', `await assert.rejects(save(), /x/);`, `assert.rejects(save(), /x/);`),
  ],
  'vacuous-assertion': [
    chai('true is true', hi, `expect(true).to.equal(true);`),
    chai('a literal on both sides', hi, `expect('Hi, Ada').to.equal('Hi, Ada');`),
    node(
      'the same on both sides',
      `assert.equal(greet('Ada'), 'Hi');`,
      `assert.equal(greet('Ada'), greet('Ada'));`,
    ),
    node('literals only', `assert.equal(greet('Ada'), 'Hi');`, `assert.equal('Hi', 'Hi');`),
  ],
  'weakened-subject': [
    chai('calledWith → called', `expect(save.calledWith(1)).to.be.true;`, `expect(save.called).to.be.true;`),
  ],
  'removed-test': [
    file('an it gone', mocha(hi), mocha(hi).replace(/ {2}it\([^]*?\n {2}\}\);\n/, '')),
    nodeTest('a subtest under another name', "test('in'", "test('out'"),
  ],
  'test-api-tampering': [
    file(
      'process.on',
      mocha(hi),
      mocha(
        hi,
        `chai.use((c, utils) => utils.overwriteMethod(c.Assertion.prototype, 'equal', () => () => {}));`,
      ),
    ),
    jest('expect.extend', hello, `expect.extend({ toBe: () => ({ pass: true }) }); ${hello}`),
    file(
      'assert overwritten',
      assertFile(`assert.equal(greet('Ada'), 'Hi');`),
      assertFile(`assert.equal = () => {}; assert.equal(greet('Ada'), 'Hi');`),
    ),
    file('another expect', jestFile(hello), jestFile(hello, `const expect = () => ({ toBe() {} });`)),
    file(
      'another assert',
      assertFile(`assert.equal(greet('Ada'), 'Hi');`),
      assertFile(`assert.equal(greet('Ada'), 'Hi');`).replace(`require('assert')`, `{ equal() {} }`),
    ),
  ],
};
