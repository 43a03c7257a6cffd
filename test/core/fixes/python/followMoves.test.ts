// What following names makes of a Python test file, and what it leaves alone: asked directly, of sources as they were and as they are.
import assert from 'node:assert/strict';
import { followMoves } from '../../../../src/core/fixes/python/followMoves.ts';
import { applyChanges } from '../../../../src/core/model/edit.ts';
import { pythonHistoryOf, type Files } from '../../../support/pythonHistory.ts';

interface Followed {
  readonly text: string;
  readonly reasons: string;
  readonly lost: readonly string[];
}

async function follow(
  test: string,
  before: Files,
  now: Files,
  moved: Readonly<Record<string, string>> = {},
): Promise<Followed> {
  const history = await pythonHistoryOf(before, now, moved);
  const { changes, refusals, lost } = await followMoves('test_a.py', test, history);
  return {
    text: applyChanges(changes, test),
    reasons: refusals.map(({ reason }) => reason).join('\n'),
    lost,
  };
}

describe('following a name in a long Python test file', () => {
  it('takes no more than a moment for thousands of uses of one module', async () => {
    const shop = (name: string): string =>
      `def ${name}(text):\n    text = text.strip()\n    return "sent " + text\n\n\ndef run():\n    return ${name}("mail")\n`;
    const use = '    assert shop.send("a") == "sent a"\n';
    const test = `import shop\n\n\ndef test_all():\n${use.repeat(4_000)}`;
    const started = performance.now();
    const { text } = await follow(test, { 'shop.py': shop('send') }, { 'shop.py': shop('dispatch') });
    assert.equal(text, test.replaceAll('shop.send', 'shop.dispatch'));
    assert.ok(performance.now() - started < 20_000, `${performance.now() - started} ms`);
  }).timeout(120_000);
});

describe('following what a Python test replaces', () => {
  const send = 'def send(text):\n    text = text.strip()\n    return "sent " + text\n';
  const before = {
    'pkg/__init__.py': '',
    'pkg/a.py': `${send}\n\ndef run(dry):\n    if dry:\n        return "dry"\n    return send("mail")\n`,
  };
  const test =
    'from unittest import mock\nfrom pkg.a import run\n\n\ndef test_dry():\n    with mock.patch("pkg.a.send") as send:\n        run(dry=True)\n    send.assert_not_called()\n';
  const after = (a: string): Promise<Followed> =>
    follow(test, before, { ...before, 'pkg/mail.py': send, 'pkg/a.py': a });

  it('takes the name that the module gave what it imports', async () =>
    assert.equal(
      (await after('from pkg.mail import send as _send\n\n\ndef run(dry):\n    return _send("mail")\n')).text,
      test.replace('pkg.a.send', 'pkg.a._send'),
    ));

  it('takes the other module where the old one asks it each time', async () => {
    for (const [head, module] of [
      ['from pkg import mail', 'mail'],
      ['from . import mail as post', 'post'],
      ['import pkg.mail', 'pkg.mail'],
    ] as const)
      assert.equal(
        (await after(`${head}\n\n\ndef run(dry):\n    return ${module}.send("mail")\n`)).text,
        test.replace('pkg.a.send', 'pkg.mail.send'),
      );
  });

  it('takes another name of the same module only where that module still looks it up', async () => {
    const dispatch = send.replace('def send', 'def dispatch');
    const asked = await follow(test, before, {
      ...before,
      'pkg/a.py': `${dispatch}\n\ndef run(dry):\n    return dispatch("mail")\n`,
    });
    assert.equal(asked.text, test.replace('pkg.a.send', 'pkg.a.dispatch'));
    const elsewhere = await follow(test, before, {
      ...before,
      'pkg/a.py': `from pkg import b\n\n\n${dispatch}\n\ndef run(dry):\n    return b.run("mail")\n`,
    });
    assert.equal(elsewhere.text, test);
    assert.match(elsewhere.reasons, /no longer uses send/);
  });

  const refused: Readonly<Record<string, string>> = {
    'asks somebody else': 'from pkg import b\n\n\ndef run(dry):\n    return b.run(dry)\n',
    'took it when it was loaded':
      'from pkg import mail\n\nkeep = mail.send\n\n\ndef run(dry):\n    return keep("mail")\n',
    'has it in two ways':
      'from pkg import mail\nfrom pkg.mail import send as _send\n\n\ndef run(dry):\n    return _send("mail") if dry else mail.send("mail")\n',
    'never asks for it': 'from pkg.mail import send as _send\n\n\ndef run(dry):\n    return "dry"\n',
    'gives the name of the module something else':
      'from pkg import mail\n\n\ndef run(dry, mail=mail):\n    return mail.send("mail")\n',
  };
  for (const [name, a] of Object.entries(refused))
    it(`refuses where the old module ${name}`, async () => {
      const { text, reasons } = await after(a);
      assert.equal(text, test);
      assert.match(reasons, /pkg\.a no longer uses send, which the test patches there/);
    });

  it('refuses alike for monkeypatch, by a text and by a module', async () => {
    const now = {
      ...before,
      'pkg/mail.py': send,
      'pkg/a.py': 'from pkg import b\n\n\ndef run(dry):\n    return b.run(dry)\n',
    };
    for (const target of ['"pkg.a.send"', 'a, "send"']) {
      const other = `from pkg import a\n\n\ndef test_a(monkeypatch):\n    monkeypatch.setattr(${target}, None)\n    a.run(True)\n`;
      const { text, reasons } = await follow(other, before, now);
      assert.equal(text, other);
      assert.match(reasons, /no longer uses send/);
    }
  });

  it('follows no value that the module it stands in decides', async () => {
    const logger = 'import logging\n\nlogger = logging.getLogger(__name__)\n';
    const run = '\n\ndef run():\n    return LOG.info("x")\n';
    const own = 'from pkg.a import logger\n\n\ndef test_a():\n    assert logger.name\n';
    const { text, reasons } = await follow(
      own,
      { 'pkg/a.py': logger + run },
      { 'pkg/a.py': run, 'pkg/b.py': logger },
    );
    assert.equal(text, own);
    assert.match(
      reasons,
      /logger was removed from pkg\/a\.py, and the same code means something else in pkg\/b\.py/,
    );
  });
});

describe('following a definition to another name', () => {
  const renamed = (was: string, now: string, body: string): Promise<Followed> =>
    follow(
      `from m import ${was}\n\n\ndef test_a():\n    assert ${was}("x") is True\n`,
      { 'm.py': body.replaceAll('NAME', was) },
      { 'm.py': body.replaceAll('NAME', now) },
    );

  const silent: Readonly<Record<string, string>> = {
    'nothing but pass': 'class NAME(Exception):\n    pass\n',
    'nothing but its documentation': 'class NAME(Exception):\n    """Not there."""\n',
    'nothing but an ellipsis': 'def NAME(user): ...\n',
    'one constant': 'def NAME(user):\n    """May they?"""\n    return True\n',
    'one negative number': 'def NAME(user):\n    return -1\n',
    'one call': 'def NAME(user):\n    return user.is_admin()\n',
    'one name': 'def NAME(user):\n    return user\n',
    'that it is not written yet': 'def NAME(user):\n    raise NotImplementedError("no" + user)\n',
    'only fields': 'class NAME:\n    x: int = 1\n    y: int = 2 + 3\n',
    'only a method that does nothing': 'class NAME(Base):\n    def run(self):\n        pass\n',
  };
  for (const [name, body] of Object.entries(silent))
    it(`refuses where its text says ${name}`, async () => {
      const { text, reasons } = await renamed('can_edit', 'can_export', body);
      assert.match(text, /import can_edit/);
      assert.match(
        reasons,
        /can_edit was removed from m\.py\. can_export has the same code, but that is too little code/,
      );
    });

  it('does so where the text could not be a coincidence', async () => {
    for (const body of [
      'def NAME(user):\n    return user.age * 2 > 36\n',
      'class NAME(Base):\n    @property\n    def run(self):\n        total = 0\n        return self.x + total\n',
    ])
      assert.match((await renamed('can_edit', 'may_edit', body)).text, /assert may_edit\("x"\)/);
  });

  it('follows the same name to another module, whatever its text', async () => {
    const error = 'class Missing(Exception):\n    pass\n';
    const test = 'from m import Missing\n\n\ndef test_a():\n    assert Missing\n';
    const { text } = await follow(test, { 'm.py': error }, { 'm.py': '', 'errors.py': error });
    assert.equal(text, test.replace('from m', 'from errors'));
  });
});

describe('following a module to another place', () => {
  const total = 'def total():\n    return 3\n';
  const follows = async (test: string, now: string, reasons = /^$/): Promise<void> => {
    const followed = await follow(
      test,
      { 'shop.py': total },
      { 'store.py': total },
      { 'shop.py': 'store.py' },
    );
    assert.equal(followed.text, now);
    assert.match(followed.reasons, reasons);
  };

  for (const other of [
    'def test_a(shop):\n    assert shop.total() == 3\n',
    'def test_a():\n    for one, shop in []:\n        assert shop.total() == 3\n',
    'def test_a():\n    with open("a") as shop:\n        assert shop.total() == 3\n',
    'def test_a():\n    assert [shop.total() for one, shop in []] == []\n',
    'store = 1\n',
  ])
    it(`keeps its name where that stands for something else, too: ${other.split('\n').slice(0, 2).join(' ')}`, () =>
      follows(
        `import shop\n\n\n${other}\n\ndef test_b():\n    assert shop.total() == 3\n`,
        `import store as shop\n\n\n${other}\n\ndef test_b():\n    assert shop.total() == 3\n`,
      ));

  it('lets every other use follow', () =>
    follows(
      'import importlib\nfrom unittest import mock\nimport shop\n\n\ndef test_a():\n    importlib.reload(shop)\n    with mock.patch.object(shop, "total", shop.total):\n        assert f"{shop.total()}" == "3"\n',
      'import importlib\nfrom unittest import mock\nimport store\n\n\ndef test_a():\n    importlib.reload(store)\n    with mock.patch.object(store, "total", store.total):\n        assert f"{store.total()}" == "3"\n',
    ));

  it('lets every use of a module in a package follow, and refuses where the package is used besides', async () => {
    const before = { 'shop/__init__.py': 'x = 1\n', 'shop/rates.py': total };
    const now = { 'shop/__init__.py': 'x = 1\n', 'tax/__init__.py': '', 'tax/rates.py': total };
    const moved = { 'shop/rates.py': 'tax/rates.py' };
    const test =
      'import importlib\nimport shop.rates\n\n\ndef test_a():\n    assert importlib.reload(shop.rates) is shop.rates\n    assert shop.rates.total() == 3\n';
    const plain = await follow(test, before, now, moved);
    assert.equal(plain.text, test.replaceAll('shop.rates', 'tax.rates'));
    const used = `${test}    assert shop.x == 1\n`;
    const { text, reasons } = await follow(used, before, now, moved);
    assert.equal(text, used);
    assert.match(reasons, /shop\.rates is now tax\.rates, but the test also uses shop for something else/);
  });

  it('leaves what is replaced alone where the name of the module is a parameter, too', async () => {
    const [was, now] = ['old', 'new'].map((name) => `def ${name}(a):\n    b = a + 1\n    return b\n`);
    const test = (m: string): string =>
      `from unittest import mock\nimport m\n\n\ndef test_a(${m}):\n    with mock.patch.object(m, "old"):\n        pass\n`;
    const files = [{ 'm.py': was ?? '' }, { 'm.py': now ?? '' }] as const;
    assert.equal((await follow(test('m'), ...files)).text, test('m'));
    assert.equal((await follow(test(''), ...files)).text, test('').replace('"old"', '"new"'));
  });

  it('changes nothing of an import that it cannot split', async () => {
    const body = '(a):\n    b = a + 1\n    return b\n';
    const other = 'def o(a):\n    return a\n';
    const test = 'from m import (o,  # one\n    old)\n\n\ndef test_a():\n    assert old(1) == o(2)\n';
    const { text, reasons } = await follow(
      test,
      { 'm.py': `${other}\n\ndef old${body}` },
      { 'm.py': `def new${body}`, 'n.py': other },
    );
    assert.equal(text, test);
    assert.match(reasons, /The names of m moved to several modules: o, old/);
  });
});

describe('following a name that its package no longer passes on', () => {
  const before = {
    'p/__init__.py': 'from .q import net\n',
    'p/q.py': 'def net():\n    return 1\n',
    'use.py': 'from p import net\n',
  };
  const test = 'from p import net\n\n\ndef test_a():\n    assert net() == 1\n';

  it('asks whether that was meant, unless another source went the same way', async () => {
    const lost = await follow(test, before, { ...before, 'p/__init__.py': '' });
    assert.deepEqual([lost.text, lost.lost], [test.replace('from p', 'from p.q'), ['p.net']]);
    const meant = { ...before, 'p/__init__.py': '', 'use.py': 'from p.q import net\n' };
    assert.deepEqual((await follow(test, before, meant)).lost, []);
  });
});

describe('following a name that a package takes over with all others', () => {
  const test = 'import pkg\n\n\ndef test_a():\n    assert pkg.first([3]) == 3\n';
  const body = (name: string): string =>
    `def ${name}(all):\n    """>>> ${name}([3])"""\n    return [one for one in all if one is not None][0]\n`;
  const changed = (all: string): Promise<Followed> =>
    follow(
      test,
      {
        'pkg/__init__.py': 'from .a import *\nfrom .b import *\n',
        'pkg/a.py': 'x = 1\n',
        'pkg/b.py': body('first'),
      },
      {
        'pkg/__init__.py': 'from .a import *\nfrom .b import *\n',
        'pkg/a.py': 'x = 1\n',
        'pkg/b.py': all + body('head'),
      },
    );

  it('takes its new name, which its documentation says, too', async () => {
    assert.equal((await changed('')).text, test.replace('pkg.first', 'pkg.head'));
    assert.equal(
      (await changed("__all__ = [\n    'head',\n]\n")).text,
      test.replace('pkg.first', 'pkg.head'),
    );
  });

  it('leaves it alone where the module does not give it to others', async () => {
    assert.equal((await changed("__all__ = ['other']\n")).text, test);
  });
});
