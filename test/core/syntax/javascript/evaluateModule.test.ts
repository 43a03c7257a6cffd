// Values of configuration modules, read from their text.
import assert from 'node:assert/strict';
import path from 'node:path';
import { evaluateDefaultExport } from '../../../../src/core/syntax/javascript/evaluateModule.ts';
import {
  notStatic,
  StaticFunction,
  StaticObject,
  type StaticValue,
} from '../../../../src/core/syntax/javascript/staticValue.ts';

async function read(text: string, name = 'x.config.ts', more: Record<string, string> = {}): Promise<unknown> {
  const files = new Map(
    Object.entries({ [name]: text, ...more }).map(([file, one]) => [path.resolve('/shop', file), one]),
  );
  const value = await evaluateDefaultExport(path.resolve('/shop', name), {
    readText: (file) => files.get(file),
    resolve: (from, specifier) => path.resolve(path.dirname(from), specifier),
    packageExport: (_, exported) =>
      exported === 'defineConfig' ? new StaticFunction(([first]) => first) : notStatic,
  });
  return plain(value);
}

function plain(value: StaticValue): unknown {
  if (value instanceof StaticObject)
    return Object.fromEntries([...value.entries].map(([key, entry]) => [key, plain(entry)]));
  if (Array.isArray(value)) return value.map(plain);
  return value === notStatic ? 'unknown' : value;
}

describe('the value of a configuration module', () => {
  const forms: readonly (readonly [name: string, text: string])[] = [
    ['x.config.ts', `export default { dir: 'spec' } satisfies Config;`],
    ['x.config.ts', `const config: Config<string> = <Config>{ dir: 'spec' };\nexport { config as default };`],
    ['x.config.cts', `import type { Config } from 'x';\nexport = { dir: 'spec' as const } as Config;`],
    ['x.config.js', `module.exports = { dir: 'spec' };`],
    ['x.config.js', `exports.default = { ['dir']: 'a', ...{ dir: 'spec' } };`],
    ['x.config.js', `const view = <b>{1}</b>;\nexport const dir = 'spec';\nexport default { dir };`],
    [
      'x.config.mjs',
      `#!/usr/bin/env node\nexport default await defineConfig({ dir: \`\${part}ec\` });\nimport { defineConfig } from 'x';\nconst part = 'sp';`,
    ],
    [
      'x.config.ts',
      `@logged() class Other {}\nfunction build(this: void): Config { return { dir: 'spec' }; }\nexport default build?.();`,
    ],
    [
      'x.config.js',
      `let folder = true && !false ? 'spec' : 'x';\nexport default { dir: null ?? (undefined || 'spec') };`,
    ],
  ];
  for (const [name, text] of forms)
    it(`is read from ${name}: ${text.split('\n').at(-1) ?? ''}`, async () => {
      assert.deepEqual(await read(text, name), { dir: 'spec' });
    });

  it('follows other files, also in a circle', async () => {
    const more = {
      'base.js': `const own = require('./x.config.ts');\nmodule.exports = { own, list: [/a\\/b/i, -1, ,] };`,
    };
    assert.deepEqual(await read(`import base from './base.js';\nexport default base;`, 'x.config.ts', more), {
      own: 'unknown',
      list: [/a\/b/i, 'unknown', undefined],
    });
  });

  it('is unknown where only a run could tell', async () => {
    assert.deepEqual(
      await read(
        `let dir = 'a'; dir = 'b';\nexport default { dir, at: list[0], f() {}, sum: 1 + 2, env: process.env.CI };`,
      ),
      {
        dir: 'unknown',
        at: 'unknown',
        f: 'unknown',
        sum: 'unknown',
        env: 'unknown',
      },
    );
    assert.equal(await read(`export default { dir: 'spec' `), 'unknown');
    assert.equal(await read(`export default ${'['.repeat(20_000)}1${']'.repeat(20_000)};`), 'unknown');
  });
});
