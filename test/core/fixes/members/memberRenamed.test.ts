// The fixer of renamed methods: it follows what the change itself says, and refuses to guess.
import assert from 'node:assert/strict';
import { memberRenamed } from '../../../../src/core/fixes/members/memberRenamed.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import type { TestResult } from '../../../../src/core/model/testResult.ts';

const file = 'parser.test.ts';
const test = `it('parses', () => {
  const p = new Parser();
  p.parseChunk('a');
  other.parseChunk('b');
  p.parseChunk('c');
  p.parseChunk;
});
it('is another test', () => {
  const p = new Lexer();
  p.parseChunk('a');
});
`;
const write = `  write(chunk: string): void {\n    this.text += chunk;\n  }\n`;
const parser = (...members: string[]): string =>
  `export class Parser {\n  text = '';\n${members.join('')}}\n`;
const alias = (body: string, parameters = 'chunk: string'): string =>
  `  /** @deprecated */\n  parseChunk(${parameters}): void {\n    ${body}\n  }\n`;

interface Given {
  readonly before: string;
  readonly now: string;
  readonly message?: string;
  /** A second changed file. */
  readonly more?: { readonly before: string; readonly now: string };
}

async function propose(given: Given) {
  const sources = [given, ...(given.more ? [given.more] : [])];
  const names = sources.map((_, index) => `src/source${index}.ts`);
  const files = names.map((name) => ({ file: name, status: 'modified' as const }));
  const result: TestResult = {
    id: `vitest:${file}#parses`,
    file,
    line: 1,
    title: 'parses',
    suites: [],
    outcome: 'failed',
    durationMs: 1,
    failure: {
      message: given.message ?? 'p.parseChunk is not a function',
      kind: 'error',
      severity: 'medium',
      stack: [],
      location: { file, line: 3, column: 5 },
    },
  };
  const refusals: string[] = [];
  const fixes = await memberRenamed.propose({
    root: '/shop',
    failing: [{ result, captured: [] }],
    readText: async (name) => (name === file ? test : sources[names.indexOf(name)]?.now),
    isTestFile: (name) => name === file,
    changes: {
      files,
      baseText: async (name) => sources[names.indexOf(name)]?.before,
      reaching: async () => files,
    },
    signal: new AbortController().signal,
    refuse: (_id, reason) => refusals.push(reason),
  });
  const edit = fixes[0]?.edits[0];
  return { fixes, refusals, text: edit && applyEdit(edit, test) };
}

const mended = test
  .replace(`p.parseChunk('a');\n  other`, `p.write('a');\n  other`)
  .replace(`p.parseChunk('c');\n  p.parseChunk;`, `p.write('c');\n  p.write;`);

describe('the fixer of renamed methods', () => {
  it('follows a removed alias to the method that it called, in the failing test only', async () => {
    const { fixes, text } = await propose({
      before: parser(write, alias('this.write(chunk);')),
      now: parser(write),
    });
    assert.equal(text, mended);
    assert.equal(fixes[0]?.trust, 'mechanical');
    assert.equal(fixes[0]?.title, 'use write (was parseChunk)');
    assert.match(
      fixes[0]?.evidence[0] ?? '',
      /Parser\.parseChunk was removed from src\/source0\.ts since the last commit: it only called write/,
    );
  });

  it('follows an alias that returns, awaits or passes a rest on', async () => {
    for (const [body, parameters] of [
      ['return this.write(chunk);', 'chunk: string'],
      ['return await this.write(...chunks);', '...chunks: string[]'],
    ]) {
      const { text } = await propose({
        before: parser(write, alias(body ?? '', parameters)),
        now: parser(write),
      });
      assert.equal(text, mended);
    }
  });

  it('follows a method whose text came back under another name', async () => {
    const old = write.replace('write', 'parseChunk').replace('+= chunk', '+= chunk; this.parseChunk.name');
    const { text } = await propose({
      before: parser(old),
      now: parser(old.replaceAll('parseChunk', 'write')),
    });
    assert.equal(text, mended);
  });

  it('follows a method that says its own name in a text, where another source goes the same way', async () => {
    const old = write.replace('write', 'parseChunk').replace('+= chunk', "+= chunk; time('parseChunk')");
    const given = { before: parser(old), now: parser(old.replaceAll('parseChunk', 'write')) };
    const asked = await propose(given);
    assert.deepEqual([asked.text, asked.fixes[0]?.trust], [mended, 'propose']);
    const followed = await propose({
      ...given,
      more: {
        before: 'export const feed = (p: Parser) => p.parseChunk("x");\n',
        now: 'export const feed = (p: Parser) => p.write("x");\n',
      },
    });
    assert.deepEqual([followed.text, followed.fixes[0]?.trust], [mended, 'mechanical']);
  });

  for (const [says, given, reason] of [
    [
      'an alias that changes the arguments',
      { before: parser(write, alias('this.write(chunk.trim());')), now: parser(write) },
      /no replacement was found/,
    ],
    [
      'an alias that does more',
      { before: parser(write, alias(`this.text = ''; this.write(chunk);`)), now: parser(write) },
      /no replacement was found/,
    ],
    [
      'an alias of a method that went as well',
      { before: parser(write, alias('this.write(chunk);')), now: parser() },
      /no replacement was found/,
    ],
    [
      'a new method with another text',
      { before: parser(alias(`this.text = chunk;`)), now: parser(write) },
      /no replacement was found/,
    ],
  ] as const satisfies readonly (readonly [string, Given, RegExp])[]) {
    it(`refuses ${says}`, async () => {
      const { fixes, refusals } = await propose(given);
      assert.deepEqual(fixes, []);
      assert.match(refusals.join(), reason);
    });
  }

  it('follows the class that the test makes, whatever others lost', async () => {
    const { text } = await propose({
      before: parser(write, alias('this.write(chunk);')),
      now: parser(write),
      more: {
        before: parser(write.replace('write', 'feed'), alias('this.feed(chunk);')).replace('Parser', 'Lexer'),
        now: parser(write.replace('write', 'feed')).replace('Parser', 'Lexer'),
      },
    });
    assert.equal(text, mended);
  });

  it('says nothing of a method that no changed class ever had', async () => {
    assert.deepEqual((await propose({ before: parser(write), now: parser() })).fixes, []);
  });
});
