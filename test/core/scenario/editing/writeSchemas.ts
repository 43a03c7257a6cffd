// `npm run docs:schemas`: writes the JSON Schemas of scenario files into docs/schemas.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { jsonSchemaOf } from '../../../../src/core/scenario/editing/jsonSchemas.ts';

const folder = path.resolve(import.meta.dirname, '../../../../docs/schemas');
mkdirSync(folder, { recursive: true });
for (const kind of ['scenario', 'component', 'config'] as const)
  writeFileSync(
    path.join(folder, `${kind}.schema.json`),
    `${JSON.stringify(jsonSchemaOf(kind), undefined, 1)}\n`,
  );
