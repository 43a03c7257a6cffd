// The gate of a proposed deletion in Python: whole tests, classes that hold nothing else, imports of what is not used; nothing beside.
import type { SyntaxNode } from '@lezer/common';
import { applyEdit, type FileEdit } from '../../model/edit.ts';
import type { Violation } from '../../model/fix.ts';
import { readImports } from '../../syntax/python/importStatements.ts';
import { parsePython, visitPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { testDefinitionsIn, variablesIn } from '../../syntax/python/testDefinitions.ts';

/** What the edit of one Python file does besides deleting tests and what they alone imported. */
export function checkPythonDeletion(edit: FileEdit, before: string): readonly Violation[] {
  const { file } = edit;
  const violation = (rule: string, line: number, text: string): Violation => ({ rule, file, line, text });
  const [was, is] = [parsePython(before), parsePython(applyEdit(edit, before))];
  if (was.errorLine !== undefined)
    return [violation('removed-test', was.errorLine, 'The file cannot be parsed, so it is not changed.')];
  if (is.errorLine !== undefined)
    return [violation('syntax-error', is.errorLine, 'The file no longer parses.')];
  const used = new Set([...variablesIn(is.root, is), ...wordsInTexts(is)]);
  const parts = deletable(was);
  const isInside = (inner: Span, outer: Span): boolean => outer.from <= inner.from && inner.to <= outer.to;
  const goneTests = parts.filter(
    (part) =>
      part.node !== undefined &&
      edit.changes.some(({ start, end }) => isInside(part, { from: start, to: end })),
  );
  const usedByTests = new Set(
    goneTests.flatMap(({ node }) => (node === undefined ? [] : [...usedIn(node, was)])),
  );
  const found: Violation[] = [];
  for (const { start, end, newText } of edit.changes) {
    const line = was.lineOf(start);
    if (newText !== '')
      found.push(violation('changed-input', line, 'A fix that deletes tests must not add anything.'));
    const inside = parts.filter(({ from, to }) => start <= from && to <= end);
    if (inside.length === 0 || /[^\s,]/.test(restOf(before, start, end, inside)))
      found.push(violation('removed-test', line, 'The fix deletes something other than tests and imports.'));
    for (const { local } of inside)
      if (local !== undefined && used.has(local))
        found.push(violation('removed-import', line, `${local} is still used.`));
      else if (local !== undefined && !usedByTests.has(local))
        found.push(violation('removed-import', line, `${local} is removed, and no deleted test used it.`));
  }
  return found;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Part extends Span {
  /** Of a test, or a class of tests. */
  readonly node?: SyntaxNode;
  /** Of an import: the name that the file knows it by. */
  readonly local?: string;
}

/** Tests with their decorators, classes of nothing but tests, names that are imported, and the statements around them. */
function deletable(source: PythonSource): readonly Part[] {
  const code = ({ from, to }: SyntaxNode): Part => ({
    from,
    to: from + source.text.slice(from, to).trimEnd().length,
  });
  const tests = testDefinitionsIn(source).filter(({ node }) => !isFixture(node, source));
  const suites = new Map(tests.flatMap(({ suite }) => (suite === undefined ? [] : [[suite.from, suite]])));
  const whole = [...suites.values()].filter((suite) =>
    holdsTestsOnly(
      suite,
      tests.map(({ node }) => node),
    ),
  );
  const imports = readImports(source, source.root).flatMap(({ node, module, items }): Part[] => {
    // `import a` may be there for what it does; what `*` brings, nobody knows.
    if (module === undefined || module.text === '__future__' || node.parent?.name !== 'Script') return [];
    if (items.some(({ name }) => name === '*')) return [];
    const names = items.map(({ name, alias, from, end }) => ({ from, to: end, local: alias ?? name }));
    return [...names, code(node)];
  });
  const ofTests = [...whole, ...tests.map(({ node }) => node)].map((node) => ({ ...code(node), node }));
  return [...ofTests, ...imports];
}

/** `@pytest.fixture def test_data(): …`: other tests may ask for it. */
function isFixture(node: SyntaxNode, source: PythonSource): boolean {
  return node.getChildren('Decorator').some((decorator) => /fixture/i.test(source.textOf(decorator)));
}

/** Names that the code of a test reads; not its parameters, which fixtures give, and which others may rely on without a word. */
function usedIn(test: SyntaxNode, source: PythonSource): ReadonlySet<string> {
  const names = new Set<string>();
  const parameters = new Set<string>();
  visitPython(test, (node) => {
    if (node.name === 'VariableName') names.add(source.textOf(node));
    if (node.name === 'ParamList') for (const name of variablesIn(node, source)) parameters.add(name);
    return node.name !== 'ParamList';
  });
  return new Set([...names].filter((name) => !parameters.has(name)));
}

/** `usefixtures("db")`, `patch("shop.total")` */
function wordsInTexts(source: PythonSource): readonly string[] {
  const words: string[] = [];
  visitPython(source.root, (node) => {
    if (node.name === 'String' || node.name === 'FormatString')
      words.push(...(source.textOf(node).match(/[^\W\d]\w*/gu) ?? []));
  });
  return words;
}

function holdsTestsOnly(suite: SyntaxNode, tests: readonly SyntaxNode[]): boolean {
  const definition = suite.name === 'DecoratedStatement' ? suite.getChild('ClassDefinition') : suite;
  const body = definition?.getChild('Body');
  if (!body) return false;
  for (let child = body.firstChild; child !== null; child = child.nextSibling) {
    const isText = child.name === 'ExpressionStatement' && child.firstChild?.name === 'String';
    if (child.name === ':' || child.name === 'Comment' || isText) continue;
    if (!tests.some(({ from }) => from === child.from)) return false;
  }
  return true;
}

/** What of the text is in none of the parts, comments apart. */
function restOf(text: string, start: number, end: number, parts: readonly Part[]): string {
  let rest = '';
  let position = start;
  for (const { from, to } of [...parts].sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (from < position) continue;
    rest += `${text.slice(position, from)} `;
    position = to;
  }
  return (rest + text.slice(position, end)).replace(/^[ \t]*#.*$/gm, '').replace(/[ \t]#.*$/gm, '');
}
