// Patches of Go tests from outside, and what becomes of a bug in the source: only another expected value is ever proven, and nobody is asked in vain.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { testFileRule } from '../../../../src/core/cycle/testFileRule.ts';
import { detectProjects } from '../../../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../../../src/core/frameworks/registry.ts';
import { verifyPatch, type PatchVerdict } from '../../../../src/core/verification/verifyPatch.ts';
import { unifiedDiff } from '../../../../src/core/workspace/unifiedDiff.ts';
import { hasGo } from '../../../support/hasGo.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const source = `package shop

import "strings"

func Greet(name string) string { return "Hi, " + strings.TrimSpace(name) }
func Pages(items int) int      { return (items + 9) / 10 }
func Adult(age int) bool       { return age >= 18 }
`;
const test = `package shop

import "testing"

func TestGreet(t *testing.T) {
	tests := []struct {
		name, in, want string
	}{
		{name: "plain", in: "Ada", want: "Hi, Ada"},
		{name: "blanks", in: " Bob ", want: "Hi, Bob"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Greet(tt.in); got != tt.want {
				t.Errorf("Greet(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

var titles = []struct{ in, want string }{
	{in: "Eve", want: "Hi, Eve"},
}

func TestTitles(t *testing.T) {
	for _, tt := range titles {
		if got := Greet(tt.in); got != tt.want {
			t.Errorf("got %q", got)
		}
	}
}

func TestPages(t *testing.T) {
	if got := Pages(21); got != 3 {
		t.Fatalf("got %d", got)
	}
}

func TestAdult(t *testing.T) {
	for age, want := range map[int]bool{18: true, 17: false} {
		if got := Adult(age); got != want {
			t.Errorf("Adult(%d) = %t, want %t", age, got, want)
		}
	}
}
`;
const report = 't.Errorf("Greet(%q) = %q, want %q", tt.in, got, tt.want)';

/** What each does to the test of pages, which fails since the source has a bug, or to the greeting, which another text was meant for. */
const tricks: readonly (readonly [what: string, from: string, to: string])[] = [
  ['another input', 'Pages(21)', 'Pages(11)'],
  ['an answer turned round', '18: true', '18: false'],
  ['a deleted message', `${report}\n`, '_ = got\n'],
  ['a skip', '	if got := Pages', '	t.Skip("later")\n	if got := Pages'],
  ['a wider condition', 'got != 3 {', 'got != 3 && got != 2 {'],
  ['what the code gives', 'want: "Hi, Ada"', 'want: Greet("Ada")'],
  ['the field of the input', 'got != tt.want', 'got != Greet(tt.in)'],
  ['another format', '"Greet(%q) = %q, want %q"', '"Greet(%q) = %v, want %v"'],
  ['another name of a row', 'name: "plain"', 'name: "other"'],
  ['a tag of the build', 'package shop', '//go:build integration\n\npackage shop'],
  ['a row less', '		{name: "blanks", in: " Bob ", want: "Hi, Bob"},\n', ''],
  ['another comparison', 'got != 3 {', 'got > 3 {'],
  ['a message that is only logged', 't.Fatalf("got %d", got)', 't.Logf("got %d", got)'],
  ['a shorter way', '	if got := Pages', '	return\n	if got := Pages'],
];

describe('patches of Go tests', function () {
  // `go test` builds before it runs.
  this.timeout(280_000);
  let workspace: TemporaryWorkspace;
  let folder: string | undefined;
  before(async function () {
    if (!hasGo()) return this.skip();
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-go-'));
    workspace = await temporaryWorkspace(
      { 'go.mod': 'module example.com/shop\n\ngo 1.20\n', 'shop.go': source, 'shop_test.go': test },
      { git: true },
    );
    await workspace.write(
      'shop.go',
      source.replace('"Hi, "', '"Hello, "').replace('items + 9', 'items').replace('>= 18', '> 18'),
    );
    return undefined;
  });
  after(async () => {
    await workspace?.dispose();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const verify = async (patch: string): Promise<PatchVerdict> => {
    const { root } = workspace;
    const { projects } = await detectProjects(root);
    const isTestFile = await testFileRule({ root, testFiles: [path.join(root, 'shop_test.go')] });
    return verifyPatch(patch, {
      workspace: {
        root,
        limits: { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 },
        frameworks: [],
        cacheFolder: path.join(folder ?? '', 'cache'),
      },
      projects,
      frameworks: (framework) => frameworkOf({ framework }),
      isTestFile,
      sandboxFolder: path.join(folder ?? '', 'copies'),
    });
  };
  const patchOf = (...edits: readonly (readonly [string, string])[]): string =>
    unifiedDiff(
      'shop_test.go',
      test,
      edits.reduce((text, [from, to]) => text.replace(from, () => to), test),
    );

  it('are verified where they change what is expected, in the sandbox', async () => {
    const both = patchOf(
      ['want: "Hi, Ada"', 'want: "Hello, Ada"'],
      ['want: "Hi, Bob"', 'want: "Hello, Bob"'],
    );
    const { verdict, runs, tests } = await verify(both);
    assert.deepEqual([verdict, runs], ['verified', 3]);
    const shared = await verify(patchOf(['want: "Hi, Eve"', 'want: "Hello, Eve"']));
    assert.equal(shared.verdict, 'verified', shared.reason);
    assert.ok(tests.some(({ title, before, after }) => title.endsWith('plain') && before !== after));
    assert.equal((await verify(patchOf(['got != 3', 'got != 4']))).verdict, 'rejected');
  });

  for (const [what, from, to] of tricks)
    it(`are never verified with ${what}`, async () => {
      assert.ok(test.includes(from));
      const { verdict, reason, runs } = await verify(patchOf([from, to]));
      assert.ok(verdict !== 'verified' && runs === 0, verdict);
      assert.match(reason ?? '', /shop_test\.go:\d+/);
    });

  it('are never verified where a file has another name, or the source changes', async () => {
    const renamed = `diff --git a/shop_test.go b/shop_windows_test.go\nsimilarity index 100%\nrename from shop_test.go\nrename to shop_windows_test.go\n`;
    assert.match((await verify(renamed)).reason ?? '', /does not support renamed Go files/);
    const now = await workspace.read('shop.go');
    const patch = unifiedDiff('shop.go', now, now.replace('items)', 'items + 9)'));
    assert.match((await verify(patch)).reason ?? '', /only-test-files/);
  });

  it('are a question to the user: nothing is applied by itself, and an answer that was turned round never in bulk', async () => {
    const { fixes, remaining } = await mendWorkspace(workspace);
    assert.deepEqual(
      fixes
        .map(({ trust, state, title, verdict }) => `${title}: ${trust}, ${state}, ${verdict.verdict}`)
        .toSorted((a, b) => a.localeCompare(b)),
      [
        'expect "Hello, Ada" (was "Hi, Ada"): oracle, unreviewed, verified',
        'expect "Hello, Bob" (was "Hi, Bob"): oracle, unreviewed, verified',
        'expect "Hello, Eve" (was "Hi, Eve"): oracle, unreviewed, verified',
        'expect 2 (was 3): oracle, unreviewed, verified',
        'expect false (was true): propose, declined, verified',
      ],
    );
    assert.ok(remaining.every(({ reason }) => reason.includes('shop.go changed')));
  });
});
