// Patches of tests that passed: what settles the question before it is asked is no proof, however many planted bugs are noticed.
import assert from 'node:assert/strict';
import path from 'node:path';
import { openWorkspace } from '../../../src/core/engine/openWorkspace.ts';
import { verifyWorkspace, type PatchVerdict } from '../../../src/core/engine/verifyWorkspace.ts';
import { unifiedDiff } from '../../../src/core/workspace/unifiedDiff.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { changed, type Attempt } from './weighedShop.ts';

const file = 'test/words.test.js';
const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/words.js': `const words = { en: { hello: 'Hello', bye: 'Bye' }, de: { hello: 'Hallo', bye: 'Ciao' } };
let locale = 'en';
export function speak(name) {
  if (!(name in words)) throw new Error('unknown locale: ' + name);
  locale = name;
  return name;
}
export function say(word, name, mark = '!') {
  const text = words[locale][word];
  return name === undefined ? text : text + ', ' + name + mark;
}
export async function tell(listeners, word) {
  const told = listeners.map((listener) => listener(say(word)));
  await Promise.all(told);
  return told.length;
}
`,
  'src/round.js': 'export const half = (n) => Math.round(n * 50) / 100;\n',
  [file]: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say, speak, tell } from '../src/words.js';

test('speaks English by default', () => {
  assert.equal(say('hello', 'Ada'), 'Hello, Ada!');
  assert.equal(say('bye'), 'Bye');
});

test('tells at once', async () => {
  const heard = [];
  const done = tell([(text) => heard.push(text)], 'bye');
  assert.deepEqual(heard, ['Bye']);
  assert.equal(await done, 1);
});

test('speaks German', () => {
  speak('de');
  assert.equal(say('bye'), 'Ciao');
  assert.equal(say('hello', 'Ada'), 'Hallo, Ada!');
});
`,
  'test/half.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { half } from '../src/round.js';

test('halves', () => {
  assert.equal(half(3), 1.5);
});

test('rounds to a hundredth', () => {
  assert.equal(half(1.333), 0.67);
});
`,
};

describe('a patch of tests that passed', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(files, { git: true });
  });
  after(() => workspace.dispose());

  async function judge(name: keyof typeof files, edits: Attempt['edits']): Promise<PatchVerdict> {
    const text = files[name];
    const { signal } = new AbortController();
    const limits = { timeoutMs: 60_000, skillTimeoutMs: 10_000, maxParallel: 2 };
    const cacheFolder = path.join(workspace.root, '../cache');
    const opened = await openWorkspace({ root: workspace.root, limits, frameworks: [], cacheFolder }, signal);
    return verifyWorkspace({
      patch: unifiedDiff(name, text, changed(text, edits)),
      opened,
      inPlace: false,
      signal,
      strengthSeconds: 60,
      onNote: () => undefined,
      onSandboxNote: () => undefined,
    });
  }
  const refused: Readonly<Record<string, readonly [Attempt['edits'], RegExp]>> = {
    'by a test before them that sets what they share': [
      [
        [
          "test('speaks English",
          "test('speaks', () => {\n  assert.equal(speak('en'), 'en');\n});\n\ntest('speaks English",
        ],
      ],
      /"speaks", which is added, may settle .* share `locale` in src\/words\.js: put it after them/,
    ],
    'by an assertion that sets it': [
      [
        [
          "  assert.equal(say('hello', 'Ada'), 'Hello, Ada!');",
          "  assert.equal(speak('en'), 'en');\n  assert.equal(say('hello', 'Ada'), 'Hello, Ada!');",
        ],
      ],
      /What "speaks English by default" asks besides may settle .* share `locale`/,
    ],
    'by another place': [
      [
        [
          "test('speaks English by default', () => {\n  assert.equal(say('hello', 'Ada'), 'Hello, Ada!');\n  assert.equal(say('bye'), 'Bye');\n});\n\n",
          '',
        ],
        [
          '  assert.equal(await done, 1);\n});\n',
          "  assert.equal(await done, 1);\n});\n\ntest('speaks English by default', () => {\n  assert.equal(say('hello', 'Ada'), 'Hello, Ada!');\n  assert.equal(say('bye'), 'Bye');\n});\n",
        ],
      ],
      /The new order of tests may settle/,
    ],
    'by the body of an added suite': [
      [
        ["import { test } from 'node:test';", "import { describe, test } from 'node:test';"],
        [
          "  assert.equal(say('hello', 'Ada'), 'Hallo, Ada!');\n});\n",
          "  assert.equal(say('hello', 'Ada'), 'Hallo, Ada!');\n});\n\ndescribe('more', () => {\n  speak('en');\n  test('speaks', () => {\n    assert.equal(speak('en'), 'en');\n  });\n});\n",
        ],
      ],
      /The body of "more" may settle/,
    ],
    'by waiting where nobody waited': [
      [['const done = tell(', 'const done = await tell(']],
      /"tells at once" passed without the `await` that it gets/,
    ],
    'by an argument in place of a default': [
      [["say('hello', 'Ada'), 'Hello, Ada!'", "say('hello', 'Ada', '!'), 'Hello, Ada!'"]],
      /^The tests pass, and notice less than before: /,
    ],
  };
  for (const [name, [edits, reason]] of Object.entries(refused))
    it(`is not proven where it settles what they are about: ${name}`, async () => {
      const told = await judge(file, edits);
      const answer = told.kind === 'weakened' ? ['rejected', 'weakened'] : ['unverifiable', 'cannot-tell'];
      assert.deepEqual([told.verdict, told.kind], answer, told.reason);
      assert.match(told.reason ?? '', reason);
    });

  it('is verified where a test that fails waits for what has another name now, and not where it waits for more', async () => {
    const renamed = files['src/words.js'].replace('function tell(', 'function inform(');
    await workspace.write('src/words.js', renamed);
    const follow: Attempt['edits'] = [
      ['import { say, speak, tell }', 'import { say, speak, inform }'],
      ['const done = tell(', 'const done = inform('],
    ];
    const followed = await judge(file, follow);
    assert.equal(followed.verdict, 'verified', followed.reason);
    const waiting = await judge(file, [
      ...follow.slice(0, 1),
      ['const done = tell(', 'const done = await inform('],
    ]);
    await workspace.write('src/words.js', files['src/words.js']);
    assert.equal(waiting.verdict, 'unverifiable');
    assert.match(waiting.reason ?? '', /gets an `await` for `inform`, which did not become asynchronous/);
  });

  it('is verified with an added test behind them, and before them where the sources keep nothing', async () => {
    const behind = await judge(file, [
      [
        "  assert.equal(say('hello', 'Ada'), 'Hallo, Ada!');\n});\n",
        "  assert.equal(say('hello', 'Ada'), 'Hallo, Ada!');\n});\n\ntest('refuses others', () => {\n  assert.throws(() => speak('xx'), new Error('unknown locale: xx'));\n});\n",
      ],
    ]);
    assert.equal(behind.verdict, 'verified', behind.reason);
    const first = await judge('test/half.test.js', [
      ["test('halves'", "test('halves more', () => {\n  assert.equal(half(5), 2.5);\n});\n\ntest('halves'"],
    ]);
    assert.equal(first.verdict, 'verified', first.reason);
  });
});
