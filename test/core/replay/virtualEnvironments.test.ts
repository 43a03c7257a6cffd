// Environments of Python whose tree is another one: what is installed in place is imported from that tree.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { followTree, linkEnvironment } from '../../../src/core/replay/virtualEnvironments.ts';
import { makeEnvironment, pythonWith } from '../../support/python.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

describe('an environment of Python beside another tree', () => {
  let workspace: TemporaryWorkspace;
  let packages: string;
  beforeEach(async function () {
    const python = pythonWith();
    if (python === undefined) return this.skip();
    workspace = await temporaryWorkspace({
      'old/src/shop.py': '',
      'old2/src/other.py': '',
      'new/src/shop.py': '',
    });
    const program = makeEnvironment(python, path.join(workspace.root, 'old/.venv'));
    packages = execFileSync(program, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'], {
      encoding: 'utf8',
    }).trim();
    await writeFile(
      path.join(packages, 'shop.pth'),
      `${workspace.root}/old/src\n${workspace.root}/old2/src\n`,
    );
    await mkdir(path.join(packages, 'helper'));
    await writeFile(path.join(packages, 'helper/__init__.py'), '');
  });
  afterEach(() => workspace?.dispose());

  const places = (): readonly string[] =>
    execFileSync(
      path.join(workspace.root, 'new/.venv/bin/python'),
      [
        '-c',
        'import shop, other, helper, sys\nfor one in (shop.__file__, other.__file__, sys.prefix): print(one)',
      ],
      { encoding: 'utf8' },
    )
      .trim()
      .split('\n')
      .map((place) => path.relative(workspace.root, place));
  const expected = ['new/src/shop.py', 'old2/src/other.py', 'new/.venv'];

  it('follows its tree, but not trees whose names begin alike', async () => {
    await cp(path.join(workspace.root, 'old/.venv'), path.join(workspace.root, 'new/.venv'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await followTree(
      path.join(workspace.root, 'new/.venv'),
      path.join(workspace.root, 'old'),
      path.join(workspace.root, 'new'),
    );
    assert.deepEqual(places(), expected);
  });

  it('is made of links without a change of the first one', async () => {
    const [original, copy] = [path.join(workspace.root, 'old'), path.join(workspace.root, 'new')];
    const before = await readFile(path.join(packages, 'shop.pth'), 'utf8');
    await linkEnvironment(
      { from: path.join(original, '.venv'), to: path.join(copy, '.venv') },
      { original, copy },
    );
    assert.deepEqual(places(), expected);
    assert.equal(await readFile(path.join(packages, 'shop.pth'), 'utf8'), before);
  });
});
