// Which side of an assertion is what is expected, and which names stand for nothing but that.
import type { SyntaxNode } from '@lezer/common';
import { valuesIn } from './boundNames.ts';
import { builtText } from './builtText.ts';
import { knownFixtures } from './columnTrust.ts';
import type { ExpectationContext } from './expectationContext.ts';
import { approxArgument, namesWritten, type ExpectationKind } from './expectedParts.ts';
import { helperCalled } from './helperCalls.ts';
import type { Cells, LoopTable } from './loopTables.ts';
import { callArguments, mockAssertion } from './mockCalls.ts';
import { childrenOf, elementsOf, unwrapPython, visitPython, type PythonSource } from './parsePython.ts';
import { readPythonLiteral } from './pythonLiteral.ts';
import { isSubtest, safeAssertions, type SafeAssertions } from './safeAssertions.ts';
import type { TestFunction } from './testFunctions.ts';
import { comparingMethod } from './unittestCase.ts';
import { isWrittenOut, writtenValue } from './valueNames.ts';
import { wrappedText } from './wrappedText.ts';

export interface ExpectedSide {
  readonly kind: ExpectationKind;
  readonly node: SyntaxNode;
  /** The comparison, or the call of a helper that compares. */
  readonly comparison: SyntaxNode;
  readonly actual: SyntaxNode;
  /** Of a helper: where the value meets in it. */
  readonly inner?: InnerSide;
}

interface InnerSide {
  /** Undefined in the file of the test. */
  readonly file: string | undefined;
  readonly name: string;
  readonly source: PythonSource;
  readonly side: ExpectedSide;
}

/** What the test and its helpers look at, without what is expected of it. */
export function assertedNames({ actual, node, inner }: ExpectedSide, source: PythonSource): string {
  if (inner === undefined) return source.textOf(actual);
  const { text } = source;
  const call = text.slice(actual.from, node.from) + text.slice(node.to, actual.to);
  return `${call} ${assertedNames(inner.side, inner.source)}`;
}

export interface ExpectedSides {
  readonly sides: readonly ExpectedSide[];
  /** Names that are given a literal or a text once, in the test or by the module, and only ever expected. */
  readonly variables: ReadonlyMap<string, SyntaxNode>;
  /** Names of tables that are only ever expected, with their cells by row. */
  readonly columns: ReadonlyMap<string, Cells>;
  /** Names of loops over tables that are only ever expected: for each loop its cells by row. */
  readonly loops: ReadonlyMap<string, readonly LoopColumn[]>;
  /** How the value of a name is compared; where in several ways, the one that says least; undefined where it never is. */
  readonly kindOf: (name: string) => ExpectationKind | undefined;
}

interface LoopColumn {
  /** Of the `for`. */
  readonly line: number;
  readonly body: SyntaxNode;
  readonly cells: Cells;
}

export function expectedSides(
  test: TestFunction,
  { assertions, loops: tables }: SafeAssertions,
  source: PythonSource,
  context: ExpectationContext,
  ofModule: ReadonlyMap<string, SyntaxNode> = new Map(),
  /** Parameters of a helper that are given something written. */
  handedIn: ReadonlySet<string> = new Set(),
): ExpectedSides {
  const values = valuesIn(test, source);
  // Who looks at all names at once may do anything with them.
  const looksAround =
    /\b(?:locals|vars|globals|eval|exec|_getframe|currentframe|stack|f_locals|getsource|query|evaluate)\b|__(?:code|file)__/.test(
      source.textOf(test.node),
    );
  const variables = looksAround ? new Map<string, SyntaxNode>() : literalVariables(test, values, source);
  const columns = looksAround ? new Map<string, Cells>() : literalColumns(test, source, context);
  const constants = new Map(looksAround ? [] : [...ofModule].filter(([name]) => !values.has(name)));
  const loops = looksAround ? new Map<string, LoopColumn[]>() : loopColumns(tables, test);
  const parameters = new Set(looksAround ? [] : handedIn);
  const known = [variables, columns, constants, loops, parameters];
  const isGiven = (name: string): boolean => known.some((one) => one.has(name));
  const isConstant = constancy(values, source);
  // A name that is used in another way as well is no expectation; without it others may turn out to be none.
  for (;;) {
    const valueOf = (name: string): SyntaxNode | undefined => variables.get(name) ?? constants.get(name);
    const weigh = weighing(source, { isGiven, isConstant, valueOf });
    const sides = assertions.flatMap(
      (one) =>
        sidesOfCall(one, source) ??
        sidesOfHelper(one, test, source, context, weigh) ??
        sideOf(one, source, weigh, test.parameters) ??
        [],
    );
    const expected = new Set(
      sides
        .flatMap(({ node }) => namesWritten(node, source))
        .filter((use) => isInLoop(use, loops.get(source.textOf(use))))
        .map(({ from }) => from),
    );
    const definitions = new Set([
      ...[...variables.values()].map(({ prevSibling }) => prevSibling?.prevSibling?.from),
      ...tables.flatMap(({ targets }) => targets.map(({ from }) => from)),
    ]);
    // What is put into a text is used there.
    const literals = [...variables.values()].filter((value) => builtText(value, source) === undefined);
    const written = new Set([...literals, ...literalCells(loops, source)].map(({ from }) => from));
    const stray = new Set<string>();
    visitPython(test.body, (node) => {
      if (written.has(node.from) && node.name !== 'Body') return false;
      if (isOnlyTold(node, test, source)) return false;
      // The name that a function has for what it is given.
      if (node.parent?.name === 'ArgList' && node.nextSibling?.name === 'AssignOp') return true;
      for (const name of namesInText(node, source)) if (isGiven(name)) stray.add(name);
      if (node.name !== 'VariableName' || expected.has(node.from) || definitions.has(node.from)) return true;
      // Python takes `ｎ` for `n`.
      const name = source.textOf(node).normalize('NFKC');
      if (isGiven(name)) stray.add(name);
      return true;
    });
    if (stray.size === 0) {
      const given = new Map([...constants, ...variables]);
      return { sides, variables: given, columns, loops, kindOf: kindsIn(sides, source) };
    }
    for (const name of stray) for (const one of known) one.delete(name);
  }
}

/** Names that a text may put in or look up: in an f-string all words, since `f"\\{name}"` is no use to the grammar; else after a sign. */
function namesInText(node: SyntaxNode, source: PythonSource): readonly string[] {
  const words =
    node.name === 'FormatString'
      ? /[^\W\d]\w*/gu
      : node.name === 'String'
        ? /(?<=[@$:{(]\s*)[^\W\d]\w*/gu
        : undefined;
  return words === undefined
    ? []
    : (source.textOf(node).match(words) ?? []).map((name) => name.normalize('NFKC'));
}

/** Not of a name that a loop in the other takes over, nor of a parameter. */
function loopColumns(tables: readonly LoopTable[], { parameters }: TestFunction): Map<string, LoopColumn[]> {
  const found = new Map<string, LoopColumn[]>();
  for (const { columns, body, line } of tables)
    for (const [name, cells] of columns)
      if (!parameters.includes(name)) found.set(name, [...(found.get(name) ?? []), { line, body, cells }]);
  for (const [name, all] of found) {
    const isHidden = all.some((one) => all.some(({ body }) => body !== one.body && isInside(one.body, body)));
    if (isHidden || name === '_') found.delete(name);
  }
  return found;
}

const isInside = (inner: SyntaxNode, outer: SyntaxNode): boolean =>
  outer.from <= inner.from && inner.to <= outer.to;

/** Behind a loop its name still has the last value. */
const isInLoop = (use: SyntaxNode, columns: readonly LoopColumn[] | undefined): boolean =>
  columns === undefined || columns.some(({ body }) => isInside(use, body));

function literalCells(
  loops: ReadonlyMap<string, readonly LoopColumn[]>,
  source: PythonSource,
): readonly SyntaxNode[] {
  const cells = [...loops.values()].flat().flatMap((column) => column.cells);
  return cells.flatMap((cell) =>
    cell !== undefined && readPythonLiteral(source.text, cell.from, cell.to) !== undefined ? [cell] : [],
  );
}

/** What is said of a failure, and the label of a subtest: nothing of the code is called with it. */
function isOnlyTold(node: SyntaxNode, test: TestFunction, source: PythonSource): boolean {
  const { parent, prevSibling } = node;
  const isMessage = parent?.name === 'AssertStatement' && prevSibling?.name === ',';
  const isLabel = parent?.name === 'WithStatement' && isSubtest(node, test, source);
  const call = parent?.name === 'ArgList' && test.isCase ? parent.parent : null;
  const compared = call === null ? undefined : comparingMethod(call, source);
  const isSaid = compared !== undefined && compared.right.to < node.from;
  if (!isMessage && !isLabel && !isSaid) return false;
  let calls = isLabel ? -1 : 0;
  visitPython(node, (inner) => {
    if (/^(?:Await|Yield|Lambda|Named|.*Comprehension)Expression$/.test(inner.name)) calls++;
    const callee = inner.name === 'CallExpression' ? inner.firstChild : null;
    if (callee !== null && !/^(?:repr|str)$/.test(source.textOf(callee))) calls++;
  });
  return calls === 0;
}

/** made: a value of a class, as `date(2020, 1, 2)`. built, text: a text that is put together, of what is computed or of nothing but constants. */
type Weight = 'written' | 'mixed' | 'computed' | 'built' | 'text' | 'constant' | 'made';

/** Elements of a display, values of a dictionary; undefined where some are spread out of something. */
function displayed(display: SyntaxNode): readonly SyntaxNode[] | undefined {
  if (display.name !== 'DictionaryExpression') return elementsOf(display);
  const parts = childrenOf(display);
  const isOpen = parts.some(({ name }) => name === '**' || name === 'for');
  return isOpen ? undefined : parts.filter((_part, index) => parts[index - 1]?.name === ':');
}

interface NamedValues {
  readonly isGiven: (name: string) => boolean;
  readonly isConstant: (node: SyntaxNode) => boolean;
  readonly valueOf: (name: string) => SyntaxNode | undefined;
}

type Weigh = (whole: SyntaxNode) => Weight;

const isSaid = (weight: Weight): boolean => weight === 'written' || weight === 'mixed';
const isBuilt = (weight: Weight): boolean => weight === 'built' || weight === 'text';
const isAsked = (weight: Weight): boolean => weight === 'computed' || weight === 'built' || weight === 'made';

function weighing(source: PythonSource, { isGiven, isConstant, valueOf }: NamedValues): Weigh {
  const weigh: Weigh = (whole) => {
    const node = unwrapPython(whole);
    if (readPythonLiteral(source.text, whole.from, whole.to) !== undefined) return 'written';
    if (node.name === 'VariableName' && isGiven(source.textOf(node))) {
      const value = valueOf(source.textOf(node));
      return value !== undefined && isWrittenOut(value, source) ? 'made' : 'written';
    }
    if (approxArgument(node, source) !== undefined) return 'written';
    if (wrappedText(node, source) !== undefined) return 'written';
    if (/^(?:Array|Tuple|Dictionary)Expression$/.test(node.name))
      return displayed(node)?.every((one) => weigh(one) === 'computed') === true ? 'computed' : 'mixed';
    if (callArguments(node, source) !== undefined) return 'mixed';
    if (isWrittenOut(node, source)) return 'made';
    const built = builtText(node, source) !== undefined;
    if (isConstant(node)) return built ? 'text' : 'constant';
    return built ? 'built' : 'computed';
  };
  return weigh;
}

/** Of a helper, each argument that it compares with something else; undefined for everything else. */
function sidesOfHelper(
  call: SyntaxNode,
  test: TestFunction,
  source: PythonSource,
  context: ExpectationContext,
  weigh: Weigh,
): readonly ExpectedSide[] | undefined {
  const called = helperCalled(call, test, source, context);
  if (called === undefined) return undefined;
  const { helper, source: inside, given } = called;
  const around = helper.file === test.file ? context : { ...context, isTaken: () => true };
  // What is given nothing that is asked of the code asks nothing of it in the helper.
  const handedIn = [...given].filter(([, value]) => value === undefined || weigh(value) !== 'computed');
  const names = new Set(handedIn.map(([name]) => name));
  const safe = safeAssertions(helper, inside, around);
  const { sides } = expectedSides(helper, safe, inside, around, new Map(), names);
  return sides.flatMap((side) => {
    const use = unwrapPython(side.node);
    const name = use.name === 'VariableName' ? inside.textOf(use) : '';
    const value = names.has(name) ? given.get(name) : undefined;
    if (value === undefined || mockAssertion(side.comparison, inside) !== undefined) return [];
    const weight = weigh(value);
    if (!isSaid(weight) && !isBuilt(weight)) return [];
    const inner = { file: helper.file, name: helper.name, source: inside, side };
    return [{ kind: side.kind, node: value, comparison: call, actual: call, inner }];
  });
}

const wantedName =
  /^(?:expect|want|desired|reference|correct|result_?expected|golden|baseline|target|truth|ground_?truth|oracle|snapshot|known|stored|saved|recorded)|_(?:expected|wanted|golden|baseline|reference|truth)$/i;

function sideOf(
  comparison: SyntaxNode,
  source: PythonSource,
  weigh: Weigh,
  parameters: readonly string[],
): ExpectedSide | undefined {
  const compared = comparedIn(comparison, source);
  if (compared === undefined) return undefined;
  const { left, right, operator: sign } = compared;
  if (isComparison(unwrapPython(left)) || isComparison(unwrapPython(right))) return undefined;
  const [a, b] = [weigh(left), weigh(right)];
  const side = (node: SyntaxNode, actual: SyntaxNode, kind: ExpectedSide['kind']): ExpectedSide => ({
    kind,
    node,
    comparison,
    actual,
  });
  // What has such a name is what is wanted, whoever made it; what a fixture gives may be.
  const isWanted = (node: SyntaxNode): boolean => {
    const name = source.textOf(unwrapPython(node));
    return wantedName.test(name) || parameters.includes(name);
  };
  const isResult = (node: SyntaxNode): boolean =>
    comparison.name === 'CallExpression' || unwrapPython(node).name !== 'VariableName';
  if (sign === '==') {
    if (isSaid(b) && isAsked(a)) return side(right, left, 'equal');
    if (isSaid(a) && isAsked(b)) return side(left, right, 'equal');
    if (isBuilt(b) && (a === 'computed' || a === 'made')) return side(right, left, 'equal');
    if (isBuilt(a) && (b === 'computed' || b === 'made')) return side(left, right, 'equal');
    if (b === 'made' && a === 'computed' && !isWanted(left)) return side(right, left, 'equal');
    if (a === 'made' && b === 'computed' && !isWanted(right) && isResult(right))
      return side(left, right, 'equal');
  }
  if (sign === 'is' && b === 'made' && a === 'computed' && unwrapPython(right).name === 'MemberExpression')
    return side(right, left, 'equal');
  if (sign === 'is' && b === 'written' && isAsked(a)) return side(right, left, 'is');
  if (sign === 'in' && a === 'written' && isAsked(b)) return side(left, right, 'in');
  if (sign === 'in' && isBuilt(a) && (b === 'computed' || b === 'made')) return side(left, right, 'in');
  return undefined;
}

/** Of `m.assert_called_with(…)`, each argument; undefined for everything else. */
function sidesOfCall(comparison: SyntaxNode, source: PythonSource): readonly ExpectedSide[] | undefined {
  const asked = mockAssertion(comparison, source);
  return asked?.given.map(({ value }) => ({ kind: 'equal', node: value, comparison, actual: asked.mock }));
}

interface Compared {
  readonly operator: string;
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
}

function comparedIn(comparison: SyntaxNode, source: PythonSource): Compared | undefined {
  if (comparison.name === 'CallExpression') return comparingMethod(comparison, source);
  const [left, operator, right, ...more] = childrenOf(comparison);
  if (comparison.name !== 'BinaryExpression' || left === undefined || operator === undefined)
    return undefined;
  return right === undefined || more.length > 0
    ? undefined
    : { operator: source.textOf(operator), left, right };
}

function kindsIn(sides: readonly ExpectedSide[], source: PythonSource): ExpectedSides['kindOf'] {
  const leastFirst: readonly ExpectationKind[] = ['is', 'in', 'approx', 'equal'];
  const kinds = new Map<string, Set<ExpectationKind>>();
  for (const { node, kind } of sides)
    for (const name of namesWritten(node, source).map((one) => source.textOf(one)))
      kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
  return (name) => leastFirst.find((kind) => kinds.get(name)?.has(kind));
}

const isComparison = (node: SyntaxNode): boolean =>
  node.name === 'BinaryExpression' &&
  childrenOf(node).some(({ name }) => /^(?:CompareOp|in|is|not|and|or)$/.test(name));

/** `name = literal`, once, as a step of the test itself. */
function literalVariables(
  test: TestFunction,
  values: ReturnType<typeof valuesIn>,
  source: PythonSource,
): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  for (const [name, given] of values) {
    const [value] = given ?? [];
    if (value === undefined || given?.length !== 1) continue;
    const statement = value.parent;
    const isStep = statement?.parent?.from === test.body.from && statement.parent.name === 'Body';
    const isText = (builtText(value, source) ?? wrappedText(value, source)) !== undefined;
    if (isStep && (isText || writtenValue(value, source) !== undefined)) found.set(name, value);
  }
  return found;
}

function literalColumns(
  { tables, parameters, node }: TestFunction,
  source: PythonSource,
  { conftests = [] }: ExpectationContext,
): Map<string, Cells> {
  const found = new Map<string, Cells>();
  const texts = [source.text, ...conftests];
  // Who asks for the values by other ways than a name may feed them to anything.
  if (
    texts.some((text) =>
      /\bcallspec\b|\bgetfixturevalue\b|\bfuncargs\b|\bpytest_generate_tests\b|\brequest\.node\b|\bPYTEST_CURRENT_TEST\b|\bget_closest_marker\b|\biter_markers\b/.test(
        text,
      ),
    )
  )
    return found;
  const own = source.text.slice(0, node.from) + source.text.slice(node.to);
  const direct = new Set(tables.flatMap(({ names }) => names));
  const fixtures = knownFixtures(source, conftests);
  for (const { names, rows } of tables)
    for (const [index, name] of names.entries()) {
      const given = tables.filter((table) => table.names.includes(name)).length;
      if (given > 1 || !parameters.includes(name)) continue;
      if ([own, ...conftests].some((text) => isAskedByFixture(name, text))) continue;
      if (
        !fixtures.isKeptFrom(
          name,
          parameters.filter((one) => !direct.has(one)),
        )
      )
        continue;
      found.set(
        name,
        rows.map((cells) => cells?.[index]),
      );
    }
  return found;
}

/** Does a function that is no test, as a fixture is, take a parameter of that name? */
function isAskedByFixture(name: string, text: string): boolean {
  const definitions = text.matchAll(/\bdef\s+(?!test)\w+\s*\(([\s\S]*?)\)\s*(?:->[^:]*)?:/g);
  return [...definitions].some(([, parameters = '']) => new RegExp(`\\b${name}\\b`).test(parameters));
}

/** Is a value nothing but literals, also through names of the test? Such a side asks nothing of the code. */
function constancy(values: ReturnType<typeof valuesIn>, source: PythonSource): (node: SyntaxNode) => boolean {
  // What the module gives a name by itself, whatever it is, is not asked of the code by the test.
  const moduleNames = new Set(
    [...source.text.matchAll(/^([^\W\d]\w*)[ \t]*(?::[^=\n]*)?=(?!=)/gmu)].flatMap(([, name]) => name ?? []),
  );
  const isConstant = (node: SyntaxNode, seen: ReadonlySet<string>): boolean => {
    let constant = true;
    visitPython(node, (inner) => {
      if (/^(?:Call|Await|Yield|Lambda)Expression$/.test(inner.name)) constant = false;
      if (inner.name !== 'VariableName' || !constant) return constant;
      const name = source.textOf(inner);
      const isOwn = values.has(name);
      const given = values.get(name);
      constant = isOwn
        ? !seen.has(name) &&
          given !== undefined &&
          given.every((one) => isConstant(one, new Set([...seen, name])))
        : moduleNames.has(name);
      return constant;
    });
    return constant;
  };
  return (node) => isConstant(node, new Set());
}
