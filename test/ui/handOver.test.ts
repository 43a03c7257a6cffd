// What a person gets of a failure that nothing mended, in the real workbench: the reasons, the change of the source, and a copy to pass on.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { installed } from './installed.ts';
import type { Workbench } from './workbench.ts';

const head = `import { expect, it } from 'vitest';\n`;
const themes = { 'Default Dark Modern': 'vs-dark', 'Default Light Modern': 'vs' };

/** The word is given and expected, so no fixer may change it; the shelves are broken in the source. */
async function leftWorkspace(): Promise<TemporaryWorkspace> {
  const echo = (body: string): string => `// Says a word again.\nexport const echo = (word) => ${body};\n`;
  const stock = (body: string): string => `export function left(item) {\n  ${body}\n}\n`;
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{ "name": "left", "type": "module", "devDependencies": { "vitest": "*" } }',
      'src/echo.js': echo('({ word, mark: `${word}-\\`1\\``, count: 1 })'),
      'src/stock.js': stock('return { nuts: 3 }[item] ?? 0;'),
      'tests/echo.test.js': `${head}import { echo } from '../src/echo.js';

it('says a word again', () => {
  const word = 'Ada';
  expect(echo(word).word).toBe(word);
});
`,
      'tests/stock.test.js': `${head}import { left } from '../src/stock.js';
${['nuts', 'pears'].map((item) => `\nit('counts ${item}', () => {\n  expect(left('${item}')).toBeDefined();\n});`).join('')}
`,
    },
    { git: true, vitest: true, name: 'left' },
  );
  await workspace.write(
    'src/echo.js',
    echo('({ word: word.toUpperCase(), mark: `${word}-\\`1\\``, count: 1 })'),
  );
  await workspace.write('src/stock.js', stock('return stores[item].count;'));
  return workspace;
}

describe('a failure that nothing mended, in the panel', function () {
  let workspace: TemporaryWorkspace;
  let workbench: Workbench;
  const opened = installed(leftWorkspace);
  before(() => ({ workspace, workbench } = opened()));

  it('shows the values, the change of the source, and why there is no fix', async () => {
    await workbench.openFile('echo.test.js');
    await workbench.command('Testmend: Fix Failing Tests');
    const panel = await workbench.webview('header[data-phase=ended]', 120_000);
    const card = panel.locator('section.remaining .card', { hasText: 'says a word again' });
    const said = (await card.innerText()).replace(/\n+/g, '\n');
    assert.match(said, /- 'Ada'\n\+ 'ADA'/);
    assert.match(said, /Source change at src\/echo\.js:2\n/);
    assert.match(said, /No fix: |Why there is no fix\n/);
    for (const [theme, worn] of Object.entries(themes)) {
      await workspace.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': theme }));
      await workbench.page.locator(`.monaco-workbench.${worn}`).waitFor();
      await workbench.screenshot(`h1-left-${worn}`);
    }
  });

  it('opens the changed source at its line', async () => {
    const panel = await workbench.webview('header[data-phase=ended]');
    await panel.getByRole('button', { name: 'Go to the source change at src/echo.js:2' }).click();
    await workbench.page.locator('.tab.active[aria-label^="echo.js"]').waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor();
  });

  it('copies what is known as Markdown, of tests that fail alike in one piece', async () => {
    const { page, started } = workbench;
    await started.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const panel = await workbench.webview('header[data-phase=ended]');
    const copied = async (name: RegExp): Promise<string> => {
      const button = panel.getByRole('button', { name });
      await button.click();
      const done = panel.locator('.actions', { has: button }).locator('.hint', { hasText: 'Copied' });
      await done.waitFor();
      assert.equal(await panel.locator('.hint', { hasText: 'Copied' }).count(), 1);
      assert.match(
        (await panel.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '',
        name,
      );
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const one = await copied(/^Copy for a colleague or an agent: says a word again/);
    assert.match(one, /^# A failing test that Testmend did not mend\n/);
    assert.match(one, /\n```diff\n-.*\n\+.*toUpperCase\(\).*\n```\n/);
    assert.ok(!one.includes(workspace.root));
    const both = await copied(/^Copy for a colleague or an agent: counts nuts/);
    assert.match(both, /^# 2 failing tests that/);
    assert.match(both, /- Fails in the same way: `vitest:tests\/stock\.test\.js#counts pears`/);
    await panel.locator('.tests').scrollIntoViewIfNeeded();
    await workbench.screenshot('h2-copied');
  });
});
