// `testmend fix` on a test that prints secrets and fails with them, with a model whose key is another: none of them is in anything it says or writes.
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chatServer, whole, type ChatServer } from '../support/chatServer.ts';
import { fakeSecrets } from '../support/fakeSecrets.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';

const key = ['no', 'pattern', 'knows', 'this', 'one'].join('-');
const texts = fakeSecrets.filter(({ inPrompts }) => !inPrompts).map(({ text }) => text);
const told = fakeSecrets.filter(({ inPrompts }) => !inPrompts).flatMap(({ secrets }) => secrets);
const all = fakeSecrets.flatMap(({ secrets }) => secrets);
const file = 'tests/sign.test.js';
const signTest = `import assert from 'node:assert/strict';
import test from 'node:test';
import { sign } from '../src/sign.js';

const texts = ${JSON.stringify(texts, null, 2)};

test('signs', () => {
  for (const text of texts) console.log(text);
  for (const text of texts) console.error(text);
  assert.equal(sign('a'), 'a', texts.join('\\n'));
});

test('compares', () => {
  assert.deepEqual(texts.map(sign), texts);
});
/*
${fakeSecrets.map(({ text }) => text.replaceAll('*/', '')).join('\n')}
*/
`;

describe('secrets in all that testmend fix says and writes', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let server: ChatServer | undefined;

  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({ name: 'signs', type: 'module', scripts: { test: 'node --test' } }),
        'src/sign.js': 'export const sign = (text) => text;\n',
        [file]: signTest,
      },
      { git: true },
    );
    await workspace.write('src/sign.js', 'export const sign = (text) => `${text}.`;\n');
  });
  after(async () => {
    await server?.close();
    await workspace.dispose();
  });

  it('has none of them, nor the key of the model: reports, events, logs, caches and questions', async () => {
    server = await chatServer((response, { authorization, body }) => {
      // An endpoint that repeats what it was given.
      const explanation = `${authorization} ${body.messages.at(-1)?.content.slice(0, 200)}`;
      whole(response, JSON.stringify({ explanation, edits: [] }));
    });
    const beside = path.dirname(workspace.root);
    await writeFile(path.join(beside, 'key'), `${key}\n`);
    const out = path.join(beside, 'out');
    const reporters = ['markdown=fix.md', 'junit=fix.xml', 'json=fix.json', 'github'];
    const result = await testmend(
      [
        'fix',
        '--model=qwen',
        `--model-url=${server.url}`,
        `--model-key-file=${path.join(beside, 'key')}`,
        '--assume=source-is-right',
        ...reporters.map((one) => `--reporter=${one.replace('=', `=${out}/`)}`),
        `--events=ndjson=${out}/events.ndjson`,
        `--hand-over=${out}/failures.md`,
        '--json',
      ],
      { cwd: workspace.root, limitMs: 250_000 },
    );
    const run = await testmend(
      ['run', '--reporter=terminal', `--reporter=json=${out}/run.json`, `--reporter=junit=${out}/run.xml`],
      { cwd: workspace.root },
    );
    assert.deepEqual([result.code, run.code], [1, 1], result.stderr);
    const said = new Map<string, string>([
      // A terminal shows the people before it what their tests print.
      ['fix on stdout', result.stdout],
    ]);
    for (const entry of await readdir(beside, { recursive: true, withFileTypes: true })) {
      const place = path.join(entry.parentPath, entry.name);
      const name = path.relative(beside, place);
      const isTheirs = [file, 'key'].some((own) => name === own || place === path.join(workspace.root, own));
      if (entry.isFile() && !isTheirs && !name.split(path.sep).includes('.git'))
        said.set(name, await readFile(place, 'latin1'));
    }
    for (const name of ['fix.xml', 'fix.json', 'events.ndjson', 'failures.md', 'run.json', 'run.xml'])
      assert.match(said.get(`out/${name}`) ?? '', /\[redacted/, `out/${name} tells of the failure`);
    assert.ok(
      [...said.keys()].some((name) => name.includes('answers')),
      'an answer is kept',
    );
    const found = [...said].flatMap(([name, text]) =>
      [...told, key].filter((one) => text.includes(one)).map((one) => `${name}: ${one}`),
    );
    assert.deepEqual(found, []);
    assert.ok(!(result.stderr + run.stdout + run.stderr).includes(key));
    assert.ok(server.requests.length > 0);
    const asked = server.requests
      .flatMap(({ body }) => body.messages.map(({ content }) => content))
      .join('\n');
    assert.deepEqual(
      [...all, key].filter((one) => asked.includes(one)),
      [],
      'in what the model was asked',
    );
  });
});
