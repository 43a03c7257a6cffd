// Stored snapshots of real vitest workspaces: what a cycle takes over, what it leaves to people, and what it never touches.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { button, cycleOver, stored } from './snapshotShop.ts';

const packageJson = JSON.stringify({ name: 'shop', type: 'module', devDependencies: { vitest: '4' } });
const head = `import { describe, expect, test } from 'vitest';\nimport { button } from '../src/button.ts';\n\n`;
const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
const html = (text: string, name = 'btn'): string => `\n"<button class="${name}">\n  ${text}\n</button>"\n`;

describe('snapshots of vitest', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;

  const open = async (files: Readonly<Record<string, string>>): Promise<void> => {
    workspace = await temporaryWorkspace(
      { 'package.json': packageJson, 'src/button.ts': button.before, ...files },
      { git: true, vitest: true },
    );
  };
  afterEach(() => workspace.dispose());

  /** Applies the patch of a cycle to the workspace; the stored snapshots then have to hold as they are. */
  const takeOver = async (patch: string): Promise<void> => {
    await writeFile(path.join(workspace.root, '../fixes.patch'), patch);
    workspace.git('apply', '../fixes.patch');
    const { summary } = await runWorkspace(workspace.root, { selection: { updateSnapshots: false } });
    assert.deepEqual([summary.failed, summary.errored], [0, 0]);
  };

  it('changes of every stored file what the failing tests compare, and nothing else: line ends, too, stay', async () => {
    const tests = (name: string): string => `${head}describe('a button', () => {
  test('renders', () => {
    expect(button('a')).toMatchSnapshot();
    expect(button('b')).toMatchSnapshot('again');
  });
  test('has its price', () => {
    expect(button('\${5} \`now\`')).toMatchInlineSnapshot(\`
      "<button class="${name}">
        \\\${5} \\\`now\\\`
      </button>"
    \`);
  });
  test.concurrent('is alone', async ({ expect }) => {
    expect(button('alone')).toMatchSnapshot();
  });
  for (const page of ['one', 'two'])
    test(\`is page \${page}\`, async () => {
      await expect(button(page)).toMatchFileSnapshot(\`./__snapshots__/\${page}.html\`);
    });
  test('counts',   () => { expect(button.length).toBe(1) });
});
`;
    // With one that no test asks for, which an update would take away.
    const snapshots = (name: string): string =>
      stored({
        'a button > gone 1': '"old"',
        'a button > is alone 1': html('alone', name),
        'a button > renders > again 1': html('b', name),
        'a button > renders 1': html('a', name),
      });
    const windowsTests = (name: string): string =>
      crlf(`${head}test('is drawn', () => {
  expect(button('a')).toMatchSnapshot();
});
test('is written out', () => {
  expect(button('b')).toMatchInlineSnapshot(\`
    "<button class="${name}">
      b
    </button>"
  \`);
});
`);
    const windowsSnapshots = (name: string): string => crlf(stored({ 'is drawn 1': html('a', name) }));
    await open({
      'tests/windows.test.ts': windowsTests('btn'),
      'tests/__snapshots__/windows.test.ts.snap': windowsSnapshots('btn'),
      'tests/button.test.ts': tests('btn'),
      'tests/__snapshots__/button.test.ts.snap': snapshots('btn'),
      'tests/__snapshots__/one.html': '<button class="btn">\n  one\n</button>',
      'tests/__snapshots__/two.html': '<button class="btn">\n  two\n</button>',
    });
    await workspace.write('src/button.ts', button.after);
    const { report, fixes } = await cycleOver(workspace);

    assert.deepEqual(
      [...fixes].map(([title, { trust, state, grade }]) => [title, trust, state, grade].join(', ')).sort(),
      [
        'has its price, oracle, accepted, surgical',
        'is alone, oracle, accepted, surgical',
        'is drawn, oracle, accepted, surgical',
        'is page ${page}::1, oracle, accepted, surgical',
        'is page ${page}::2, oracle, accepted, surgical',
        'is written out, oracle, accepted, surgical',
        'renders, oracle, accepted, conservative',
      ],
    );
    assert.deepEqual(fixes.get('is alone')?.expectation, {
      old: '"<button class="btn">',
      new: '"<button class="button">',
    });
    assert.match(fixes.get('renders')?.expectation?.new ?? '', /renders 1:\n"<button class="button">/);
    assert.equal(fixes.get('renders')?.sourceChange?.location.file, 'src/button.ts');
    assert.equal(report.status, 'passed');
    await takeOver(report.patch);
    assert.equal(await workspace.read('tests/__snapshots__/button.test.ts.snap'), snapshots('button'));
    assert.equal(await workspace.read('tests/button.test.ts'), tests('button'));
    const windows = await workspace.read('tests/__snapshots__/windows.test.ts.snap');
    assert.equal(windows, windowsSnapshots('button'));
    assert.equal(await workspace.read('tests/windows.test.ts'), windowsTests('button'));
    assert.equal(
      await workspace.read('tests/__snapshots__/two.html'),
      '<button class="button">\n  two\n</button>',
    );
  });

  it('leaves to people what is new, moves, fails otherwise or looks wrong', async () => {
    await open({
      'src/order.ts': `export const order = (id: number) => ({ id, total: 3, note: 'none' });\n`,
      'tests/order.test.ts': `import { expect, test } from 'vitest';
import { order } from '../src/order.ts';

test('is priced', () => {
  expect(order(1)).toMatchSnapshot();
});
test('is numbered', () => {
  expect(order(Math.random()).note + order(Math.random()).id).toMatchSnapshot();
});
test('is new', () => {
  expect(order(2)).toMatchInlineSnapshot();
});
test('has a name', () => {
  expect(order(2)).toMatchSnapshot({ id: expect.any(String) });
});
test('adds up', () => {
  expect(order(2).note).toMatchInlineSnapshot(\`"none"\`);
  expect(order(2).total).toBe(4);
});
test('says who', () => {
  expect(() => order(2)).toThrowErrorMatchingInlineSnapshot(\`[Error: no order]\`);
});
`,
      'tests/__snapshots__/order.test.ts.snap': stored({
        'has a name 1': '\n{\n  "id": Any<String>,\n}\n',
        'is numbered 1': '"none0.5"',
        'is priced 1': '\n{\n  "id": 1,\n  "note": "none",\n  "total": 3,\n}\n',
      }),
    });
    await workspace.write(
      'src/order.ts',
      `export const order = (id: number) => ({ id, total: Number(undefined), note: 'nothing' });\n`,
    );
    const { report, fixes, reasons } = await cycleOver(workspace);
    const priced = fixes.get('is priced');
    assert.deepEqual([priced?.trust, priced?.state], ['propose', 'declined']);
    assert.match(priced?.stops?.map(({ reason }) => reason).join(' ') ?? '', /contains "NaN"/);
    assert.match(reasons.get('is numbered') ?? '', /not stable: two runs produced different texts/);
    assert.match(reasons.get('is new') ?? '', /is not stored yet: .* run the test framework itself/);
    assert.match(reasons.get('has a name') ?? '', /property matchers/);
    assert.match(reasons.get('adds up') ?? '', /also fails for a reason other than its snapshots: .*NaN/);
    assert.match(reasons.get('says who') ?? '', /no longer throws/);
    assert.deepEqual([report.patch, fixes.size], ['', 1]);
  });

  it('asks once about the same change in many snapshots', async () => {
    const names = ['a', 'b', 'c'];
    await open({
      'tests/button.test.ts': `${head}${names.map((name) => `test('renders ${name}', () => expect(button('${name}')).toMatchSnapshot());\n`).join('')}`,
      'tests/__snapshots__/button.test.ts.snap': stored(
        Object.fromEntries(names.map((name) => [`renders ${name} 1`, html(name)])),
      ),
    });
    await workspace.write('src/button.ts', button.after);
    const asked: string[] = [];
    const { report } = await cycleOver(workspace, {
      strategy: 'aggressive',
      accept: async (fix) => {
        asked.push(`${fix.expectation?.old} → ${fix.expectation?.new}: ${fix.failures.length}`);
        return 'accept';
      },
    });
    assert.deepEqual(asked, ['"<button class="btn"> → "<button class="button">: 3']);
    assert.equal(report.status, 'passed');
  });

  it('never writes over a stored snapshot in a run, whatever the configuration says', async () => {
    const snapshots = stored({ 'gone 1': '"x"', 'renders 1': html('a', 'old') });
    await open({
      'vitest.config.ts': 'export default { test: { update: true } };\n',
      'tests/button.test.ts': `${head}test('renders', () => expect(button('a')).toMatchSnapshot());\ntest('is new', () => expect(button('n')).toMatchSnapshot());\n`,
      'tests/__snapshots__/button.test.ts.snap': snapshots,
    });
    const proving = await runWorkspace(workspace.root, { selection: { updateSnapshots: false } });
    assert.deepEqual([proving.summary.passed, proving.summary.failed, proving.summary.errored], [0, 2, 0]);
    assert.equal(await workspace.read('tests/__snapshots__/button.test.ts.snap'), snapshots);
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual([summary.passed, summary.failed, summary.errored], [1, 1, 0]);
    const text = await workspace.read('tests/__snapshots__/button.test.ts.snap');
    assert.ok(text.includes('class="old"') && text.includes('gone 1') && text.includes('is new 1'), text);
  });
});
