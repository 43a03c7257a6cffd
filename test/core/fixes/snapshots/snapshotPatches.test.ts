// Patches of snapshots from anyone, and the engine's own fixes of them: both are proven against what is stored.
import assert from 'node:assert/strict';
import path from 'node:path';
import { testFileRule } from '../../../../src/core/cycle/testFileRule.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import { verifyPatch, type PatchVerdict } from '../../../../src/core/verification/verifyPatch.ts';
import { requests } from '../../../../src/server/messages.ts';
import { startEngine } from '../../../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { requestFor } from '../../verification/request.ts';
import { button, stored } from './snapshotShop.ts';

const html = (text: string, name = 'btn'): string => `\n"<button class="${name}">\n  ${text}\n</button>"\n`;
const snap = 'tests/__snapshots__/button.test.ts.snap';
const tests = (name: string): string => `import { expect, test } from 'vitest';
import { button } from '../src/button.ts';

test('renders', () => expect(button('a')).toMatchSnapshot());
test('is written out', () => {
  expect(button('b')).toMatchInlineSnapshot(\`
    "<button class="${name}">
      b
    </button>"
  \`);
});
`;

describe('a patch of snapshots', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;

  beforeEach(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({ name: 'shop', type: 'module', devDependencies: { vitest: '4' } }),
        'src/button.ts': button.before,
        'tests/button.test.ts': tests('btn'),
        [snap]: stored({ 'renders 1': html('a') }),
      },
      { git: true, vitest: true },
    );
    await workspace.write('src/button.ts', button.after);
  });
  afterEach(() => workspace.dispose());

  /** The patch that leads to these texts. */
  const patchTo = async (texts: Readonly<Record<string, string>>): Promise<string> => {
    const before = new Map<string, string>();
    for (const [file, text] of Object.entries(texts)) {
      before.set(file, await workspace.read(file));
      await workspace.write(file, text);
    }
    const patch = workspace.git('diff', '--', ...Object.keys(texts));
    for (const [file, text] of before) await workspace.write(file, text);
    return patch;
  };
  const judge = async (texts: Readonly<Record<string, string>>): Promise<PatchVerdict> => {
    const { root } = workspace;
    const isTestFile = await testFileRule({ root, testFiles: [`${root}/tests/button.test.ts`] });
    return verifyPatch(await patchTo(texts), { ...(await requestFor(workspace)), isTestFile });
  };

  it('is verified when what it stores is what the code gives, and rejected when it is not', async () => {
    const right = await judge({
      'tests/button.test.ts': tests('button'),
      [snap]: stored({ 'renders 1': html('a', 'button') }),
    });
    assert.deepEqual(
      [right.verdict, right.reason, right.runs, right.scope],
      ['verified', undefined, 3, 'file'],
    );
    assert.deepEqual(
      right.tests.map(({ title, before, after }) => [title, before, after]),
      [
        ['renders', 'failed', 'passed'],
        ['is written out', 'failed', 'passed'],
      ],
    );
    const wrong = await judge({
      'tests/button.test.ts': tests('button'),
      [snap]: stored({ 'renders 1': html('a', 'knob') }),
    });
    assert.equal(wrong.verdict, 'rejected');
    assert.match(wrong.reason ?? '', /"renders" still fails: Snapshot `renders 1` mismatched/);
    const emptied = await judge({
      [snap]: `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n`,
    });
    assert.deepEqual([emptied.verdict, emptied.runs], ['rejected', 0]);
  });

  it('is what the engine proposes and proves for an editor', async () => {
    const { root } = workspace;
    const engine = await startEngine('ipc', {
      initializationOptions: {
        roots: [{ root }],
        trusted: true,
        storageFolder: path.join(path.dirname(root), 'storage'),
        hasOwnUi: true,
      },
    });
    try {
      const fileId = 'vitest:tests/button.test.ts';
      await engine.request(requests.run, { runId: '1', root, targets: [{ fileId }] });
      const ids = ['renders', 'is written out'].map((title) => `${fileId}#${title}`);
      const { fixes } = await engine.request(requests.proposeFixes, { root, ids });
      // Both snapshots change alike, so they are offered as one, too.
      const fix = fixes.find(({ failures }) => failures.length === 2);
      assert.deepEqual([fix?.provider, fix?.trust], ['snapshot', 'oracle']);
      const edit = fix?.edits.find(({ file }) => file === snap);
      assert.ok(fix && edit);
      const { verdict } = await engine.request(requests.verifyFix, { root, fixId: fix.id });
      assert.equal(verdict.verdict, 'verified', verdict.reason);
      const after = applyEdit(edit, await workspace.read(snap));
      assert.equal(after, stored({ 'renders 1': html('a', 'button') }));
    } finally {
      await engine.end();
    }
  });
});
