// One test that fails for two changes of the source is one card with both lines, and no card is for an error that no change reaches.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';

const reportSchema = z.object({
  fixes: z.array(z.object({ verdict: z.string(), trust: z.string(), failures: z.array(z.string()) })),
  remaining: z.array(z.unknown()),
  patch: z.string(),
});
const halvesSchema = z.object({
  fixes: z.array(z.object({ title: z.string(), verdict: z.string() })),
  remaining: z.array(z.object({ id: z.string(), reason: z.string() })),
  patch: z.string(),
});
const source = (slash: string, end: string, error: string): string =>
  `export const join = (base, part) => base + '${slash}' + part;
export function protocol(text) {
  if (text === '') throw new TypeError('${error}');
  return text.split(':')[0] + '${end}';
}
`;

describe('testmend fix --json of a test with two causes', () => {
  it('tells one fix, which changes both lines and nothing else', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
        'src/url.js': source('/', '', 'empty'),
        'test/url.test.js': `import { it } from 'node:test';
import assert from 'node:assert/strict';
import { join, protocol } from '../src/url.js';

it('joins and reads', () => {
  assert.equal(join('a', 'b'), 'a/b');
  assert.equal(protocol('http://x'), 'http');
});
`,
      },
      { git: true },
    );
    try {
      await workspace.write('src/url.js', source('//', ':', 'nothing given'));
      const { stdout } = await testmend(['fix', '--json'], { cwd: workspace.root });
      const { fixes, remaining, patch } = reportSchema.parse(JSON.parse(stdout));
      assert.deepEqual(fixes, [
        { verdict: 'verified', trust: 'oracle', failures: ['nodeTest:test/url.test.js#joins and reads'] },
      ]);
      assert.deepEqual(remaining, []);
      assert.deepEqual(patch.match(/^\+ .*/gm), [
        "+  assert.equal(join('a', 'b'), 'a//b');",
        "+  assert.equal(protocol('http://x'), 'http:');",
      ]);
    } finally {
      await workspace.dispose();
    }
  }).timeout(120_000);

  it('tells one remaining failure where the second is a throw, with each cause once, and offers nothing by halves', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
        'src/url.js':
          "export const join = (base, part) => base + '/' + part;\nexport const protocol = (text) => text.split(':')[0];\n",
        'test/url.test.js': `import { it } from 'node:test';
import assert from 'node:assert/strict';
import { join, protocol } from '../src/url.js';

it('joins and reads', () => {
  assert.equal(join('a', 'b'), 'a/b');
  assert.equal(protocol(''), '');
});
`,
      },
      { git: true },
    );
    try {
      await workspace.write('src/url.js', source('//', '', 'nothing given'));
      const { stdout } = await testmend(['fix', '--json'], { cwd: workspace.root });
      const { fixes, remaining, patch } = halvesSchema.parse(JSON.parse(stdout));
      assert.deepEqual(
        fixes.map(({ title, verdict }) => [title, verdict]),
        [["expect 'a//b' (was 'a/b')", 'rejected']],
      );
      assert.equal(patch, '');
      const [left, another] = remaining;
      assert.equal(another, undefined);
      assert.equal(left?.id, 'nodeTest:test/url.test.js#joins and reads');
      for (const cause of [
        /expect 'a\/\/b' \(was 'a\/b'\)/g,
        /url\.js:3 throws since it changed: nothing given/g,
      ])
        assert.equal(left.reason.match(cause)?.length, 1, left.reason);
      assert.match(
        left.reason,
        /^With this it gets further: [^]*Then "joins and reads" still fails: nothing given/,
      );
    } finally {
      await workspace.dispose();
    }
  }).timeout(120_000);
});
