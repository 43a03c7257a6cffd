// Expected values whose literal no reading of the test can tell: found by a trial on the former sources, in real runs.
import assert from 'node:assert/strict';
import { expectedValue } from '../../../../src/core/fixes/assertion/expectedValue.ts';
import { mendCases, type MendedCase, type MendingCase } from '../../../support/mendCases.ts';

interface Situation extends MendingCase {
  /** What of the test file changes; or why there is no fix. */
  readonly becomes: readonly [from: string, to: string] | RegExp;
}

const slug = `export const slug = (text) => text.toLowerCase().replaceAll(' ', '-');
export const upper = (text) => text.toUpperCase();
`;
const underscores = [`replaceAll(' ', '-')`, `replaceAll(' ', '_')`] as const;
const head = (name: string, names: string): string =>
  `import { expect, test } from 'vitest';\nimport { ${names} } from '../src/${name}.ts';\n`;

const token = `export class Token { constructor(kind, text) { this.kind = kind; this.text = text; } }
export const read = (text) => new Token(/^\\d/.test(text) ? 'number' : 'word', text.trim());
`;

const situations: Readonly<Record<string, Situation>> = {
  takenOffTheRow: {
    source: slug,
    change: underscores,
    test: `${head('takenOffTheRow', 'slug')}
const rows = Object.entries({ 'A': 'a', 'A b': 'a-b' }).map((entry) => entry.flat());
for (const row of rows) {
  const expected = row.pop();
  test(\`\${row[0]} is \${expected}\`, () => expect(slug(row[0])).toBe(expected));
}
`,
    becomes: [`'a-b'`, `'a_b'`],
  },
  eitherValueOrFunction: {
    source: slug,
    change: underscores,
    test: `${head('eitherValueOrFunction', 'slug')}
const valueOf = (item) => (typeof item === 'function' ? item() : item);
const rows = [['A', 'a'], ['A b', 'a-b'], [() => 'C', 'c']];
for (const [input, expected] of rows) test(String(input), () => expect(slug(valueOf(input))).toBe(valueOf(expected)));
`,
    becomes: [`'a-b'`, `'a_b'`],
  },
  sameTextOnBothSides: {
    source: slug,
    change: [`text.toLowerCase()`, `text.toLowerCase().replace('c:', 'C:')`],
    test: `${head('sameTextOnBothSides', 'slug')}
const rows = { 'd': 'd', 'c:/x': 'c:/x' };
const cases = Object.keys(rows).map((key) => [key, rows[key]].reverse());
for (const [expected, input] of cases) test(input, () => expect(slug(input)).toBe(expected));
`,
    becomes: [`'c:/x': 'c:/x'`, `'c:/x': 'C:/x'`],
  },
  generated: {
    source: slug,
    change: underscores,
    test: `${head('generated', 'slug')}
function* rows() {
  yield { input: 'A', expected: 'a' };
  yield { input: 'A b', expected: 'a-b' };
}
for (const { input, expected } of rows()) test(input, () => expect(slug(input)).toBe(expected));
`,
    becomes: [`'a-b'`, `'a_b'`],
  },
  instance: {
    source: token,
    change: [`'word'`, `'name'`],
    test: `${head('instance', 'read, Token')}
test('reads', () => expect(read(' a ')).toEqual(new Token('word', 'a')));
`,
    becomes: [`new Token('word'`, `new Token('name'`],
  },
  builtStepByStep: {
    source: token,
    change: [`'word'`, `'name'`],
    test: `${head('builtStepByStep', 'read')}
const token = (kind, text) => {
  const made = {};
  made.kind = kind;
  made.text = text;
  return made;
};
test('reads', () => expect({ ...read(' a ') }).toEqual(token('word', 'a')));
`,
    becomes: [`token('word'`, `token('name'`],
  },
  alsoTheInput: {
    source: `export const greet = (name) => name;\n`,
    change: [`=> name`, `=> 'friend'`],
    test: `${head('alsoTheInput', 'greet')}
const rows = ['Bob'].map((name) => [name, name].slice());
for (const [name, expected] of rows) test('greets', () => expect(greet(name)).toBe(expected));
`,
    becomes: /./,
  },
  expectedElsewhere: {
    source: slug,
    change: underscores,
    test: `${head('expectedElsewhere', 'slug, upper')}
const rows = [['A b', 'a-b']].map((row) => row.slice());
for (const [input, expected] of rows) {
  test('slug', () => expect(slug(input)).toBe(expected));
  test('upper', () => expect(upper(expected)).toBe('A-B'));
}
`,
    becomes: /./,
  },
};

describe('literals found by a trial', () => {
  let mended: Readonly<Record<string, MendedCase>>;
  before(async () => {
    mended = await mendCases(situations, { framework: 'vitest', provider: expectedValue });
  });
  for (const [name, { becomes, test }] of Object.entries(situations))
    it(name, () => {
      const found = mended[name];
      assert.ok(found);
      if (becomes instanceof RegExp) {
        assert.deepEqual(found.fixes, []);
        assert.match(found.refusals.join('\n'), becomes);
        return;
      }
      assert.equal(
        found.text,
        test.replace(becomes[0], () => becomes[1]),
        found.refusals.join('\n'),
      );
      assert.ok(found.passes);
      assert.deepEqual(found.rules, []);
      assert.match(
        found.fixes.flatMap(({ evidence }) => evidence).join('\n'),
        /a run with another value there changed only the expected side/,
      );
    });
});
