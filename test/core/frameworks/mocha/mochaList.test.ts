// The files that we list against those that mocha itself collects, and what is said of configurations that cannot be read.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { detectProjects } from '../../../../src/core/frameworks/detect.ts';
import { discoverTests, listTestFiles } from '../../../../src/core/frameworks/discover.ts';
import { mochaPlans } from '../../../../src/core/frameworks/mocha/mochaPlan.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const test = `it('runs', () => {});\n`;
const tree = Object.fromEntries(
  [
    'test/a.js',
    'test/b.spec.js',
    'test/c.mjs',
    'test/d.cjs',
    'test/e.ts',
    'test/f.test.ts',
    'test/.hidden.js',
    'test/deep/g.js',
    'test/deep/er/h.spec.js',
    'test/.dot/i.js',
    'test/[id] $x/j (1).js',
    'test/-dash.js',
    'spec/k.spec.js',
    'spec/l.js',
    'm.js',
  ].map((file) => [file, test]),
);

/** What mocha makes of its arguments and configuration in the folder. */
function collected(root: string, args: readonly string[]): readonly string[] {
  const script = `
    const home = ${JSON.stringify(path.resolve(import.meta.dirname, '../../../../node_modules/mocha/lib/cli'))};
    const options = require(home + '/options.cjs').loadOptions(process.argv.slice(1));
    const collect = require(home + '/collect-files.cjs');
    const { ignore = [], extension = [], recursive = false } = options;
    const spec = options._.length > 0 ? options._ : ['test'];
    console.log(JSON.stringify(collect({ ignore, extension, file: [], recursive, spec }).files));`;
  const output = execFileSync(process.execPath, ['-e', script, '--', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  const files: unknown = JSON.parse(output.slice(output.indexOf('[')));
  assert.ok(Array.isArray(files));
  return files.map((file) => path.relative(root, String(file))).sort();
}

const cases: Readonly<
  Record<
    string,
    { readonly script: string; readonly args: readonly string[]; readonly files?: Record<string, string> }
  >
> = {
  'the folder test': { script: 'mocha', args: [] },
  'folders below': { script: 'mocha --recursive', args: ['--recursive'] },
  'endings of its own': {
    script: 'mocha --extension ts --extension=spec.js',
    args: ['--extension', 'ts', '--extension=spec.js'],
  },
  'quoted patterns': {
    script: `mocha "test/**/*.js" './spec/*.spec.js'`,
    args: ['test/**/*.js', './spec/*.spec.js'],
  },
  'what a shell makes of patterns': {
    script: 'mocha test/**/*.js',
    args: ['test/[id] $x/j (1).js', 'test/deep/g.js'],
  },
  'patterns with braces': {
    script: `mocha 'test/**/*.{spec,test}.{js,ts}'`,
    args: ['test/**/*.{spec,test}.{js,ts}'],
  },
  'names without ending, files, odd names': {
    script: `mocha spec/l m.js 'test/[id] $x/j (1).js' ./test/-dash.js`,
    args: ['spec/l', 'm.js', 'test/[id] $x/j (1).js', './test/-dash.js'],
  },
  'what is left out': {
    script: `mocha --ignore 'test/deep/**' --exclude=test/a.js --recursive -R spec --timeout 5000 test`,
    args: ['--ignore', 'test/deep/**', '--exclude=test/a.js', '--recursive', 'test'],
  },
  'patterns that begin with a dot': {
    script: `mocha './test/*.js' --ignore ./test/a.js --ignore './test/b*'`,
    args: ['./test/*.js', '--ignore', './test/a.js', '--ignore', './test/b*'],
  },
  'a YAML file': {
    script: 'mocha',
    args: [],
    files: {
      '.mocharc.yml': `# everything\nspec:\n  - 'spec/**/*.js' # quoted\n  - test/deep\nrecursive: true\nextension: [js, "ts"]\nignore: "**/l.js"\nreporter: dot\n`,
    },
  },
  'a file with comments, and the command line beside it': {
    script: 'mocha m.js',
    args: ['m.js'],
    files: { '.mocharc.jsonc': `{ // text\n "spec": "spec", /* more */ "extension": ["spec.js"] }\n` },
  },
  'a module': {
    script: 'mocha',
    args: [],
    files: {
      '.mocharc.cjs': `'use strict';\nconst spec = ['spec/*.js'];\nmodule.exports = { spec, ignore: 'spec/l.js' };\n`,
    },
  },
  'package.json': {
    script: 'mocha',
    args: [],
    files: { mocha: '{ "spec": ["test/deep"], "recursive": true }' },
  },
  'no configuration': {
    script: 'mocha --no-config',
    args: ['--no-config'],
    files: { '.mocharc.json': '{ "spec": "spec" }' },
  },
  'a configuration of another name': {
    script: 'mocha --config other.yaml',
    args: ['--config', 'other.yaml'],
    files: { 'other.yaml': 'recursive: true\nspec: test\n' },
  },
};

describe('the files of a mocha project', () => {
  for (const [what, { script, args, files = {} }] of Object.entries(cases)) {
    it(`are those that mocha loads: ${what}`, async () => {
      const { mocha = '{}', ...others } = files;
      const packageJson = `{ "scripts": { "test": ${JSON.stringify(script)} }, "mocha": ${mocha} }`;
      const workspace = await temporaryWorkspace(
        { ...tree, ...others, 'package.json': packageJson },
        { packages: ['mocha'] },
      );
      try {
        const { projects } = await detectProjects(workspace.root);
        const [project] = projects;
        assert.ok(project);
        const [plan] = await mochaPlans(project);
        const listed = (plan?.files ?? []).map((file) => path.relative(workspace.root, file)).sort();
        const expected = collected(workspace.root, args);
        assert.ok(expected.length > 0);
        assert.deepEqual(listed, expected);
      } finally {
        await workspace.dispose();
      }
    });
  }
});

const listing = async (files: Record<string, string>): Promise<Awaited<ReturnType<typeof listTestFiles>>> => {
  const workspace = await temporaryWorkspace(files, { packages: ['mocha'] });
  const { root } = workspace;
  const limits = { timeoutMs: 1000, skillTimeoutMs: 1000, maxParallel: 1 };
  const found = await listTestFiles({ root, limits, frameworks: [], cacheFolder: path.join(root, '.cache') });
  await workspace.dispose();
  return found;
};
const scripts = '{ "scripts": { "test": "mocha" } }';

describe('a mocha project', () => {
  it('is told with a remedy when mocha is missing or too old', async () => {
    const missing = await temporaryWorkspace({ 'package.json': '{ "devDependencies": { "mocha": "*" } }' });
    const old = await temporaryWorkspace({
      'package.json': '{ "devDependencies": { "mocha": "5" } }',
      'node_modules/mocha/package.json': '{ "version": "5.2.0", "bin": { "mocha": "./bin/mocha" } }',
      'node_modules/mocha/bin/mocha': '',
    });
    const [one, two] = [await detectProjects(missing.root), await detectProjects(old.root)];
    await Promise.all([missing.dispose(), old.dispose()]);
    assert.deepEqual(
      [...one.problems, ...two.problems].map(({ message, remedy }) => `${message} ${remedy}`),
      [
        'Mocha is named in package.json but not installed. Run `npm install`.',
        'Mocha 5.2.0 is too old: version 8 or newer is needed. Run `npm install -D mocha@latest`.',
      ],
    );
  });

  it('is none where something else runs the tests and takes mocha along', async () => {
    const { projects } = await listing({
      'package.json': '{ "scripts": { "test": "wdio run" }, "devDependencies": { "mocha": "*" } }',
    });
    assert.deepEqual(
      projects.map(({ framework }) => framework),
      ['script'],
    );
  });

  it('says what of its configuration cannot be read, and lists what is known', async () => {
    const broken = { 'package.json': scripts, 'test/a.js': test };
    const notes = [];
    for (const [name, text] of [
      ['.mocharc.json', '{ "spec": "x", }\n'],
      ['.mocharc.yml', 'spec: &here [a]\nui: tdd\n'],
      ['.mocharc.yaml', '}{\n'],
      ['.mocharc.cjs', 'module.exports = { spec: process.env.SPEC, ui: "bdd" };\n'],
      ['.mocharc.js', 'throw new Error("no");\n'],
    ] as const) {
      const { files, notes: told } = await listing({ ...broken, [name]: text });
      assert.deepEqual(
        files.map(({ file }) => file),
        ['test/a.js'],
        name,
      );
      notes.push(...told);
    }
    assert.deepEqual(notes, [
      '.mocharc.json is broken at line 1: expected a property name in double quotes.',
      '"spec" in .mocharc.yml cannot be read without running it; a run goes by what mocha makes of it.',
      '.mocharc.yaml is broken at line 1, or written in a form that Testmend does not read.',
      '"spec" in .mocharc.cjs cannot be read without running it; a run goes by what mocha makes of it.',
      ".mocharc.js cannot be read without running it; showing mocha's defaults until a run corrects it.",
    ]);
  });

  it('leaves to a package below what that configures itself, and runs the others', async () => {
    const { files } = await listing({
      'package.json': `{ "scripts": { "test": "mocha 'packages/*/test/*.js'" } }`,
      'packages/one/package.json': '{ "devDependencies": { "mocha": "*" } }',
      'packages/one/test/a.js': test,
      'packages/two/package.json': '{ "scripts": { "test": "mocha --ui tdd" } }',
      'packages/two/test/b.js': test,
    });
    assert.deepEqual(
      files.map(({ file, frameworkProject }) => [file, path.basename(frameworkProject.root)]),
      [
        ['packages/one/test/a.js', 'shop'],
        ['packages/two/test/b.js', 'two'],
      ],
    );
  });

  it('reads every interface, skipped and pending tests, and chains after a test', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': scripts,
        'test/bdd.js': `describe('a', function () {
  context('b', () => { specify('c', () => {}); });
  it('slow', function () { this.timeout(5); }).timeout(500);
  it('pending');
  xit('left out', () => {});
  it.only('alone', () => {});
  for (const n of [1, 2]) it(\`case \${n}\`, () => {});
});
xdescribe('d', () => { it('e', () => {}); });
`,
        'test/imported.mjs': `import { suite as group, test as check } from 'mocha';\ngroup('g', () => { check('h', () => {}); });\n`,
        'test/qunit.js': `suite('Array');\ntest('length', () => {});\ntest('push', () => {});\nsuite('String');\ntest('size', () => {});\n`,
        'test/required.js': `const { describe: d, it: i } = require('mocha');\nd('r', () => { i('s', () => {}); });\n`,
        'test/tdd.js': `suite('t', () => { setup(() => {}); test('u', () => {}); test.skip('v', () => {}); suite.skip('w', () => {}); });\n`,
      },
      { packages: ['mocha'] },
    );
    const { root } = workspace;
    const limits = { timeoutMs: 1000, skillTimeoutMs: 1000, maxParallel: 1 };
    const { files } = await discoverTests({
      root,
      limits,
      frameworks: [],
      cacheFolder: path.join(root, '.cache'),
    });
    await workspace.dispose();
    const draw = (nodes: (typeof files)[number]['tests'], depth = 0): readonly string[] =>
      nodes.flatMap(({ title, kind, mode, range, children }) => [
        `${'  '.repeat(depth)}${title} ${kind} ${mode} :${range.start.line}`,
        ...draw(children, depth + 1),
      ]);
    assert.deepEqual(
      files.map(({ file, tests }) => [file, ...draw(tests)]),
      [
        [
          'test/bdd.js',
          'a suite run :1',
          '  b suite run :2',
          '    c test run :2',
          '  slow test run :3',
          '  pending test todo :4',
          '  left out test skip :5',
          '  alone test only :6',
          '  case ${n} template run :7',
          'd suite skip :9',
          '  e test run :9',
        ],
        ['test/imported.mjs', 'g suite run :2', '  h test run :2'],
        [
          'test/qunit.js',
          'Array suite run :1',
          '  length test run :2',
          '  push test run :3',
          'String suite run :4',
          '  size test run :5',
        ],
        ['test/required.js', 'r suite run :2', '  s test run :2'],
        ['test/tdd.js', 't suite run :1', '  u test run :1', '  v test skip :1', '  w suite skip :1'],
      ],
    );
  });
});
