// A password that only a test file gives away, at every exit that docs/security.md promises: streams, reports, sessions, kept runs, replays, MCP.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';

const [title, value, printed, subject] = ['zB5gRq8vNd', 'kR7vQz2mXa', 'hM6xDf3kYc', 'wT4nLp9sJb'];
const secrets = [title, value, printed, subject];
const head = `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { greet } from '../src/lib.js';\n`;
const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
  'src/lib.js': "export const greet = (x) => 'hello ' + x;\n",
  'test/row.test.js': `${head}for (const [user, password] of [['ada', '${title}']])
  test('login ' + user + ' ' + password, () => assert.equal(greet(user), 'hello ' + user));\n`,
  'test/value.test.js': `${head}const password = '${value}';
test('greets', () => assert.equal(greet(password), 'hello ${value}'));\n`,
  'test/printed.test.js': `${head}const password = '${printed}';
test('prints', () => console.log('logs in with', password, greet('x')));\n`,
};

describe('a secret of a test file', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(files, { git: true });
    await workspace.write('src/lib.js', "export const greet = (x) => 'hi ' + x;\n");
  });
  after(() => workspace.dispose());

  /** Without what is there to be applied. */
  const told = (text: string): string => text.replaceAll(/"(?:newText|patch)":"(?:[^"\\]|\\.)*"/g, '');

  /** Which of them a folder holds, but for the sources. */
  async function heldIn(folder: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const place = path.join(entry.parentPath, entry.name);
      if (!entry.isFile() || path.relative(workspace.root, place) in files || place.includes('/.git/'))
        continue;
      const text = told(await readFile(place, 'latin1'));
      found.push(...secrets.filter((one) => text.includes(one)).map((one) => `${place}: ${one}`));
    }
    return found;
  }
  async function held(...args: readonly string[]): Promise<readonly string[]> {
    const { stdout, stderr } = await testmend(args, { cwd: workspace.root });
    return Object.entries({ stdout, stderr }).flatMap(([name, text]) =>
      secrets.filter((one) => told(text).includes(one)).map((one) => `${args.join(' ')}, ${name}: ${one}`),
    );
  }

  it('is in no stream that no terminal shows, no document, report, kept run, record of a session, nor in what a hook says', async () => {
    const reports = ['json', 'junit', 'ctrf', 'tap', 'markdown', 'html', 'terminal'].map(
      (one) => `--reporter=${one}=.out/${one}`,
    );
    const found = [
      await held('run', ...reports),
      await held('run', '--json'),
      await held('report'),
      await held(
        'fix',
        '--dry-run',
        '--max-iterations=1',
        '--session=.session',
        '--hand-over=.out/handover.md',
      ),
      await held('fix', '--dry-run', '--max-iterations=1', '--json', '--events=ndjson=.out/events'),
      await held('mcp', '--hook'),
      await heldIn(path.dirname(workspace.root)),
    ];
    assert.deepEqual(found.flat(), []);
  });

  it('is in no replay of the commits that had it', async () => {
    for (const file of ['test/row.test.js', 'test/value.test.js'] as const)
      await workspace.write(file, files[file].replace("'hello ", "'hi "));
    workspace.git('commit', '-qam', `greet shorter, password ${subject}`);
    await workspace.write('test/value.test.js', head);
    const found = [
      await held('replay', '--commits=2', '--json', '--html=.out/replay.html'),
      await held('replay', '--commits=2'),
      await heldIn(path.join(workspace.root, '.out')),
    ];
    assert.deepEqual(found.flat(), []);
    assert.match(await workspace.read('.out/replay.html'), /\[redacted\]/);
  });
});
