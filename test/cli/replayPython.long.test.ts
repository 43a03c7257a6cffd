// Replay of a project of Python with a src layout: each commit with its own environment, and always its own source.
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { replayReportSchema } from '../../src/core/replay/replayReport.ts';
import { makeEnvironment, pythonWith } from '../support/python.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { documentOf } from './schemas.ts';

const files = {
  '.gitignore': '.venv/\n__pycache__/\n.pytest_cache/\n_version.py\n',
  'pyproject.toml': '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\n',
  // Stands in for `pip install -e .`, and refuses to touch another Python than that of the environment.
  'install.py':
    'import os, pathlib, sys, sysconfig\n\nassert sys.prefix != sys.base_prefix, "no environment"\nwith open(os.environ["INSTALL_LOG"], "a") as log:\n    log.write("installed\\n")\npackages = pathlib.Path(sysconfig.get_path("purelib"))\n(packages / "shop.pth").write_text(str(pathlib.Path("src").resolve()) + "\\n")\npathlib.Path("src/shop/_version.py").write_text("number = 1\\n")\n',
  'src/shop/__init__.py': 'def greet(name):\n    return "Hi, " + name\n',
  'tests/test_shop.py':
    'import pathlib\n\nimport shop\n\n\ndef test_greet():\n    assert pathlib.Path(shop.__file__).parents[2] == pathlib.Path(__file__).parents[1]\n    assert shop.greet("Ada") == "Hi, Ada"\n',
};

/** Written by the installation alone, among the sources. */
const withVersion = `from shop._version import number\n\n${files['src/shop/__init__.py'].replace('Hi', 'Hello')}`;

describe('testmend replay of pytest', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let log: string;
  beforeEach(async function () {
    if (pythonWith() === undefined) return this.skip();
    workspace = await temporaryWorkspace(files, { git: true });
    log = path.join(workspace.root, '../install.log');
    await writeFile(log, '');
    for (const file of ['src/shop/__init__.py', 'tests/test_shop.py'])
      await workspace.write(file, (await workspace.read(file)).replace('Hi', 'Hello'));
    workspace.git('commit', '-q', '-am', 'Say Hello');
  });
  afterEach(() => workspace?.dispose());

  const replay = async (...args: readonly string[]) => {
    const options = { cwd: workspace.root, limitMs: 280_000, env: { INSTALL_LOG: log } };
    const result = await testmend(['replay', '--commits', '1', '--json', ...args], options);
    const { commits } = documentOf(replayReportSchema, result);
    return commits.map(({ subject, state, reason, sourceIsRight }) =>
      [subject, state, reason, sourceIsRight?.correct].filter((one) => one !== undefined).join(' · '),
    );
  };

  it('installs in steps, in the environment that the first one made', async () => {
    const install = 'python3 -m venv --without-pip --system-site-packages .venv && python3 install.py';

    assert.deepEqual(await replay('--install', install), ['Say Hello · case · true']);
    assert.equal(await readFile(log, 'utf8'), 'installed\n');
  });

  it('keeps what the installation wrote among the sources', async () => {
    await workspace.write('src/shop/__init__.py', withVersion);
    workspace.git('commit', '-q', '-am', 'Number it');
    await workspace.write('src/shop/__init__.py', withVersion.replace('Hello', 'Hey'));
    const tests = await workspace.read('tests/test_shop.py');
    await workspace.write('tests/test_shop.py', tests.replace('Hello', 'Hey'));
    workspace.git('commit', '-q', '-am', 'Say Hey');
    const install = 'python3 -m venv --without-pip --system-site-packages .venv && python3 install.py';

    assert.deepEqual(await replay('--install', install), ['Say Hey · case · true']);
    assert.equal(await readFile(log, 'utf8'), 'installed\n');
  });

  it('takes the environment of the workspace, but never the source of the workspace', async () => {
    const python = pythonWith() ?? assert.fail();
    makeEnvironment(python, path.join(workspace.root, '.venv'), '--system-site-packages');
    const [version = ''] = await readdir(path.join(workspace.root, '.venv/lib'));
    const packages = path.join(workspace.root, '.venv/lib', version, 'site-packages');
    await writeFile(path.join(packages, 'shop.pth'), `${workspace.root}/src\n`);

    assert.deepEqual(await replay(), ['Say Hello · case · true']);
    assert.equal(await readFile(path.join(packages, 'shop.pth'), 'utf8'), `${workspace.root}/src\n`);
  });
});
