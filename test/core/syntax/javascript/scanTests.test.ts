// The fast scanner and the full parser: what each shape means, and that both always agree.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ScannedTest } from '../../../../src/core/model/testNode.ts';
import { vitestVocabulary } from '../../../../src/core/frameworks/vitest/vocabulary.ts';
import { parseTests } from '../../../../src/core/syntax/javascript/parseTests.ts';
import { scanTests } from '../../../../src/core/syntax/javascript/scanTests.ts';
import { drawTests, drawTitles } from '../../../support/drawTests.ts';

const head = "import { describe, expect, it, suite, test } from 'vitest';\n";

/** What the scanner finds; fails when it doubts. */
function surely(text: string): readonly ScannedTest[] {
  const found = scanTests(text, vitestVocabulary);
  if (found === 'ambiguous') assert.fail(`the scanner doubts: ${text}`);
  return found;
}

/** What both find; fails when they differ. */
function scanned(text: string): string[] {
  const tests = surely(head + text);
  assert.deepEqual(drawTests(tests), drawTests(parseTests(head + text, 'file.tsx', vitestVocabulary).tests));
  return drawTitles(tests);
}

/** What the parser finds where the scanner leaves the decision to it. */
function parsed(text: string, file = 'file.ts'): string[] {
  assert.equal(scanTests(text, vitestVocabulary), 'ambiguous');
  return drawTitles(parseTests(text, file, vitestVocabulary).tests);
}

describe('scanning tests', () => {
  it('nests tests in their suites, with the places of the calls', () => {
    const text = "describe('cart', () => {\n  it('adds', () => {});\n});\n";
    assert.deepEqual(drawTests(surely(text)), ['suite cart [1:1-3:3]', '  test adds [2:3-2:23]']);
    assert.deepEqual(drawTests(parseTests(text, 'file.ts', vitestVocabulary).tests), drawTests(surely(text)));
  });

  it('reads modes from chains, options and missing bodies', () => {
    assert.deepEqual(
      scanned(`
        describe.skip('a', () => { it.only('b', () => {}); });
        suite.concurrent('c', () => { test.todo('d'); });
        it.fails('e', () => {});
        it('f', { timeout: 5, skip: true }, () => {});
        it('g', { only: true }, () => {});
        it.concurrent.skip('h', () => {});
        it('i');
        describe.shuffle('j', { todo: true }, () => {});`),
      [
        'suite a skip',
        '  test b only',
        'suite c',
        '  test d todo',
        'test e',
        'test f skip',
        'test g only',
        'test h skip',
        'test i todo',
        'suite j todo',
      ],
    );
  });

  it('gives titles the value they have when the code runs', () => {
    assert.deepEqual(
      scanned(
        [
          String.raw`it('it\'s', () => {});`,
          String.raw`it("\u00e9\x41\u{1F600}\t", () => {});`,
          'it(`back\\`tick $ {x}`, () => {});',
          'it(\'a\' +\n  "b" + `c`, () => {});',
          "it('two \\\nlines', () => {});",
          "it(/* why */ 'commented' /* ) */, () => {});",
        ].join('\n'),
      ),
      ["test it's", 'test éA😀\t', 'test back`tick $ {x}', 'test abc', 'test two lines', 'test commented'],
    );
  });

  it('calls a test with a computed title a template, titled with the text of the expression', () => {
    assert.deepEqual(
      scanned(`
        it(\`adds \${a} and \${b ? '}' : "\`"}\`, () => {});
        it(name, () => {});
        it('for ' + name, () => {});
        describe(Cart.name, () => { it('inner', () => {}); });`),
      [
        'template adds ${a} and ${b ? \'}\' : "`"}',
        'template name',
        "template 'for ' + name",
        'template Cart.name',
        '  test inner',
      ],
    );
  });

  it('calls parametrised and repeated tests templates, and what stands in their suites tests', () => {
    assert.deepEqual(
      scanned(`
        it.each([[1, 'it("x", () => {})'], [2, ')']])('adds %i', () => {});
        it.each<{ a: Map<string, () => void> }>([])('typed $a', () => {});
        test.each\`
          a | b
          \${1} | \${fn(') it("no")')}
        \`('table $a', ({ a }) => {});
        describe.for([1, 2])('suite %s', (n) => { it('inner', () => {}); });
        it.skipIf(process.env['X'] === ')')('when', () => {});
        it.runIf(a / b / c)('if', () => {});
        for (const x of [1]) { it('looped', () => {}); describe('looped suite', () => { it('in it', () => {}); }); }
        while (more()) { it('while', () => {}); }
        [1, 2].forEach((x) => { it('each', () => {}); });
        function helper(n: number) { if (n) { it('helped', () => {}); } }`),
      [
        'template adds %i',
        'template typed $a',
        'template table $a',
        'template suite %s',
        '  test inner',
        'test when',
        'test if',
        'template looped',
        'template looped suite',
        '  test in it',
        'template while',
        'template each',
        'template helped',
      ],
    );
  });

  it('is not misled by comments, strings, templates, regular expressions and divisions', () => {
    assert.deepEqual(
      scanned(
        `
        // it('comment', () => {})
        /* it('block', () => {}) */
        const s = "it('string', () => {})", t = \`it('template', () => {}) \${\`}\${'{'}\`}\`;
        const r = /it\\('regex', [/(]/.test(s) ? a / b : c++ / (d) / 2;
        const o = { it: undefined } as { it?: string };
        if (/[)'"]/.exec(s)) /'/.test(t);
        const g = x as unknown as Foo<Bar> as Baz; const n = y! / 2;
        regex.test('no'); this.it('no'); x?.describe('no');
        const label = cond ? 'a' : /b'/;
        it('the only one', () => { const it = 1; describe; });`.replace(
          'const o = { it: undefined } as { it?: string };\n',
          '',
        ),
      ),
      ['test the only one'],
    );
  });

  it('tells blocks from functions', () => {
    assert.deepEqual(
      scanned(`
        if (a) { it('if', () => {}); } else { it('else', () => {}); }
        try { it('try', () => {}); } catch { it('catch', () => {}); } finally { it('finally', () => {}); }
        { it('block', () => {}); }
        describe('function', function () { it('in function', async function () {}); });
        describe('async', async (): Promise<void> => { it('in async', () => {}); });`),
      [
        'test if',
        'test else',
        'test try',
        'test catch',
        'test finally',
        'test block',
        'suite function',
        '  test in function',
        'suite async',
        '  test in async',
      ],
    );
  });

  it('reads JSX and type parameters', () => {
    assert.deepEqual(
      scanned(`
        const id = <T,>(x: T) => x; const other = <T extends object>(x: T): T => x;
        it('renders', () => {
          render(<Foo.Bar a="it's" b={{ c: '}' }} {...rest}>don't {x ? <b>{'<'}</b> : <></>} it's</Foo.Bar>);
        });
        it('compares', () => { expect(a < b && c > d).toBe(<br />); });`),
      ['test renders', 'test compares'],
    );
  });

  it('agrees with the parser on line ends of every kind', () => {
    const text = "describe('a', () => {\r\n  it('b', () => {});\r  it('c', () => {});\n});";
    assert.deepEqual(drawTests(surely(text)), drawTests(parseTests(text, 'file.ts', vitestVocabulary).tests));
    assert.match(drawTests(parseTests(text, 'file.ts', vitestVocabulary).tests).join(), /test c \[3:3/);
  });

  it('agrees with the parser on every real test file at hand, and rarely needs it', () => {
    const folder = path.resolve(import.meta.dirname, '../../../../node_modules/zod/src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.test.ts'),
    );
    assert.ok(files.length > 100, 'the real files are gone');
    let doubted = 0;
    for (const file of files) {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const found = scanTests(text, vitestVocabulary);
      if (found === 'ambiguous') doubted++;
      else assert.deepEqual(found, parseTests(text, file, vitestVocabulary).tests, file);
    }
    assert.ok(doubted < files.length / 10, `${doubted} of ${files.length} doubted`);
  });
});

describe('parsing tests that the scanner leaves to the parser', () => {
  it('follows renamed imports, whole modules and type-only imports', () => {
    assert.deepEqual(
      parsed(`import { it as check, describe as group } from 'vitest';
        group('a', () => { check('b', () => {}); });`),
      ['suite a', '  test b'],
    );
    assert.deepEqual(
      parsed(`import * as v from 'vitest'; v.describe.skip('a', () => { v.it('b', () => {}); });`),
      ['suite a skip', '  test b'],
    );
    assert.deepEqual(parsed(`import type { it } from 'vitest'; it('types do not run', () => {});`), []);
  });

  it('follows aliases, extended tests and functions that choose one', () => {
    assert.deepEqual(
      parsed(`import { describe, test } from 'vitest';
        const check = test.extend<{ db: Db }>({ db: async ({}, use) => use(1) });
        const slow = check.skip;
        const onLinux = linux ? describe : describe.skip;
        const when = (ok: boolean) => (ok ? describe : describe.skip);
        check('a', () => {});
        slow('b', () => {});
        onLinux('c', () => { check.each([1])('d %i', () => {}); });
        when(true)('e', () => { test('f', () => {}); });
        test.describe('g', () => {});
        describe('h', (it) => { it('i', () => {}); });`),
      [
        'test a',
        'test b skip',
        'suite c',
        '  template d %i',
        'suite e',
        '  test f',
        'suite g',
        'suite h',
        '  test i',
      ],
    );
  });

  it('knows that a local function named test declares no tests', () => {
    assert.deepEqual(
      parsed(
        `function test(x: string) { return x; } test('no'); [1].map((it) => it + 1); const o = { it() {} };`,
      ),
      [],
    );
  });

  it('finds tests in arrow bodies and conditions without braces', () => {
    assert.deepEqual(
      parsed(`import { describe, it } from 'vitest';
        describe('a', () => it('b', () => {}));
        if (x) it('c', () => {});
        for (const y of z) it('d', () => {});
        list.forEach((y) => it('e', () => {}));
        ok && it('f', () => {});`),
      ['suite a', '  test b', 'test c', 'template d', 'template e', 'test f'],
    );
  });

  it('finds tests inside of sources only in their import.meta.vitest blocks', () => {
    assert.deepEqual(
      parsed(`export const it = (x: string) => x; it('no');
        if (import.meta.vitest) { const { it: check, describe } = import.meta.vitest; describe('a', () => { check('b', () => {}); }); }`),
      ['suite a', '  test b'],
    );
  });

  it('tells the line of a syntax error and keeps what it could read', () => {
    const text = "import { it } from 'vitest';\nit('a', () => {});\nit('b', () => {\n)\n";
    assert.equal(scanTests(text, vitestVocabulary), 'ambiguous');
    const { tests, warnings } = parseTests(text, 'file.ts', vitestVocabulary);
    assert.ok(drawTitles(tests).includes('test a'));
    assert.match(warnings[0] ?? '', /^Syntax error at line 4: /);
  });
});
