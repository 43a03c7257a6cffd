// Sources that need a browser now: which test files are to run in its environment, and who must agree.
import assert from 'node:assert/strict';
import { askedProviders } from '../../../../src/core/fixes/providers.ts';
import { environment } from '../../../../src/core/fixes/environment/environment.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import type { Fix } from '../../../../src/core/model/fix.ts';
import type { TestResult } from '../../../../src/core/model/testResult.ts';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

interface Situation {
  readonly files?: Readonly<Record<string, string>>;
  readonly before?: string;
  readonly now?: string;
  readonly message?: string;
  readonly thrownIn?: string;
  readonly runner?: 'vitest' | 'jest';
  readonly source?: string;
}

const testText = `import { expect, it } from 'vitest';\nit('a', () => expect(title()).toBe(''));\n`;
const installed = {
  'package.json': '{}',
  'node_modules/jsdom/package.json': '{}',
  'node_modules/jest-environment-jsdom/package.json': '{}',
};
const named = { 'test/other.test.ts': `// @vitest-environment jsdom\nit('b', () => {});\n` };
const uses = 'export const title = () => document.title;\n';

/** What is proposed for test/a.test.ts, whose source is src/a.ts. */
async function propose(
  situation: Situation,
): Promise<{ fix: Fix | undefined; text: string; refusal: string }> {
  const { before = "export const title = () => '';\n", now = uses, source = 'src/a.ts' } = situation;
  const files: Readonly<Record<string, string>> = {
    ...installed,
    'test/a.test.ts': testText,
    ...(situation.files ?? named),
    [source]: now,
  };
  const result: TestResult = {
    id: `${situation.runner ?? 'vitest'}:test/a.test.ts#a`,
    file: 'test/a.test.ts',
    line: 2,
    title: 'a',
    suites: [],
    outcome: 'failed',
    durationMs: 1,
    failure: {
      message: situation.message ?? 'document is not defined',
      stack: [{ name: 'title', file: situation.thrownIn ?? source, line: 1, column: 1 }],
      kind: 'error',
      severity: 'medium',
    },
  };
  const refusals: string[] = [];
  const isTestFile = (file: string): boolean => file.includes('test/');
  const [fix] = await environment.propose({
    root: '/shop',
    failing: [{ result, captured: [] }],
    readText: async (file) => files[file],
    isTestFile,
    testFiles: Object.keys(files).filter(isTestFile),
    changes: {
      files: [{ file: source, status: 'modified' }],
      baseText: async (file) => (file === source ? before : undefined),
      reaching: async () => [{ file: source, status: 'modified' }],
    },
    signal: new AbortController().signal,
    refuse: (_id, reason) => refusals.push(reason),
  });
  const old = files['test/a.test.ts'] ?? '';
  const [edit] = fix?.edits ?? [];
  const text = edit === undefined ? old : applyEdit(edit, old);
  if (fix !== undefined) {
    const change = { file: 'test/a.test.ts', before: old, after: text };
    assert.deepEqual(checkPolicyOfEdits([change], isTestFile, { namesEnvironment: true }), []);
    assert.notDeepEqual(checkPolicyOfEdits([change], isTestFile), []);
  }
  return { fix, text, refusal: refusals.join(' ') };
}

describe('the environment of a browser', () => {
  it('is named as another test file names it, and that is mechanical', async () => {
    const { fix, text } = await propose({});
    assert.deepEqual([fix?.trust, fix?.stops], ['mechanical', undefined]);
    assert.equal(text, `// @vitest-environment jsdom\n${testText}`);
    assert.match(fix?.evidence.join(' ') ?? '', /src\/a\.ts uses `document` since the last commit/);
    const block = { 'test/other.test.ts': `/** @vitest-environment jsdom */\nit('b', () => {});\n` };
    assert.equal((await propose({ files: block })).text, `/** @vitest-environment jsdom */\n${testText}`);
  });

  it('stands where the runner reads it', async () => {
    const headed = async (head: string, more: Situation = {}): Promise<string> => {
      const files = { ...named, ...more.files, 'test/a.test.ts': head + testText };
      return (await propose({ ...more, files })).text;
    };
    const line = '// @vitest-environment jsdom\n';
    assert.equal(await headed('\uFEFF'), `\uFEFF${line}${testText}`);
    assert.equal(await headed('#!/usr/bin/env node\n'), `#!/usr/bin/env node\n${line}${testText}`);
    assert.equal(await headed('/* Copyright A. */\n'), `/* Copyright A. */\n${line}${testText}`);
    assert.equal(await headed('// Tests of the title.\n'), `${line}// Tests of the title.\n${testText}`);
    assert.equal(
      await headed(`import './a';\r\n`),
      `// @vitest-environment jsdom\r\nimport './a';\r\n${testText}`,
    );
    // Jest reads the first comment only.
    const inJest = {
      runner: 'jest',
      files: { 'test/other.test.ts': `/**\n * @jest-environment jsdom\n */\nit('b', () => {});\n` },
    } as const;
    const block = '/**\n * @jest-environment jsdom\n */\n';
    assert.equal(await headed('/** @license MIT */\n', inJest), `${block}/** @license MIT */\n${testText}`);
    for (const head of ['#!/usr/bin/env node\n', '/** @jsx h */\n'])
      assert.equal(await headed(head, inJest), head + testText);
  });

  it('is only proposed where a person must know whether the tests are for a browser', async () => {
    const cases: readonly (readonly [Situation, RegExp])[] = [
      [
        {
          files: {
            'vitest.config.ts': `export default { test: { projects: [{ test: { environment: 'jsdom' } }] } };`,
          },
        },
        /No other test file of the package/,
      ],
      [
        {
          files: {
            'packages/web/package.json': '{}',
            'packages/web/test/b.test.ts': `// @vitest-environment jsdom\n`,
          },
        },
        /No other test file of the package/,
      ],
      [
        { now: `const live = typeof window !== 'undefined';\n${uses}` },
        /checks whether it runs in a browser/,
      ],
      [{ now: `const live = 'document' in globalThis;\n${uses}` }, /checks whether it runs/],
      [{ now: `const live = globalThis.document;\n${uses}` }, /checks whether it runs/],
      [{ source: 'src/server/a.ts' }, /does not run in a browser/],
    ];
    for (const [situation, reason] of cases) {
      const { fix, text } = await propose(situation);
      assert.equal(fix?.trust, 'propose', String(reason));
      assert.match(fix?.stops?.map((stop) => stop.reason).join(' ') ?? '', reason);
      assert.equal(text, `// @vitest-environment jsdom\n${testText}`);
    }
  });

  it('is refused where none or several are used, or the file chose its own', async () => {
    const other = { 'test/more.test.ts': `// @vitest-environment happy-dom\n` };
    const cases: readonly (readonly [Situation['files'], RegExp])[] = [
      [{}, /do not name exactly one installed browser environment/],
      [{ ...named, ...other }, /do not name exactly one installed browser environment/],
      [other, /do not name exactly one installed browser environment/],
      [{ ...named, 'test/a.test.ts': `// @vitest-environment node\n${testText}` }, /already/],
    ];
    for (const [files = {}, reason] of cases) {
      const { fix, refusal } = await propose({ files });
      assert.equal(fix, undefined);
      assert.match(refusal, reason);
    }
  });

  it('is no answer where the source used the name before, or the failure comes from elsewhere', async () => {
    const situations: readonly Situation[] = [
      { before: uses },
      { thrownIn: 'test/a.test.ts' },
      { thrownIn: 'src/other.ts' },
      { now: 'const document = { title: 1 };\nexport const title = () => document.title;\n' },
      { now: 'export const title = (page: { document: string }) => page.document;\n' },
      { message: 'documents is not defined' },
    ];
    for (const situation of situations) {
      const { fix, refusal } = await propose(situation);
      assert.deepEqual([fix, refusal], [undefined, ''], JSON.stringify(situation));
    }
  });

  it('is not applied where the tests do not pass in it', async function () {
    this.timeout(300_000);
    const test = (name: string): string =>
      `import { expect, it } from 'vitest';\nimport { ${name} } from '../src/${name}';\n\nit('works', () => {\n  expect(${name}()).toBeTypeOf('string');\n});\n`;
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "*", "jsdom": "*" } }',
        'src/loaded.ts': "export const loaded = (): string => '';\n",
        'src/called.ts': "export const called = (): string => '';\n",
        'test/loaded.test.ts': test('loaded'),
        'test/called.test.ts': test('called'),
        'test/other.test.ts': `// @vitest-environment jsdom\nimport { it } from 'vitest';\n\nit.skip('has a page', () => {});\n`,
        // Installed by half: it cannot be loaded.
        'node_modules/jsdom/package.json': '{ "name": "jsdom", "version": "0.0.0", "main": "gone.js" }',
      },
      { git: true, vitest: 'shared' },
    );
    try {
      await workspace.write(
        'src/loaded.ts',
        'const page = document;\nexport const loaded = (): string => page.title;\n',
      );
      await workspace.write('src/called.ts', 'export const called = (): string => window.name;\n');
      const { fixes, patch } = await mendWorkspace(workspace, { providers: askedProviders(['environment']) });
      const own = fixes.filter(({ provider }) => provider === 'environment');
      assert.deepEqual(own.map(({ title, verdict }) => `${title}: ${verdict.verdict}`).sort(), [
        'run test/called.test.ts in the environment jsdom: rejected',
        'run test/loaded.test.ts in the environment jsdom: rejected',
      ]);
      assert.equal(patch, '');
    } finally {
      await workspace.dispose();
    }
  });
});

describe('the gate over a fix that names an environment', () => {
  const rulesOf = (before: string, after: string): string[] =>
    checkPolicyOfEdits([{ file: 'test/a.test.ts', before, after }], () => true, {
      namesEnvironment: true,
    }).map(({ rule }) => rule);
  const line = '// @vitest-environment jsdom\n';

  it('lets one comment at the head through', () => {
    assert.deepEqual(rulesOf(testText, line + testText), []);
    assert.deepEqual(rulesOf(testText, `/** @jest-environment jsdom */\n${testText}`), []);
    assert.deepEqual(rulesOf(`/* MIT */\n${testText}`, `/* MIT */\n${line}${testText}`), []);
  });

  it('and nothing else', () => {
    for (const [before, after] of [
      [testText, `${line}${testText.replace("''", "'x'")}`],
      [testText, testText + line],
      [testText, `// @vitest-environment node\n${testText}`],
      [testText, `// @vitest-environment ./own.ts\n${testText}`],
      [testText, `// @vitest-environment jsdom @ts-nocheck\n${testText}`],
      [testText, `${line}// @ts-nocheck\n${testText}`],
      [testText, testText],
      [`// @vitest-environment node\n${testText}`, `${line}// @vitest-environment node\n${testText}`],
      [`const a = \`\n${testText}\`;`, `const a = \`\n${line}${testText}\`;`],
    ] as const)
      assert.deepEqual(rulesOf(before, after), ['not-one-to-one'], after);
  });
});
