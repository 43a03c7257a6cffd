// A workspace of skill tests, which start in a fraction of the time of others; each fails since an export was renamed.
import { temporaryWorkspace, type TemporaryWorkspace } from './temporaryWorkspace.ts';

export const skillFile = (name: string): string => `tests/${name}.tests.mjs`;

export const skillText = (name: string): string =>
  `import assert from 'node:assert/strict';\nimport { net } from '../${name}.mjs';\n\nexport default () => {\n  assert.equal(net(120), 100);\n  return { passed: 1, failed: 0, errors: [] };\n};\n`;

/** A source and a test for each name. */
export async function renamedShop(names: readonly string[]): Promise<TemporaryWorkspace> {
  const files = names.flatMap((name) => [
    [`${name}.mjs`, 'export const net = (cents) => cents / 1.2;\n'],
    [skillFile(name), skillText(name)],
  ]);
  const workspace = await temporaryWorkspace(
    { 'package.json': '{}', ...Object.fromEntries(files) },
    { git: true },
  );
  for (const name of names)
    await workspace.write(`${name}.mjs`, 'export const withoutTax = (cents) => cents / 1.2;\n');
  return workspace;
}
