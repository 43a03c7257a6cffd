// A handshake waits for no tool and no engine: they come with the first question about them.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { toolNames } from '../../src/mcp/lateTools.ts';
import { tools, toolsOfPages } from '../../src/mcp/toolSet.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('the tools of the MCP server', () => {
  it('are registered by the names that they have', () => {
    assert.deepEqual(
      [...toolNames],
      [...tools, ...toolsOfPages].map(({ name }) => name),
    );
  });

  it('are not loaded with the server, nor is what finds, runs or mends tests', async () => {
    const loaded = await loadedWith('src/mcp/main.ts');
    const late =
      /^src\/(?:mcp\/(?:toolSet|useTool)\.ts|core\/(?:frameworks|run|cycle|fixes|policy|syntax|reports)\/)/;
    assert.deepEqual(
      loaded.filter((file) => late.test(file)),
      [],
    );
  });
});

/** Every file that is loaded with this one. */
async function loadedWith(file: string, seen = new Set<string>()): Promise<readonly string[]> {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = await readFile(path.join(root, file), 'utf8');
  for (const [, from, alone] of text.matchAll(
    /^(?:import|export)\b(?! type\b)[^'"`;]*?\bfrom '(\.[^']+)'|^import '(\.[^']+)'/gm,
  ))
    await loadedWith(path.posix.join(path.posix.dirname(file), from ?? alone ?? ''), seen);
  return [...seen];
}
