// Texts in which everything differs: told in bounded time, coarser, and as true.
import assert from 'node:assert/strict';
import { diffOfLines } from '../../../src/core/workspace/lineDiff.ts';
import { resolvePatch, unifiedDiff } from '../../../src/core/workspace/unifiedDiff.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const text = (word: string, lines: number): string =>
  `head 1\nhead 2\nhead 3\nhead 4\n${Array.from({ length: lines }, (_, line) => `${word} ${line}`).join('\n')}`;

it('a file of 200,000 lines that is wholly changed is told as one change, which git and we apply', async function () {
  this.timeout(60_000);
  const [before, after] = [text('old', 200_000), `${text('new', 150_000)}\n`];
  const started = performance.now();
  const parts = diffOfLines(before, after);
  const patch = unifiedDiff('big.txt', before, after);
  assert.ok(performance.now() - started < 30_000);
  assert.deepEqual(
    parts.map(({ added, removed, count }) => [added, removed, count]),
    [
      [false, false, 4],
      [false, true, 200_000],
      [true, false, 150_000],
    ],
  );
  const [resolved] = await resolvePatch(patch, async () => before);
  assert.equal(resolved?.after, after);
  const workspace = await temporaryWorkspace({ 'big.txt': before }, { git: true });
  try {
    await workspace.write('../big.patch', patch);
    workspace.git('apply', '../big.patch');
    assert.equal(await workspace.read('big.txt'), after);
  } finally {
    await workspace.dispose();
  }
});

it('a change in the middle, at the start and at the end of much keeps what stands around it', async () => {
  const lines = (word: string): string =>
    Array.from({ length: 3_000 }, (_, line) => `${word} ${line}\n`).join('');
  for (const [head, tail] of [
    ['a\nb\nc\nd\n', 'x\ny\nz\nend'],
    ['', 'x\n'],
    ['a\n', ''],
  ]) {
    const [before, after] = [`${head}${lines('old')}${tail}`, `${head}${lines('new')}${tail}`];
    assert.equal(
      diffOfLines(before, after)
        .map(({ added, value }) => (added ? '' : value))
        .join(''),
      before,
    );
    assert.equal(
      diffOfLines(before, after)
        .map(({ removed, value }) => (removed ? '' : value))
        .join(''),
      after,
    );
    const [resolved] = await resolvePatch(unifiedDiff('f', before, after), async () => before);
    assert.equal(resolved?.after, after);
  }
});
