// Changes the gate forbids: names of the language that the test file makes something else of, so that the code says what is expected.
import { body, file, inTest, type Case } from './changes.ts';

const all = 'expect(cart.all()).toEqual({ a: 1 });';
const bare = 'expect(cart.all()).toEqual(Object.create(null));';
const copied = 'expect(cart.all()).toEqual(Object.assign(Object.create(null), {}));';
const symbol = `expect(cart.all()).toEqual(Symbol.for('x'));`;
const imported = (name: string, after: string): string => inTest(after).replace('cart }', `cart, ${name} }`);

export const forbiddenGlobals: Readonly<Record<string, readonly Case[]>> = {
  'computed-expectation': [
    body('an Object of the test', all, `const Object = { create: () => cart.all() }; ${bare}`),
    body('another name of the source', all, `const Object = cart; ${bare}`),
    file('an Object of the source', inTest(all), imported('Object', bare)),
    body('an Object that is destructured', all, `const { own: Object } = cart; ${bare}`),
    body('an Object that is handed in', all, `((Object) => { ${bare} })(cart);`),
    body('an assigned Object', all, `globalThis.Object = cart; ${bare}`),
    body('an Object by its key', all, `globalThis['Object'] = cart; ${bare}`),
    body('an assigned create', all, `Object.create = () => cart.all(); ${bare}`),
    body('a create that is taken over', all, `[Object.create] = [() => cart.all()]; ${bare}`),
    body('an assign of the test', all, `Object.assign = () => cart.all(); ${copied}`),
    body('an assign that is put in', all, `Object.assign(Object, { assign: () => cart.all() }); ${copied}`),
    body('an Object under another name', all, `const o = Object; o.create = () => cart.all(); ${bare}`),
    body('a Symbol of the test', all, `const Symbol = { for: () => cart.all() }; ${symbol}`),
    body('an assigned Symbol.for', all, `Symbol.for = () => cart.all(); ${symbol}`),
    body(
      'a String of the test',
      all,
      'const String = { raw: () => cart.all() }; expect(cart.all()).toEqual(String.raw`x`);',
    ),
    body('a Map of the test', all, `const Map = () => cart.all(); expect(cart.all()).toEqual(Map());`),
    body('a member called Map', all, `expect(cart.all()).toEqual(cart.Map());`),
    file('a Date of the source', inTest(all), imported('Date', 'expect(cart.all()).toEqual(new Date(0));')),
  ],
};
