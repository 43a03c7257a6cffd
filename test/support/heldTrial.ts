// A workspace whose only fix can be caught on trial: with the new value in its text, the test waits.
import { greetingOf, nodeManifest } from './greetingShop.ts';
import type { TemporaryWorkspace } from './temporaryWorkspace.ts';
import { treeSnapshot } from './treeSnapshot.ts';

export const heldTest = 'tests/greeting.test.js';

/** With the new value in its text it waits as long as there is the file that the expression names. */
export const heldTestOf = (hold: string): string => `import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { greet } from '../src/greeting.js';

it('greets by name', { timeout: 120_000 }, async () => {
  const text = readFileSync(new URL(import.meta.url), 'utf8');
  while (text.includes('Hello' + ', Ada') && existsSync(${hold}))
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(greet('Ada'), 'Hi, Ada');
});
`;

/** It waits as long as there is a file `hold` beside the workspace. */
export const heldTestText = heldTestOf("new URL('../../hold', import.meta.url)");

export const heldShop = (): Promise<TemporaryWorkspace> =>
  greetingOf({ [heldTest]: heldTestText }, nodeManifest);

/** Every file of the user with what it holds, its mode and its time. */
export async function ownFiles({ root }: TemporaryWorkspace): Promise<unknown> {
  return Object.entries(await treeSnapshot(root)).filter(
    ([name, text]) => !/^(?:node_modules|\.git)\b/.test(name) && !text.endsWith('folder'),
  );
}

/** Is the fix on trial? While it takes its place, there is no such file for some microseconds. */
export async function isOnTrial(shop: TemporaryWorkspace): Promise<boolean> {
  return (await shop.read(heldTest).catch(() => '')).includes("'Hello, Ada'");
}
