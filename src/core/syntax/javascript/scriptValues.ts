// Follows a value of a script to the expressions it is written in: over names, members, parameters, returns and imports of its own files.
import ts from 'typescript';
import { parseTree, unwrap, visitNodes } from './sourceTree.ts';

/** The text of the file that one file imports by that specifier; undefined where it is not one of the workspace's own. */
export type Load = (
  from: string,
  specifier: string,
) => { readonly file: string; readonly text: string } | undefined;

type FunctionNode = ts.SignatureDeclaration & { readonly body?: ts.Node | undefined };

/** Where the value of a name comes from. */
type Source =
  | { readonly from: 'expression'; readonly node: ts.Expression }
  | { readonly from: 'member'; readonly of: Source; readonly key: string }
  | { readonly from: 'parameter'; readonly of: FunctionNode; readonly index: number }
  | { readonly from: 'import'; readonly specifier: string; readonly name: string };

interface Script {
  readonly file: string;
  readonly ast: ts.SourceFile;
  readonly names: ReadonlyMap<string, readonly Source[]>;
  /** By the name they are called by; a constructor by that of its class. */
  readonly functions: ReadonlyMap<string, readonly FunctionNode[]>;
  readonly namesOf: ReadonlyMap<ts.Node, readonly string[]>;
  /** What each call gives, by the name of what is called; of `f.bind(self, 'X')` by `f`. */
  readonly calls: ReadonlyMap<string, readonly (readonly ts.Node[])[]>;
  /** The one by its specifier, or none: kept, since every call asks for it again. */
  readonly imports: Map<string, readonly Script[]>;
}

export interface Scripts {
  readonly main: Script;
  /** Literals, templates, calls, functions: whatever leads no further. */
  origins(node: ts.Node): readonly ts.Node[];
  /** What is given for a parameter by calls of the same file, tables of tests and lists. */
  given(of: FunctionNode, index: number): readonly ts.Node[];
  /** Functions of that name in the files that this one imports. */
  importedFunctions(name: string): readonly FunctionNode[];
}

/** A circle of names, or a file made by a program. */
const mostSteps = 2_000;
const deepest = 12;

/** Throws a `bad-input` HumanError for a text that is too deep. */
export function scriptsOf(file: string, text: string, load: Load): Scripts {
  const known = new Map<string, Script>();
  const main = scriptOf(file, text);
  const byTree = new Map([[main.ast, main]]);
  const imported = (from: Script, specifier: string): Script | undefined => {
    const asked = from.imports.get(specifier);
    if (asked !== undefined) return asked[0];
    const found = load(from.file, specifier);
    let script = found && known.get(found.file);
    if (found && script === undefined) {
      script = scriptOf(found.file, found.text);
      known.set(found.file, script);
      byTree.set(script.ast, script);
    }
    from.imports.set(specifier, script ? [script] : []);
    return script;
  };
  const scriptOfNode = (node: ts.Node): Script => byTree.get(node.getSourceFile()) ?? main;

  let depth = 0;
  let steps = 0;
  const asking = new Set<string>();
  /** Of the outermost questions only: how far the others lead depends on what was asked before. */
  const answered = new Map<ts.Node, readonly ts.Node[]>();
  function origins(node: ts.Node): readonly ts.Node[] {
    const isOutermost = depth === 0;
    const before = isOutermost ? answered.get(node) : undefined;
    if (before !== undefined) return before;
    const ends: ts.Node[] = [];
    if (isOutermost) steps = 0;
    if (depth >= deepest) return ends;
    depth++;
    follow(node, new Set(), ends);
    depth--;
    if (isOutermost) answered.set(node, ends);
    return ends;
  }

  function follow(node: ts.Node, seen: Set<ts.Node>, ends: ts.Node[]): void {
    const inner = unwrap(node);
    if (seen.has(inner) || ++steps > mostSteps) return;
    seen.add(inner);
    const on = (next: ts.Node): void => follow(next, seen, ends);
    if (ts.isConditionalExpression(inner)) [inner.whenTrue, inner.whenFalse].forEach(on);
    else if (ts.isAwaitExpression(inner) || ts.isSpreadElement(inner)) on(inner.expression);
    else if (ts.isBinaryExpression(inner) && !isSum(inner)) {
      if (/^(?:\|\||\?\?)$/.test(inner.operatorToken.getText())) on(inner.left);
      on(inner.right);
    } else if (ts.isIdentifier(inner)) {
      for (const source of scriptOfNode(inner).names.get(inner.text) ?? []) fromSource(source, inner, on);
    } else if (ts.isPropertyAccessExpression(inner)) {
      for (const of of origins(inner.expression)) membersOf(of, inner.name.text).forEach(on);
    } else if (ts.isElementAccessExpression(inner)) {
      const key = keyText(inner.argumentExpression);
      for (const of of origins(inner.expression))
        (key === undefined ? elementsOf(of) : membersOf(of, key)).forEach(on);
    } else if (ts.isCallExpression(inner)) followCall(inner, on, ends);
    else ends.push(inner);
  }

  function followCall(call: ts.CallExpression, on: (node: ts.Node) => void, ends: ts.Node[]): void {
    const name = calledName(call);
    const own = ts.isIdentifier(call.expression)
      ? [...(scriptOfNode(call).functions.get(name) ?? []), ...importedFunctions(name)]
      : (scriptOfNode(call).functions.get(name) ?? []);
    for (const one of own) returnsOf(one).forEach(on);
    const [first] = call.arguments;
    const module =
      loading.test(name) || call.expression.kind === ts.SyntaxKind.ImportKeyword
        ? first && keyText(first)
        : undefined;
    const loaded = module === undefined ? undefined : imported(scriptOfNode(call), module);
    if (loaded !== undefined)
      (loaded.file.endsWith('.json') ? membersOf(loaded.ast, 'default') : [loaded.ast]).forEach(on);
    else if (first !== undefined && sameArgument.test(name)) on(first);
    else if (ts.isPropertyAccessExpression(call.expression) && sameValue.test(name))
      on(call.expression.expression);
    else if (ts.isPropertyAccessExpression(call.expression) && picking.test(name))
      for (const list of origins(call.expression.expression))
        (ts.isStringLiteralLike(list) ? [list] : elementsOf(list)).forEach(on);
    else ends.push(call);
  }

  function fromSource(source: Source, at: ts.Node, on: (node: ts.Node) => void): void {
    if (++steps > mostSteps) return;
    if (source.from === 'expression') on(source.node);
    else if (source.from === 'parameter') given(source.of, source.index).forEach(on);
    else if (source.from === 'member') {
      const wholes: ts.Node[] = [];
      fromSource(source.of, at, (node) => wholes.push(...origins(node)));
      for (const of of wholes) (source.key === '*' ? elementsOf(of) : membersOf(of, source.key)).forEach(on);
    } else {
      const other = imported(scriptOfNode(at), source.specifier);
      if (other !== undefined)
        (source.name === '*' ? [other.ast] : membersOf(other.ast, source.name)).forEach(on);
    }
  }

  function membersOf(of: ts.Node, key: string): readonly ts.Node[] {
    if (!ts.isSourceFile(of)) return memberOf(of, key);
    const found: ts.Node[] = [];
    const { file: own, names } = scriptOfNode(of);
    const asked = `${own}\0${key}`;
    // Files hand on from each other in circles.
    if (asking.has(asked)) return found;
    asking.add(asked);
    const handedOn = (names.get(everything) ?? []).flatMap((one) =>
      one.from === 'import' ? { ...one, name: key } : [],
    );
    for (const one of names.get(key) ?? handedOn) fromSource(one, of, (node) => found.push(node));
    asking.delete(asked);
    for (const whole of names.get('default') ?? [])
      if (whole.from === 'expression' && key !== 'default')
        found.push(...origins(whole.node).flatMap((node) => memberOf(node, key)));
    return found;
  }

  function given(of: FunctionNode, index: number): readonly ts.Node[] {
    const script = scriptOfNode(of);
    const { parent } = of;
    const named = (script.namesOf.get(of) ?? []).flatMap((name) => script.calls.get(name) ?? []);
    const nodes: ts.Node[] = named.flatMap((given) => argumentOf(given, index));
    if (!ts.isCallExpression(parent)) return nodes;
    const { expression } = parent;
    if (ts.isCallExpression(expression) && /^(?:each|for)$/.test(calledName(expression))) {
      const rows = expression.arguments.flatMap(origins).flatMap(elementsOf).flatMap(origins);
      for (const row of rows)
        if (ts.isArrayLiteralExpression(row)) nodes.push(...memberOf(row, String(index)));
        else if (index === 0) nodes.push(row);
    } else if (ts.isPropertyAccessExpression(expression) && index === 0)
      nodes.push(...origins(expression.expression).flatMap(elementsOf));
    return nodes;
  }

  /** Also behind `...list`. */
  function argumentOf(given: readonly ts.Node[], index: number): readonly ts.Node[] {
    const spread = given.findIndex((one) => ts.isSpreadElement(one));
    const list = given[spread];
    if (list === undefined || index < spread) return given[index] ? [given[index]] : [];
    return origins(list).flatMap((one) => memberOf(one, String(index - spread)));
  }

  function elementsOf(of: ts.Node): readonly ts.Node[] {
    // Of a map, whose rows have a key.
    if (ts.isNewExpression(of) && of.arguments?.[0])
      return elementsOf(unwrap(of.arguments[0])).flatMap((row) =>
        ts.isArrayLiteralExpression(row) ? row.elements.slice(1) : row,
      );
    if (ts.isArrayLiteralExpression(of))
      return of.elements.flatMap((one) =>
        ts.isSpreadElement(one) ? origins(one.expression).flatMap(elementsOf) : one,
      );
    return ts.isObjectLiteralExpression(of)
      ? of.properties.flatMap((one) =>
          ts.isSpreadAssignment(one) ? origins(one.expression).flatMap(elementsOf) : valueOf(one),
        )
      : [];
  }

  function memberOf(of: ts.Node, key: string): readonly ts.Node[] {
    // A part of a text that was split.
    if (ts.isStringLiteralLike(of) && /^\d+$/.test(key)) return [of];
    if (ts.isArrayLiteralExpression(of)) return elementsOf(of).slice(Number(key), Number(key) + 1);
    if (!ts.isObjectLiteralExpression(of)) return [];
    return of.properties.flatMap((one) => {
      if (ts.isSpreadAssignment(one)) return origins(one.expression).flatMap((node) => membersOf(node, key));
      return nameText(one.name) === key ? valueOf(one) : [];
    });
  }

  const specifiers = new Set(
    [...main.names.values()].flat().flatMap((source) => (source.from === 'import' ? source.specifier : [])),
  );
  function importedFunctions(name: string): readonly FunctionNode[] {
    const byName = [...specifiers].flatMap((one) => imported(main, one)?.functions.get(name) ?? []);
    const renamed = (main.names.get(name) ?? []).flatMap((one) =>
      one.from === 'import' && one.name !== name ? functionsOf(one, main, deepest) : [],
    );
    return [...byName, ...renamed];
  }

  /** Of a name of that file, also where it hands on another one. `most`: steps, as files hand on from each other in circles. */
  function functionsOf(source: Source, script: Script, most: number): readonly FunctionNode[] {
    const isImport = source.from === 'import';
    const other = isImport ? imported(script, source.specifier) : script;
    const name = isImport ? source.name : source.from === 'expression' ? nameText(source.node) : undefined;
    if (other === undefined || name === undefined || most === 0) return [];
    const more = (other.names.get(name) ?? []).flatMap((one) => functionsOf(one, other, most - 1));
    return [...(other.functions.get(name) ?? []), ...more];
  }

  return { main, origins, given, importedFunctions };
}

const loading = /^(?:require|importActual|requireActual|import)$/;
/** The name of what a file hands on from another one without names. */
const everything = 'export *';
/** They give what they are given, and the text that they are called on. */
const sameArgument = /^(?:freeze|seal|structuredClone|String|hoisted)$/;
const sameValue =
  /^(?:toString|valueOf|trim|normalize|slice|concat|join|toUpperCase|toLowerCase|padEnd|padStart|filter|flat|reverse|toReversed|sort|toSorted|split|match)$/;
/** They give one of those that they are called on. */
const picking = /^(?:find|findLast|at|pop|shift|get)$/;

const isSum = ({ operatorToken }: ts.BinaryExpression): boolean =>
  operatorToken.kind === ts.SyntaxKind.PlusToken;

function scriptOf(file: string, text: string): Script {
  const { ast } = parseTree(file, text);
  const names = new Map<string, Source[]>();
  const functions = new Map<string, FunctionNode[]>();
  const namesOf = new Map<ts.Node, readonly string[]>();
  const calls = new Map<string, (readonly ts.Node[])[]>();
  const bind = (pattern: ts.BindingName, source: Source): void => {
    if (ts.isIdentifier(pattern)) return add(names, pattern.text, source);
    for (const [index, element] of pattern.elements.entries()) {
      if (ts.isOmittedExpression(element)) continue;
      const key = ts.isArrayBindingPattern(pattern)
        ? String(index)
        : (nameText(element.propertyName ?? element.name) ?? '');
      bind(element.name, { from: 'member', of: source, key });
      if (element.initializer) bind(element.name, { from: 'expression', node: element.initializer });
    }
  };
  visitNodes(ast, (node) => {
    if (ts.isVariableDeclaration(node)) {
      const loop = node.parent.parent;
      if (node.initializer) bind(node.name, { from: 'expression', node: node.initializer });
      else if (ts.isForOfStatement(loop))
        bind(node.name, { from: 'member', of: { from: 'expression', node: loop.expression }, key: '*' });
    } else if (ts.isParameter(node)) {
      const index = node.parent.parameters.indexOf(node);
      bind(node.name, { from: 'parameter', of: node.parent, index });
      if (node.initializer) bind(node.name, { from: 'expression', node: node.initializer });
    } else if (ts.isExportAssignment(node))
      add(names, 'default', { from: 'expression', node: node.expression });
    else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      const specifier = node.moduleSpecifier.text;
      if (node.exportClause === undefined) add(names, everything, { from: 'import', specifier, name: '*' });
      else if (ts.isNamedExports(node.exportClause))
        for (const one of node.exportClause.elements)
          add(names, one.name.text, { from: 'import', specifier, name: (one.propertyName ?? one.name).text });
    } else if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)) {
      for (const { name, propertyName } of node.exportClause.elements)
        if (propertyName) add(names, name.text, { from: 'expression', node: propertyName });
    } else if (ts.isExpressionStatement(node) && ts.isSourceFile(node.parent) && file.endsWith('.json'))
      add(names, 'default', { from: 'expression', node: node.expression });
    else if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      (ts.isIdentifier(node.left) || ts.isPropertyAccessExpression(node.left))
    ) {
      const { left, right } = node;
      const isModule = /^(?:module\.)?exports$/.test(left.getText());
      const isMember = ts.isIdentifier(left) || /^(?:module\.)?exports$/.test(left.expression.getText());
      if (isModule || isMember)
        add(names, isModule ? 'default' : nameOfLeft(left), { from: 'expression', node: right });
    } else if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const specifier = node.moduleSpecifier.text;
      const { name, namedBindings } = node.importClause ?? {};
      if (name) add(names, name.text, { from: 'import', specifier, name: 'default' });
      if (namedBindings && ts.isNamespaceImport(namedBindings))
        add(names, namedBindings.name.text, { from: 'import', specifier, name: '*' });
      else if (namedBindings)
        for (const one of namedBindings.elements)
          add(names, one.name.text, { from: 'import', specifier, name: (one.propertyName ?? one.name).text });
    } else if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const given = node.arguments ?? [];
      add(calls, calledName(node), given);
      const own = ts.isPropertyAccessExpression(node.expression) ? unwrap(node.expression.expression) : node;
      if (ts.isIdentifier(own) && /^(?:bind|call)$/.test(calledName(node)))
        add(calls, own.text, given.slice(1));
      else if (ts.isIdentifier(own) && calledName(node) === 'apply' && given[1])
        add(calls, own.text, ts.isArrayLiteralExpression(given[1]) ? given[1].elements : []);
    }
    if (!ts.isFunctionLike(node)) return;
    namesOf.set(node, namesOfFunction(node));
    for (const name of namesOfFunction(node)) add(functions, name, node);
  });
  return { file, ast, names, functions, namesOf, calls, imports: new Map() };
}

const nameOfLeft = (left: ts.Identifier | ts.PropertyAccessExpression): string =>
  ts.isIdentifier(left) ? left.text : left.name.text;

function add<T>(map: Map<string, T[]>, name: string, one: T): void {
  const all = map.get(name);
  if (all === undefined) map.set(name, [one]);
  else all.push(one);
}

function namesOfFunction(node: ts.SignatureDeclaration): readonly string[] {
  const { parent } = node;
  if (ts.isConstructorDeclaration(node))
    return ts.isClassLike(parent) && parent.name ? [parent.name.text] : [];
  const own = node.name === undefined ? undefined : nameText(node.name);
  const isDefault = ts.isFunctionDeclaration(node) && ts.getModifiers(node)?.some(isDefaultKeyword);
  if (own !== undefined || isDefault) return [...(own ? [own] : []), ...(isDefault ? ['default'] : [])];
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent))
    return [nameText(parent.name) ?? ''];
  return [];
}

const isDefaultKeyword = ({ kind }: ts.Modifier): boolean => kind === ts.SyntaxKind.DefaultKeyword;

/** The last name of what is called. */
export function calledName({ expression }: ts.CallExpression | ts.NewExpression): string {
  const callee = unwrap(expression);
  if (ts.isIdentifier(callee)) return callee.text;
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isElementAccessExpression(callee) ? (keyText(callee.argumentExpression) ?? '') : '';
}

/** Of a property, a variable or a key; undefined for a pattern and for what is computed. */
export function nameText(name: ts.Node): string | undefined {
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) return name.text;
  return ts.isComputedPropertyName(name) ? keyText(name.expression) : keyText(name);
}

export function keyText(node: ts.Node): string | undefined {
  const inner = unwrap(node);
  return ts.isStringLiteralLike(inner) || ts.isNumericLiteral(inner) ? inner.text : undefined;
}

const returned = new WeakMap<ts.Node, readonly ts.Node[]>();
/** What a function gives. */
export function returnsOf({ body }: FunctionNode): readonly ts.Node[] {
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body];
  const known = returned.get(body);
  if (known !== undefined) return known;
  const found: ts.Node[] = [];
  returned.set(body, found);
  const visit = (node: ts.Node): void => {
    if ((ts.isReturnStatement(node) || ts.isYieldExpression(node)) && node.expression)
      found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

function valueOf(property: ts.ObjectLiteralElementLike): readonly ts.Node[] {
  if (ts.isPropertyAssignment(property)) return [property.initializer];
  return ts.isShorthandPropertyAssignment(property) ? [property.name] : [];
}
