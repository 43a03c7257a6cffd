// Tests that try to pass for green ones, in every framework: nothing that they write, patch or drive makes a failure a pass.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { drawn, runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const every = ['lines', 'stringify', 'toJson', 'writes', 'natives', 'modules', 'exit'];
const quick = ['lines', 'natives', 'modules'];
const ours = path.resolve(import.meta.dirname, '../../support/forgeries.cjs');

/** `load` brings in the forgeries and the framework; `test` is how a test of this name and body is written. */
interface Case {
  readonly folder?: string;
  readonly extension: string;
  readonly packageJson: string;
  readonly packages?: readonly string[];
  readonly load: string;
  readonly forgeries: readonly string[];
  readonly test?: (title: string, body: string) => string;
  readonly files?: Readonly<Record<string, string>>;
}

const required = `const forgeries = require('../forgeries.cjs');\nconst assert = require('node:assert');\n`;
const imported = `import { createRequire } from 'node:module';\nimport assert from 'node:assert';\nconst forgeries = createRequire(import.meta.url)('../forgeries.cjs');\n`;

const cases: Readonly<Record<string, Case>> = {
  nodeTest: {
    extension: 'test.js',
    packageJson: '{ "scripts": { "test": "node --test" } }',
    load: `${required}const test = require('node:test');\n`,
    forgeries: [...every, 'events', 'oneLine'],
  },
  mocha: {
    extension: 'test.js',
    packageJson: '{ "scripts": { "test": "mocha" }, "devDependencies": { "mocha": "*" } }',
    packages: ['mocha'],
    load: `${required}const test = it;\n`,
    forgeries: [...every, 'oneLine'],
  },
  jest: {
    extension: 'test.js',
    packageJson: '{ "scripts": { "test": "jest --runInBand" }, "devDependencies": { "jest": "*" } }',
    packages: ['jest'],
    load: required,
    forgeries: every,
  },
  vitest: {
    extension: 'test.js',
    packageJson:
      '{ "type": "module", "scripts": { "test": "vitest --pool=threads" }, "devDependencies": { "vitest": "*" } }',
    packages: ['vitest', 'vite'],
    load: `${imported}import { test } from 'vitest';\n`,
    forgeries: quick,
  },
  ava: {
    extension: 'test.js',
    packageJson:
      '{ "type": "module", "scripts": { "test": "ava" }, "devDependencies": { "ava": "*" }, "ava": { "files": ["test/*"] } }',
    packages: ['ava'],
    load: `${imported}import test from 'ava';\n`,
    forgeries: quick,
  },
  playwright: {
    extension: 'spec.js',
    packageJson:
      '{ "scripts": { "test": "playwright test" }, "devDependencies": { "@playwright/test": "*" } }',
    packages: ['@playwright/test'],
    load: `${required}const { test } = require('@playwright/test');\n`,
    forgeries: quick,
  },
  skill: {
    folder: 'tests',
    extension: 'tests.mjs',
    packageJson: '{}',
    load: imported,
    forgeries: every,
    test: (_title, body) =>
      `export default () => { ${body} return { passed: 1, failed: 0, errors: [] }; };\n`,
  },
};

describe('a test that pretends to pass', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  for (const [
    framework,
    { folder = 'test', extension, packageJson, load, forgeries, test, files, packages },
  ] of Object.entries(cases)) {
    it(`is none in ${framework}`, async () => {
      const written = (name: string): string => {
        const call = `forgeries.${name}(require.resolve(here), 'adds');`.replace(
          'require.resolve(here)',
          JSON.stringify(`@root/${folder}/${name}.${extension}`),
        );
        const body = `assert.strictEqual(1 + 1, 3);`;
        const early = name === 'modules' || name === 'events' || name === 'exit' ? '' : call;
        const late = early === '' ? call : '';
        const isSync = test !== undefined;
        return `${load}${isSync ? '' : early}\n${(test ?? plain)('adds', `${isSync ? call : late} ${body}`)}`;
      };
      const workspace = await temporaryWorkspace(
        { 'package.json': packageJson, 'forgeries.cjs': await readFile(ours, 'utf8'), ...files },
        { packages: packages ?? [] },
      );
      try {
        const { root } = workspace;
        for (const name of forgeries)
          await workspace.write(`${folder}/${name}.${extension}`, written(name).replaceAll('@root', root));
        await assertNoPass(
          root,
          forgeries.map((name) => `${folder}/${name}.${extension}`),
        );
      } finally {
        await workspace.dispose();
      }
    });
  }

  it('is none in pytest', async () => {
    const forgeries: Readonly<Record<string, string>> = {
      lines: `
    words = set()
    for name in ("environ", "cmdline"):
        for pid in (os.getpid(), os.getppid()):
            words.update(re.findall("[0-9a-f]{32}", open(f"/proc/{pid}/{name}", encoding="latin1").read()))
    for word in [*words, "0" * 32]:
        for number, message in enumerate(pretended()):
            text = json.dumps(message)
            seal = hmac.new(word.encode(), f"{number} {text}".encode(), "sha256").hexdigest()[:32]
            for line in (json.dumps({"token": word, **message}), text, f"testmend {seal} {number} {text}"):
                os.write(3, f"\\n{line}\\n".encode())
    os._exit(0)`,
      modules: `
    import testmend_pytest_run
    for message in pretended():
        testmend_pytest_run.send(message.pop("type"), **message)
    os._exit(0)`,
      hooks: `
    from _pytest.reports import TestReport
    item, hook = request.node, request.config.hook
    for when in ("setup", "call", "teardown"):
        hook.pytest_runtest_logreport(report=TestReport(item.nodeid, item.location, {}, "passed", None, when))
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    hook.pytest_sessionfinish(session=request.session, exitstatus=0)
    os._exit(0)`,
      natives: `
    def swapped(text):
        return text.replace('"failed"', '"passed"') if isinstance(text, str) else text.replace(b'"failed"', b'"passed"') if isinstance(text, bytes) else text
    write, dumps, new, encode = os.write, json.dumps, hmac.new, json.JSONEncoder.encode
    os.write = lambda fd, data: write(fd, swapped(data))
    json.dumps = lambda *args, **kwargs: swapped(dumps(*args, **kwargs))
    json.JSONEncoder.encode = lambda self, value: swapped(encode(self, value))
    hmac.new = lambda key, text, way: new(key, swapped(text), way)`,
    };
    const head = `import hashlib, hmac, json, os, re, sys

def pretended():
    name = "forged"
    return [
        {"type": "fileCollected", "file": __file__, "tests": [{"key": name, "suites": [], "title": "test_adds"}]},
        {"type": "testEnded", "key": name, "outcome": "passed", "durationMs": 1},
        {"type": "fileEnded", "file": __file__, "durationMs": 1},
        {"type": "runFinished"},
    ]

def test_adds(request):`;
    const files = Object.entries(forgeries).map(
      ([name, body]) => [`test_${name}.py`, `${head}${body}\n    assert 1 + 1 == 3\n`] as const,
    );
    const workspace = await temporaryWorkspace({ 'pytest.ini': '[pytest]\n', ...Object.fromEntries(files) });
    try {
      await assertNoPass(
        workspace.root,
        files.map(([file]) => file),
      );
    } finally {
      await workspace.dispose();
    }
  });
});

describe('a process in which somebody forges lines', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('is not believed, though its tests pass and it ends well', async () => {
    const workspace = await temporaryWorkspace({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'forgeries.cjs': await readFile(ours, 'utf8'),
      'honest.test.js': `require('node:fs').writeSync(3, 'no message of ours\\n');\nrequire('node:test')('adds', () => {});\n`,
      'line.test.js': `require('./forgeries.cjs').oneLine(__filename);\nrequire('node:test')('adds', () => {});\n`,
      'drive.test.js': `const test = require('node:test');\nconst { EventEmitter } = require('node:events');
const Reporter = Object.entries(require.cache).find(([name]) => name.includes('nodeTestReporter'))[1].exports;
test('adds', () => { new Reporter().emit('pipe', new EventEmitter()); });\n`,
    });
    try {
      const { summary } = await runWorkspace(workspace.root);
      assert.deepEqual(drawn(summary.tests), [
        'errored nodeTest:drive.test.js#adds',
        'passed nodeTest:honest.test.js#adds',
        'errored nodeTest:line.test.js#adds',
      ]);
      assert.match(summary.tests[0]?.failure?.message ?? '', /^Code under test sent its own events/);
      assert.match(summary.tests[2]?.failure?.message ?? '', /^Code under test wrote lines of its own/);
    } finally {
      await workspace.dispose();
    }
  });
});

async function assertNoPass(root: string, files: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const name of files) {
    const { summary } = await runWorkspace(root, { selection: { files: [path.join(root, name)] } });

    const isRed = summary.failed + summary.errored > 0;
    if (!isRed || summary.passed > 0) found.push(drawn(summary.tests).join(', '));
  }
  assert.deepEqual(found, []);
}

const plain = (title: string, body: string): string => `test('${title}', () => { ${body} });\n`;
