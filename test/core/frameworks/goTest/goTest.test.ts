// Real runs of go: modules, packages, subtests, and everything that goes wrong. Skipped where there is no go; with CI=true they fail.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { TestResult } from '../../../../src/core/model/testResult.ts';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { testmend } from '../../../support/testmendCli.ts';
import { isBuilt } from '../../../../src/core/frameworks/goTest/buildConstraints.ts';

const mod = (name: string, version = '1.20'): string => `module example.com/${name}\n\ngo ${version}\n`;
const files = {
  'go.mod': mod('shop'),
  'shop.go': 'package shop\n\nfunc Sum(a, b int) int { return a + b }\n',
  'shop_test.go': `package shop

import (
	"fmt"
	"testing"
)

func TestSum(t *testing.T) {
	if got := Sum(1, 2); got != 4 {
		t.Errorf("Sum(1, 2) = %d, want %d", got, 4)
	}
}

func TestTable(t *testing.T) {
	for _, tc := range []struct{ name string }{{"a b"}, {"c/d"}} {
		tc := tc
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			fmt.Println("printed in", tc.name)
			if tc.name == "c/d" {
				t.Fatal("no")
			}
		})
	}
}

func TestSkipped(t *testing.T) { t.Skip("not now") }

func ExampleSum() {
	fmt.Println(Sum(1, 2))
	// Output: 3
}
`,
  'more_test.go': 'package shop_test\n\nimport "testing"\n\nfunc TestMore(t *testing.T) {}\n',
  'other_windows_test.go': 'package shop\n\nimport "testing"\n\nfunc TestWindows(t *testing.T) {}\n',
  'tagged_test.go':
    '//go:build integration\n\npackage shop\n\nimport "testing"\n\nfunc TestTagged(t *testing.T) {}\n',
  'bad/bad_test.go': 'package bad\n\nimport "testing"\n\nfunc TestBad(t *testing.T) {\n\tgone()\n}\n',
  'panics/panics_test.go': `package panics

import "testing"

func TestEnds(t *testing.T) {}
func TestPanics(t *testing.T) { t.Run("in", func(t *testing.T) { var m map[int]int; m[1] = 1 }) }
func TestNever(t *testing.T)  {}
`,
  'exits/exits_test.go': `package exits

import (
	"os"
	"testing"
)

func TestExits(t *testing.T) { os.Exit(1) }
func TestNever(t *testing.T) {}
`,
  'quits/quits_test.go': `package quits

import (
	"syscall"
	"testing"
)

func TestGood(t *testing.T) { t.Log("prints without a line end") }
func TestQuits(t *testing.T) {
	t.Error("wrong")
	syscall.Exit(0)
}
`,
  'silent/silent_test.go': `package silent

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(0) }
func TestNever(t *testing.T) {}
`,
  'go/pkg/mod/example.com/dep@v1.0.0/go.mod': mod('dep'),
  'go/pkg/mod/example.com/dep@v1.0.0/d_test.go':
    'package dep\n\nimport "testing"\n\nfunc TestDep(t *testing.T) {}\n',
  'testdata/x_test.go': 'package broken !',
  'vendor/v/v_test.go': 'package broken !',
  'inner/go.mod': mod('inner'),
  'inner/inner_test.go': 'package inner\n\nimport "testing"\n\nfunc TestInner(t *testing.T) {}\n',
};

const goVersion = (): string | undefined => {
  try {
    return execFileSync('go', ['version'], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
};

describe('go test', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  before(async function () {
    if (goVersion() === undefined) {
      if (process.env['CI'] === 'true') throw new Error('there is no go on PATH');
      console.warn('    (skipped: there is no go on PATH)');
      return this.skip();
    }
    workspace = await temporaryWorkspace(files, { git: true });
    return undefined;
  });
  after(() => workspace?.dispose());

  it('tells every test what became of it, in each module', async () => {
    const { summary, events } = await runWorkspace(workspace.root);
    assert.deepEqual([...drawn(summary.tests)].sort(), [
      'errored goTest:bad/bad_test.go',
      'errored goTest:exits/exits_test.go#TestExits',
      'errored goTest:exits/exits_test.go#TestNever',
      'errored goTest:panics/panics_test.go#TestNever',
      'errored goTest:quits/quits_test.go#TestQuits',
      'errored goTest:silent/silent_test.go#TestNever',
      'failed goTest:panics/panics_test.go#TestPanics',
      'failed goTest:panics/panics_test.go#TestPanics › in',
      'failed goTest:shop_test.go#TestSum',
      'failed goTest:shop_test.go#TestTable › tc.name::2',
      'passed goTest:inner/inner_test.go#TestInner',
      'passed goTest:more_test.go#TestMore',
      'passed goTest:panics/panics_test.go#TestEnds',
      'passed goTest:quits/quits_test.go#TestGood',
      'passed goTest:shop_test.go#ExampleSum',
      'passed goTest:shop_test.go#TestTable',
      'passed goTest:shop_test.go#TestTable › tc.name::1',
      'skipped goTest:shop_test.go#TestSkipped',
    ]);
    const sum = resultOf(summary, 'goTest:shop_test.go#TestSum');
    assert.equal(sum.failure?.expected, '4');
    assert.equal(sum.failure?.actual, '3');
    assert.deepEqual(sum.failure?.location, { file: 'shop_test.go', line: 10, column: 1 });
    const bad = resultOf(summary, 'goTest:bad/bad_test.go').failure;
    assert.deepEqual(bad?.location, { file: 'bad/bad_test.go', line: 6, column: 2 });
    assert.match(bad?.message ?? '', /undefined: gone/);
    const panic = resultOf(summary, 'goTest:panics/panics_test.go#TestPanics › in').failure;
    assert.equal(panic?.message, 'panic: assignment to entry in nil map');
    assert.equal(panic?.location?.line, 6);
    assert.match(
      resultOf(summary, 'goTest:silent/silent_test.go#TestNever').failure?.message ?? '',
      /none of its tests ran/,
    );
    const printed = events.flatMap((event) => (event.type === 'output' ? [event.text] : []));
    assert.ok(printed.some((text) => text.includes('printed in c/d')));
  });

  it('runs what is selected and nothing else', async () => {
    const file = path.join(workspace.root, 'shop_test.go');
    const run = async (selection: Parameters<typeof runWorkspace>[1]): Promise<readonly string[]> =>
      drawn((await runWorkspace(workspace.root, selection)).summary.tests);
    assert.deepEqual(await run({ selection: { tests: [{ file, names: ['TestSkipped'] }] } }), [
      'skipped goTest:shop_test.go#TestSkipped',
    ]);
    assert.deepEqual(await run({ selection: { files: [path.join(workspace.root, 'more_test.go')] } }), [
      'passed goTest:more_test.go#TestMore',
    ]);
    const notBuilt = ['other_windows_test.go', 'tagged_test.go'].map((name) =>
      path.join(workspace.root, name),
    );
    assert.deepEqual(await run({ selection: { files: notBuilt } }), [
      'skipped goTest:other_windows_test.go#TestWindows',
      'skipped goTest:tagged_test.go#TestTagged',
    ]);
    assert.deepEqual(await run({ selection: { filter: 'table A_B' } }), [
      'passed goTest:shop_test.go#TestTable › tc.name::1',
    ]);
    assert.deepEqual(await run({ selection: { nativeFilter: '^Test(Inner|More)$' } }), [
      'errored goTest:bad/bad_test.go',
      'passed goTest:inner/inner_test.go#TestInner',
      'passed goTest:more_test.go#TestMore',
    ]);
  });

  it('shows what an example prints as a difference, and seeds of a fuzz test at the test', async () => {
    const more = await temporaryWorkspace({
      'go.mod': mod('more'),
      'more_test.go': `package more

import (
	"fmt"
	"testing"
)

func Example() {
	fmt.Println(1)
	fmt.Println(2)
	// Output:
	// 1
	// 3
}

func FuzzSmall(f *testing.F) {
	f.Add(3)
	f.Fuzz(func(t *testing.T, n int) {
		if n == 3 {
			t.Error("three")
		}
	})
}
`,
    });
    const { summary } = await runWorkspace(more.root);
    const example = resultOf(summary, 'goTest:more_test.go#Example').failure;
    assert.deepEqual([example?.expected, example?.actual, example?.kind], ['1\n3', '1\n2', 'assertion']);
    const seed = resultOf(summary, 'goTest:more_test.go#FuzzSmall › seed%230');
    assert.deepEqual([seed.outcome, seed.line], ['failed', 16]);
    await more.dispose();
  });

  it('says what is wrong with a module, and what hangs', async () => {
    const strange = await temporaryWorkspace({
      'go.mod': mod('strange', '1.999'),
      'a_test.go': 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
      'hangs/go.mod': mod('hangs'),
      'hangs/b_test.go':
        'package b\n\nimport "testing"\n\nfunc TestEnds(t *testing.T) {}\nfunc TestHangs(t *testing.T) { select {} }\nfunc TestWaits(t *testing.T) {}\n',
    });
    const { summary } = await runWorkspace(strange.root, {
      limits: { timeoutMs: 8000 },
      env: { GOTOOLCHAIN: 'local' },
    });
    assert.match(
      resultOf(summary, 'goTest:a_test.go').failure?.message ?? '',
      /go\.mod requires go >= 1\.999/,
    );
    const hangs = summary.tests.filter(({ file }) => file === 'hangs/b_test.go');
    assert.deepEqual(drawn(hangs), [
      'passed goTest:hangs/b_test.go#TestEnds',
      'failed goTest:hangs/b_test.go#TestHangs',
      'errored goTest:hangs/b_test.go#TestWaits',
    ]);
    const { failure } = resultOf(summary, 'goTest:hangs/b_test.go#TestHangs');
    assert.equal(failure?.kind, 'timeout');
    assert.deepEqual(failure?.location, { file: 'hangs/b_test.go', line: 6, column: 1 });
    await strange.dispose();
  });

  it('tells as skipped what flags or a TestMain leave out', async () => {
    const chosen = await temporaryWorkspace({
      'go.mod': mod('chosen'),
      'a_test.go':
        'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) { t.Fatal("no") }\nfunc TestB(t *testing.T) {}\nfunc TestC(t *testing.T) {}\n',
      'main_test.go':
        'package a\n\nimport (\n\t"flag"\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tflag.Parse()\n\tflag.Set("test.run", "Test[BC]")\n\tos.Exit(m.Run())\n}\n',
    });
    const { summary } = await runWorkspace(chosen.root, { env: { GOFLAGS: '-skip=TestC' } });
    await chosen.dispose();
    assert.deepEqual(drawn(summary.tests), [
      'skipped goTest:a_test.go#TestA',
      'passed goTest:a_test.go#TestB',
      'skipped goTest:a_test.go#TestC',
    ]);
    assert.match(resultOf(summary, 'goTest:a_test.go#TestA').output ?? '', /^Not run: flags or/);
  });

  it('tells in a run of everything which packages without test files do not build', async () => {
    const untested = await temporaryWorkspace({
      'go.mod': mod('untested'),
      'a_test.go': 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
      'cmd/main.go': 'package main\n\nfunc main() { undefinedThing() }\n',
      'uses/uses.go': 'package uses\n\nimport "example.com/untested/broken"\n\nvar _ = broken.Gone\n',
      'broken/broken.go': 'package broken\n\nvar Gone = gone()\n',
      'good/good.go': 'package good\n\nfunc TestNothing() {}\n',
      'win/win_windows.go': 'package win\n\nvar Gone = gone()\n',
      'gen/gen.go': '//go:build ignore\n\npackage main\n\nfunc main() { gone() }\n',
      'testdata/bad.go': 'package bad\n\nvar Gone = gone()\n',
      'below/go.mod': mod('below'),
      'below/b.go': 'package below\n\nvar Gone = gone()\n',
    });
    const { summary } = await runWorkspace(untested.root);
    const said = ({ failure }: TestResult): string => failure?.message ?? '';
    const [first, ...broken] = summary.tests.toSorted((a, b) => (said(a) < said(b) ? -1 : 1));
    assert.deepEqual([first?.id, first?.outcome], ['goTest:a_test.go#TestA', 'passed']);
    assert.deepEqual(
      broken.map(({ file, outcome }) => [file, outcome]),
      [
        ['go.mod', 'errored'],
        ['go.mod', 'errored'],
      ],
    );
    assert.deepEqual(broken.map(said), [
      'The package example.com/untested/broken does not build:\nbroken/broken.go:3:12: undefined: gone',
      'The package example.com/untested/cmd does not build:\ncmd/main.go:3:15: undefined: undefinedThing',
    ]);
    assert.deepEqual(
      broken.map(({ failure }) => failure?.location?.file),
      ['broken/broken.go', 'cmd/main.go'],
    );
    const file = path.join(untested.root, 'a_test.go');
    const one = await runWorkspace(untested.root, { selection: { files: [file] } });
    assert.deepEqual(drawn(one.summary.tests), ['passed goTest:a_test.go#TestA']);
    await untested.dispose();
  });

  it('calls a patch of Go files unverifiable that changes more than what is expected', async () => {
    const before = 'func TestMore(t *testing.T) {}';
    await workspace.write('more_test.go', files['more_test.go'].replace(before, `${before} // more`));
    await workspace.write('fix.patch', workspace.git('diff', 'more_test.go'));
    workspace.git('checkout', '-q', 'more_test.go');
    const { code, stdout } = await testmend(['verify', '--patch', 'fix.patch', '--json'], {
      cwd: workspace.root,
    });
    assert.equal(code, 2);
    assert.match(stdout, /"verdict":"unverifiable".*the other change in .*more_test\.go:5/);
  });

  it('names the remedy where there is no go', async () => {
    const { PATH } = process.env;
    process.env['PATH'] = path.dirname(process.execPath);
    try {
      const { summary } = await runWorkspace(workspace.root);
      assert.match(
        summary.tests[0]?.failure?.message ?? '',
        /No go executable was found on PATH\. Install Go/,
      );
    } finally {
      process.env['PATH'] = PATH;
    }
  });
});

describe('build constraints', () => {
  it('are met by this system, its processor and the tags of GOFLAGS', () => {
    const built = (constraint: string, flags = ''): boolean =>
      isBuilt('a_test.go', `// Copyright\n\n//go:build ${constraint}\n\npackage a\n`, flags);
    const own = process.platform === 'win32' ? 'windows' : process.platform;
    assert.deepEqual(
      [
        built(own),
        built(`!${own}`),
        built('integration'),
        built('plan9 || (gc && !integration)'),
        built('ignore'),
      ],
      [true, false, false, true, false],
    );
    assert.ok(built('integration && go1.18', '-mod=mod -tags=a,integration'));
    assert.ok(!isBuilt('a_plan9_test.go', 'package a'));
    assert.ok(!isBuilt('a_plan9_amd64_test.go', 'package a'));
    assert.ok(isBuilt('plan9_test.go', 'package a'));
    assert.ok(isBuilt('a_test.go', 'package a\n//go:build ignore\n'));
  });
});
