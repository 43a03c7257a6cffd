// Whole cycles in which a model is asked, over real workspaces of node:test and of vitest; the model is a server on this machine that a story plays.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { CycleRequest } from '../../../../src/core/cycle/cycleRequest.ts';
import { expectedValue } from '../../../../src/core/fixes/assertion/expectedValue.ts';
import { answerCache } from '../../../../src/core/fixes/model/answerCache.ts';
import { endpointModel } from '../../../../src/core/fixes/model/chatEndpoint.ts';
import { modelProvider, type ModelOptions } from '../../../../src/core/fixes/model/modelProvider.ts';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import {
  chatServer,
  edits,
  failed,
  streamed,
  whole,
  type Answerer,
  type ChatServer,
} from '../../../support/chatServer.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const file = 'tests/greet.test.js';
/** The same two tests in both frameworks: most cases are about the model, and node:test starts five times as fast. */
const greetTests = {
  'node:test': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from '../src/greet.js';

test('greets Ada', () => {
  assert.equal(greet('Ada'), 'Hi, Ada');
});

test('has no key of ours', () => {
  assert.equal(process.env.TESTMEND_MODEL_KEY, undefined);
});
`,
  vitest: `import { expect, test } from 'vitest';
import { greet } from '../src/greet.js';

test('greets Ada', () => {
  expect(greet('Ada')).toBe('Hi, Ada');
});

test('has no key of ours', () => {
  expect(process.env.TESTMEND_MODEL_KEY).toBe(undefined);
});
`,
};
type Framework = keyof typeof greetTests;

async function shopOf(framework: Framework, files = [file]): Promise<TemporaryWorkspace> {
  const runner =
    framework === 'vitest' ? { devDependencies: { vitest: '4' } } : { scripts: { test: 'node --test' } };
  const workspace = await temporaryWorkspace(
    {
      'package.json': JSON.stringify({ name: 'shop', type: 'module', ...runner }),
      'src/greet.js': 'export const greet = (name) => `Hi, ${name}`;\n',
      ...Object.fromEntries(files.map((name) => [name, greetTests[framework]])),
    },
    { git: true, vitest: framework === 'vitest' },
  );
  await workspace.write('src/greet.js', 'export const greet = (name) => `Hello, ${name}`;\n');
  return workspace;
}
const right = edits({ file, search: "'Hi, Ada'", replace: "'Hello, Ada'" });

const setBy = { url: '--model-url', model: '--model', key: '--model-key-file' };

describe('a model among the fixers', function () {
  this.timeout(240_000);
  let workspaces: Readonly<Record<Framework, TemporaryWorkspace>>;
  let server: ChatServer | undefined;

  const own = process.env['TESTMEND_MODEL_KEY'];
  before(async () => {
    process.env['TESTMEND_MODEL_KEY'] = 'sk-0123456789abcdef';
    workspaces = { 'node:test': await shopOf('node:test'), vitest: await shopOf('vitest') };
  });
  after(async () => {
    if (own === undefined) delete process.env['TESTMEND_MODEL_KEY'];
    else process.env['TESTMEND_MODEL_KEY'] = own;
    for (const workspace of Object.values(workspaces)) await workspace.dispose();
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function mend(
    answer: Answerer,
    {
      options = {},
      framework = 'node:test',
      workspace = workspaces[framework],
      ...more
    }: Omit<Partial<CycleRequest>, 'workspace'> & {
      readonly options?: Partial<ModelOptions>;
      readonly framework?: Framework;
      readonly workspace?: TemporaryWorkspace;
    } = {},
  ): Promise<CycleReport> {
    server = await chatServer(answer);
    const endpoint = {
      baseUrl: new URL(server.url),
      model: 'qwen',
      setBy,
      key: 'sk-0123456789abcdef',
      silenceMs: 2_000,
    };
    const report = await mendWorkspace(workspace, {
      providers: [modelProvider({ model: endpointModel(endpoint), ...options })],
      assume: 'source-is-right',
      ...more,
    });
    assert.doesNotMatch(JSON.stringify(report), /sk-0123456789abcdef/);
    assert.equal(await workspaces[framework].read(file), greetTests[framework]);
    return report;
  }
  const says =
    (text: string): Answerer =>
    (response) =>
      streamed(response, text, { prompt_tokens: 10, completion_tokens: 2 });
  const verdicts = ({ fixes }: CycleReport): readonly string[] =>
    fixes.map(({ verdict, state }) => `${verdict.verdict} ${state} ${verdict.reason ?? ''}`.trim());
  const reasons = ({ remaining }: CycleReport): string =>
    remaining.flatMap(({ handOver }) => handOver?.refusals ?? []).join('\n');

  it('mends what the source is right about, with what it took, and is told the rules and the failure', async () => {
    const report = await mend(says(right), { framework: 'vitest' });
    assert.deepEqual(verdicts(report), ['verified accepted']);
    assert.equal(report.status, 'passed');
    assert.match(report.patch, /\+ {2}expect\(greet\('Ada'\)\)\.toBe\('Hello, Ada'\);/);
    assert.deepEqual(report.spent.asked, [
      { provider: 'model', requests: 1, inputTokens: 10, outputTokens: 2 },
    ]);
    const [system, user] = server?.requests[0]?.body.messages ?? [];
    assert.match(system?.content ?? '', /Delete no test and no assertion/);
    assert.match(user?.content ?? '', /expected \(toBe\): 'Hi, Ada'\nactual: 'Hello, Ada'/);
    assert.match(user?.content ?? '', /\+export const greet = \(name\) => `Hello/);
    assert.ok(!JSON.stringify(server?.requests).includes(path.dirname(workspaces.vitest.root)));
  });

  it('only asks a person, unless they said that the source is right', async () => {
    const report = await mend(says(right), { assume: 'ask' });
    assert.deepEqual(verdicts(report), ['verified unreviewed']);
    assert.equal(report.status, 'needs-attention');
    const fix = report.fixes[0];
    assert.equal(fix?.trust, 'oracle');
    assert.match(fix?.evidence.join(' ') ?? '', /qwen says: The greeting was reworded/);
  });

  it('is not asked where a fixer of ours has an edit', async () => {
    const { endpoint } = { endpoint: { baseUrl: new URL('http://127.0.0.1:9/'), model: 'none', setBy } };
    const report = await mend(says(right), {
      providers: [expectedValue, modelProvider({ model: endpointModel(endpoint) })],
    });
    assert.deepEqual(
      report.fixes.map(({ provider }) => provider),
      ['expected-value'],
    );
    assert.deepEqual(report.spent.asked, []);
  });

  const edit = (search: string, replace: string): string => edits({ file, search, replace });
  const assertion = "  assert.equal(greet('Ada'), 'Hi, Ada');\n";
  const bad: readonly (readonly [what: string, answer: string, expected: RegExp])[] = [
    ['has a wrong value', edit("'Hi, Ada'", "'Hey, Ada'"), /rejected declined "greets Ada" still fails/],
    ['skips', edit("test('greets Ada'", "test.skip('greets Ada'"), /rejected declined .*skip/],
    ['deletes the assertion', edit(assertion, ''), /rejected declined .*no longer does anything/],
    [
      'weakens',
      edit("assert.equal(greet('Ada'), 'Hi, Ada')", "assert.ok(greet('Ada'))"),
      /rejected declined /,
    ],
    [
      'calls something else',
      edit("greet('Ada'), 'Hi", "greet('Bob').replace('Bob', 'Ada'), 'Hello"),
      /rejected declined /,
    ],
    [
      'adds a test',
      edits(
        { file, search: "'Hi, Ada'", replace: "'Hello, Ada'" },
        {
          file,
          search: "test('greets",
          replace: "test('greets Bo', () => assert.equal(greet('Bo'), 'Hello, Bo'));\n\ntest('greets",
        },
      ),
      /unverifiable .*The fix adds tests/,
    ],
    ['swallows the failure', edit(assertion, `  try {\n  ${assertion}  } catch {}\n`), /rejected declined /],
  ];
  it('gains nothing by an edit that makes a double of what it tests', async () => {
    const double = edit(
      "test('greets",
      "vi.mock('../src/greet.js', () => ({ greet: () => 'Hi, Ada' }));\ntest('greets",
    );
    const report = await mend(says(double), { maxIterations: 2, framework: 'vitest' });
    assert.equal(report.patch, '');
    assert.match(verdicts(report).join('\n'), /rejected declined /);
  });

  const useless: readonly (readonly [what: string, answer: string, expected: RegExp])[] = [
    [
      'edits the source',
      edits({ file: 'src/greet.js', search: 'Hello', replace: 'Hi' }),
      /"src\/greet\.js", which is not one of the test files/,
    ],
    [
      'leaves the workspace',
      edits({ file: '../../.bashrc', search: 'x', replace: 'y' }),
      /which is not one of the test files/,
    ],
    [
      'changes another test',
      edit(', undefined)', ", 'x')"),
      /changed a test other than|says less with another one/,
    ],
    ['finds nothing to change', edits(), /proposed no change: The greeting was reworded/],
    ['is no JSON', 'Of course! Just change the test.', /did not answer in the requested JSON format/],
  ];
  describe('whose answers are of no use, each for a file of its own', () => {
    const answers = [...bad, ...useless].map(([, answer], index) => {
      const own = `tests/greet${index}.test.js`;
      return { own, answer: answer.replaceAll(file, own) };
    });
    let workspace: TemporaryWorkspace | undefined;
    let report: CycleReport;
    before(async () => {
      workspace = await shopOf(
        'node:test',
        answers.map(({ own }) => own),
      );
      const playing: Answerer = (response, { body }) => {
        const asked = answers.find(({ own }) =>
          body.messages.at(-1)?.content.includes(`You may change ${own}.`),
        );
        streamed(response, asked?.answer ?? '', { prompt_tokens: 10, completion_tokens: 2 });
      };
      report = await mend(playing, { maxIterations: 2, workspace });
    });
    after(() => workspace?.dispose());
    /** What the report has of one file only. */
    const of = (index: number): CycleReport => {
      const { own = '' } = answers[index] ?? {};
      return {
        ...report,
        fixes: report.fixes.filter(({ failures }) => failures.some((id) => id.includes(own))),
        remaining: report.remaining.filter((test) => test.file === own),
      };
    };

    it('changes nothing', () => {
      assert.equal(report.patch, '');
      assert.equal(report.remaining.length, answers.length);
    });
    for (const [index, [what, , expected]] of bad.entries())
      it(`gains nothing by an edit that ${what}`, () => {
        assert.match(verdicts(of(index)).join('\n'), expected);
      });
    for (const [index, [what, , expected]] of useless.entries())
      it(`says so when an answer ${what}`, () => {
        const own = of(bad.length + index);
        assert.match(reasons(own) + verdicts(own).join('\n'), expected);
      });
  });

  // What else an endpoint does wrong: chatEndpoint.test.ts.
  const down: readonly (readonly [what: string, answer: Answerer])[] = [
    ['rejected the key', (response) => failed(response, 401)],
    ['drops the connection', (response) => response.destroy()],
  ];
  for (const [what, answer] of down)
    it(`is left out with a note when it ${what}, and the cycle ends`, async () => {
      const report = await mend(answer, { maxIterations: 2 });
      assert.equal(report.patch, '');
      assert.match(report.notes.join('\n'), /The model failed and was not asked again: /);
      const asked = { provider: 'model', requests: server?.requests.length, inputTokens: 0, outputTokens: 0 };
      assert.deepEqual(report.spent.asked, [asked]);
    });

  it('keeps to its tokens', async () => {
    const report = await mend(says(edit("'Hi, Ada'", "'Hey, Ada'")), { options: { limits: { tokens: 5 } } });
    assert.equal(report.spent.asked[0]?.requests, 1);
  });

  it('counts answers that break off, too', async () => {
    const report = await mend(
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('data: {"choices":[{"delta":{"content":"half"}}]}\n\n');
      },
      { options: { limits: { tokens: 5 } }, maxIterations: 1 },
    );
    const [asked] = report.spent.asked;
    assert.equal(asked?.requests, 1, 'and is not asked again beyond its limit');
    assert.ok(asked.inputTokens > 5);
  });

  it('pays for an answer once: later cycles take it from the cache', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-answers-'));
    try {
      const options = { cache: answerCache(folder) };
      server = await chatServer((response) => whole(response, right));
      const endpoint = { baseUrl: new URL(server.url), model: 'qwen', setBy };
      for (const asked of [1, 0]) {
        const providers = [modelProvider({ model: endpointModel(endpoint), ...options })];
        const report = await mendWorkspace(workspaces['node:test'], { providers, assume: 'source-is-right' });
        assert.deepEqual(verdicts(report), ['verified accepted']);
        assert.equal(report.spent.asked.length, asked);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
