// Deleted functions that were nothing but one expression, written out in the tests that called them, in real runs; and what is left alone.
import assert from 'node:assert/strict';
import type { ChangedPair } from '../../../../src/core/fixes/obsolete/changedPairs.ts';
import { removedShortcut } from '../../../../src/core/fixes/shortcuts/removedShortcut.ts';
import { removedShortcuts } from '../../../../src/core/fixes/shortcuts/removedShortcuts.ts';
import { isRewrittenElsewhere } from '../../../../src/core/fixes/shortcuts/rewrittenElsewhere.ts';
import { parseTree } from '../../../../src/core/syntax/javascript/sourceTree.ts';
import {
  mendCases,
  type MendedCase,
  type MendingCase,
  type MendingPlace,
} from '../../../support/mendCases.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

interface Situation {
  /** The function that is deleted. */
  readonly gone: string;
  readonly imports?: string;
  readonly body: string;
  /** Import and body afterwards; or why there is no fix. */
  readonly becomes: readonly [imports: string, body: string] | RegExp;
}

const source = `import { basename } from 'node:path';
const secret = (text) => text.length;
export const parse = (text, options = {}) => ({ children: text.split(options.by ?? ','), by: options.by });
export const count = (list, add) => list.length + (add ?? 0);
export class Reader { constructor(text) { this.text = text; } }
`;

const situations: Readonly<Record<string, Situation>> = {
  parameters: {
    gone: 'export const parseList = (text, options) => parse(text, options).children;',
    body: `expect(parseList('a;b', { by: ';' })).toEqual(['a', 'b']);`,
    becomes: [`import { parse }`, `expect(parse('a;b', { by: ';' }).children).toEqual(['a', 'b']);`],
  },
  notGiven: {
    gone: 'export function parseList(text, options) { return parse(text, options).children; }',
    imports: 'count, parseList',
    body: `const list = parseList('a,b');\n  expect(count(list)).toBe(2);`,
    becomes: [
      `import { count, parse }`,
      `const list = parse('a,b').children;\n  expect(count(list)).toBe(2);`,
    ],
  },
  known: {
    gone: 'export const parseList = (text) => parse(text).children;',
    imports: 'parseList, parse as read, count',
    body: `expect(parseList('a,b')).toEqual(['a', 'b']);\n  expect(count(read('a').children)).toBe(1);`,
    becomes: [
      `import { parse as read, count }`,
      `expect(read('a,b').children).toEqual(['a', 'b']);\n  expect(count(read('a').children)).toBe(1);`,
    ],
  },
  otherModule: {
    gone: `export const parseName = (file) => parse(basename(file, '.ts')).children;`,
    imports: 'count, parseName',
    body: `expect(parseName('/a/b.ts')).toEqual(['b']);\n  expect(count([])).toBe(0);`,
    becomes: [
      `import { basename } from 'node:path'`,
      `expect(parse(basename('/a/b.ts', '.ts')).children).toEqual(['b']);\n  expect(count([])).toBe(0);`,
    ],
  },
  defaults: {
    gone: `export const parseBy = (text, by = ';') => parse(text, { by }).children;`,
    body: `expect(parseBy('a;b')).toEqual(['a', 'b']);\n  expect(parseBy('a' + ',b', ',')).toEqual(['a', 'b']);`,
    becomes: [
      `import { parse }`,
      `expect(parse('a;b', { by: ';' }).children).toEqual(['a', 'b']);\n  expect(parse('a' + ',b', { by: ',' }).children).toEqual(['a', 'b']);`,
    ],
  },
  sideBySide: {
    gone: 'export const one = (text) => parse(text).children;\nexport const other = (text) => parse(text, { by: text }).by;',
    imports: 'one, count, other',
    body: `expect(one('a')).toEqual(['a']);\n  expect(other('a')).toBe('a');\n  expect(count([])).toBe(0);`,
    becomes: [
      `import { parse, count }`,
      `expect(parse('a').children).toEqual(['a']);\n  expect(parse('a', { by: 'a' }).by).toBe('a');\n  expect(count([])).toBe(0);`,
    ],
  },
  onlyPackages: {
    gone: `export const nameOf = (file) => basename(file, '.ts');`,
    body: `expect(nameOf('/a/b.ts')).toBe('b');`,
    becomes: /^$/,
  },
  operators: {
    gone: 'export const twice = (list, add = 1) => count(list) * 2 + add;',
    body: `expect(twice([])).toBe(1);`,
    becomes: /^$/,
  },
  created: {
    gone: 'export const reader = (text) => new Reader(text);',
    body: `expect(reader('a').text).toBe('a');`,
    becomes: [`import { Reader }`, `expect(new Reader('a').text).toBe('a');`],
  },
  shorthand: {
    gone: 'export const parseBy = (text, by) => parse(text, { by }).children;',
    body: `expect(parseBy('a;b', ';')).toEqual(['a', 'b']);`,
    becomes: [`import { parse }`, `expect(parse('a;b', { by: ';' }).children).toEqual(['a', 'b']);`],
  },
  namespace: {
    gone: 'export const parseList = (text) => parse(text).children;',
    imports: '* as all',
    body: `expect(all.parseList('a,b')).toEqual(['a', 'b']);`,
    becomes: [`import * as all`, `expect(all.parse('a,b').children).toEqual(['a', 'b']);`],
  },
  twice: {
    gone: 'export const split = (text) => parse(text, { by: text }).children;',
    body: `expect(split(['a', 'b'].join())).toEqual(['', '']);`,
    becomes: /used text more than once, and a call computes it/,
  },
  plainTwice: {
    gone: 'export const split = (text) => parse(text, { by: text }).children;',
    body: `const text = 'a';\n  expect(split(text)).toEqual(['', '']);`,
    becomes: [
      `import { parse }`,
      `const text = 'a';\n  expect(parse(text, { by: text }).children).toEqual(['', '']);`,
    ],
  },
  hidden: {
    gone: 'export const size = (text) => secret(text);',
    body: `expect(size('ab')).toBe(2);`,
    becomes: /^$/,
  },
  statements: {
    gone: 'export const parseList = (text) => { const all = parse(text); return all.children; };',
    body: `expect(parseList('a')).toEqual(['a']);`,
    becomes: /^$/,
  },
  callbacks: {
    gone: 'export const upper = (text) => parse(text).children.map((one) => one.toUpperCase());',
    body: `expect(upper('a')).toEqual(['A']);`,
    becomes: /^$/,
  },
  handedOver: {
    gone: 'export const parseList = (text) => parse(text).children;',
    body: `expect(parseList('b')).toEqual(['b']);\n  expect(['a'].map(parseList)).toEqual([['a']]);`,
    becomes: /used otherwise than by calling it/,
  },
  taken: {
    gone: 'export const parseList = (text) => parse(text).children;',
    body: `const parse = 'a';\n  expect(parseList(parse)).toEqual(['a']);`,
    becomes: /is the name of something else in the test/,
  },
  maybeDefault: {
    gone: `export const parseBy = (text, by = ';') => parse(text, { by }).children;`,
    body: `const by = undefined;\n  expect(parseBy('a;b', by)).toEqual(['a', 'b']);`,
    becomes: /nothing tells what by of parseBy\(\) was/,
  },
};

const places: readonly (readonly [MendingPlace['framework'], readonly string[], string])[] = [
  ['vitest', Object.keys(situations), `import { expect, it } from 'vitest';\n`],
  ['jest', ['parameters', 'otherModule', 'namespace', 'hidden'], ''],
];

describe('a function that was a shortcut and is gone', function () {
  this.timeout(240_000);
  for (const [framework, names, head] of places)
    describe(framework, () => {
      const cases = Object.fromEntries(
        names.map((name): [string, MendingCase] => {
          const { gone, body, imports } = situations[name] ?? { gone: '', body: '' };
          const own = /(?:const|function) (\w+)/.exec(gone)?.[1] ?? '';
          const named = imports ?? own;
          const clause = named.startsWith('*') ? named : `{ ${named} }`;
          const test = `${head}import ${clause} from '../src/${name}';\n\nit('works', () => {\n  ${body}\n});\n`;
          return [name, { source: `${source}${gone}\n`, change: [`${gone}\n`, ''], test }];
        }),
      );
      let mended: Readonly<Record<string, MendedCase>>;
      before(async () => {
        mended = await mendCases(cases, { framework, provider: removedShortcut });
      });
      for (const name of names) {
        const { becomes, body } = situations[name] ?? { becomes: /./, body: '' };
        it(`${becomes instanceof RegExp ? 'is left alone' : 'is written out'}: ${name}`, () => {
          const found = mended[name];
          assert.ok(found);
          if (becomes instanceof RegExp) {
            assert.equal(found.text, cases[name]?.test);
            assert.match(found.refusals.join('\n'), becomes);
            return;
          }
          const [imports, text] = becomes;
          assert.ok(found.text.includes(text), `${found.text}\n${found.refusals.join('\n')}`);
          assert.ok(found.text.includes(`${imports} from`) || found.text.includes(`${imports};`), found.text);
          assert.ok(!found.text.includes(body), found.text);
          assert.ok(found.passes, found.text);
          assert.deepEqual(found.rules, []);
          assert.deepEqual(
            found.fixes.map(({ trust }) => trust),
            ['oracle'],
          );
        });
      }
    });
});

describe('a fix cycle over a function that was a shortcut and is gone', () => {
  it('mends a file that does not load, by itself where another source was rewritten in the same way', async function () {
    this.timeout(240_000);
    const file = (named: string, call: string): string =>
      `import assert from 'node:assert/strict';\nimport { ${named} } from '../src/read.js';\nimport { shelf } from '../src/shelf.js';\n\nit('shelves', () => {\n  assert.deepEqual(shelf('a'), { books: ['a'] });\n});\nit('reads', () => {\n  assert.deepEqual(${call}, ['a', 'b']);\n});\nit('reads nothing', () => {\n  assert.deepEqual(${call.replace('a,b', '')}, ['']);\n});\n`;
    const shelf = (named: string, call: string): string =>
      `import { ${named} } from './read.js';\nexport const shelf = (text) => ({ books: ${call} });\n`;
    const parse = "export const parse = (text) => ({ children: text.split(',') });\n";
    const workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({
          name: 'shop',
          type: 'module',
          devDependencies: { mocha: '12' },
          scripts: { test: 'mocha "tests/**/*.test.js"' },
        }),
        'src/read.js': `${parse}export const readList = (text) => parse(text).children;\n`,
        'src/shelf.js': shelf('parse, readList', `readList(parse(text).children[0])`),
        'tests/read.test.js': file('readList', `readList('a,b')`),
      },
      { git: true, packages: ['mocha'] },
    );
    try {
      await workspace.write('src/read.js', parse);
      await workspace.write('src/shelf.js', shelf('parse', 'parse(parse(text).children[0]).children'));
      const { fixes, patch } = await mendWorkspace(workspace);
      assert.deepEqual(
        fixes.map(({ trust, verdict, state, title }) => [trust, verdict.verdict, state, title]),
        [['mechanical', 'verified', 'accepted', 'write what readList() was']],
      );
      assert.match(patch, /\+import \{ parse \} from '\.\.\/src\/read\.js';/);
      assert.match(patch, /\+ {2}assert\.deepEqual\(parse\('a,b'\)\.children, \['a', 'b'\]\);/);
    } finally {
      await workspace.dispose();
    }
  });
});

describe('a deleted function that another source called', () => {
  const parse = 'export const parse = (text) => ({ children: [text] });\n';
  const pairOf = (file: string, before: string, now: string): ChangedPair => ({
    file,
    before: parseTree(file, before),
    now: parseTree(file, now),
  });
  const isMeant = (before: string, now: string): boolean => {
    const gone = `${parse}export const list = (text) => parse(text).children;\n`;
    const pairs = [
      pairOf('src/read.ts', gone, parse),
      pairOf(
        'src/use.ts',
        `import { parse, list } from './read';\n${before}`,
        `import { parse } from './read';\n${now}`,
      ),
    ];
    const [shortcut] = removedShortcuts(pairs);
    assert.ok(shortcut);
    return isRewrittenElsewhere(shortcut, pairs);
  };
  const use = `export const use = (a) => list(a + 1);`;

  it('was meant to go where the source says now what it was', () => {
    assert.equal(isMeant(use, `export const use = (a) => parse(a + 1).children;`), true);
  });

  it('may have gone by mistake everywhere else', () => {
    assert.equal(isMeant(use, ''), false);
    assert.equal(isMeant(use, `export const use = (a) => parse(a).children;`), false);
    assert.equal(
      isMeant(`${use} export const b = list(2);`, `export const use = (a) => parse(a + 1).children;`),
      false,
    );
    assert.equal(
      isMeant(`export const a = parse(1).children;`, `export const b = parse(2).children;`),
      false,
    );
    assert.equal(
      isMeant(
        `${use} export const b = (a) => parse(a + 1).children;`,
        `export const b = (a) => parse(a + 1).children;`,
      ),
      false,
    );
  });
});
