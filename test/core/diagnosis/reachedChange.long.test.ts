// The change that a failure runs into decides who is at fault and what is shown, in whole cycles on renames, removals and bugs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const cli = path.resolve(import.meta.dirname, '../../../src/cli/main.ts');

interface Left {
  readonly id: string;
  readonly fault: string;
  readonly reason: string;
  readonly handOver?: { readonly sourceChanges: readonly { readonly text: string }[] };
}

const source = `export const brief = (x) => x + 1;
export const LIMIT = 3;
export function formatPrice(cents) {
  const whole = Math.floor(cents / 100);
  return whole + '.' + String(cents % 100).padStart(2, '0');
}
export class Cart {
  constructor() { this.items = []; }
  size() { return this.items.length; }
  only() { if (this.items.length !== 1) throw new Error('not one'); return this.items[0]; }
}
export function label(user) { return { text: user.name, years: user.age }; }
export const gone = () => 'gone with the wind and never to come back'.split(' ').length;
`;
const changed = source
  .replace('const brief', 'const short')
  .replace('const LIMIT', 'const MAXIMUM')
  .replace('  size()', '  count()')
  .replace('Math.floor', 'Math.ceil')
  .replace('!== 1', '=== 1')
  .replace('years:', 'ageInYears:')
  .replace(/export const gone.*\n/, '');
const tests: Readonly<Record<string, string>> = {
  brief: 'assert.equal(lib.brief(1), 2);',
  limit: 'assert.equal(lib.LIMIT, 3);',
  size: 'assert.equal(new lib.Cart().size(), 0);',
  price: `assert.equal(lib.formatPrice(105), '1.05');\n  assert.equal(lib.LIMIT, 3);`,
  only: `const cart = new lib.Cart();\n  cart.items.push(1);\n  assert.equal(cart.only(), 1);`,
  years: `assert.equal(lib.label({ name: 'Ada', age: 36 }).years, 36);`,
  gone: 'assert.equal(lib.gone(), 9);',
};

describe('the change that a failure runs into', function () {
  let workspace: TemporaryWorkspace;
  let remaining: readonly Left[] = [];
  before(async () => {
    const files = Object.entries(tests).map(([name, body]) => [
      `test/${name}.test.js`,
      `import test from 'node:test';\nimport assert from 'node:assert';\nimport * as lib from '../src/lib.js';\ntest('${name}', () => {\n  ${body}\n});\n`,
    ]);
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "name": "lib", "type": "module", "scripts": { "test": "node --test" } }',
        'src/lib.js': source,
        ...Object.fromEntries(files),
      },
      { git: true },
    );
    await workspace.write('src/lib.js', changed);
    const run = promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', cli, 'fix', '--root', workspace.root, '--json'],
      { maxBuffer: 50_000_000 },
    );
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    const report: { remaining: readonly Left[] } = JSON.parse(stdout);
    remaining = report.remaining;
  });
  after(() => workspace.dispose());

  const left = (name: string): Left => {
    const found = remaining.find(({ id }) => id.endsWith(`#${name}`));
    assert.ok(found, `${name} is not among ${remaining.map(({ id }) => id).join(', ')}`);
    return found;
  };
  const shown = ({ handOver }: Left): string => handOver?.sourceChanges[0]?.text ?? '';

  it('makes the test outdated where the same thing has another name, fix or not', () => {
    for (const [name, now] of [
      ['brief', 'short'],
      ['limit', 'MAXIMUM'],
    ] as const) {
      const { fault, reason } = left(name);
      assert.equal(fault, 'test', reason);
      assert.match(reason, new RegExp(`\\b${now}\\b`));
      assert.match(shown(left(name)), new RegExp(`\\b${now}\\b`));
    }
  });

  it('names what became of a key that may be meant, and blames neither side', () => {
    const { fault, reason } = left('years');
    assert.equal(fault, 'unknown');
    assert.match(reason, /years that label\(\) returned.*ageInYears/);
    assert.match(shown(left('years')), /ageInYears/);
  });

  it('says that a name is gone where nothing took its place, and blames neither side', () => {
    const { fault, reason } = left('gone');
    assert.equal(fault, 'unknown');
    assert.match(reason, /gone is no longer exported by src\/lib\.js/);
  });

  it('never makes the test outdated that meets a bug, whatever else it names that was renamed', () => {
    for (const { id, fault, reason } of remaining)
      if (/#(?:price|only)$/.test(id)) assert.notEqual(fault, 'test', `${id}: ${reason}`);
    assert.doesNotMatch(left('only').reason, /exported as|MAXIMUM/);
  });
});
