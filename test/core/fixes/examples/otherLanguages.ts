// Examples of the fixers of Python and Go.
import type { ExampleGroup, FixerExample } from './fixerExamples.ts';

const greets = (hello: string): string =>
  `from greet import greet\n\n\ndef test_greets():\n    assert greet("Ada") == "${hello}, Ada"\n`;
const value: FixerExample = {
  fixer: 'python-expected-value',
  since: '0.3',
  trust: 'oracle',
  lowered: '*propose* for other types, exit codes, true and false, and numbers of calls',
  sources: {
    'greet.py': [
      'def greet(name):\n    return f"Hi, {name}"\n',
      'def greet(name):\n    return f"Hello, {name}"\n',
    ],
  },
  test: { file: 'tests/test_greet.py', before: greets('Hi'), after: greets('Hello') },
};

const net = 'def net(cents, rate):\n    return round(cents / (1 + rate))\n';
const nets = (module: string): string =>
  `from ${module} import net\n\n\ndef test_net():\n    assert net(120, 0.2) == 100\n`;
const imports: FixerExample = {
  fixer: 'python-imports',
  since: '0.3',
  trust: 'mechanical',
  lowered: '*propose* where a source stayed behind, or the new name may mean something else',
  sources: { 'tax.py': [net, undefined], 'money.py': [undefined, net] },
  test: { file: 'tests/test_tax.py', before: nets('tax'), after: nets('money') },
};

const store = (name: string): string =>
  `class Store:\n    def __init__(self):\n        self.items = []\n\n    def ${name}(self, item):\n        self.items.append(item.strip().lower())\n        return len(self.items)\n`;
const stores = (name: string): string =>
  `from store import Store\n\n\ndef test_adds():\n    assert Store().${name}("Tea") == 1\n`;
const members: FixerExample = {
  fixer: 'python-members',
  since: '0.3',
  trust: 'mechanical',
  lowered:
    '*propose* for names that are only similar or may mean something else, and where a source stayed behind',
  sources: { 'store.py': [store('add'), store('add_item')] },
  test: { file: 'tests/test_store.py', before: stores('add'), after: stores('add_item') },
};

const fixture = (name: string): string =>
  `import pytest\n\n\n@pytest.fixture\ndef ${name}():\n    order = {"name": "Ada", "items": ["tea", "milk"]}\n    order["total"] = sum(len(item) for item in order["items"])\n    return order\n`;
const customers = (name: string): string =>
  `def test_customer(${name}):\n    assert ${name}["name"] == "Ada"\n`;
const fixtures: FixerExample = {
  fixer: 'python-fixtures',
  since: '0.3',
  trust: 'mechanical',
  lowered: '*propose* where the text says too little, or the new name may mean something else',
  sources: { 'tests/conftest.py': [fixture('client'), fixture('customer')] },
  test: { file: 'tests/test_customer.py', before: customers('client'), after: customers('customer') },
};

const loads = (call: string): string =>
  `from unittest import IsolatedAsyncioTestCase\n\nfrom load import load\n\n\nclass TestLoad(IsolatedAsyncioTestCase):\n    async def test_loads(self):\n        self.assertEqual(${call}, {"name": "tea"})\n`;
const awaiting: FixerExample = {
  fixer: 'python-awaiting',
  since: '0.3',
  trust: 'mechanical',
  lowered: '*propose* where a source does not await',
  sources: {
    'load.py': [
      'def load(name):\n    return {"name": name}\n',
      'async def load(name):\n    return {"name": name}\n',
    ],
  },
  test: {
    file: 'tests/test_load.py',
    before: loads('load("tea")'),
    after: loads('await load("tea")'),
  },
};

const ship = 'def ship(order):\n    return [order, "shipped"]\n';
const obsolete: FixerExample = {
  fixer: 'python-obsolete',
  since: '0.3',
  trust: 'propose',
  sources: { 'shop.py': [`${ship}\n\ndef legacy(n):\n    return [n] * 2\n`, ship] },
  test: {
    file: 'tests/test_shop.py',
    before:
      'from shop import legacy, ship\n\n\ndef test_ship():\n    assert ship(1) == [1, "shipped"]\n\n\ndef test_legacy():\n    assert legacy(1) == [1, 1]\n',
    after: 'from shop import ship\n\n\ndef test_ship():\n    assert ship(1) == [1, "shipped"]\n',
  },
};

export const pythonExamples: ExampleGroup = {
  name: 'pytest',
  files: { 'pytest.ini': '[pytest]\npythonpath = .\n', '.gitignore': '__pycache__/\n.pytest_cache/\n' },
  needs: 'python',
  examples: [value, imports, members, fixtures, awaiting, obsolete],
};

const goTest = (hello: string): string => `package shop

import "testing"

func TestGreet(t *testing.T) {
	if got := Greet("Ada"); got != "${hello}, Ada" {
		t.Errorf("got %q", got)
	}
}
`;
const goValue: FixerExample = {
  fixer: 'go-expected-value',
  since: '0.3',
  trust: 'oracle',
  lowered: '*propose* for true and false, codes of success, numbers of calls, and empty values',
  sources: {
    'greet.go': [
      'package shop\n\nfunc Greet(name string) string { return "Hi, " + name }\n',
      'package shop\n\nfunc Greet(name string) string { return "Hello, " + name }\n',
    ],
  },
  test: { file: 'greet_test.go', before: goTest('Hi'), after: goTest('Hello') },
};

export const goExamples: ExampleGroup = {
  name: 'go test',
  files: { 'go.mod': 'module example.com/shop\n\ngo 1.20\n' },
  needs: 'go',
  examples: [goValue],
};
