// A small vitest workspace for tests of the engine: one test that fails since the source changed, one that passes, one without end.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { startEngine, type EngineProcess } from './engineProcess.ts';
import { isAlive } from './isAlive.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from './temporaryWorkspace.ts';

export const greetingFile = 'vitest:tests/greeting.test.js';
export const endlessFile = 'vitest:tests/endless.test.js';
export const failingTest = `${greetingFile}#greets by name`;

const greetingTest = `import { expect, it } from 'vitest';
import { greet } from '../src/greeting.js';

it('greets by name', () => {
  expect(greet('Ada')).toBe('Hi, Ada');
});
it('says something', () => {
  expect(greet('Ada').length).toBeGreaterThan(1);
});
`;

/** Of a shop of node:test, which starts in a fifth of the time: for what is no matter of the runner. */
export const nodeManifest = '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }';

/** Leaves its process id in \`pid\`. */
const endlessTest = `import { writeFileSync } from 'node:fs';
import { it } from 'vitest';

it('never ends', async () => {
  writeFileSync(new URL('../pid', import.meta.url), String(process.pid));
  await new Promise(() => setInterval(() => undefined, 1000));
}, 600_000);
`;

export function greetingShop(): Promise<TemporaryWorkspace> {
  return greetingOf({ 'tests/greeting.test.js': greetingTest, 'tests/endless.test.js': endlessTest });
}

/** The same of node:test. */
export function nodeGreetingShop(): Promise<TemporaryWorkspace> {
  const expectations = {
    "import { expect, it } from 'vitest';":
      "import assert from 'node:assert/strict';\nimport { it } from 'node:test';",
    "expect(greet('Ada')).toBe('Hi, Ada');": "assert.equal(greet('Ada'), 'Hi, Ada');",
    "expect(greet('Ada').length).toBeGreaterThan(1);": "assert.ok(greet('Ada').length > 1);",
  };
  const greeting = Object.entries(expectations).reduce(
    (text, [old, now]) => text.replace(old, now),
    greetingTest,
  );
  const endless = `import { writeFileSync } from 'node:fs';
import { it } from 'node:test';

it('never ends', { timeout: 600_000 }, async () => {
  writeFileSync(new URL('../pid', import.meta.url), String(process.pid));
  await new Promise(() => setInterval(() => undefined, 1000));
});
`;
  return greetingOf({ 'tests/greeting.test.js': greeting, 'tests/endless.test.js': endless }, nodeManifest);
}

/** The shop with these tests instead, whose source was changed from `Hi, Ada` to `Hello, Ada` since they were written. */
export async function greetingOf(
  tests: Readonly<Record<string, string>>,
  manifest = '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }',
): Promise<TemporaryWorkspace> {
  const workspace = await temporaryWorkspace(
    {
      'package.json': manifest,
      'src/greeting.js': 'export const greet = (name) => `Hi, ${name}`;\n',
      ...tests,
    },
    { git: true, vitest: true },
  );
  await workspace.write('src/greeting.js', 'export const greet = (name) => `Hello, ${name}`;\n');
  return workspace;
}

/** An engine of these roots that keeps what it remembers beside the first of them. */
export function startEngineFor(roots: readonly string[]): Promise<EngineProcess> {
  return startEngine('ipc', {
    initializationOptions: {
      roots: roots.map((root) => ({ root })),
      trusted: true,
      storageFolder: path.join(path.dirname(roots[0] ?? ''), 'storage'),
      hasOwnUi: true,
    },
  });
}

/** The process that runs the endless test, as soon as it does. */
export async function endlessPid(workspace: TemporaryWorkspace): Promise<number> {
  for (;;) {
    if (existsSync(path.join(workspace.root, 'pid'))) {
      const text = await workspace.read('pid');
      if (text !== '') return Number(text);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits, within the time limit of the test, until a process has ended. */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
}
