// Messages of VS Code go through one door, which takes the links out of them.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { plainMessage } from '../../src/extension/plainMessage.ts';

const folder = path.resolve(import.meta.dirname, '../../src/extension');
/** Modal questions draw no links, and these are their only places. */
const doors = ['tell.ts', path.join('models', 'consents.ts'), path.join('agents', 'agentTools.ts')];

describe('a message', () => {
  it('makes no link of the name of a file', () => {
    const name = '[Save](command:workbench.extensions.installExtension?%22evil.ext%22).ts';
    assert.doesNotMatch(plainMessage(name), /\]\(/);
    assert.equal(plainMessage('price.ts (mocha)'), 'price.ts (mocha)');
  });

  it('is one line, and nothing in it hides or runs backwards', () => {
    assert.equal(plainMessage('expect `a\n  b` \u202Egpj.exe'), 'expect `a ⏎ b` \\u202egpj.exe');
  });

  it('is shown by nothing but the door that sees to it', async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    assert.ok(names.includes('tell.ts'));
    for (const name of names.filter((one) => !doors.includes(one))) {
      const text = await readFile(path.join(folder, name), 'utf8');
      assert.doesNotMatch(
        text,
        /show(?:Information|Warning|Error)Message|ProgressLocation\.Notification/,
        name,
      );
    }
  });
});
