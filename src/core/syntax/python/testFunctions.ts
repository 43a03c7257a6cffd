// The functions of a file that pytest would certainly run as tests, with the tables that give them their arguments.
import type { SyntaxNode } from '@lezer/common';
import type { ExpectationContext } from './expectationContext.ts';
import { argumentsOf, childrenOf, elementsOf, type PythonSource } from './parsePython.ts';
import { readPythonLiteral } from './pythonLiteral.ts';
import { testClassesOf, type TestClasses } from './testClasses.ts';

export interface TestFunction {
  /** `TestCart.test_total` */
  readonly name: string;
  /** The `def`, without its decorators. */
  readonly node: SyntaxNode;
  readonly body: SyntaxNode;
  readonly parameters: readonly string[];
  readonly tables: readonly ParameterTable[];
  /** A method of a `unittest.TestCase` whose assertions are those of unittest. */
  readonly isCase: boolean;
  /** Its class with all that it takes over. */
  readonly classes?: TestClasses | undefined;
  /** Of a function that tests call: where it stands, if in another file, and how many of them called one another. */
  readonly file?: string | undefined;
  readonly depth?: number;
}

/** One `@pytest.mark.parametrize` whose rows are written down in it, or under a name that the module has for nothing else. */
interface ParameterTable {
  readonly names: readonly string[];
  /** The cells of each row; a row that is not written as one has none. */
  readonly rows: readonly (readonly SyntaxNode[] | undefined)[];
}

/**
 * Tests of the module and of its classes; not those that share their name with another, stand in another function or in a
 * condition, or carry a decorator that may change what a failure means.
 */
export function testFunctionsOf(
  source: PythonSource,
  context: ExpectationContext = {},
): readonly TestFunction[] {
  const tests: TestFunction[] = [];
  collect({ source, context }, source.root, undefined, tests);
  return tests;
}

interface Suite {
  readonly name: string;
  readonly classes: TestClasses;
}

interface Around {
  readonly source: PythonSource;
  readonly context: ExpectationContext;
}

function collect(around: Around, block: SyntaxNode, suite: Suite | undefined, tests: TestFunction[]): void {
  const { source, context } = around;
  const all = childrenOf(block).flatMap((whole) => definitionIn(whole, source) ?? []);
  for (const { node, name, decorators } of all) {
    const isUnique = all.filter((other) => other.name === name).length === 1 && !isTouched(name, source);
    const body = node.getChild('Body');
    const tables = decorators.map((decorator) => tableOf(decorator, source));
    if (!isUnique || body === null || tables.includes('unknown')) continue;
    if (node.name === 'ClassDefinition') {
      const classes = testClassesOf({ node, source, file: undefined }, context);
      if (suite === undefined && classes && (classes.isCase || name.startsWith('Test')))
        collect(around, body, { name, classes }, tests);
    } else if (name.startsWith('test'))
      tests.push({
        name: suite === undefined ? name : `${suite.name}.${name}`,
        node,
        body,
        parameters: parametersOf(node, source),
        tables: tables.filter((table) => typeof table === 'object'),
        isCase: suite?.classes.isCase === true && parametersOf(node, source)[0] === 'self',
        classes: suite?.classes,
      });
  }
}

/** Is the name given something else, imported over it, or marked later? */
function isTouched(name: string, { text }: PythonSource): boolean {
  return new RegExp(
    `^[ \\t]*${name}\\s*=|\\bimport\\b[^\\n]*\\b${name}\\b|\\b(?:setattr|delattr)\\(\\s*${name}\\b|^[ \\t]*${name}\\.|^[ \\t]+def ${name}\\b[^]*^def ${name}\\b|^def ${name}\\b[^]*^[ \\t]+def ${name}\\b`,
    'm',
  ).test(text);
}

interface Definition {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly decorators: readonly SyntaxNode[];
}

function definitionIn(whole: SyntaxNode, source: PythonSource): Definition | undefined {
  const node =
    whole.name === 'DecoratedStatement'
      ? (whole.getChild('FunctionDefinition') ?? whole.getChild('ClassDefinition'))
      : whole;
  const name = node?.getChild('VariableName');
  if (!node || !name || !/^(?:Function|Class)Definition$/.test(node.name)) return undefined;
  return {
    node,
    name: source.textOf(name),
    decorators: whole === node ? [] : whole.getChildren('Decorator'),
  };
}

export function parametersOf(definition: SyntaxNode, source: PythonSource): readonly string[] {
  const list = definition.getChild('ParamList');
  if (list === null) return [];
  return childrenOf(list)
    .filter(({ name, prevSibling }) => name === 'VariableName' && prevSibling?.name !== 'AssignOp')
    .map((node) => source.textOf(node));
}

/** `plain`: a decorator that leaves alone what the test says. */
function tableOf(decorator: SyntaxNode, source: PythonSource): ParameterTable | 'plain' | 'unknown' {
  const list = decorator.getChild('ArgList');
  const callee = calleeOf(decorator, list?.from ?? decorator.to, source);
  if (list !== null && (isMockPatch(callee, source) || isClock(callee, source))) return 'plain';
  const name = /^pytest\.mark\.(\w+)$/.exec(callee)?.[1];
  if (name === undefined) return 'unknown';
  if (name !== 'parametrize') return /^(?:xfail|flaky|repeat|retry|skip)$/.test(name) ? 'unknown' : 'plain';
  return parametrizeOf(list, source) ?? 'plain';
}

/** `@mock.patch(…)`: it replaces something while the test runs, and hands on whatever the test raises. */
function isMockPatch(callee: string, { text }: PythonSource): boolean {
  const [, module, name] =
    /^(?:((?:unittest\.)?mock)\.)?(patch)(?:\.(?:object|dict|multiple))?$/.exec(callee) ?? [];
  if (name === undefined) return false;
  const imports = {
    'unittest.mock': /^import[ \t]+unittest\.mock[ \t]*$/m,
    mock: /^(?:from[ \t]+unittest[ \t]+import[ \t]+(?:\w+[ \t]*,[ \t]*)*mock\b(?![ \t]+as)|import[ \t]+mock[ \t]*$)/m,
    patch: /^from[ \t]+(?:unittest\.)?mock[ \t]+import[ \t]+\(?\s*(?:\w+\s*,\s*)*patch\b(?![ \t]+as)/m,
  };
  const bound = module ?? name;
  const isOther =
    /\b(?:as|def|class)\s+(?:patch|mock|unittest)\b|^[ \t]*(?:patch|mock|unittest)(?:\.\w+)*\s*=(?!=)/m;
  return (
    (bound === 'unittest.mock' || bound === 'mock' || bound === 'patch') &&
    imports[bound].test(text) &&
    !isOther.test(text)
  );
}

/** `@freeze_time(…)`, `@time_machine.travel(…)`: another time while the test runs, and nothing else. */
function isClock(callee: string, { text }: PythonSource): boolean {
  const [, module, name] = /^(?:(freezegun|time_machine)\.)?(freeze_time|travel)$/.exec(callee) ?? [];
  if (name === undefined) return false;
  const [library, bound] = [name === 'travel' ? 'time_machine' : 'freezegun', module ?? name];
  if (module !== undefined && module !== library) return false;
  const imported =
    module === undefined ? `from[ \\t]+${library}[ \\t]+import[ \\t]+${name}` : `import[ \\t]+${library}`;
  const isOther = new RegExp(
    `\\b(?:as|def|class)\\s+${bound}\\b|^[ \\t]*${bound}(?:\\.\\w+)*\\s*=(?!=)`,
    'm',
  );
  return new RegExp(`^${imported}[ \\t]*$`, 'm').test(text) && !isOther.test(text);
}

function calleeOf(decorator: SyntaxNode, end: number, source: PythonSource): string {
  return source.text.slice(decorator.from, end).replace(/^@\s*/, '').trim();
}

/** Undefined where the names or the rows are not written down, or go through a fixture. */
function parametrizeOf(list: SyntaxNode | null, source: PythonSource): ParameterTable | undefined {
  const given = argumentsOf(list, source);
  const [first, second, third] = given;
  if (given.some(({ name, spread }) => spread || (name !== undefined && name !== 'ids'))) return undefined;
  if (first === undefined || second === undefined || first.name !== undefined || second.name !== undefined)
    return undefined;
  // A third one is `indirect`; what computes the names of cases is handed their values.
  if (third !== undefined && third.name === undefined) return undefined;
  const ids = given.find(({ name }) => name === 'ids')?.value;
  if (ids && !/^(?:None|str|repr)$|^[[(]/.test(source.textOf(ids))) return undefined;
  const names = namesIn(first.value, source);
  const table = second.value.name === 'VariableName' ? tableNamed(second.value, source) : second.value;
  const rows = table === undefined || table.name === 'SetExpression' ? undefined : elementsOf(table);
  if (names === undefined || rows === undefined) return undefined;
  return { names: names.list, rows: rows.map((row) => cellsOf(row, names, source)) };
}

/** The display that the module gives a name once, which is mentioned nowhere but there and here, not even in a text. */
function tableNamed(use: SyntaxNode, source: PythonSource): SyntaxNode | undefined {
  const name = source.textOf(use);
  if (!/^[A-Za-z_]\w*$/.test(name) || source.text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length !== 2)
    return undefined;
  // By another spelling Python would take it for the same name.
  if (source.text.normalize('NFKC').match(new RegExp(`\\b${name}\\b`, 'g'))?.length !== 2) return undefined;
  for (const statement of childrenOf(source.root)) {
    if (statement.name !== 'AssignStatement' || statement.from > use.from) continue;
    const [target, ...rest] = childrenOf(statement).filter((part) => part.name !== 'TypeDef');
    const [sign, value, ...more] = rest;
    if (target?.name === 'VariableName' && source.textOf(target) === name)
      return sign?.name === 'AssignOp' && more.length === 0 ? value : undefined;
  }
  return undefined;
}

interface Names {
  readonly list: readonly string[];
  /** `"a"`: a row is the value itself. */
  readonly isOne: boolean;
}

function namesIn(node: SyntaxNode, source: PythonSource): Names | undefined {
  const literal = readPythonLiteral(source.text, node.from, node.to);
  if (literal?.kind === 'str') {
    const list = literal.value.split(',').map((name) => name.trim());
    const named = list.filter((name) => name !== '');
    return named.length === 0 ? undefined : { list: named, isOne: named.length === 1 };
  }
  if (literal?.kind !== 'tuple' && literal?.kind !== 'list') return undefined;
  const list = literal.items.flatMap((item) => (item.kind === 'str' ? [item.value] : []));
  return list.length === literal.items.length ? { list, isOne: false } : undefined;
}

function cellsOf(row: SyntaxNode, names: Names, source: PythonSource): readonly SyntaxNode[] | undefined {
  const callee = row.name === 'CallExpression' ? row.firstChild : null;
  if (callee !== null && source.textOf(callee) === 'pytest.param') {
    const given = argumentsOf(row.getChild('ArgList'), source);
    // A mark may say that the row is to fail.
    if (given.some(({ name, spread }) => spread || (name !== undefined && name !== 'id'))) return undefined;
    const cells = given.filter(({ name }) => name === undefined).map(({ value }) => value);
    return cells.length === names.list.length ? cells : undefined;
  }
  if (names.isOne) return [row];
  const cells = row.name === 'SetExpression' ? undefined : elementsOf(row);
  return cells?.length === names.list.length ? cells : undefined;
}
