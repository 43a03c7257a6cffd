// Writes docs/fixers.md: `npm run docs:fixers`.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fixProviders, nurseryProviders } from '../../../../src/core/fixes/providers.ts';
import { fixersPage } from './fixersPage.ts';

await writeFile(
  path.resolve(import.meta.dirname, '../../../../docs/fixers.md'),
  fixersPage(fixProviders, nurseryProviders),
);
