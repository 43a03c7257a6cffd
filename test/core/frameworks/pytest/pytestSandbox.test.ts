// pytest in a sandbox copy: the copy's sources are tested, whatever is installed in place, and the original stays as it is.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { unifiedDiff } from '../../../../src/core/workspace/unifiedDiff.ts';
import { testmend } from '../../../support/testmendCli.ts';
import { makeEnvironment, pythonWith } from '../../../support/python.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const files = {
  'pyproject.toml': '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\n',
  '.gitignore': '.venv/\n__pycache__/\n.pytest_cache/\n',
  'src/shop/__init__.py': 'def price():\n    return 3\n',
  'tests/test_shop.py':
    'import json\nimport pathlib\n\nimport shop\n\n\ndef test_price():\n    wanted = json.loads((pathlib.Path(__file__).parent / "fixtures/price.json").read_text())\n    assert shop.price() == wanted["price"]\n    assert pathlib.Path(shop.__file__).parents[2] == pathlib.Path(__file__).parents[1]\n',
  'tests/fixtures/price.json': '{ "price": 2 }\n',
};

const taxTest =
  'import pathlib\n\nimport shop\n\n\ndef test_tax():\n    assert shop.price() == 2\n    assert pathlib.Path(shop.__file__).parents[2] == pathlib.Path(__file__).parents[1]\n';
const patch = unifiedDiff('tests/test_tax.py', taxTest, taxTest.replace('== 2', '== 3'));

const verdictSchema = z.object({ verdict: z.string(), reason: z.string().optional() });
const reportSchema = z.object({
  fixes: z.array(z.unknown()),
  remaining: z.array(z.object({ id: z.string() })),
});

describe('pytest in a sandbox', () => {
  let workspace: TemporaryWorkspace;
  let packages: string;

  before(async function () {
    const python = pythonWith();
    if (python === undefined) return this.skip();
    workspace = await temporaryWorkspace(files, { git: true });
    await workspace.write('tests/test_tax.py', taxTest);
    makeEnvironment(python, path.join(workspace.root, '.venv'), '--system-site-packages');
    const [version = ''] = await readdir(path.join(workspace.root, '.venv/lib'));
    packages = path.join(workspace.root, '.venv/lib', version, 'site-packages');
    await writeFile(path.join(packages, '__editable__.shop-1.pth'), `${workspace.root}/src\n`);
  });
  after(() => workspace?.dispose());

  const verify = async (text: string): Promise<z.infer<typeof verdictSchema>> => {
    await writeFile(path.join(workspace.root, '../fix.patch'), text);
    const { stdout, stderr } = await testmend(['verify', '--patch', '../fix.patch', '--json'], {
      cwd: workspace.root,
    });
    assert.notEqual(stdout, '', stderr);
    return verdictSchema.parse(JSON.parse(stdout));
  };
  const cached = (): string =>
    execFileSync('find', ['.', '-name', '__pycache__', '-not', '-path', './.venv/*'], {
      cwd: workspace.root,
      encoding: 'utf8',
    });

  it('tests the sources of the copy, where a line of a .pth file leads to those of the original', async () => {
    const verdict = await verify(patch);
    assert.deepEqual([verdict.verdict, verdict.reason], ['verified', undefined]);
    assert.equal(await workspace.read('tests/test_tax.py'), taxTest);
  });

  it('does so where a finder of setuptools leads there', async () => {
    await writeFile(
      path.join(packages, '__editable__.shop-1.pth'),
      'import __editable___shop_1_finder; __editable___shop_1_finder.install()\n',
    );
    await writeFile(
      path.join(packages, '__editable___shop_1_finder.py'),
      `import sys\nfrom importlib.util import spec_from_file_location\nMAPPING: dict[str, str] = {'shop': '${workspace.root}/src/shop'}\nclass Finder:\n    @classmethod\n    def find_spec(cls, name, path=None, target=None):\n        if name in MAPPING:\n            return spec_from_file_location(name, MAPPING[name] + '/__init__.py')\ndef install():\n    sys.meta_path.append(Finder)\n`,
    );
    const verdict = await verify(patch);
    assert.deepEqual([verdict.verdict, verdict.reason], ['verified', undefined]);
  });

  it('calls unverifiable what would be tested against the original', async () => {
    const finder = path.join(packages, '__editable___shop_1_finder.py');
    await writeFile(
      finder,
      (await workspace.read(path.relative(workspace.root, finder))).replace(
        'meta_path.append(Finder)',
        'meta_path.insert(0, Finder)',
      ),
    );
    const verdict = await verify(patch);
    assert.equal(verdict.verdict, 'unverifiable', JSON.stringify(verdict));
    assert.match(String(verdict.reason), /comes from the workspace/);
    await rm(path.join(packages, '__editable__.shop-1.pth'));
    await writeFile(path.join(packages, 'shop.pth'), `${workspace.root}/src\n`);
  });

  it('rejects a patch of Python that takes an assertion away, and leaves failing tests as they are where no literal is expected', async () => {
    await rm(path.join(workspace.root, 'tests/test_tax.py'));
    const verdict = await verify(
      '--- a/tests/test_shop.py\n+++ b/tests/test_shop.py\n@@ -8,3 +8,2 @@\n     wanted = json.loads((pathlib.Path(__file__).parent / "fixtures/price.json").read_text())\n-    assert shop.price() == wanted["price"]\n     assert pathlib.Path(shop.__file__).parents[2] == pathlib.Path(__file__).parents[1]\n',
    );
    assert.equal(verdict.verdict, 'rejected');
    assert.match(String(verdict.reason), /fewer-assertions/);
    await mkdir(path.join(workspace.root, '../caches'), { recursive: true });
    const { code, stdout, stderr } = await testmend(['fix', '--json', '--dry-run'], { cwd: workspace.root });
    const report = reportSchema.parse(JSON.parse(stdout));
    assert.equal(code, 1, stderr);
    assert.deepEqual(
      [report.fixes, report.remaining.map(({ id }) => id)],
      [[], ['pytest:tests/test_shop.py#test_price']],
    );
  });

  it('wrote nothing into the original but what its own runs write', () => {
    assert.ok(!cached().includes('sandbox'));
    assert.deepEqual(workspace.git('status', '--porcelain'), '');
  });
});
