// The extension as VS Code installs it, and the package of the command line as npm packs it: what is in them, and that it suffices.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { installVscodeServer, installVsix, missingForWorkbench } from '../host/vscodeServer.ts';
import { inherited } from '../mcp/mcpClient.ts';
import { isBuilt } from '../queue/prepare.ts';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { installed, projectRoot } from './installed.ts';

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .map((file) => file.replaceAll(path.sep, '/'));

/** Where links and images of a page lead, outside of code. */
function targetsIn(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** Those that are neither a heading of the same page nor a file of the package. */
const deadLinks = (root: string, page: string): readonly string[] =>
  targetsIn(path.join(root, page))
    .filter((target) => !target.startsWith('https:'))
    .map((target) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !existsSync(path.join(root, path.dirname(page), target)));

/** Files that our code reads or starts: whatever is no TypeScript in the sources, by its place in a package. */
const readAtRunTime = filesIn(path.join(projectRoot, 'src'))
  .filter((file) => file.includes('/') && !file.endsWith('ts'))
  .map((file) => ({ file, packed: `dist/reporters/${file.replace(/^core\//, '')}` }));

const imported = /(?:\bfrom|\bimport|\bimport\(|\brequire\w*\(|\)\()\s*(["'])(\.{1,2}\/[^"']+)\1/g;

/** What the scripts of a package load from beside them and is not there. */
function missingImports(root: string): readonly string[] {
  return filesIn(path.join(root, 'dist'))
    .filter((file) => /^[^/]+\.c?js$/.test(file) && file !== 'typescript.cjs')
    .flatMap((file) =>
      [...readFileSync(path.join(root, 'dist', file), 'utf8').matchAll(imported)]
        .map(([, , written = '']) => written)
        .filter((written) => /\.c?js$/.test(written) && !existsSync(path.join(root, 'dist', written)))
        .map((written) => `${file} loads ${written}`),
    );
}

const infoSchema = z.object({
  trusted: z.boolean(),
  roots: z.array(z.object({ root: z.string(), timeoutSeconds: z.number(), testFiles: z.number() })),
});
const runSchema = z.object({ exit_code: z.number(), passed: z.number() });

function assertComplete(root: string): void {
  assert.ok(readAtRunTime.length > 30);
  for (const { file, packed } of readAtRunTime)
    assert.deepEqual(
      readFileSync(path.join(root, packed), 'utf8'),
      readFileSync(path.join(projectRoot, 'src', file), 'utf8'),
      file,
    );
  assert.deepEqual(missingImports(root), []);
  assert.ok(existsSync(path.join(root, 'dist/typeChild.js')));
  assert.deepEqual(
    filesIn(root).filter((file) => file.endsWith('.map')),
    [],
  );
}

describe('the packages', function () {
  this.timeout(300_000);
  let folder = '';
  /** The installed extension. */
  let extension: string;
  /** The unpacked package of npm. */
  let npm: string;

  before(async function () {
    const missing = missingForWorkbench();
    if (missing !== undefined && process.env['CI'] !== 'true') {
      console.log(`skipped: ${missing}`);
      this.skip();
    }
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-packages-'));
    installVscodeServer();
    installVsix(path.join(projectRoot, 'testmend.vsix'), folder);
    const extensions = path.join(folder, 'extensions');
    const name = readdirSync(extensions).find((one) => one.startsWith('testmend.'));
    extension = path.join(extensions, name ?? '');
    npm = path.join(folder, 'project/node_modules/testmend');
    await mkdir(npm, { recursive: true });
    // The bundles stay in place: other tests run them meanwhile.
    assert.ok(isBuilt(), 'run `npm run build` first');
    const pack = ['pack', '--ignore-scripts', '--pack-destination', folder];
    execFileSync('npm', pack, { cwd: projectRoot, stdio: 'ignore' });
    const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
    execFileSync('tar', ['-xzf', path.join(folder, tarball ?? ''), '--strip-components=1', '-C', npm]);
  });
  after(async () => {
    if (folder !== '') await rm(folder, { recursive: true, force: true });
  });

  it('install the extension as at most 60 files, without the command line', () => {
    const files = filesIn(extension);
    assert.ok(files.length <= 60, `${files.length} files`);
    assert.ok(!files.includes('dist/cli.js'));
  });

  it('hold every file that runs in the processes of the user, and no source map', () => {
    assertComplete(extension);
    assertComplete(npm);
  });

  it('have no page with a link to a file that is not in them', () => {
    for (const page of ['readme.md', 'changelog.md'])
      assert.deepEqual(
        targetsIn(path.join(extension, page)).filter((target) => !/^(?:#|https:)/.test(target)),
        [],
        page,
      );
    const pages = filesIn(npm).filter((file) => file.endsWith('.md'));
    assert.ok(pages.includes('docs/cli.md') && pages.includes('README.md'));
    for (const page of pages) assert.deepEqual(deadLinks(npm, page), [], page);
  });

  it('tell TypeScript the types of testmend/skills', async () => {
    const project = path.join(folder, 'project');
    await writeFile(path.join(project, 'package.json'), '{ "type": "module" }');
    const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: [] };
    await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await writeFile(
      path.join(project, 'run.ts'),
      `import skills, { discoverSkillTests, runTestSuite, type SkillRecord, type SkillTestResult } from 'testmend/skills';
const found: readonly SkillRecord[] = await discoverSkillTests({ root: '.', withoutTests: true });
const names: string[] = found.map((one) => one.shortName + one.skillType + (one.testFile ?? ''));
const suite = await runTestSuite(found, { parallel: true, timeout: 1000 });
const first: (SkillRecord & SkillTestResult) | undefined = suite.results[0];
const passed: number = (await skills.runTestFile(names[0] ?? '')).passed;
// @ts-expect-error -- a record has no such member
first?.nothing;
// @ts-expect-error -- a time limit is a number
await runTestSuite(found, { timeout: String(passed) });
`,
    );
    const tsc = path.join(projectRoot, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' });
    assert.equal(`${stdout}${status}`, '0');
  });

  it('serve agents with the server of the extension', async () => {
    const workspace = await temporaryWorkspace({
      'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
      'test/a.test.js': "require('node:test').test('adds', () => {});\n",
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    try {
      const settings = JSON.stringify([{ root: workspace.root, timeoutSeconds: 77 }]);
      const args = [path.join(extension, 'dist/mcp.js'), settings];
      const env = { ...inherited(), XDG_CACHE_HOME: path.join(path.dirname(workspace.root), 'caches') };
      await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, env }));
      const call = async (name: string): Promise<unknown> =>
        (await client.callTool({ name, arguments: {} })).structuredContent;
      const info = infoSchema.parse(await call('get_runner_info'));
      const served = { root: workspace.root, timeoutSeconds: 77, testFiles: 1 };
      assert.deepEqual(info, { trusted: true, roots: [served] });
      assert.deepEqual(runSchema.parse(await call('run_tests')), { exit_code: 0, passed: 1 });
    } finally {
      await client.close();
      await workspace.dispose();
    }
  });

  it('run and mend tests with the command line of npm', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }',
        'src/price.js': 'export const price = () => 3;\n',
        'test/price.test.js':
          "import { equal } from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { price } from '../src/price.js';\n\ntest('price', () => equal(price(), 3));\n",
      },
      { git: true },
    );
    try {
      await workspace.write('src/cost.js', 'export const price = () => 3;\n');
      await rm(path.join(workspace.root, 'src/price.js'));
      const args = [path.join(npm, 'dist/cli.js'), 'fix', '--apply', '--json'];
      const { stdout, stderr, status } = spawnSync(process.execPath, args, {
        cwd: workspace.root,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stdout + stderr);
      assert.match(await workspace.read('test/price.test.js'), /'\.\.\/src\/cost\.js'/);
    } finally {
      await workspace.dispose();
    }
  });
});

describe('the page of the extension in the workbench', function () {
  const opened = installed(() => temporaryWorkspace({ 'package.json': '{}' }));

  it('has the manual, every link of which leads to a heading of it', async () => {
    const { workbench } = opened();
    await workbench.command('Extensions: Show Installed Extensions');
    await workbench.page
      .locator('.extensions-list .monaco-list-row', { hasText: 'Testmend' })
      .first()
      .click();
    const page = await workbench.webview('h1#testmend');
    const { links, dead, images } = await page.evaluate(() => {
      const targets = [...document.querySelectorAll('a[href]:not(#scroll-to-top)')].map(
        (link) => link.getAttribute('href') ?? '',
      );
      return {
        links: targets.length,
        dead: targets.filter(
          (target) => target.startsWith('#') && document.getElementById(target.slice(1)) === null,
        ),
        images: document.images.length,
      };
    });
    await workbench.screenshot('extension-page');
    assert.ok(links > 50, `${links} links`);
    assert.deepEqual(dead, []);
    // It would take one from the web only.
    assert.equal(images, 0);
  });
});
