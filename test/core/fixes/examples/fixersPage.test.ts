// docs/fixers.md says of every fixer what it says of itself, with its example.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fixProviders, nurseryProviders } from '../../../../src/core/fixes/providers.ts';
import { exampleGroups } from './fixerExamples.ts';
import { fixersPage } from './fixersPage.ts';

describe('the page about the fixers', () => {
  it('is what the fixers and their examples make of it', async () => {
    const page = await readFile(path.resolve(import.meta.dirname, '../../../../docs/fixers.md'), 'utf8');
    assert.equal(page, fixersPage(fixProviders, nurseryProviders), 'run: npm run docs:fixers');
  });

  it('has an example of each, but of what needs a browser’s globals', () => {
    const shown = new Set(exampleGroups.flatMap(({ examples }) => examples.map(({ fixer }) => fixer)));
    const all = [...fixProviders, ...nurseryProviders];
    const without = all.map(({ id }) => id).filter((id) => !shown.has(id));
    assert.deepEqual(without, ['environment']);
  });
});
