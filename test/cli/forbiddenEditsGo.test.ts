// Every kind of edit that the fix policy forbids in Go, tried as a patch from outside, with the rule that is told.
import assert from 'node:assert/strict';
import { unifiedDiff } from '../../src/core/workspace/unifiedDiff.ts';
import { hasGo } from '../support/hasGo.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { assertRejects, rulesTold, type JudgedFile } from './rejectedRules.ts';

const source = 'package shop\n\nfunc Open() bool { return true }\n';
const test = `package shop

import "testing"

func TestSum(t *testing.T) {
	want := 12
	if got := Sum(5, 7); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
	if text := Greet("Ada"); text != "Hi, Ada" {
		t.Error(text)
	}
}

func TestOpen(t *testing.T) {
	for _, tt := range []struct{ want bool }{{true}} {
		if got := Open(); got != tt.want {
			t.Fatalf("got %v", got)
		}
	}
}
`;
const start = '	want := 12\n';

/** The rule, what is replaced in the test file, and what stands there instead. */
const edits: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['skip-or-only', start, `	t.Skip("later")\n${start}`],
  ['skip-or-only', 'package shop', '//go:build integration\n\npackage shop'],
  ['removed-test', 'func TestOpen', 'func testOpen'],
  ['removed-test', 'func TestOpen', 'func CheckOpen'],
  ['fewer-assertions', '		t.Error(text)\n', '		_ = text\n'],
  ['fewer-assertions', 'got != want {', 'got != want && got != 13 {'],
  ['fewer-assertions', 'text != "Hi, Ada"', 'text == "Hi, Ada"'],
  ['fewer-assertions', 't.Fatalf("got', 't.Logf("got'],
  ['inverted', '{{true}}', '{{false}}'],
  ['changed-type', 'want := 12', 'want := "12"'],
  ['lost-value', '"Hi, Ada"', '""'],
  ['swallowed-error', start, `	defer func() { recover() }()\n${start}`],
  ['process-control', start, `	os.Exit(0)\n${start}`],
  ['syntax-error', 'want := 12', 'want := "12'],
];

describe('testmend verify, for what the fix policy forbids in Go', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  before(async function () {
    if (!hasGo()) return this.skip();
    workspace = await temporaryWorkspace(
      { 'go.mod': 'module example.com/shop\n\ngo 1.20\n', 'shop.go': source, 'shop_test.go': test },
      { git: true },
    );
    return undefined;
  });
  after(() => workspace?.dispose());

  const judged = (): JudgedFile => ({ workspace, file: 'shop_test.go', text: test });

  for (const [rule, from, to] of edits)
    it(`rejects ${rule}: ${to.trim().split('\n')[0]}`, () => assertRejects(judged(), rule, [from, to]));

  it('rejects an edit of the source, and the removal of a test file', async () => {
    const turned = unifiedDiff('shop.go', source, source.replace('true', 'false'));
    assert.deepEqual(await rulesTold(judged(), turned), ['only-test-files']);
    assert.ok(
      (await rulesTold(judged(), unifiedDiff('shop_test.go', test, undefined))).includes('removed-file'),
    );
  });
});
