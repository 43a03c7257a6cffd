// A secret that a test file gives away is in nothing that a tool tells: answers, errors, questions, progress.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { HumanError } from '../../src/core/base/humanError.ts';
import { Question, tool, type ToolCall } from '../../src/mcp/tool.ts';
import { useTool } from '../../src/mcp/useTool.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const secret = ['plover', '73c'].join('-');
const text = `test/a.test.js says ${secret}`;
const hidden = 'test/a.test.js says [redacted]';

describe('what a tool tells', () => {
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace({ 'test/a.test.js': `const password = '${secret}';\n` });
  });
  after(() => workspace.dispose());

  const about = { name: 'one', title: 'One', about: '', readOnly: true, input: z.object({}) };
  const said: string[] = [];
  const use = (run: (call: ToolCall) => { readonly text: string } | Question): ReturnType<typeof useTool> =>
    useTool(
      tool({ ...about, output: z.object({ text: z.string() }), run: async (_input, call) => run(call) }),
      {},
      {
        settings: { roots: [{ root: workspace.root }], trusted: true, version: '1' },
        signal: new AbortController().signal,
        progress: (one) => void said.push(one),
        person: { isThere: true, answer: () => undefined },
      },
    );

  it('is an answer without it', async () => {
    assert.deepEqual(await use(() => ({ text })), { text: JSON.stringify({ text: hidden }), isError: false });
  });
  it('is an error without it', async () => {
    const answer = await use(() => {
      throw new HumanError('stale', text, { remedy: 'None.' });
    });
    assert.ok(!(answer instanceof Question) && answer.isError);
    assert.ok(answer.text.includes(hidden), answer.text);
  });
  it('is a question without it', async () => {
    assert.deepEqual(await use(() => new Question('agree', text)), new Question('agree', hidden));
  });
  it('is progress without it', async () => {
    await use(({ progress }) => {
      progress(text, 1, 2);
      return { text };
    });
    assert.deepEqual(said, [hidden]);
  });
});
