// The command of an agent, taken apart without a shell.
import assert from 'node:assert/strict';
import { agentTemplates, readAgentCommand, wordsFor } from '../../../../src/core/fixes/agent/agentCommand.ts';

describe('the command of an agent', () => {
  for (const name of Object.keys(agentTemplates))
    it(`has a template for ${name}`, () => {
      const command = readAgentCommand(name, '--agent');
      assert.equal(command.command, name);
      assert.ok(wordsFor(command, 'do this', '/tmp/x').some((word) => /do this|\/tmp\/x/.test(word)));
    });

  it('is split as a shell would, and the task stays one word whatever is in it', () => {
    const command = readAgentCommand(`my-agent --mode 'edit only' --task={task} "{taskFile}"`, '--agent');
    const task = `a "b" 'c' $(rm -rf /) ; {taskFile} \n d`;
    assert.deepEqual(wordsFor(command, task, '/tmp/t.md'), [
      '--mode',
      'edit only',
      `--task=${task}`,
      '/tmp/t.md',
    ]);
  });

  for (const [line, expected] of [
    ['', /needs a command/],
    ['my-agent --yes', /does not contain \{task\}/],
    ['cd x && my-agent {task}', /without a shell/],
    ['my-agent $HOME {task}', /only a shell could expand/],
  ] as const)
    it(`refuses ${JSON.stringify(line)}`, () => {
      assert.throws(() => readAgentCommand(line, '--agent'), expected);
    });
});
