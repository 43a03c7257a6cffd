// What a model is told of secrets in a test, over real node:test workspaces: a number for each, and never one of them; and what comes back.
import assert from 'node:assert/strict';
import { endpointModel } from '../../../../src/core/fixes/model/chatEndpoint.ts';
import { modelProvider } from '../../../../src/core/fixes/model/modelProvider.ts';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { chatServer, edits, whole } from '../../../support/chatServer.ts';
import { fakeSecrets } from '../../../support/fakeSecrets.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const file = 'tests/sign.test.js';
// No name tells of it where it is printed, and none of a form.
const secret = ['correct', 'horse', '77'].join('-');
const other = ['battery', 'staple', '88'].join('-');
const elsewhere = ['never', 'in', 'the', 'test'].join('-');
const signTest = `import assert from 'node:assert/strict';
import test from 'node:test';
import { sign } from '../src/sign.js';

const password = '${secret}';
const clientSecret = '${other}';

test('signs', () => {
  assert.equal(sign(password, clientSecret), '${secret}+${other}');
});
/*
${fakeSecrets.map(({ text }) => text.replaceAll('*/', '')).join('\n')}
*/
`;
const source = (mark: string, key: string): string =>
  `export const apiKey = '${key}';\nexport const sign = (a, b) => a + '${mark}' + b;\n`;

const setBy = { url: '--model-url', model: '--model', key: '--model-key-file' };

describe('secrets in what a model is asked', function () {
  this.timeout(240_000);
  let workspace: TemporaryWorkspace;

  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({ name: 'signs', type: 'module', scripts: { test: 'node --test' } }),
        'src/sign.js': source('+', ['some', 'older', 'key'].join('-')),
        [file]: signTest,
      },
      { git: true },
    );
    await workspace.write('src/sign.js', source('~', elsewhere));
  });
  after(() => workspace.dispose());

  /** `answer`: given what the model was asked. */
  async function mend(
    answer: (question: string) => string,
  ): Promise<{ readonly question: string; readonly report: CycleReport }> {
    let question = '';
    const server = await chatServer((response, { body }) => {
      question = body.messages.map(({ content }) => content).join('\n');
      whole(response, answer(question));
    });
    try {
      const model = endpointModel({ baseUrl: new URL(server.url), model: 'qwen', setBy });
      const providers = [modelProvider({ model })];
      const report = await mendWorkspace(workspace, {
        providers,
        assume: 'source-is-right',
        maxIterations: 1,
      });
      assert.equal(await workspace.read(file), signTest);
      return { question, report };
    } finally {
      await server.close();
    }
  }
  const outcome = ({ fixes, remaining }: CycleReport): string =>
    [
      ...fixes.map(({ verdict }) => `${verdict.verdict} ${verdict.reason ?? ''}`),
      ...remaining.flatMap(({ handOver }) => handOver?.refusals ?? []),
    ].join('\n');
  const expectation = /assert\.equal\(sign\(password, clientSecret\), '(.*)'\);/;

  it('go to nobody, have one number each wherever they stand, and an answer gets back those of its file', async () => {
    const { question, report } = await mend((asked) => {
      const old = expectation.exec(asked)?.[1] ?? '';
      return edits({ file, search: `'${old}'`, replace: `'${old.replace('+', '~')}'` });
    });
    for (const { what, secrets } of fakeSecrets)
      for (const one of secrets) assert.ok(!question.includes(one), `${what}: ${one}`);
    for (const one of [secret, other, elsewhere]) assert.ok(!question.includes(one), one);
    const named = /const password = '(\[redacted:\d+\])';\nconst clientSecret = '(\[redacted:\d+\])';/;
    const [, first = '', second = ''] = named.exec(question) ?? [];
    assert.notEqual(first, second);
    assert.ok(question.includes(`clientSecret), '${first}+${second}'`), 'where no name tells of them, too');
    assert.ok(question.includes(`${first}~${second}`), 'in the message and the values');
    assert.match(outcome(report), /^verified/);
    assert.ok(report.patch.includes(`+  assert.equal(sign(password, clientSecret), '${secret}~${other}');`));
  });

  const refused: readonly (readonly [what: string, by: (asked: string) => string])[] = [
    ['of another file', (asked) => /apiKey = '(\[redacted:\d+\])'/.exec(asked)?.[1] ?? ''],
    ['with a number that it was not told', () => '[redacted:999]'],
    ['without a number', () => '[redacted]'],
    ['in an escape', () => '\\x5bRedacted : 9 ]'],
  ];
  for (const [what, by] of refused)
    it(`are not written into a file: one ${what}`, async () => {
      const { report } = await mend((asked) => {
        const old = expectation.exec(asked)?.[1] ?? '';
        return edits({ file, search: `'${old}'`, replace: `'${by(asked)}'` });
      });
      assert.equal(report.patch, '');
      assert.match(
        outcome(report),
        /writes \[redacted ?(?::|\])[ \d]*\]?, the placeholder of a redacted secret/i,
      );
    });
});
