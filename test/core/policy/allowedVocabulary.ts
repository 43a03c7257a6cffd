// Changes the gate lets through in the words of mocha, jest, chai, sinon, should and node:assert, and in CommonJS.
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
${more}
test('greets', async () => {
  ${body}
});
`;
const assertFile = (body: string): string => `const assert = require('assert');
const { greet } = require('../src/shop');
it('greets', async () => {
  ${body}
});
`;
const chai = (name: string, before: string, after: string): Case => file(name, mocha(before), mocha(after));
const jest = (name: string, before: string, after: string): Case =>
  file(name, jestFile(before), jestFile(after));
const node = (name: string, before: string, after: string): Case =>
  file(name, assertFile(before), assertFile(after));
const hi = `expect(greet('Ada')).to.equal('Hi, Ada');`;
const hello = `expect(greet('Ada')).toBe('Hi, Ada');`;

export const allowedVocabulary: readonly Case[] = [
  chai('a changed text of chai', hi, hi.replace('Hi,', 'Hello,')),
  chai(
    'a changed object of chai',
    `expect(shop.cart()).to.deep.equal({ a: 1 });`,
    `expect(shop.cart()).to.deep.equal({ a: 2, b: 3 });`,
  ),
  chai(
    'a changed property',
    `expect(shop).to.have.property('a', 1);`,
    `expect(shop).to.have.property('a', 2);`,
  ),
  chai(
    'other keys',
    `expect(shop.all()).to.have.all.keys('a', 'b');`,
    `expect(shop.all()).to.have.all.keys('a', 'c');`,
  ),
  jest(
    'an expected value that names a time limit',
    `expect(save()).toEqual({ retry: 2, timeout: 10 });`,
    `expect(save()).toEqual({ retry: 3, timeout: 9000 });`,
  ),
  chai(
    'a changed length',
    `expect(shop.all()).to.have.lengthOf(2);`,
    `expect(shop.all()).to.have.lengthOf(3);`,
  ),
  chai(
    'a changed message of chai',
    `expect(() => greet()).to.throw('no name');`,
    `expect(() => greet()).to.throw('a name is missing');`,
  ),
  chai('a changed should', `greet('Ada').should.equal('Hi');`, `greet('Ada').should.equal('Hello');`),
  chai(
    'other arguments of a stub',
    `expect(save.calledWith(1)).to.be.true;`,
    `expect(save.calledWith(2)).to.be.true;`,
  ),
  chai(
    'other arguments of sinon.assert',
    `sinon.assert.calledWith(save, 1);`,
    `sinon.assert.calledWith(save, 2);`,
  ),
  chai('a stronger chai matcher', `expect(greet('Ada')).to.be.ok;`, hi),
  chai('a promise that is awaited now', hi, hi.replace("greet('Ada')", "await greet('Ada')")),
  chai('a renamed member', `expect(shop.total()).to.equal(3);`, `expect(shop.sum()).to.equal(3);`),
  file('a moved require', mocha(hi), mocha(hi).replaceAll('../src/shop', '../src/text/shop')),
  file(
    'a renamed import of a require',
    mocha(hi),
    mocha(hi).replace('{ greet, save }', '{ welcome: greet, save }'),
  ),
  file(
    'a require that became an import',
    assertFile(`assert.equal(greet('Ada'), 'Hi');`),
    assertFile(`assert.equal(greet('Ada'), 'Hi');`).replace(
      `const { greet } = require('../src/shop');`,
      `import { greet } from '../src/shop.js';`,
    ),
  ),
  file(
    'a shorter time limit of mocha',
    mocha(`this.timeout(4000); ${hi}`),
    mocha(`this.timeout(2000); ${hi}`),
  ),
  file(
    'a stub that was there',
    mocha(`sinon.stub(shop, 'rate').returns(1); ${hi}`),
    mocha(`sinon.stub(shop, 'rate').returns(2); ${hi}`),
  ),
  file(
    'a stub that moved along',
    mocha(`sinon.stub(shop, 'rate').returns(1); ${hi}`),
    mocha(`sinon.stub(shop, 'price').returns(1); ${hi}`),
  ),
  file(
    'a moved jest mock',
    jestFile(hello, `jest.mock('../src/api');`),
    jestFile(hello, `jest.mock('../src/net/api');`),
  ),
  file('a hook that restores', mocha(hi), mocha(hi, `afterEach(() => { sinon.restore(); });`)),
  jest('a changed text of jest', hello, hello.replace('Hi,', 'Hello,')),
  jest(
    'changed arguments of a jest mock',
    `expect(save).toHaveBeenCalledWith('a', 1);`,
    `expect(save).toHaveBeenCalledWith('a', 2);`,
  ),
  jest(
    'a changed message of jest',
    `expect(() => greet()).toThrow('no name');`,
    `expect(() => greet()).toThrow('a name is missing');`,
  ),
  jest(
    'an error that comes by a promise now',
    `expect(() => greet()).toThrow('no name');`,
    `await expect(greet()).rejects.toThrow('no name');`,
  ),
  node(
    'an error that comes by a promise, with assert',
    `assert.throws(() => greet(), /no name/);`,
    `await assert.rejects(greet(), /no name/);`,
  ),
  node(
    'a changed text of assert',
    `assert.equal(greet('Ada'), 'Hi');`,
    `assert.equal(greet('Ada'), 'Hello');`,
  ),
  node(
    'a changed object of assert',
    `assert.deepStrictEqual(greet('Ada'), { a: 1 });`,
    `assert.deepStrictEqual(greet('Ada'), { a: 2, b: [1] });`,
  ),
  node('a stronger assert', `assert.ok(greet('Ada'));`, `assert.strictEqual(greet('Ada'), 'Hi');`),
];
