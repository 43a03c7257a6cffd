// What the command says on a Node that it does not run on; `npm run check:matrix` tries the real ones.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { errorDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const packageJson = path.resolve(import.meta.dirname, '../../package.json');
const { engines } = z
  .object({ engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync(packageJson, 'utf8')));

describe('testmend on an old Node', () => {
  it('names the Node that it needs and the one that started it', async () => {
    const needed = engines.node.replace('>=', '');
    const [major = 0, minor = 0] = needed.split('.').map(Number);
    const workspace = await temporaryWorkspace({});
    try {
      for (const version of [`${major}.${minor - 1}.0`, '18.20.8']) {
        await workspace.write(
          'old.cjs',
          `Object.defineProperty(process.versions, 'node', { value: '${version}' });\n`,
        );
        const env = { NODE_OPTIONS: `--require ${path.join(workspace.root, 'old.cjs')}` };
        const said = `Testmend needs Node ${needed} or newer; this is ${version}.`;
        const { code, stderr } = await testmend(['run'], { cwd: workspace.root, env });
        assert.deepEqual([code, stderr.split('\n')[0]], [2, `✗ ${said}`]);
        const json = await testmend(['run', '--json'], { cwd: workspace.root, env });
        assert.equal(json.code, 2);
        assert.equal(documentOf(errorDocument, json).error.message, said);
      }
    } finally {
      await workspace.dispose();
    }
  });
});
