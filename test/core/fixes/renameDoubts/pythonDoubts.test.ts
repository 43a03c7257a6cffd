// Python names that the source itself did not follow, or that may mean something else, and coroutines that a source does not await.
import assert from 'node:assert/strict';
import type { FixProvider } from '../../../../src/core/fixes/fixProvider.ts';
import { pythonAwaits } from '../../../../src/core/fixes/python/pythonAwaits.ts';
import { pythonFixtures } from '../../../../src/core/fixes/python/pythonFixtures.ts';
import { pythonImports } from '../../../../src/core/fixes/python/pythonImports.ts';
import { pythonMembers } from '../../../../src/core/fixes/python/pythonMembers.ts';
import { createWorkspaceSources } from '../../../../src/core/fixes/renameDoubts/workspaceSources.ts';
import { proposeIn, saidBy, type SourceSituation } from './sourceSituation.ts';

/** As a cycle asks it, with the sources of the workspace. */
const withSources = (provider: FixProvider): FixProvider => ({
  ...provider,
  propose: (context) => provider.propose({ ...context, sources: createWorkspaceSources(context) }),
});

async function ask(situation: SourceSituation) {
  const { fixes, refused } = await proposeIn({ ...situation, provider: withSources(situation.provider) });
  const [[trust, evidence] = ['none', refused.join(' ')]] = saidBy(fixes);
  return { trust, evidence };
}

const step = '    cents = sum(lines) * 100\n    return round(cents / 3, 2)\n';
const moving = (old: string, now: string, others: Readonly<Record<string, string>> = {}) =>
  ask({
    provider: pythonImports,
    files: {
      'tests/test_a.py': `from shop.a import ${old}\n\n\ndef test_a():\n    assert ${old}([3]) == 100\n`,
      'shop/__init__.py': '',
      'shop/a.py': `def ${old}(lines):\n${step}`,
      ...others,
    },
    written: { 'shop/a.py': `def ${now}(lines):\n${step}` },
    message: `ImportError: cannot import name '${old}' from 'shop.a'`,
    kind: 'load',
  });

describe('a moved name in Python', () => {
  for (const [old, now] of [
    ['timeout_s', 'timeout_ms'],
    ['net_price', 'gross_price'],
    ['total', '_total'],
    ['is_admin', 'is_member'],
  ] as const)
    it(`is only proposed as ${now} for ${old}`, async () => {
      assert.notEqual((await moving(old, now)).trust, 'mechanical');
    });

  it('is only proposed while an unchanged source imports it', async () => {
    const { trust, evidence } = await moving('total', 'amount', {
      'shop/b.py': 'from shop.a import total\n',
    });
    assert.equal(trust, 'propose');
    assert.match(evidence, /Line 1 of shop\/b\.py still uses total/);
  });

  it('is followed where all sources went along', async () => {
    assert.equal(
      (await moving('total', 'amount', { 'shop/b.py': 'def total(a):\n    return a\n' })).trust,
      'mechanical',
    );
  });
});

describe('a renamed member in Python', () => {
  const cart = (name: string): string =>
    `class Cart:\n    lines = [3]\n\n    def ${name}(self):\n        cents = sum(self.lines) * 100\n        return round(cents / 3, 2)\n`;
  const asked = (others: Readonly<Record<string, string>>) =>
    ask({
      provider: pythonMembers,
      files: {
        'tests/test_a.py': `from shop.a import Cart\n\n\ndef test_a():\n    assert Cart().total() == 100\n`,
        'shop/__init__.py': '',
        'shop/a.py': cart('total'),
        ...others,
      },
      written: { 'shop/a.py': cart('amount') },
      message: `AttributeError: 'Cart' object has no attribute 'total'`,
      title: 'test_a',
    });

  it('is only proposed while an unchanged source asks for it', async () => {
    const { trust, evidence } = await asked({
      'shop/b.py': 'from shop.a import Cart\n\n\ndef bill(cart):\n    return cart.total()\n',
    });
    assert.equal(trust, 'propose', evidence);
    assert.match(evidence, /Line 5 of shop\/b\.py still uses total/);
  });

  it('is followed where none does', async () => {
    assert.equal(
      (await asked({ 'shop/b.py': 'def bill(cart):\n    return cart.total()\n' })).trust,
      'mechanical',
    );
  });
});

describe('an argument in Python', () => {
  it('is only proposed when the body of the function says too little', async () => {
    const pay = (name: string): string => `def pay(amount, ${name}):\n    return ${name}\n`;
    const { trust, evidence } = await ask({
      provider: pythonMembers,
      files: {
        'tests/test_a.py': `from shop.a import pay\n\n\ndef test_a():\n    assert pay(3, fee=2) == 2\n`,
        'shop/__init__.py': '',
        'shop/a.py': pay('fee'),
      },
      written: { 'shop/a.py': pay('discount') },
      message: `TypeError: pay() got an unexpected keyword argument 'fee'`,
      title: 'test_a',
    });
    assert.equal(trust, 'propose', evidence);
  });
});

describe('a fixture in Python', () => {
  for (const [old, now, body, wanted] of [
    ['basket', 'cart', 'return make("x")', 'propose'],
    ['admin', 'guest', 'user = make("x")\n    user.name = "a" + "b"\n    return user.copy()', 'propose'],
    ['basket', 'cart', 'user = make("x")\n    user.name = "a" + "b"\n    return user.copy()', 'mechanical'],
  ] as const)
    it(`is ${wanted} for ${now} of ${body.length} letters`, async () => {
      const conftest = (name: string): string =>
        `import pytest\n\n\n@pytest.fixture\ndef ${name}():\n    ${body}\n`;
      const { trust, evidence } = await ask({
        provider: pythonFixtures,
        files: {
          'tests/test_a.py': `def test_a(${old}):\n    assert ${old} is not None\n`,
          'conftest.py': conftest(old),
          'shop/a.py': 'a = 1\n',
        },
        written: { 'conftest.py': conftest(now), 'shop/a.py': 'a = 2\n' },
        message: `fixture '${old}' not found`,
        title: 'test_a',
      });
      assert.equal(trust, wanted, evidence);
    });
});

describe('a coroutine in Python', () => {
  const source = (head: string): string => `${head} is_allowed(user):\n    return user == "a"\n`;
  const asked = (gate: string) =>
    ask({
      provider: pythonAwaits,
      files: {
        'tests/test_a.py': `import pytest\nfrom shop.a import is_allowed\n\n\n@pytest.mark.asyncio\nasync def test_a():\n    assert is_allowed("b") is False\n`,
        'shop/__init__.py': '',
        'shop/a.py': source('def'),
        'shop/b.py': gate,
      },
      written: { 'shop/a.py': source('async def') },
      message: 'assert <coroutine object is_allowed> is False',
      kind: 'assertion',
      title: 'test_a',
    });

  for (const [how, body] of [
    ['asks for it', 'def gate(user):\n    if not is_allowed(user):\n        raise ValueError\n'],
    ['leaves it alone', 'def gate(user):\n    is_allowed(user)\n    return 1\n'],
    [
      'passes it on to who does',
      'def ask(user):\n    return is_allowed(user)\n\n\ndef gate(user):\n    return not ask(user)\n',
    ],
    ['returns it unawaited', 'async def gate(user):\n    return is_allowed(user)\n'],
  ] as const)
    it(`is only proposed to be awaited while a source ${how}`, async () => {
      const { trust, evidence } = await asked(`from shop.a import is_allowed\n\n\n${body}`);
      assert.equal(trust, 'propose', evidence);
      assert.match(evidence, /of shop\/b\.py uses the coroutine/);
    });

  it('is awaited where all sources wait', async () => {
    const { trust, evidence } = await asked(
      'import asyncio\nfrom shop.a import is_allowed\n\n\nasync def gate(user):\n    return await is_allowed(user)\n\n\ndef main():\n    asyncio.run(is_allowed("a"))\n',
    );
    assert.equal(trust, 'mechanical', evidence);
  });
});
