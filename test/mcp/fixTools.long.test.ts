// An agent's session: list, run, diagnose, propose, apply, run; and who has to agree to what.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { McpTestClient, type ClientOptions, type Era } from './mcpClient.ts';

const head = `const { test } = require('node:test');\nconst assert = require('node:assert');\n`;
const cart = (name: string): string =>
  `module.exports = { ${name}: (lines) => lines.reduce((sum, line) => sum + line, 0) };\n`;
const till = (name: string, word: string): string =>
  `const { ${name} } = require('./cart.js');\nmodule.exports = { pay: (lines) => '${word} ' + ${name}(lines) };\n`;

interface ProposedFix {
  readonly fixId: string;
  readonly trust: string;
  readonly needs?: string;
  readonly verdict: string;
}

describe('an MCP server for mending tests', function () {
  this.timeout(300_000);
  let shop: TemporaryWorkspace;
  const clients: McpTestClient[] = [];
  const connect = async (options: ClientOptions = {}): Promise<McpTestClient> => {
    const client = await McpTestClient.connect(shop.root, options);
    clients.push(client);
    return client;
  };

  before(async () => {
    shop = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
        'src/cart.js': cart('sumOf'),
        'src/till.js': till('sumOf', 'Pay'),
        'src/greet.js': `module.exports.greet = (name) => 'Hello, ' + name;\n`,
        'test/cart.test.js': `${head}const { sumOf } = require('../src/cart.js');
test('adds', () => assert.strictEqual(sumOf([1, 2]), 3));
`,
        'test/till.test.js': `${head}const { pay } = require('../src/till.js');
test('asks to pay', () => assert.strictEqual(pay([4]), 'Pay 4'));
`,
      },
      { git: true },
    );
    await shop.write('src/cart.js', cart('totalOf'));
    await shop.write('src/till.js', till('totalOf', 'Please pay'));
  });
  after(async () => {
    await Promise.all(clients.map((one) => one.close()));
    await shop.dispose();
  });

  let fixes: readonly ProposedFix[] = [];
  const fixOf = (trust: string): ProposedFix => {
    const fix = fixes.find((one) => one.trust === trust);
    assert.ok(fix, trust);
    return fix;
  };
  const apply = async (client: McpTestClient, rest: object = {}) =>
    client.call('apply_fix', { fixId: fixOf('oracle').fixId, dry_run: false, ...rest });

  it('runs, diagnoses and proposes, and writes nothing', async () => {
    const client = await connect();
    const { data } = await client.call('run_tests');
    assert.deepEqual([data.exit_code, data.failures.length], [1, 2]);
    const id = 'nodeTest:test/till.test.js#asks to pay';
    const diagnosed = (await client.call('diagnose_failure', { test_id: id })).data;
    assert.equal(diagnosed.id, id);
    assert.match(diagnosed.reason, /till\.js/);
    const proposed = (await client.call('propose_fixes')).data;
    fixes = proposed.fixes;
    assert.deepEqual(fixes.map(({ trust, verdict, needs }) => `${trust} ${verdict} ${needs}`).toSorted(), [
      'mechanical verified nothing',
      'oracle verified a person, or accept_expectation',
    ]);
    // Nobody takes what the copy does with the fixes for what is on disk.
    assert.deepEqual(
      [proposed.inCopy.failed, 'failed' in proposed, 'passRate' in proposed],
      [0, false, false],
    );
    assert.equal(shop.git('status', '--porcelain', 'test'), '');
    process.kill(client.pid, 'SIGKILL');
  });

  it('applies by its id what a server had proposed that was killed then, dry at first', async () => {
    const client = await connect({ era: 'legacy' });
    const { fixId } = fixOf('mechanical');
    const dry = await client.call('apply_fix', { fixId });
    assert.deepEqual([dry.data.applied, shop.git('status', '--porcelain', 'test')], [false, '']);
    await shop.write('src/cart.js', `${cart('totalOf')}// another text\n`);
    const stale = await client.call('apply_fix', { fixId, dry_run: false });
    assert.deepEqual([stale.isError, stale.data.error.code], [true, 'stale']);
    await shop.write('src/cart.js', cart('totalOf'));
    const { data } = await client.call('apply_fix', { fixId, dry_run: false });
    assert.deepEqual([data.applied, data.accepted, data.onDisk.failed], [true, 'not needed', 1]);
    assert.match(await shop.read('test/cart.test.js'), /totalOf\(\[1, 2\]\)/);
  });

  it('takes a changed expectation from nobody, and from an agent only where there is no person', async () => {
    const client = await connect();
    const refused = await apply(client);
    assert.deepEqual([refused.isError, refused.data.error.code], [true, 'usage']);
    const { data } = await apply(client, { accept_expectation: true });
    assert.deepEqual(
      [data.applied, data.accepted, data.onDisk.status],
      [true, 'accepted by agent', 'passed'],
    );
    shop.git('checkout', '-q', '--', 'test/till.test.js');
  });

  for (const era of ['modern', 'legacy'] satisfies Era[])
    it(`asks the person, whatever the agent says (${era})`, async () => {
      const asked: string[] = [];
      const answers = [false, true];
      const agrees = (question: string): boolean => asked.push(question) > 0 && answers.shift() === true;
      const client = await connect({ era, agrees });
      const refused = await apply(client, { accept_expectation: true });
      assert.deepEqual([refused.isError, refused.data.error.code], [true, 'cancelled']);
      assert.equal(shop.git('status', '--porcelain', 'test/till.test.js'), '');
      const { data } = await apply(client);
      assert.deepEqual([data.applied, data.accepted], [true, 'accepted by person']);
      assert.equal(asked.length, 2);
      assert.match(asked[0] ?? '', /expected: 'Pay 4'\nIt will expect: 'Please pay 4'/);
      shop.git('checkout', '-q', '--', 'test/till.test.js');
    });

  it('tells of a patch what weakens a test, and what to change', async () => {
    const client = await connect();
    const patch = `--- a/test/till.test.js
+++ b/test/till.test.js
@@ -1,4 +1,4 @@
 const { test } = require('node:test');
 const assert = require('node:assert');
 const { pay } = require('../src/till.js');
-test('asks to pay', () => assert.strictEqual(pay([4]), 'Pay 4'));
+test('asks to pay', () => assert.ok(pay([4])));
`;
    const { data } = await client.call('verify_patch', { patch });
    assert.deepEqual([data.verdict, data.kind], ['rejected', 'forbidden']);
    assert.ok(data.changes.length > 0, 'all that the patch changes is told');
    assert.match(data.whatToChange[0], /^Take back .* at test\/till\.test\.js:4\.$/);
    assert.equal(shop.git('status', '--porcelain', 'test/till.test.js'), '');
  });

  it('makes a first test, and writes it only when it is told to', async () => {
    const client = await connect();
    const { data } = await client.call('generate_test', { source: 'src/greet.js' });
    assert.deepEqual([data.runs, data.written], [true, false]);
    assert.match(data.text, /greet/);
    const written = await client.call('generate_test', { source: 'src/greet.js', write: true });
    assert.equal(await shop.read(written.data.file), data.text);
    const again = await client.call('generate_test', { source: 'src/greet.js', write: true });
    assert.deepEqual([again.isError, await shop.read(written.data.file)], [true, data.text]);
  });

  it('shares messages of a session, in its folder alone', async () => {
    const client = await connect();
    const session = '.workflow/.team/S1';
    const told = {
      from: 'tester',
      type: 'test_result',
      summary: 'password: hunter2-4711',
      data: { passRate: 50 },
    };
    const { data } = await client.call('team_msg', { operation: 'log', session, ...told });
    assert.deepEqual([data.message.id, data.message.to], ['MSG-001', 'coordinator']);
    assert.doesNotMatch(data.message.summary, /hunter2/);
    const listed = await client.call('team_msg', { operation: 'list', session });
    assert.deepEqual(listed.data.messages, [data.message]);
    const elsewhere = await client.call('team_msg', { operation: 'log', session: '.git/hooks', ...told });
    assert.ok(elsewhere.isError);
  });
});
