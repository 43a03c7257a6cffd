// Affected tests over the wire: of what was saved, of what was written with another content, of what git tells.
import assert from 'node:assert/strict';
import path from 'node:path';
import { requests } from '../../src/server/messages.ts';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

describe('affected tests from the engine', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  const [a, b] = ['vitest:tests/a.test.js', 'vitest:tests/b.test.js'];

  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }',
        'src/a.js': '',
        'src/b.js': '',
        'src/c.js': '',
        'tests/a.test.js': `import '../src/a.js';`,
        'tests/b.test.js': `import '../src/b.js';`,
      },
      { git: true, vitest: true },
    );
    engine = await startEngine('ipc', {
      initializationOptions: {
        roots: [{ root: workspace.root }],
        trusted: false,
        storageFolder: path.join(path.dirname(workspace.root), 'storage'),
        hasOwnUi: true,
      },
    });
  });
  after(async () => {
    await engine.end();
    await workspace.dispose();
  });
  const ask = async (changes: { saved?: string[]; written?: string[] }) => {
    const { ids, changed } = await engine.request(requests.affectedTests, {
      root: workspace.root,
      ...changes,
    });
    return { ids, changed };
  };

  it('tells what files reach, whatever their content when somebody saved them', async () => {
    assert.deepEqual(await ask({ saved: [] }), { ids: [], changed: [] });
    assert.deepEqual(await ask({ saved: ['src/a.js'] }), { ids: [a], changed: ['src/a.js'] });
    assert.deepEqual(await ask({ saved: ['src/c.js'] }), { ids: [], changed: ['src/c.js'] });
  });

  it('counts written files only when the tests reach them and their content changed', async () => {
    assert.deepEqual(await ask({ written: ['src/b.js', 'src/c.js', 'log.txt'] }), { ids: [], changed: [] });
    await workspace.write('src/b.js', `import './c.js';`);
    await workspace.write('src/c.js', '// new to the graph');
    const both = { ids: [b], changed: ['src/b.js', 'src/c.js'] };
    assert.deepEqual(await ask({ written: ['src/b.js', 'src/c.js', 'log.txt'] }), both);
    assert.deepEqual(await ask({ written: ['src/b.js', 'src/c.js'] }), { ids: [], changed: [] });
  });

  it('asks git when no file is named', async () => {
    await workspace.write('src/a.js', '// changed');
    workspace.git('commit', '-q', '-am', 'second');
    const { ids, changed } = await ask({});
    assert.deepEqual(
      [ids, [...changed].sort()],
      [
        [a, b],
        ['src/a.js', 'src/b.js', 'src/c.js'],
      ],
    );
  });
});
