// What a Python test expects a mock to be called with: `m.assert_called_with(…)` and its like, and `call(…)` of unittest.mock.
import type { SyntaxNode } from '@lezer/common';
import { readImports } from './importStatements.ts';
import { argumentsOf, elementsOf, type Argument, type PythonSource } from './parsePython.ts';

interface MockAssertion {
  /** `assert_called_once_with` */
  readonly method: string;
  readonly mock: SyntaxNode;
  /** The arguments that are expected; of a list of calls the list alone. */
  readonly given: readonly Argument[];
  readonly isList: boolean;
}

const ofOne = /^assert_(?:called_with|called_once_with|any_call|awaited_with|awaited_once_with|any_await)$/;
const ofSeveral = /^assert_has_(?:calls|awaits)$/;

/** Undefined for everything else, and where arguments are spread out of something. */
export function mockAssertion(call: SyntaxNode, source: PythonSource): MockAssertion | undefined {
  const callee = call.name === 'CallExpression' ? call.firstChild : null;
  const property = callee?.name === 'MemberExpression' ? callee.lastChild : null;
  const mock = callee?.firstChild;
  if (!mock || property?.name !== 'PropertyName') return undefined;
  const method = source.textOf(property);
  const given = argumentsOf(call.getChild('ArgList'), source);
  if (given.some(({ spread }) => spread)) return undefined;
  if (!ofOne.test(method) && !ofSeveral.test(method)) return undefined;
  if (isImportedAsItIs(mock, source)) return undefined;
  if (ofOne.test(method)) return { method, mock, given, isList: false };
  const [list] = given;
  if (list === undefined || list.name !== undefined) return undefined;
  return elementsOf(list.value) === undefined ? undefined : { method, mock, given: [list], isList: true };
}

/** Something that the file imports, and nowhere replaces by a mock: it may do anything with what it is given. */
function isImportedAsItIs(mock: SyntaxNode, source: PythonSource): boolean {
  const [root = '', ...path] = source.textOf(mock).split('.');
  const isImported = readImports(source, source.root).some(({ items }) =>
    items.some(({ name, alias }) => (alias ?? name.split('.')[0]) === root),
  );
  // `patch("shop.send")`, `patch.object(shop, "send")`, `monkeypatch.setattr(shop, "send", …)`, `shop.send = …`
  const isReplaced = (name: string): boolean =>
    new RegExp(`[."']${name}["']|\\.${name}\\s*=(?!=)`).test(source.text);
  return isImported && !path.some((name) => /^\w+$/.test(name) && isReplaced(name));
}

/** The arguments of `call(…)`, `mock.call(…)`, `call.send(…)`; undefined for everything else, and for calls of other things of that name. */
export function callArguments(node: SyntaxNode, source: PythonSource): readonly Argument[] | undefined {
  const callee = node.name === 'CallExpression' ? node.firstChild : null;
  const text = callee === null ? '' : source.textOf(callee);
  const [, module, rest] = /^(?:((?:unittest\.)?mock|mocker)\.)?call((?:\.\w+)*)$/.exec(text) ?? [];
  if (callee === null || rest === undefined || !isOfMock(module, source)) return undefined;
  const given = argumentsOf(node.getChild('ArgList'), source);
  return given.some(({ spread }) => spread) ? undefined : given;
}

/** `from unittest.mock import call`, `from unittest import mock`, `import unittest.mock`, and nothing else of the name. */
function isOfMock(module: string | undefined, source: PythonSource): boolean {
  if (module === 'mocker') return true;
  const name = module ?? 'call';
  const root = name.split('.')[0] ?? name;
  if (
    new RegExp(`\\b(?:as|def|class|for|global)\\s+${root}\\b|(?<![.\\w])${root}\\s*=(?!=)`).test(source.text)
  )
    return false;
  return readImports(source, source.root).some(({ module: from, items }) =>
    items.some(
      (item) =>
        item.alias === undefined &&
        item.name === name &&
        (from === undefined
          ? /^(?:unittest\.)?mock$/
          : name === 'call'
            ? /^(?:unittest\.)?mock$/
            : /^unittest$/
        ).test(from?.text ?? item.name),
    ),
  );
}
