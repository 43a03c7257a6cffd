// What a fix cycle makes of an everyday change, seen from outside: the same in every framework.
import assert from 'node:assert/strict';
import { fixDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from '../cli/schemas.ts';
import { everydayCommit, type EverydayCommit, type EverydayFramework } from './everydayCommit.ts';
import { pythonWith } from './python.ts';
import { testmend } from './testmendCli.ts';

/** What a person accepts depends on no runner: it is tried where tests start quickly. */
const acceptsAll: readonly EverydayFramework[] = ['node:test', 'pytest'];

export function mendsAnEverydayCommit(framework: EverydayFramework): void {
  describe(`an everyday commit in ${framework}`, function () {
    this.timeout(400_000);
    let commit: EverydayCommit | undefined;
    beforeEach(async function () {
      if (framework === 'pytest' && pythonWith() === undefined) return this.skip();
      commit = await everydayCommit(framework);
    });
    afterEach(() => commit?.workspace.dispose());

    it('is mended step by step: what nobody needs to be asked about in full, the rest as questions with their steps', async () => {
      assert.ok(commit);
      const { workspace, testFile, mended, mechanical, goesTestByTest } = commit;
      const result = await testmend(['fix', '--json', '--apply'], {
        cwd: workspace.root,
        limitMs: 300_000,
      });
      const document = documentOf(fixDocument, result);
      const told = JSON.stringify(document, undefined, 1);
      assert.equal(await workspace.read(testFile), mechanical, told);
      assert.equal(result.code, 1, told);
      assert.equal(document.remaining.length, 2, told);
      for (const { reason } of document.remaining)
        assert.match(reason, /^Accept its proven fix where the source is right/);
      assert.equal(document.passRate, 100, told);
      assert.ok(document.iterations.length >= (goesTestByTest ? 3 : 2), told);
      const [first] = document.iterations;
      assert.deepEqual([first?.total, first?.passed, first?.failed_tests.length], [2, 1, 1], told);
      const verified = document.fixes.filter(({ verdict }) => verdict === 'verified');
      for (const { trust, parts, edits } of verified) {
        const trusts = new Set(parts?.map((part) => part.trust) ?? [trust]);
        assert.equal(trust, trusts.has('oracle') ? 'oracle' : 'mechanical', told);
        assert.deepEqual([...new Set(edits.map(({ file }) => file))], [testFile]);
      }
      const withQuestions = verified.filter(({ trust }) => trust === 'oracle');
      assert.equal(withQuestions.length, 2, told);
      const bringAlong = withQuestions.some(({ parts }) =>
        parts?.some((part) => part.trust === 'mechanical'),
      );
      assert.equal(bringAlong, goesTestByTest, told);

      if (!acceptsAll.includes(framework)) return;
      workspace.git('checkout', '--', testFile);
      const all = await testmend(['fix', '--apply', '--assume', 'source-is-right'], {
        cwd: workspace.root,
        limitMs: 300_000,
      });
      assert.equal(await workspace.read(testFile), mended, all.stdout);
      assert.equal(all.code, 0, all.stdout);
    });
  });
}
