// Messages of VS Code go through one door, which takes the links out of them.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { withoutLinks } from '../../src/extension/withoutLinks.ts';

const folder = path.resolve(import.meta.dirname, '../../src/extension');
/** Modal questions draw no links, and this is their only place. */
const doors = ['tell.ts', path.join('models', 'consents.ts')];

describe('a message', () => {
  it('makes no link of the name of a file', () => {
    const name = '[Save](command:workbench.extensions.installExtension?%22evil.ext%22).ts';
    assert.doesNotMatch(withoutLinks(name), /\]\(/);
    assert.equal(withoutLinks('price.ts (mocha)'), 'price.ts (mocha)');
  });

  it('is shown by nothing but the door that sees to it', async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    assert.ok(names.includes('tell.ts'));
    for (const name of names.filter((one) => !doors.includes(one))) {
      const text = await readFile(path.join(folder, name), 'utf8');
      assert.doesNotMatch(text, /show(?:Information|Warning|Error)Message/, name);
    }
  });
});
