// pytest with coverage: real pytest-cov, its own sources and branches, and a note where it is not installed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { draw } from '../../support/coverageSource.ts';
import { runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const cart = `class Cart:
    def __init__(self):
        self.items = []

    def add(self, price, count=1):
        if price < 0:
            raise ValueError("negative")
        self.items.append((price, count))
        return self

    def clear(self):
        self.items = []


def shipping(total):
    return 0 if total > 50 else 5
`;
const test = `from cart import Cart, shipping


def test_adds():
    assert Cart().add(5).items == [(5, 1)]
    assert shipping(3) == 5
`;

describe('pytest with coverage', function () {
  this.timeout(300_000);
  let folder: string;
  let workspace: TemporaryWorkspace;

  /** An environment with these packages beside those of the system. */
  const environment = (name: string, packages: readonly string[]): string => {
    const made = path.join(folder, name);
    execFileSync('python3', ['-m', 'venv', made], { stdio: 'pipe' });
    const python = path.join(made, 'bin/python');
    execFileSync(python, ['-m', 'pip', 'install', '-q', ...packages], { stdio: 'pipe' });
    return made;
  };

  before(async function () {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-venv-'));
    workspace = await temporaryWorkspace({
      'pytest.ini': '[pytest]\npythonpath = src\naddopts = --strict-markers\n',
      '.coveragerc': '[run]\nsource = src\n[report]\nfail_under = 100\n',
      'src/cart.py': cart,
      'src/unloaded.py': 'def never():\n    return 1\n',
      'tests/test_cart.py': test,
    });
    try {
      process.env['VIRTUAL_ENV'] = environment('counting', ['pytest', 'pytest-cov']);
    } catch (error) {
      if (process.env['CI'] === 'true') throw error;
      console.log('skipped: no Python environment with pytest-cov can be made here');
      this.skip();
    }
  });
  const outer = process.env['VIRTUAL_ENV'];
  after(async () => {
    if (outer === undefined) delete process.env['VIRTUAL_ENV'];
    else process.env['VIRTUAL_ENV'] = outer;
    await workspace.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('tells lines, branches and functions, also of what no test loads, and fails no test for a limit', async () => {
    const { summary } = await runWorkspace(workspace.root, { coverage: {} });
    assert.deepEqual([summary.passed, summary.errored, summary.notes], [1, 0, []]);
    assert.deepEqual(draw(summary.coverage, 'src/cart.py'), {
      lines: '1:1 2:1 3:1 5:1 6:1 7:0 8:1 9:1 11:1 12:0 15:1 16:1',
      functions: '2:1 5:1 11:0 15:1',
      branches: '6:0,1',
    });
    assert.equal(draw(summary.coverage, 'src/unloaded.py').lines, '1:0 2:0');
    assert.deepEqual(
      summary.coverage?.files.map(({ file }) => file),
      ['src/cart.py', 'src/unloaded.py'],
    );
    const left = (await readdir(workspace.root)).filter((name) => /cov/.test(name));
    assert.deepEqual(left, ['.coveragerc']);
  });

  it('runs without, and names the package, where it is not installed', async () => {
    const python = path.join(process.env['VIRTUAL_ENV'] ?? '', 'bin/python');
    execFileSync(python, ['-m', 'pip', 'uninstall', '-q', '-y', 'pytest-cov']);
    const { summary } = await runWorkspace(workspace.root, { coverage: {} });
    assert.deepEqual([summary.passed, summary.coverage?.files], [1, []]);
    assert.match(summary.notes[0] ?? '', /not installed\. Run `\S+ -m pip install pytest-cov`\.$/);
  });
});
