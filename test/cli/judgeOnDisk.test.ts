// What is told of a failure that is left after `testmend fix --apply`: what the cycle learnt of it in the copy. Real processes.
import assert from 'node:assert/strict';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { fixDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const test = (imports: string, body: string): string =>
  `import assert from 'node:assert/strict';\nimport { ${imports};\n\nexport default () => {\n  ${body}\n  return { passed: 1, failed: 0, errors: [] };\n};\n`;

it('a failure that is left after fixes were applied keeps its line and the proposal that is known', async function () {
  this.timeout(120_000);
  const source = (order: string, net: string): string =>
    `export const order = (file) => [\`\${file}\`, '${order}'].join(' ');\nexport const ${net} = (cents) => cents / 1.2;\n`;
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{}',
      'shop.mjs': source('red green', 'net'),
      'tests/net.tests.mjs': test("net } from '../shop.mjs'", 'assert.equal(net(120), 100);'),
      // Its message names a file of the folder that it runs in.
      'tests/order.tests.mjs': test(
        "order } from '../shop.mjs'",
        "assert.equal(order('words'), 'words red green', `in ${import.meta.dirname}/order`);",
      ),
    },
    { git: true },
  );
  try {
    await workspace.write('shop.mjs', source('green red', 'withoutTax'));
    const json = await testmend(['fix', '--apply', '--json'], { cwd: workspace.root });
    const { remaining, passRate, passRateReviewed } = documentOf(fixDocument, json);
    assert.deepEqual([remaining.length, passRate, passRateReviewed], [1, 50, 50]);
    const [candidate] = remaining[0]?.handOver?.candidates ?? [];
    assert.deepEqual([candidate?.trust, candidate?.verdict], ['propose', 'verified']);
  } finally {
    await workspace.dispose();
  }
});
