// Stored snapshots of real jest workspaces: the same promises as with vitest, kept with jest's own files and words.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { cycleOver } from './snapshotShop.ts';

const source = (name: string): string =>
  `exports.button = (text) => '<button class="${name}">\\n  ' + text + '\\n</button>';\nexports.fail = (text) => { throw new RangeError('no ' + text); };\n`;
const tests = (name: string): string => `const { button, fail } = require('./button');

describe('a button', () => {
  test('renders', () => {
    expect(button('a')).toMatchSnapshot();
    expect({ html: button('b') }).toMatchSnapshot('again');
  });
  test('has its price', () => {
    expect(button('\${5} \`now\`')).toMatchInlineSnapshot(\`
      "<button class="${name}">
        \\\${5} \\\`now\\\`
      </button>"
    \`);
  });
  test.each([['one'], ['two']])('is %s', (page) => {
    expect(button(page)).toMatchSnapshot();
  });
  test('fails', () => expect(() => fail('x')).toThrowErrorMatchingSnapshot());
  test('counts',   () => { expect(button.length).toBe(1) });
});
`;
const snapshots = (name: string): string => `// Jest Snapshot v1, https://goo.gl/fbAQLP

exports[\`a button fails 1\`] = \`"no x"\`;

exports[\`a button gone 1\`] = \`"old"\`;

exports[\`a button is one 1\`] = \`
"<button class="${name}">
  one
</button>"
\`;

exports[\`a button is two 1\`] = \`
"<button class="${name}">
  two
</button>"
\`;

exports[\`a button renders 1\`] = \`
"<button class="${name}">
  a
</button>"
\`;

exports[\`a button renders: again 1\`] = \`
{
  "html": "<button class="${name}">
  b
</button>",
}
\`;
`;

describe('snapshots of jest', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;

  const open = async (files: Readonly<Record<string, string>>): Promise<void> => {
    const packageJson = JSON.stringify({
      name: 'shop',
      devDependencies: { jest: '29' },
      jest: { transform: {} },
    });
    workspace = await temporaryWorkspace(
      { 'package.json': packageJson, ...files },
      { git: true, packages: ['jest'] },
    );
  };
  afterEach(() => workspace.dispose());

  it('changes what the failing tests compare, and nothing else', async () => {
    await open({
      'button.js': source('btn'),
      'button.test.js': tests('btn'),
      '__snapshots__/button.test.js.snap': snapshots('btn'),
    });
    await workspace.write('button.js', source('button'));
    const { report, fixes } = await cycleOver(workspace);
    assert.deepEqual(
      [...fixes]
        .map(([title, { trust, state, edits }]) => [title, trust, state, edits[0]?.changes.length].join(', '))
        .sort(),
      [
        'has its price, oracle, accepted, 1',
        'is %25s::1, oracle, accepted, 1',
        'is %25s::2, oracle, accepted, 1',
        'renders, oracle, accepted, 2',
      ],
    );
    assert.equal(report.status, 'passed');
    await writeFile(path.join(workspace.root, '../fixes.patch'), report.patch);
    workspace.git('apply', '../fixes.patch');
    assert.equal(await workspace.read('button.test.js'), tests('button'));
    assert.equal(await workspace.read('__snapshots__/button.test.js.snap'), snapshots('button'));
    const { summary } = await runWorkspace(workspace.root, { selection: { updateSnapshots: false } });
    assert.deepEqual([summary.passed, summary.failed], [6, 0]);
  });

  it('leaves to people what is new, moves, fails otherwise or looks wrong', async () => {
    await open({
      'order.js': `exports.order = (id) => ({ id, total: 3, note: 'none' });\n`,
      'order.test.js': `const { order } = require('./order');
test('is priced', () => {
  expect(order(1)).toMatchInlineSnapshot(\`
{
  "id": 1,
  "note": "none",
  "total": 3,
}
\`);
});
test('is numbered', () => {
  expect(order(0).note + Math.random()).toMatchSnapshot();
});
test('is new', () => {
  expect(order(2)).toMatchSnapshot();
});
test('has a name', () => {
  expect(order(2)).toMatchSnapshot({ id: expect.any(String) });
});
test('adds up', () => {
  expect(order(2).note).toMatchInlineSnapshot(\`"none"\`);
  if (order(2).total !== 3) throw new Error('no total');
});
test('says who', () => {
  expect(() => order(2)).toThrowErrorMatchingInlineSnapshot(\`"no order"\`);
});
`,
      '__snapshots__/order.test.js.snap': `// Jest Snapshot v1, https://goo.gl/fbAQLP

exports[\`has a name 1\`] = \`
{
  "id": Any<String>,
}
\`;

exports[\`is numbered 1\`] = \`"none0.5"\`;
`,
    });
    await workspace.write(
      'order.js',
      `exports.order = (id) => ({ id, total: undefined, note: 'nothing' });\n`,
    );
    const { report, fixes, reasons } = await cycleOver(workspace);
    const priced = fixes.get('is priced');
    assert.deepEqual([priced?.trust, priced?.state], ['propose', 'declined']);
    assert.match(priced?.stops?.map(({ reason }) => reason).join(' ') ?? '', /contains "undefined"/);
    assert.match(reasons.get('is numbered') ?? '', /not stable: two runs produced different texts/);
    assert.match(reasons.get('is new') ?? '', /is not stored yet: .* run the test framework itself/);
    assert.match(reasons.get('has a name') ?? '', /property matchers/);
    assert.match(reasons.get('adds up') ?? '', /also fails for a reason other than its snapshots/);
    assert.match(reasons.get('says who') ?? '', /no longer throws/);
    assert.equal(report.patch, '');
  });
});
