// Names that went with their bodies, or without them: a fix follows by itself only what no other new declaration may be as well.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

type Files = Readonly<Record<string, string>>;

interface Renaming {
  readonly title: string;
  readonly before: Files;
  /** An empty text: the file is gone. */
  readonly now: Files;
  /** In the order in which they are told; empty where nothing may be followed at all. */
  readonly trusts: readonly string[];
  /** Must be said somewhere. */
  readonly says?: RegExp;
}

const packageJson =
  '{ "name": "shop", "type": "module", "private": true, "scripts": { "test": "node --test" } }';

const js = (imports: string, ...tests: readonly string[]): string =>
  `import test from 'node:test';\nimport assert from 'node:assert/strict';\n${imports}\n${tests
    .map((body, index) => `test('${index}', () => ${body});\n`)
    .join('')}`;

/** Two bodies that are told apart; `sign` is where a bug may be. */
const packing = (name: string, sign = '+'): string =>
  `export function ${name}(items, rate) {\n  let all = 0;\n  for (const item of items) {\n    all += item.price * (1 ${sign} rate);\n  }\n  return all;\n}\n`;
const folding = (name: string): string =>
  `export function ${name}(items, rate) {\n  return items.map((item) => item.price - rate).join(', ') + ' in all';\n}\n`;
const checking = (name: string): string =>
  `${name}(text) {\n  if (text === '') throw new Error('nothing');\n  return true;\n}\n`;
const inClass = (...members: readonly string[]): string =>
  `export class Cart {\n${members.join('').replaceAll('export function ', '')}}\n`;

const packs = `assert.equal(pack([{ price: 2 }], 0.5), 3)`;
const folds = `assert.equal(fold([{ price: 2 }], 1), '1 in all')`;
const ofCart = (body: string): string => body.replace(/\((pack|fold)/, '(new Cart().$1');

const testOfPack = { 'test/cart.test.mjs': js(`import { pack } from '../src/cart.mjs';`, packs) };
const testOfBoth = {
  'test/cart.test.mjs': js(`import { fold, pack } from '../src/cart.mjs';`, packs, folds),
};
const testOfClass = {
  'test/cart.test.mjs': js(`import { Cart } from '../src/cart.mjs';`, ofCart(packs), ofCart(folds)),
};
const caller = (name: string, file: string): Files => ({
  'src/shop.mjs': `import { ${name} } from './${file}';\nexport const pay = (items) => ${name}(items, 0);\n`,
});

const python = (name: string, sign = '+'): string =>
  `def ${name}(items, rate):\n    result = 0\n    for item in items:\n        result += item * (1 ${sign} rate)\n    return result\n`;
const pythonFold = (name: string): string =>
  `def ${name}(items, rate):\n    return ", ".join(str(item - rate) for item in items) + " in all"\n`;
const pythonTest = 'def test_pack():\n    assert pack([2], 0.5) == 3\n';
const pythonBoth = `from cart import fold, pack\n\n\n${pythonTest}\n\ndef test_fold():\n    assert fold([2], 1) == "1 in all"\n`;
const pythonCheck = (name: string, then: string): string =>
  `def ${name}(items, rate):\n    if items == "":\n        ${then}\n    return True\n`;
const asMethods = (...functions: readonly string[]): string =>
  `class Cart:\n${functions.map((one) => one.replaceAll(/^(?=.)/gm, '    ').replaceAll('(items,', '(self, items,')).join('\n')}`;

const renamings: readonly Renaming[] = [
  {
    title: 'leaves an export that was moved and renamed with a bug, where another new file has the old body',
    before: { 'src/cart.mjs': packing('pack'), ...testOfPack },
    now: { 'src/cart.mjs': '', 'src/basket.mjs': packing('stuff', '-'), 'src/other.mjs': packing('weigh') },
    trusts: [],
    says: /pack may now be weigh in src\/other\.mjs or stuff in src\/basket\.mjs/,
  },
  {
    title: 'asks what the changed sources take instead of what has the old body',
    before: { 'src/cart.mjs': packing('pack'), ...caller('pack', 'cart.mjs'), ...testOfPack },
    now: {
      'src/cart.mjs': '',
      'src/basket.mjs': packing('stuff', '-'),
      'src/other.mjs': packing('weigh'),
      ...caller('stuff', 'basket.mjs'),
    },
    trusts: ['propose'],
  },
  {
    title: 'takes no other new file for the module itself, where both were renamed inside',
    before: { 'src/cart.mjs': packing('pack'), ...testOfPack },
    now: { 'src/cart.mjs': packing('stuff', '-'), 'src/other.mjs': packing('weigh') },
    trusts: [],
    says: /pack may now be weigh in src\/other\.mjs or stuff in src\/cart\.mjs/,
  },
  {
    title: 'takes neither of two files that are both a little like the one that is gone',
    before: { 'src/cart.mjs': packing('pack') + folding('fold'), ...testOfPack },
    now: {
      'src/cart.mjs': '',
      'src/basket.mjs': `${packing('pack').replaceAll('item', 'one')}${folding('lay').replace('price', 'cost')}`,
      'src/other.mjs': `${packing('pack').replaceAll('all', 'sum')}${folding('bend').replace('rate', 'tax')}`,
    },
    trusts: [],
    says: /pack may now be pack in src\/\w+\.mjs or pack in src\/\w+\.mjs/,
  },
  {
    title: 'only proposes exports that exchanged their bodies behind new names',
    before: { 'src/cart.mjs': packing('pack') + folding('fold'), ...testOfBoth },
    now: { 'src/cart.mjs': folding('packUp') + packing('foldUp') },
    trusts: ['propose'],
    says: /foldUp resembles fold, which was removed as well/,
  },
  {
    title: 'only proposes methods that exchanged their bodies behind names that say nothing',
    before: { 'src/cart.mjs': inClass(packing('pack'), folding('fold')), ...testOfClass },
    now: { 'src/cart.mjs': inClass(folding('stuff'), packing('bend')) },
    trusts: ['propose', 'propose'],
    says: /bend is at the place of fold, which was removed as well/,
  },
  {
    title: 'only proposes a method while another new one may be meant',
    before: { 'src/cart.mjs': inClass(packing('pack'), folding('fold')), ...testOfClass },
    now: { 'src/cart.mjs': inClass(packing('stuff', '-'), packing('weigh'), folding('fold')) },
    trusts: ['propose'],
    says: /stuff is new as well and may be the replacement/,
  },
  {
    title: 'still follows two methods that were renamed in their places',
    before: { 'src/cart.mjs': inClass(packing('pack'), folding('fold')), ...testOfClass },
    now: { 'src/cart.mjs': inClass(packing('stuff'), folding('bend')) },
    trusts: ['mechanical', 'mechanical'],
  },
  {
    title: 'still follows exports that were moved and renamed, each to a file of its own',
    before: { 'src/cart.mjs': packing('pack') + folding('fold'), ...testOfBoth },
    now: { 'src/cart.mjs': '', 'src/stuff.mjs': packing('stuff'), 'src/bend.mjs': folding('bend') },
    trusts: ['mechanical'],
  },
  {
    title: 'only proposes an option that its function alone reads under a new name: it may be mistyped',
    before: {
      'src/cart.mjs': 'export function area(shape) {\n  return shape.width * shape.height;\n}\n',
      'test/cart.test.mjs': js(
        `import { area } from '../src/cart.mjs';`,
        'assert.equal(area({ width: 2, height: 3 }), 6)',
      ),
    },
    now: { 'src/cart.mjs': 'export function area(shape) {\n  return shape.widht * shape.height;\n}\n' },
    trusts: ['propose'],
  },
  {
    title:
      'only proposes a renamed method where the throw that is expected comes of another one that is gone',
    before: {
      'src/cart.mjs': inClass(packing('pack'), checking('check')),
      'test/cart.test.mjs': js(
        `import { Cart } from '../src/cart.mjs';`,
        `{ ${ofCart(packs)}; assert.throws(() => new Cart().check('')); }`,
      ),
    },
    now: { 'src/cart.mjs': inClass(packing('stuff'), "verify(text) { return text !== ''; }\n") },
    trusts: ['propose'],
    says: /Cart\.check was removed/,
  },
  {
    title:
      'only proposes a renamed Python method where the error that is expected comes of another one that is gone',
    before: {
      'cart.py': asMethods(python('pack'), pythonCheck('check', 'raise ValueError(items)')),
      'test_cart.py': `import pytest\n\nfrom cart import Cart\n\n\n${pythonTest.replace('assert pack', 'assert Cart().pack')}    with pytest.raises(Exception):\n        Cart().check("", 1)\n`,
    },
    now: { 'cart.py': asMethods(python('stuff'), pythonCheck('verify', 'return False')) },
    trusts: ['propose'],
  },
  {
    title:
      'leaves a Python function that was moved and renamed with a bug, where another new file has the old body',
    before: { 'cart.py': python('pack'), 'test_cart.py': `from cart import pack\n\n\n${pythonTest}` },
    now: { 'cart.py': '', 'basket.py': python('stuff', '-'), 'other.py': python('weigh') },
    trusts: [],
    says: /may now be weigh in other\.py or stuff in basket\.py/,
  },
  {
    title: 'only proposes Python functions that exchanged their bodies behind new names',
    before: { 'cart.py': `${python('pack')}\n\n${pythonFold('fold')}`, 'test_cart.py': pythonBoth },
    now: { 'cart.py': `${pythonFold('pack_up')}\n\n${python('fold_up')}` },
    trusts: ['propose'],
  },
  {
    title:
      'only proposes the import of a Python module that was moved, and whose functions exchanged their bodies on the way',
    before: {
      'cart.py': `${python('pack')}\n\n${pythonFold('fold')}`,
      'test_cart.py':
        'from cart import fold, pack\n\n\ndef test_cart():\n    assert callable(fold) and callable(pack)\n',
    },
    now: { 'cart.py': '', 'basket.py': `${pythonFold('pack')}\n\n${python('fold')}` },
    trusts: ['propose'],
    says: /pack in basket\.py has the code that fold had in cart\.py/,
  },
  {
    title: 'only proposes Python methods that exchanged their bodies behind new names',
    before: {
      'cart.py': asMethods(python('pack'), pythonFold('fold')),
      'test_cart.py': pythonBoth
        .replace('fold, pack', 'Cart')
        .replaceAll(/assert (pack|fold)/g, 'assert Cart().$1'),
    },
    now: { 'cart.py': asMethods(pythonFold('stuff'), python('bend')) },
    trusts: ['propose'],
  },
];

describe('what has the place of a name that is gone', () => {
  for (const { title, before, now, trusts, says } of renamings)
    it(title, async () => {
      const isPython = 'cart.py' in before;
      const base = isPython ? before : { 'package.json': packageJson, ...before };
      const workspace = await temporaryWorkspace(base, { git: true });
      try {
        for (const [file, text] of Object.entries(now))
          await (text === '' ? rm(path.join(workspace.root, file)) : workspace.write(file, text));
        const report = await mendWorkspace(workspace);
        const all = JSON.stringify(report, undefined, 1);
        assert.deepEqual(
          report.fixes.map(({ trust }) => trust),
          trusts,
          all,
        );
        if (says) assert.match(JSON.stringify(report), says);
        assert.equal(report.remaining.length > 0, !trusts.includes('mechanical'), all);
      } finally {
        await workspace.dispose();
      }
    }).timeout(120_000);
});
