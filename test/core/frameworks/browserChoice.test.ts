// A browser that is asked for in place of the configuration's: passed on as each framework has it, or refused with the reason.
import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserChoice } from '../../../src/core/model/frameworkProject.ts';
import { makeEnvironment, pythonWith } from '../../support/python.ts';
import { runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const playwrightConfig = (text: string): string =>
  `import { defineConfig } from '@playwright/test';\nexport default defineConfig({ ${text} });\n`;
/** Asks for no page, so no browser is started. */
const spec = `import { test } from '@playwright/test';
test('tells', ({ browserName, headless }, { project }) => { throw new Error([browserName, headless, project.name].join()); });
`;

describe('a browser that is asked for', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace | undefined;
  afterEach(() => workspace?.dispose());
  const messageIn = async (root: string, browser?: BrowserChoice): Promise<string | undefined> => {
    const { summary } = await runWorkspace(root, { selection: browser === undefined ? {} : { browser } });
    assert.equal(summary.total, 1);
    return summary.tests[0]?.failure?.message;
  };

  it('is that of Playwright, instead of the one of its script', async () => {
    const script = '{ "scripts": { "test": "playwright test --browser=webkit" } }';
    const files = { 'package.json': script, 'playwright.config.ts': playwrightConfig(''), 'a.spec.ts': spec };
    workspace = await temporaryWorkspace(files, { packages: ['@playwright'] });
    assert.match((await messageIn(workspace.root)) ?? '', /webkit,true,/);
    assert.match(
      (await messageIn(workspace.root, { headed: true, name: 'firefox' })) ?? '',
      /firefox,false,/,
    );
  });

  it('is the project of its name, where Playwright has projects, and refused where there is none', async () => {
    const projects = "projects: [{ name: 'firefox', use: { browserName: 'firefox' } }]";
    const files = {
      'package.json': '{}',
      'playwright.config.ts': playwrightConfig(projects),
      'a.spec.ts': spec,
    };
    workspace = await temporaryWorkspace(files, { packages: ['@playwright'] });
    assert.match((await messageIn(workspace.root, { name: 'firefox' })) ?? '', /firefox,true,firefox/);
    await assert.rejects(
      messageIn(workspace.root, { name: 'webkit' }),
      /The Playwright configuration has no project webkit/,
    );
  });

  it('is that of Cypress', async () => {
    const program = `import { writeFileSync } from 'node:fs';\nwriteFileSync('asked.json', JSON.stringify(process.argv));\n`;
    workspace = await temporaryWorkspace({
      'package.json': '{ "devDependencies": { "cypress": "^14" } }',
      'cypress.config.js': 'module.exports = { e2e: {} };\n',
      'cypress/e2e/cart.cy.js': "it('adds', () => {});\n",
      'node_modules/cypress/package.json': '{ "version": "14.0.0", "bin": { "cypress": "bin/cypress.mjs" } }',
      'node_modules/cypress/bin/cypress.mjs': program,
    });
    await messageIn(workspace.root, { headed: true, name: 'chromium' });
    assert.match(await workspace.read('asked.json'), /"run",.*"--headed","--browser=chromium"/);
  });

  it('is that of pytest-playwright, and refused without it', async function () {
    const python = pythonWith('pytest');
    if (python === undefined) return this.skip();
    workspace = await temporaryWorkspace({
      'pytest.ini': '[pytest]\n',
      // Our stand-in for the options of the plugin.
      'conftest.py':
        'def pytest_addoption(parser):\n    parser.addoption("--headed", action="store_true")\n    parser.addoption("--browser", action="append")\n',
      'test_a.py':
        'def test_tells(pytestconfig):\n    assert [pytestconfig.getoption("headed"), pytestconfig.getoption("browser")] == 0\n',
    });
    const { root } = workspace;
    makeEnvironment(python, path.join(root, '.venv'), '--system-site-packages');
    const asked: BrowserChoice = { headed: true, name: 'firefox' };
    await assert.rejects(messageIn(root, asked), /No browser can be chosen: .* has no pytest-playwright/);
    const [version = ''] = await readdir(path.join(root, '.venv/lib'));
    await mkdir(path.join(root, '.venv/lib', version, 'site-packages/pytest_playwright-0.7.0.dist-info'));
    assert.match((await messageIn(root, asked)) ?? '', /\[True, \['firefox'\]\] == 0/);
  });
});
