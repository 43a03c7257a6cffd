// docs/fixers.md explains every fixer there is: a row of its table, and a section with what is there before and after.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fixProviders } from '../../../src/core/fixes/providers.ts';

describe('the page about the fixers', () => {
  let page = '';
  before(async () => {
    page = await readFile(path.join(import.meta.dirname, '../../../docs/fixers.md'), 'utf8');
  });

  for (const { id } of fixProviders)
    it(`explains ${id} with what is there before and after`, () => {
      const [, name] = new RegExp(`^\\| \\*\\*([^*]+)\\*\\* \\(\`${id}\`\\) \\|`, 'm').exec(page) ?? [];
      assert.ok(name !== undefined, 'it is not in the table');
      const [, section = ''] = page.split(`\n### ${name}\n`);
      const [own = ''] = section.split(/\n##+ /);
      assert.match(own, /\bbefore\b/);
      assert.match(own, /\bafter\b/);
    });
});
