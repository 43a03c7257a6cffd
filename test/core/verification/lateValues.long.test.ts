// Holds that an expectation is never proven by a value that is only late: seen from outside, in each language.
import assert from 'node:assert/strict';
import { unifiedDiff } from '../../../src/core/workspace/unifiedDiff.ts';
import { fixDocument, verifyDocument } from '../../../src/core/engine/documentSchemas.ts';
import { documentOf } from '../../cli/schemas.ts';
import { hasGo } from '../../support/hasGo.ts';
import { pythonWith } from '../../support/python.ts';
import {
  temporaryWorkspace,
  type TemporaryWorkspace,
  type TemporaryWorkspaceOptions,
} from '../../support/temporaryWorkspace.ts';
import { testmend } from '../../support/testmendCli.ts';

type Files = Readonly<Record<string, string>>;

interface LateCase {
  readonly files: Files;
  /** The sources after the change. */
  readonly changed: Files;
  readonly options?: TemporaryWorkspaceOptions;
}

const panel = (click: string, title: string): string => `export const createPanel = () => {
  const attributes = { expanded: 'false', turns: 0 };
  return {
    getAttribute: (name) => attributes[name],
    click() {
      ${click}
    },
    title: '${title}',
  };
};
`;
const atOnce = "attributes.expanded = 'true';";
const soon = "setTimeout(() => (attributes.expanded = 'true'), 60);";

const scriptTests = (equal: (actual: string, expected: string) => string): string => `
test('is read in the assertion', () => {
  const panel = createPanel();
  panel.click();
  ${equal("panel.getAttribute('expanded')", "'true'")}
});
test('is read before', async () => {
  const panel = createPanel();
  panel.click();
  const expanded = panel.getAttribute('expanded');
  ${equal('expanded', "'true'")}
});
describe('after a hook', () => {
  const panel = createPanel();
  beforeEach(() => panel.click());
  test('is read first', () => {
    ${equal("panel.getAttribute('expanded')", "'true'")}
  });
});
test('is a title', () => {
  ${equal('createPanel().title', "'Details'")}
});
`;

const nodeTest: LateCase = {
  files: {
    'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
    'src/panel.js': panel(atOnce, 'Details'),
    'test/panel.test.js': `import assert from 'node:assert/strict';
import { beforeEach, describe, mock, test } from 'node:test';
import { createPanel } from '../src/panel.js';
${scriptTests((actual, expected) => `assert.equal(${actual}, ${expected});`)}
test('is a title under fake timers', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const panel = createPanel();
  panel.click();
  mock.timers.tick(1000);
  assert.equal(panel.getAttribute('expanded'), 'true');
  assert.equal(panel.title, 'Details');
  mock.timers.reset();
});
`,
  },
  changed: { 'src/panel.js': panel(soon, 'More') },
};

const vitest: LateCase = {
  options: { vitest: true },
  files: {
    'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
    'src/panel.js': panel(atOnce, 'Details'),
    'test/panel.test.ts': `import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createPanel } from '../src/panel.js';
${scriptTests((actual, expected) => `expect(${actual}).toBe(${expected});`)}
test('is a title under fake timers', () => {
  vi.useFakeTimers();
  const panel = createPanel();
  panel.click();
  vi.runAllTimers();
  expect(panel.getAttribute('expanded')).toBe('true');
  expect(panel.title).toBe('Details');
  vi.useRealTimers();
});
`,
  },
  changed: { 'src/panel.js': panel(soon, 'More') },
};

const pythonPanel = (click: string, title: string): string => `import threading


class Panel:
    title = "${title}"

    def __init__(self):
        self.expanded = "false"

    def open(self):
        self.expanded = "true"

    def click(self):
        ${click}
`;
const pytest: LateCase = {
  files: {
    'pytest.ini': '[pytest]\npythonpath = .\n',
    '.gitignore': '__pycache__\n.pytest_cache\n',
    'panel.py': pythonPanel('self.open()', 'Details'),
    'tests/test_panel.py': `import time

from panel import Panel


def test_is_read_in_the_assertion():
    panel = Panel()
    panel.click()
    assert panel.expanded == "true"


class TestPanel:
    def test_is_read_before(self, monkeypatch):
        """What replaces sleeping counts nothing of ours."""
        monkeypatch.setattr(time, "sleep", None)
        panel = Panel()
        panel.click()
        expanded = panel.expanded
        if expanded:
            assert expanded == "true"

    def test_is_a_title(self):
        assert Panel().title == "Details"
`,
  },
  changed: { 'panel.py': pythonPanel('threading.Timer(0.06, self.open).start()', 'More') },
};

const goPanel = (click: string, title: string): string => `package panel

import (
	"sync/atomic"
	"time"
)

type Panel struct{ expanded atomic.Bool }

func (p *Panel) open() { p.expanded.Store(true) }

func (p *Panel) Click() { ${click} }

func (p *Panel) Expanded() string {
	if p.expanded.Load() {
		return "true"
	}
	return "false"
}

func Title() string { return "${title}" }

const Soon = 60 * time.Millisecond
`;
const goTest: LateCase = {
  files: {
    'go.mod': 'module example.com/panel\n\ngo 1.21\n',
    'panel.go': goPanel('p.open()', 'Details'),
    'panel_test.go': `package panel

import "testing"

func TestIsReadInTheAssertion(t *testing.T) {
	p := &Panel{}
	p.Click()
	if got := p.Expanded(); got != "true" {
		t.Errorf("got %q, want %q", got, "true")
	}
}

func TestIsReadBefore(t *testing.T) {
	p := &Panel{}
	p.Click()
	got := p.Expanded()
	want := "true"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestIsATitle(t *testing.T) {
	if got := Title(); got != "Details" {
		t.Errorf("got %q, want %q", got, "Details")
	}
}
`,
  },
  changed: { 'panel.go': goPanel('time.AfterFunc(Soon, p.open)', 'More') },
};

describe('a value that is only late', function () {
  this.timeout(400_000);
  let workspace: TemporaryWorkspace | undefined;
  const start = async ({ files, changed, options }: LateCase): Promise<TemporaryWorkspace> => {
    const made = await temporaryWorkspace(files, { ...options, git: true });
    workspace = made;
    for (const [file, text] of Object.entries(changed)) await made.write(file, text);
    return made;
  };
  afterEach(async () => {
    await workspace?.dispose();
    workspace = undefined;
  });

  const holds = async (given: LateCase): Promise<void> => {
    const { root } = await start(given);
    const result = await testmend(['fix', '--json'], { cwd: root, limitMs: 300_000 });
    const document = documentOf(fixDocument, result);
    const told = JSON.stringify(document, undefined, 1);
    const late = document.fixes.filter(({ title }) => /['"]false['"]/.test(title));
    assert.ok(late.length > 0, told);
    for (const { verdict, reason } of late) {
      assert.equal(verdict, 'rejected', told);
      assert.match(
        reason ?? '',
        /^The value was still changing: (['"])false\1 at once, (['"])true\2 a little later, as the test expects\. Let the test wait for it\.$/,
      );
    }
    const titles = document.fixes.filter(({ title }) => /['"]More['"]/.test(title));
    assert.ok(titles.length > 0, told);
    for (const { verdict, trust } of titles) assert.deepEqual([verdict, trust], ['verified', 'oracle'], told);
  };

  it('is neither proven nor offered in node:test, and a changed value beside it is', () => holds(nodeTest));

  it('is neither proven nor offered in vitest, and a changed value beside it is', () => holds(vitest));

  it('is neither proven nor offered in pytest, and a changed value beside it is', function () {
    if (pythonWith() === undefined) return this.skip();
    return holds(pytest);
  });

  it('is neither proven nor offered in Go, and a changed value beside it is', function () {
    if (!hasGo()) return this.skip();
    return holds(goTest);
  });

  it('is no proof for the patch of somebody else either', async () => {
    const started = await start(nodeTest);
    const { root } = started;
    const file = 'test/panel.test.js';
    const text = await started.read(file);
    const patched = async (
      old: string,
      now: string,
    ): Promise<{ verdict: string; reason?: string | undefined }> => {
      const input = unifiedDiff(file, text, text.replace(old, now));
      return documentOf(
        verifyDocument,
        await testmend(['verify', '--patch', '-', '--json'], { cwd: root, input }),
      );
    };
    const late = await patched("'true'", "'false'");
    assert.deepEqual(
      [late.verdict, late.reason],
      [
        'rejected',
        'The value was still changing: false at once, true a little later, as the test expects. Let the test wait for it.',
      ],
    );
    const changed = await patched("createPanel().title, 'Details'", "createPanel().title, 'More'");
    assert.equal(changed.verdict, 'verified', JSON.stringify(changed));
  });

  it('is told from one that goes on changing, and from one that other tests decide', async () => {
    const { root } = await start({
      files: {
        'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
        'src/clock.js': `export const startClock = () => ({ ticks: 'none' });\n`,
        'src/count.js': 'let count = 0;\nexport const next = () => (count += 1);\n',
        'test/clock.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startClock } from '../src/clock.js';

test('ticks', () => {
  const clock = startClock();
  assert.equal(clock.ticks, 'none');
});
`,
        'test/count.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { next } from '../src/count.js';

test('counts', () => {
  assert.equal(next(), 1);
});
test('counts on', () => {
  assert.equal(next(), 2);
});
`,
      },
      changed: {
        'src/clock.js': `export const startClock = () => {
  const clock = { count: 0, ticks: 'tick 0' };
  setInterval(() => (clock.ticks = \`tick \${++clock.count}\`), 20).unref();
  return clock;
};
`,
        'src/count.js': 'let count = 0;\nexport const next = () => (count += 2);\n',
      },
    });
    const result = await testmend(['fix', '--json'], { cwd: root, limitMs: 300_000 });
    const document = documentOf(fixDocument, result);
    const told = JSON.stringify(document, undefined, 1);
    const [ticks] = document.fixes.filter(({ title }) => title.includes('tick'));
    assert.equal(ticks?.verdict, 'rejected', told);
    assert.match(
      ticks?.reason ?? '',
      /^The value was still changing: tick 0 at once, tick \d+ a little later\.$/,
    );
    const [second] = document.fixes.filter(({ title }) => title === 'expect 4 (was 2)');
    assert.deepEqual([second?.trust, second?.cause?.fault], ['propose', 'flaky'], told);
    assert.match(second?.cause?.reason ?? '', /^It passes without the tests around it and fails among them/);
  });
});
