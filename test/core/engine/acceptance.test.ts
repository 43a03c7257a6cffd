// Fixes of a cycle taken one after another, also by an engine that was not there when the first was taken.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HumanError } from '../../../src/core/base/humanError.ts';
import { applyEdit, fileEdit, type FileEdit } from '../../../src/core/model/edit.ts';
import type { Fix } from '../../../src/core/model/fix.ts';
import { Acceptance } from '../../../src/core/engine/acceptance.ts';

const file = 'a.test.js';
const before = "expect(greet()).toBe('Hi');\nexpect(price()).toBe('€');\n";
const between = before.replace("'Hi'", "'Hello'");

describe('taking fixes of a cycle', () => {
  let root: string;
  const greeting = fix('1', change(before, "'Hi'", "'Hello'"));
  /** Made on top of the first, as cycles do. */
  const price = fix('2', change(between, "'€'", "'EUR'"));
  const kept = [greeting, price];
  const read = (): Promise<string> => readFile(path.join(root, file), 'utf8');
  const write = async ([edit]: readonly FileEdit[]): Promise<void> => {
    assert.ok(edit);
    await writeFile(path.join(root, file), applyEdit(edit, await read()));
  };

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-acceptance-')));
    await writeFile(path.join(root, file), before);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('goes on after the engine was started anew, with the texts that the editor kept', async () => {
    await write(await new Acceptance(root).compose({ kept, applied: [], accepted: [greeting] }));
    assert.equal(await read(), between);
    const bases = { [file]: before };
    await write(await new Acceptance(root).compose({ kept, applied: [greeting], accepted: [price], bases }));
    assert.equal(await read(), between.replace("'€'", "'EUR'"));
  });

  it('refuses to apply a fix that is in the file already, even if nobody remembers that it was applied', async () => {
    const engine = new Acceptance(root);
    await write(await engine.compose({ kept, applied: [], accepted: [greeting] }));
    for (const acceptance of [engine, new Acceptance(root)]) {
      for (const bases of [undefined, { [file]: before }])
        await assert.rejects(
          acceptance.compose({ kept, applied: [], accepted: [greeting], bases }),
          (error) => error instanceof HumanError && error.code === 'stale',
        );
    }
    assert.equal(await read(), between);
  });

  it('takes a fix again after a refusal, once the file is as it was proven', async () => {
    const engine = new Acceptance(root);
    await writeFile(path.join(root, file), `// mine\n${before}`);
    await assert.rejects(engine.compose({ kept, applied: [], accepted: [greeting] }));
    await writeFile(path.join(root, file), before);
    await write(await engine.compose({ kept, applied: [], accepted: [greeting] }));
    assert.equal(await read(), between);
  });
});

function change(text: string, old: string, now: string): FileEdit {
  const start = text.indexOf(old);
  return fileEdit(file, text, [{ start, end: start + old.length, newText: now }]);
}

function fix(id: string, edit: FileEdit): Fix {
  return {
    id,
    title: `fix ${id}`,
    grade: 'surgical',
    trust: 'oracle',
    edits: [edit],
    failures: [],
    provider: 'test',
    confidence: 1,
    evidence: [],
  };
}
