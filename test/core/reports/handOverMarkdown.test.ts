// What is handed over as Markdown: read by a parser of Markdown, as whoever gets it does.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { z } from 'zod';
import type { HandOver, Remaining } from '../../../src/core/model/cycle.ts';
import { handOverMarkdown } from '../../../src/core/reports/handOverMarkdown.ts';

const require = createRequire(import.meta.url);
const MarkdownIt: unknown = createRequire(require.resolve('@vscode/vsce/package.json'))('markdown-it');

const tokenSchema = z.object({ type: z.string(), content: z.string(), info: z.string() });
const tokensSchema = z.array(tokenSchema.extend({ children: z.array(tokenSchema).nullable() }));
const parserSchema = z.custom<new (options: object) => { parse(text: string, env: object): unknown }>();

interface Read {
  /** As code in a heading, or as its text. */
  readonly headings: readonly string[];
  readonly blocks: readonly { readonly language: string; readonly text: string }[];
  readonly code: readonly string[];
  readonly text: string;
  /** Every kind of markup in it. */
  readonly kinds: ReadonlySet<string>;
}

/** With HTML and links on: whatever would be markup where it is pasted is found. */
function read(markdown: string): Read {
  const parser = new (parserSchema.parse(MarkdownIt))({ html: true, linkify: false });
  const tokens = tokensSchema.parse(parser.parse(markdown, {}));
  const inline = tokens.flatMap(({ children }) => children ?? []);
  return {
    headings: tokens.flatMap(({ type }, index) =>
      type === 'heading_open'
        ? [(tokens[index + 1]?.children ?? []).map(({ content }) => content).join('')]
        : [],
    ),
    blocks: tokens
      .filter(({ type }) => type === 'fence')
      .map(({ info, content }) => ({ language: info, text: content.replace(/\n$/, '') })),
    code: inline.filter(({ type }) => type === 'code_inline').map(({ content }) => content),
    text: inline.map(({ content }) => content).join('\n'),
    kinds: new Set([...tokens, ...inline].map(({ type }) => type)),
  };
}

const pack = (more: Partial<HandOver> = {}): HandOver => ({
  values: [{ matcher: 'toBe', expected: "'Hi'", actual: "'Hello'" }],
  test: { file: 'test/a.test.ts', line: 3, text: "it('greets', () => {});" },
  stack: ['src/greet.ts:2'],
  sourceChanges: [{ file: 'src/greet.ts', line: 2, text: "-  'Hi'\n+  'Hello'" }],
  refusals: ['The literal also feeds the code under test.'],
  candidates: [],
  ...more,
});
const failure = (more: Partial<Remaining> = {}): Remaining => ({
  id: 'vitest:test/a.test.ts#greets',
  file: 'test/a.test.ts',
  title: 'greets',
  severity: 'medium',
  fault: 'unknown',
  reason: 'src/greet.ts changed: either may be right.',
  message: "expected 'Hello' to be 'Hi'",
  handOver: pack(),
  ...more,
});

const hostile = [
  '```',
  '````\n# Ignore the tests\n```js\nend',
  '~~~~',
  '`` ` ``',
  '`',
  ' <img src=x onerror=alert(1)>',
  '[click](https://example.com) ![x](https://example.com/x.png)',
  '# heading',
  '- list\n- list',
  '> quote',
  '1. one',
  '***bold*** _em_ __strong__ ~~gone~~',
  '&lt;b&gt; <!-- hidden',
  '---',
  '===',
  '| a | b |\n| - | - |',
  'ends with `',
  '\\',
];
/** What our own words use; everything else would come out of a text. */
const ours =
  /^(?:(?:heading|paragraph|bullet_list|list_item)_(?:open|close)|inline|text|fence|code_inline|softbreak|text_special)$/;

describe('what is handed over as Markdown', () => {
  it('tells cause, values, the test, the change of the source, and why there is no fix', () => {
    const candidate: HandOver['candidates'][number] = {
      title: "expect 'Hello' (was 'Hi')",
      provider: 'expected-value',
      trust: 'oracle',
      verdict: 'rejected',
      reasons: ['b fails with it.'],
      diff: "-'Hi'\n+'Hello'\n",
    };
    const markdown = handOverMarkdown([failure({ handOver: pack({ candidates: [candidate] }) })], '/shop');
    const { headings, blocks, code, text, kinds } = read(markdown);
    assert.deepEqual(headings, [
      'A failing test that Testmend did not mend',
      'greets',
      'Message',
      'Recorded values',
      'The test',
      'Source changes that reach it, most likely first',
      'Why there is no fix',
      'Tried, and not applied',
    ]);
    assert.deepEqual(blocks, [
      { language: '', text: "expected 'Hello' to be 'Hi'" },
      { language: 'ts', text: "'Hi'" },
      { language: 'ts', text: "'Hello'" },
      { language: 'ts', text: "it('greets', () => {});" },
      { language: 'diff', text: "-  'Hi'\n+  'Hello'" },
      { language: 'diff', text: "-'Hi'\n+'Hello'" },
    ]);
    for (const place of ['test/a.test.ts:3', 'vitest:test/a.test.ts#greets', 'src/greet.ts:2'])
      assert.ok(code.includes(place), place);
    assert.match(text, /It is not known what is at fault\. src\/greet\.ts changed: either may be right\./);
    assert.match(text, /The literal also feeds the code under test\./);
    assert.match(
      text,
      /expect 'Hello' \(was 'Hi'\) \(\nexpected-value\n, oracle\): rejected\. b fails with it\./,
    );
    assert.deepEqual(
      [...kinds].filter((kind) => !ours.test(kind)),
      [],
    );
  });

  for (const text of hostile)
    it(`keeps ${JSON.stringify(text)} what it is, wherever it stands`, () => {
      const line = text.replace(/\s*\n\s*/g, ' ');
      const markdown = handOverMarkdown(
        [
          failure({
            title: text,
            reason: text,
            message: text,
            handOver: pack({
              values: [{ matcher: text, expected: text, actual: text }],
              test: { file: 'a.py', line: 1, text },
              stack: [text],
              sourceChanges: [{ file: text, line: 1, text }],
              refusals: [text],
              candidates: [
                {
                  title: text,
                  provider: text,
                  trust: 'oracle',
                  verdict: 'rejected',
                  reasons: [text],
                  diff: text,
                },
              ],
            }),
          }),
          failure(),
        ],
        '/shop',
      );
      const { headings, blocks, code, text: words, kinds } = read(markdown);
      assert.equal(headings[1]?.trim(), line.trim());
      assert.equal(headings.length, 8 + 6, 'the next failure begins where it should');
      assert.deepEqual(
        blocks.slice(0, 6).map((block) => block.text.trimEnd()),
        [text.trim(), ...Array.from({ length: 5 }, () => text.trimEnd())],
      );
      assert.equal(blocks.length, 6 + 5);
      assert.ok(code.some((each) => each.trim() === line.trim()));
      assert.ok(words.replaceAll('\n', '').includes(line.trim()), 'its words are read as they are');
      assert.deepEqual(
        [...kinds].filter((kind) => !ours.test(kind)),
        [],
      );
    });

  it('cuts what is huge, blots out secrets, and names no folder of this machine', () => {
    const root = `${homedir()}/shop`;
    const markdown = handOverMarkdown(
      [
        failure({
          title: 'x'.repeat(10_000),
          message: `at ${root}/src/a.ts with password: 'hunter2' ${'y'.repeat(100_000)}`,
          reason: `${root}/src/a.ts throws: token=abcdef0123456789`,
        }),
      ],
      root,
    );
    assert.ok(markdown.length < 7_000, `${markdown.length}`);
    assert.doesNotMatch(markdown, /hunter2|abcdef0123456789/);
    assert.ok(!markdown.includes(homedir()));
    assert.match(markdown, /at src\/a\.ts with password: '\[redacted\]'/);
  });

  it('shows controls that would steer a terminal or hide text as what they are', () => {
    const markdown = handOverMarkdown(
      [failure({ title: 'a\u202Eb\u0007', message: '\u001b[31mred\u001b[0m' })],
      '/shop',
    );
    assert.doesNotMatch(markdown, /[\u0000-\u0008\u001b\u202E]/);
    assert.match(markdown, /\nred\n/);
  });

  it('tells tests that fail alike once, and names them', () => {
    const alike = Array.from({ length: 40 }, (_, index) =>
      failure({ id: `vitest:test/a.test.ts#shelf ${index}`, title: `shelf ${index}` }),
    );
    const { headings, text } = read(handOverMarkdown(alike, '/shop'));
    assert.equal(headings[0], '40 failing tests that Testmend did not mend');
    assert.equal(headings.filter((heading) => heading.startsWith('shelf')).length, 1);
    assert.match(text, /Fails in the same way: /);
    assert.match(text, /19 more tests/);
  });

  it('says what is known of a failure without a pack, and that nothing is left', () => {
    const { handOver: _none, ...bare } = failure();
    assert.deepEqual(read(handOverMarkdown([bare], '/shop')).headings.slice(1), ['greets', 'Message']);
    assert.equal(handOverMarkdown([], '/shop'), '# No failing test is left\n');
  });
});
