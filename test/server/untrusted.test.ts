// An untrusted workspace whose every file does harm when it runs: its tests are found, and nothing of it runs.
import assert from 'node:assert/strict';
import { chmod, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ResponseError } from 'vscode-languageserver-protocol/node';
import { requests } from '../../src/server/messages.ts';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

describe('the engine in an untrusted workspace', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  let searched: string | undefined;

  before(async () => {
    searched = process.env['PATH'];
    const esm =
      "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('../harm', import.meta.url), '');\n";
    const commonJs =
      "require('node:fs').writeFileSync(require('node:path').join(__dirname, '../harm'), '');\n";
    workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({
          type: 'module',
          scripts: { test: 'vitest', preinstall: 'touch ../harm' },
          devDependencies: { vitest: '*', jest: '*', mocha: '*' },
          nodePath: './bin/node',
        }),
        'vitest.config.ts': `${esm}export default { test: { include: process.env.TEST_GLOBS.split(',') } };\n`,
        'jest.config.cjs': `${commonJs}module.exports = { testMatch: [__dirname + '/*.js'] };\n`,
        '.mocharc.cjs': `${commonJs}module.exports = { spec: ['spec/*.js'].concat() };\n`,
        'babel.config.cjs': `${commonJs}module.exports = {};\n`,
        '.vscode/settings.json': '{ "testmend.nodePath": "./bin/node" }',
        'src/price.js': `${esm}export const total = (items) => items;\n`,
        'a.test.js': `${esm}import { it } from 'vitest';\nit('does harm', () => {});\n`,
        'tests/a.tests.mjs': `${esm}export default () => ({ passed: 1, failed: 0, errors: [] });\n`,
        // The first on PATH, as in a workspace that puts its own folder there.
        ...Object.fromEntries(
          ['node', 'npx', 'npm', 'vitest', 'jest', 'mocha', 'sh'].map((name) => [
            `bin/${name}`,
            '#!/bin/sh\n: > "$(dirname "$0")/../../harm"\nexit 1\n',
          ]),
        ),
      },
      { vitest: true, git: true },
    );
    for (const name of await readdir(path.join(workspace.root, 'bin')))
      await chmod(path.join(workspace.root, 'bin', name), 0o755);
    process.env['PATH'] = `${path.join(workspace.root, 'bin')}${path.delimiter}${searched ?? ''}`;
    engine = await startEngine('ipc', {
      initializationOptions: {
        roots: [{ root: workspace.root, nodePath: path.join(workspace.root, 'bin/node') }],
        trusted: false,
        storageFolder: path.join(path.dirname(workspace.root), 'storage'),
        hasOwnUi: true,
      },
    });
  });
  after(async () => {
    if (searched === undefined) delete process.env['PATH'];
    else process.env['PATH'] = searched;
    await engine.end();
    await workspace.dispose();
  });
  afterEach(async () => {
    const beside = await readdir(path.dirname(workspace.root));
    assert.ok(!beside.includes('harm'), 'something of the workspace ran');
  });

  it('lists files and finds tests', async () => {
    const { projects } = await engine.request(requests.listFiles, {});
    const ids = projects.flatMap(({ files }) => files.map(({ id }) => id));
    assert.ok(ids.includes('vitest:a.test.js') && ids.includes('skill:tests/a.tests.mjs'), ids.join());
    const { files } = await engine.request(requests.discoverFiles, { root: workspace.root, ids });
    const titles = files.flatMap(({ tests }) => tests.map(({ title }) => title));
    assert.ok(titles.includes('does harm'), titles.join());
  });

  it('shows the text of a first test', async () => {
    const { root } = workspace;
    const { file, text } = await engine.request(requests.newTest, { root, file: 'src/price.js' });
    assert.match(file, /price/);
    assert.match(text, /total\(items\)/);
    assert.deepEqual(await engine.request(requests.sourceToBeginWith, { root }), { file: 'src/price.js' });
  });

  it('refuses to run, to propose, to verify and to mend, and says how to change that', async () => {
    const { root } = workspace;
    const id = 'vitest:a.test.js#does harm';
    for (const asked of [
      engine.request(requests.run, { runId: '1', root }),
      engine.request(requests.run, { runId: '2', root, targets: [{ fileId: 'skill:tests/a.tests.mjs' }] }),
      engine.request(requests.proposeFixes, { root, ids: [id] }),
      engine.request(requests.verifyFix, { root, fixId: 'any' }),
      engine.request(requests.tryNewTest, { root, file: 'src/price.js', text: '' }),
      engine.request(requests.startCycle, { cycleId: '1', root }),
      engine.request(requests.startCycle, { cycleId: '2', root, files: ['a.test.js'] }),
    ]) {
      await assert.rejects(asked, (error) => {
        assert.ok(error instanceof ResponseError, String(error));
        assert.equal(error.data?.code, 'untrusted');
        assert.match(String(error.data?.remedy), /\S/);
        return true;
      });
    }
    assert.deepEqual([engine.runEvents, engine.cycleEvents], [[], []]);
  });

  it('runs nothing for the command of other editors either, and offers no fixes', async () => {
    const uri = pathToFileURL(path.join(workspace.root, 'a.test.js')).href;
    const run = { command: 'testmend.runFile', arguments: [uri] };
    await engine.connection.sendRequest('workspace/executeCommand', run).catch(() => undefined);
    const start = { line: 0, character: 0 };
    const asked = { textDocument: { uri }, range: { start, end: start }, context: { diagnostics: [] } };
    assert.deepEqual(await engine.connection.sendRequest('textDocument/codeAction', asked), []);
    assert.deepEqual(engine.runEvents, []);
  });
});
