// Where pytest is used, which files and Python that means, and what is said when something is missing.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { discoverTests } from '../../../../src/core/frameworks/discover.ts';
import { detectProjects } from '../../../../src/core/frameworks/detect.ts';
import { iniSection } from '../../../../src/core/frameworks/pytest/iniText.ts';
import { pytest } from '../../../../src/core/frameworks/pytest/pytest.ts';
import { splitWords } from '../../../../src/core/frameworks/pytest/pytestConfig.ts';
import { findPython } from '../../../../src/core/frameworks/pytest/pythonEnvironment.ts';
import { tomlTable } from '../../../../src/core/frameworks/pytest/tomlText.ts';
import { toRelativePosix } from '../../../../src/core/base/paths.ts';
import { drawTests } from '../../../support/drawTests.ts';
import { makeEnvironment, pythonWith } from '../../../support/python.ts';
import { drawn, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const test = 'def test_a():\n    pass\n';

describe('pytest projects', () => {
  let workspace: TemporaryWorkspace | undefined;
  const open = async (files: Readonly<Record<string, string>>): Promise<string> => {
    workspace = await temporaryWorkspace(files);
    return workspace.root;
  };
  /** `folder: files` of each project. */
  const listed = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const root = await open(files);
    const limits = { timeoutMs: 1, skillTimeoutMs: 1, maxParallel: 1 };
    const cacheFolder = path.join(root, '../cache');
    const { listing } = await discoverTests({ root, limits, frameworks: ['pytest'], cacheFolder });
    return listing.projects.map((project) => {
      const own = listing.files.filter(({ frameworkProject }) => frameworkProject === project);
      return `${toRelativePosix(root, project.root) || '.'}: ${own.map(({ file }) => file).join(' ')}`;
    });
  };
  afterEach(() => workspace?.dispose());

  it('are where pytest is configured, with the files that the configuration names', async () => {
    const ini =
      'testpaths = tests */checks\npython_files = check_*.py test_*.py\nnorecursedirs = old\naddopts = --ignore=tests/slow -q\n';
    const files = {
      'tests/test_a.py': test,
      'tests/check_b.py': test,
      'tests/old/test_c.py': test,
      'tests/slow/test_d.py': test,
      'app/checks/check_e.py': test,
      'test_outside.py': test,
      'tests/conftest.py': 'collect_ignore = ["test_left.py"]\n',
      'tests/test_left.py': test,
    };
    const own = '.: app/checks/check_e.py tests/check_b.py tests/test_a.py';
    assert.deepEqual(await listed({ ...files, 'pytest.ini': `[pytest]\n${ini}` }), [own]);
    await workspace?.dispose();
    assert.deepEqual(
      await listed({ ...files, 'setup.cfg': `\uFEFF[tool:pytest]\r\n${ini.replaceAll('\n', '\r\n')}` }),
      [own],
    );
    await workspace?.dispose();
    const toml =
      '[project]\nname = "x"\n[tool.pytest.ini_options]\ntestpaths = [\n  "tests", # these\n  \'*/checks\',\n]\npython_files = "check_*.py test_*.py"\nnorecursedirs = ["old"]\naddopts = """\n--ignore=tests/slow\n-q"""\n[tool.other]\ntestpaths = ["no"]\n';
    assert.deepEqual(await listed({ ...files, 'pyproject.toml': toml }), [own]);
  });

  it('are also Python projects with tests, each with its own files, and never environments', async () => {
    const found = await listed({
      'package.json': '{ "devDependencies": { "vitest": "4" } }',
      'backend/requirements.txt': '',
      'backend/tests/conftest.py': '',
      'backend/tests/test_a.py': test,
      'backend/env2/pyvenv.cfg': '',
      'backend/env2/lib/site-packages/x/test_x.py': test,
      'packages/a/pyproject.toml': '[project]\nname = "a"\n',
      'packages/a/test_b.py': test,
      'packages/b/pyproject.toml': '[tool.pytest.ini_options]\n',
      'packages/b/c/setup.py': '',
      'packages/b/c/test_c.py': test,
      'packages/d/pyproject.toml': '[project]\nname = "d"\n',
      'scripts/test_loose.py': test,
      'build/lib/test_built.py': test,
    });
    assert.deepEqual(found, [
      '.: scripts/test_loose.py',
      'backend: backend/tests/test_a.py',
      'packages/a: packages/a/test_b.py',
      'packages/b: packages/b/c/test_c.py',
    ]);
  });

  it('read tests by the names of their configuration', async () => {
    const root = await open({
      'pytest.ini': '[pytest]\npython_functions = check_*\n',
      'test_a.py': 'def check_x(): pass\ndef test_y(): pass\n',
    });
    const limits = { timeoutMs: 1, skillTimeoutMs: 1, maxParallel: 1 };
    const { files } = await discoverTests({
      root,
      limits,
      frameworks: [],
      cacheFolder: path.join(root, '../cache'),
    });
    assert.deepEqual(
      files.flatMap(({ tests }) => tests.map(({ id }) => id)),
      ['pytest:test_a.py#check_x'],
    );
  });

  it('show what test classes inherit from other files, and tests that are imported, where they are imported', async () => {
    const root = await open({
      'pytest.ini': '',
      'tests/unit/base.py': 'from .root import Root\n\nclass Base(Root):\n    def test_base(self): pass\n',
      'tests/unit/root.py': 'from .base import Base\nclass Root:\n    def test_root(self): pass\n',
      'tests/unit/test_a.py':
        'from unit.base import (\n    Base as Common,  # both\n)\nfrom .shared import TestShared, test_one\nfrom os import path\n\nclass TestA(Common):\n    def test_own(self): pass\n',
      'tests/unit/shared.py': 'class TestShared:\n    def test_x(self): pass\n\ndef test_one(): pass\n',
    });
    const limits = { timeoutMs: 1, skillTimeoutMs: 1, maxParallel: 1 };
    const { files } = await discoverTests({
      root,
      limits,
      frameworks: [],
      cacheFolder: path.join(root, '../cache'),
    });
    assert.deepEqual(
      files.flatMap(({ tests }) => drawTests(tests)),
      [
        'suite TestShared [4:1-4:41]',
        '  test test_x [4:1-4:41]',
        'test test_one [4:1-4:41]',
        'suite TestA [7:1-8:29]',
        '  test test_base [7:1-8:29]',
        '  test test_root [7:1-8:29]',
        '  test test_own [8:5-8:29]',
      ],
    );
    // The file itself stays as it was: what it inherits is never taken from a memory of it.
    await workspace?.write('tests/unit/root.py', 'class Root:\n    def test_other(self): pass\n');
    const again = await discoverTests({
      root,
      limits,
      frameworks: [],
      cacheFolder: path.join(root, '../cache'),
    });
    assert.ok(drawTests(again.files[0]?.tests ?? []).includes('  test test_other [7:1-8:29]'));
  });

  it('say what is missing: a Python, pytest in an environment, a newer pytest', async function () {
    const python = pythonWith();
    if (python === undefined) return this.skip();
    const root = await open({ 'pytest.ini': '', 'test_a.py': test });
    const problem = async (pythonPath?: string): Promise<string> => {
      const { projects } = await detectProjects(root, pythonPath === undefined ? {} : { pythonPath });
      return `${projects[0]?.problem?.message ?? ''} ${projects[0]?.problem?.remedy ?? ''}`;
    };
    assert.match(
      await problem('./nowhere/python'),
      /^The configured Python was not found: .*nowhere\/python\. Set testmend\.pythonPath/,
    );
    makeEnvironment(python, path.join(root, '.venv'));
    assert.equal(
      await problem(),
      'pytest is not installed in the environment .venv. Run `uv pip install --python .venv/bin/python pytest`.',
    );
    const { summary } = await runWorkspace(root);
    assert.deepEqual(drawn(summary.tests), ['errored pytest:pytest.ini']);
    assert.match(
      summary.tests[0]?.failure?.message ?? '',
      /^pytest is not installed in the environment \.venv\./,
    );
    const packages = path.join(root, '.venv/lib/python3.99/site-packages');
    await mkdir(path.join(packages, 'pytest-6.2.5.dist-info'), { recursive: true });
    assert.match(await problem(), /^pytest 6\.2\.5 in the environment \.venv is too old: version 7 or newer/);
  });

  it('ask a Python whose packages are elsewhere before they start it', async () => {
    const root = await open({ 'pytest.ini': '', 'test_a.py': test, 'bin/.keep': '' });
    const script = '#!/bin/sh\necho "No module named pytest" >&2\nexit 1\n';
    await writeFile(path.join(root, 'bin/python3.99'), script, { mode: 0o755 });
    const { projects } = await detectProjects(root, { pythonPath: 'bin/python3.99' });
    const [project] = projects;
    assert.ok(project && project.problem === undefined && project.version === undefined);
    const limits = { timeoutMs: 10_000, skillTimeoutMs: 1, maxParallel: 1 };
    const asked = { root, limits, frameworks: [], cacheFolder: path.join(root, '../cache') };
    await assert.rejects(pytest.launches(project, {}, asked), {
      code: 'not-installed',
      message: 'pytest is not installed in bin/python3.99.',
    });
  });

  it('take the Python of the nearest place', async () => {
    const root = await open({
      'a/b/pyproject.toml': '[tool.poetry]\nname = "My Shop"\n',
      '.vscode/settings.json':
        '{\n  "python.defaultInterpreterPath": "${workspaceFolder}/own/bin/python"\n}\n',
    });
    const project = path.join(root, 'a/b');
    const make = async (folder: string): Promise<void> => {
      await mkdir(path.join(root, folder, 'bin'), { recursive: true });
      await writeFile(path.join(root, folder, 'bin/python'), '', { mode: 0o755 });
      await writeFile(path.join(root, folder, 'pyvenv.cfg'), 'home = /usr/bin\n');
    };
    const env = { PATH: '', POETRY_VIRTUALENVS_PATH: path.join(root, 'poetry') };
    const found = (more: NodeJS.ProcessEnv = {}): string => {
      const python = findPython({ project, root, env: { ...env, ...more } });
      return python && 'program' in python ? toRelativePosix(root, python.program) : '';
    };
    assert.equal(found(), '');
    await make('own');
    assert.equal(found(), 'own/bin/python');
    await make('active');
    assert.equal(found({ VIRTUAL_ENV: path.join(root, 'active') }), 'active/bin/python');
    await make('a/venv');
    assert.equal(found({ VIRTUAL_ENV: path.join(root, 'active') }), 'a/venv/bin/python');
    await make('a/b/.venv');
    assert.equal(found(), 'a/b/.venv/bin/python');
    await make('a/b/uv');
    assert.equal(found({ UV_PROJECT_ENVIRONMENT: 'uv' }), 'a/b/uv/bin/python');
  });

  it('read sections, tables and words as pytest does', () => {
    const ini = '# c\n[a]\nx = 1\n[pytest]\naddopts =\n    -q\n    --cov\n; c\ntestpaths: t\n';
    assert.deepEqual(
      [...(iniSection(ini, 'pytest') ?? [])],
      [
        ['addopts', '-q\n--cov'],
        ['testpaths', 't'],
      ],
    );
    assert.equal(iniSection(ini, 'none'), undefined);
    const toml =
      '[tool.pytest.ini_options]\na = "x\\"y" # c\nb = [ "1", \'2\' ]\nc = true\nd = 3\n"e" = \'\'\'\nf\'\'\'\n[x]\na = "no"\n';
    assert.deepEqual(
      [...(tomlTable(toml, 'tool.pytest.ini_options') ?? [])],
      [
        ['a', 'x"y'],
        ['b', ['1', '2']],
        ['c', true],
        ['e', 'f'],
      ],
    );
    assert.deepEqual(splitWords(`-m "not slow" -k 'a b' c\\ d --x="y z"`), [
      '-m',
      'not slow',
      '-k',
      'a b',
      'c d',
      '--x=y z',
    ]);
  });
});
