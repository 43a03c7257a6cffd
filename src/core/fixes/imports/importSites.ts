// Every place of a test file that names a module, and the names of that module it uses.
import type ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import type { TestModule } from './testModule.ts';

/** One name of the module, used through one site. */
export interface NameUse {
  /** As the module exports it; `default` for the default export. */
  readonly name: string;
  /** Offsets at which it is written or used. */
  readonly places: readonly number[];
  readonly typeOnly: boolean;
  /** A key of a mock's factory: names there need not exist in the module. */
  readonly isMock: boolean;
  /** The import or export element, for what stands in a static import or export. */
  readonly element?: StaticElement;
  /** The changes when the module exports it as `to` instead. */
  readonly rename: (to: string) => readonly TextChange[];
}

/** An element of `import Default, { a as b }` or `export { a as b } from`. */
export type StaticElement = ts.ImportClause | ts.ImportSpecifier | ts.ExportSpecifier;

export interface ImportSite {
  readonly specifier: string;
  /** The string literal; the specifier lies between its quotes. */
  readonly literal: ts.StringLiteralLike;
  /** static: import or export declarations · mock: a module mock · value: import(), require, importActual · type: import types · path: a place only. */
  readonly kind: 'static' | 'mock' | 'value' | 'type' | 'path';
  readonly declaration?: ts.ImportDeclaration | ts.ExportDeclaration;
  readonly uses: readonly NameUse[];
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

/** All sites in order. Specifiers that are computed are not seen. */
export function findImportSites(module: TestModule): readonly ImportSite[] {
  const { typescript: ts, source } = module;
  const sites: ImportSite[] = [];
  const consumed = new Set<ts.Node>();
  const add = (
    literal: ts.Node | undefined,
    kind: ImportSite['kind'],
    uses: readonly NameUse[],
    rest: { declaration?: ts.ImportDeclaration | ts.ExportDeclaration; typeOnly?: boolean } = {},
  ): void => {
    if (!literal || !ts.isStringLiteralLike(literal)) return;
    // Behind a query stands what the bundler makes of the file, not its exports.
    const named = literal.text.includes('?') ? [] : uses;
    sites.push({ specifier: literal.text, literal, kind, uses: named, typeOnly: false, ...rest });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      add(node.moduleSpecifier, 'static', usesOfImport(module, node), { declaration: node, typeOnly });
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const uses = usesOfReExport(module, node);
      add(node.moduleSpecifier, 'static', uses, { declaration: node, typeOnly: node.isTypeOnly });
    } else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
      add(node.moduleReference.expression, 'value', usesOfNamespace(module, node.name));
    } else if (ts.isImportTypeNode(node)) {
      const literal = ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
      add(literal, 'type', usesOfImportType(module, node), { typeOnly: true });
    } else if (ts.isCallExpression(node) && !consumed.has(node)) {
      const [first, second] = node.arguments;
      const role = roleOfCall(ts, node);
      if (role === 'value') add(first, 'value', usesOfValue(module, node));
      else if (role === 'path') add(first, 'path', []);
      else if (role === 'mock') {
        const isImport =
          first && ts.isCallExpression(first) && first.expression.kind === ts.SyntaxKind.ImportKeyword;
        if (isImport) consumed.add(first);
        add(isImport ? first.arguments[0] : first, 'mock', usesOfFactory(module, second));
      }
    } else if (
      ts.isNewExpression(node) &&
      node.expression.getText(source) === 'URL' &&
      node.arguments?.[1]?.getText(source) === 'import.meta.url'
    ) {
      add(node.arguments[0], 'path', []);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sites;
}

const mockMethods: ReadonlySet<string> = new Set([
  'mock',
  'doMock',
  'unmock',
  'doUnmock',
  'dontMock',
  'setMock',
  'unstable_mockModule',
  'mockModule',
]);
const actualMethods: ReadonlySet<string> = new Set([
  'importActual',
  'importMock',
  'requireActual',
  'requireMock',
]);
const mockers: ReadonlySet<string> = new Set(['vi', 'vitest', 'jest', 'mock']);

function roleOfCall(typescript: typeof ts, call: ts.CallExpression): 'value' | 'mock' | 'path' | undefined {
  const { expression } = call;
  if (expression.kind === typescript.SyntaxKind.ImportKeyword) return 'value';
  if (typescript.isIdentifier(expression)) return expression.text === 'require' ? 'value' : undefined;
  if (!typescript.isPropertyAccessExpression(expression)) return undefined;
  const owner = expression.expression.getText();
  const method = expression.name.text;
  if (method === 'resolve' && (owner === 'require' || owner === 'import.meta')) return 'path';
  if (!mockers.has(owner)) return undefined;
  return mockMethods.has(method) ? 'mock' : actualMethods.has(method) ? 'value' : undefined;
}

function usesOfImport(module: TestModule, node: ts.ImportDeclaration): readonly NameUse[] {
  const { typescript, source } = module;
  const clause = node.importClause;
  if (!clause) return [];
  const uses: NameUse[] = [];
  const typeOnly = clause.phaseModifier === typescript.SyntaxKind.TypeKeyword;
  const { namedBindings } = clause;
  if (clause.name) {
    const { name } = clause;
    const places = [name, ...module.referencesTo(name)].map((one) => one.getStart(source));
    uses.push({ name: 'default', places, typeOnly, isMock: false, element: clause, rename: () => [] });
  }
  if (namedBindings && typescript.isNamespaceImport(namedBindings))
    uses.push(...usesOfNamespace(module, namedBindings.name));
  else if (namedBindings) {
    for (const element of namedBindings.elements) {
      const { name, propertyName } = element;
      uses.push({
        name: (propertyName ?? name).text,
        places: [name, ...module.referencesTo(name)].map((one) => one.getStart(source)),
        typeOnly: typeOnly || element.isTypeOnly,
        isMock: false,
        element,
        rename: (to) => {
          if (propertyName) return [replaceNode(source, propertyName, to)];
          const references = module.renameReferences(name, to);
          return references
            ? [replaceNode(source, name, to), ...references]
            : [replaceNode(source, name, `${to} as ${name.text}`)];
        },
      });
    }
  }
  return uses;
}

function usesOfReExport(module: TestModule, node: ts.ExportDeclaration): readonly NameUse[] {
  const { typescript, source } = module;
  if (!node.exportClause || !typescript.isNamedExports(node.exportClause)) return [];
  return node.exportClause.elements.map((element) => {
    const written = element.propertyName ?? element.name;
    return {
      name: written.text,
      places: [element.getStart(source)],
      typeOnly: node.isTypeOnly || element.isTypeOnly,
      isMock: false,
      element,
      rename: (to) => [
        replaceNode(source, written, element.propertyName ? to : `${to} as ${element.name.text}`),
      ],
    };
  });
}

function usesOfImportType(module: TestModule, node: ts.ImportTypeNode): readonly NameUse[] {
  const { typescript, source } = module;
  const use = (name: string, at: ts.Node, changed: (to: string) => string): NameUse => ({
    name,
    places: [at.getStart(source)],
    typeOnly: true,
    isMock: false,
    rename: (to) => [replaceNode(source, at, changed(to))],
  });
  let { qualifier } = node;
  while (qualifier && typescript.isQualifiedName(qualifier)) qualifier = qualifier.left;
  if (qualifier) return [use(qualifier.text, qualifier, (to) => to)];
  const { parent } = node;
  if (
    typescript.isIndexedAccessTypeNode(parent) &&
    typescript.isLiteralTypeNode(parent.indexType) &&
    typescript.isStringLiteral(parent.indexType.literal)
  ) {
    const { literal } = parent.indexType;
    return [use(literal.text, literal, (to) => quoted(literal, to))];
  }
  return [];
}

/** The uses of what a factory of a mock returns, and of the original module that it may ask for. */
function usesOfFactory(module: TestModule, factory: ts.Node | undefined): readonly NameUse[] {
  const { typescript } = module;
  if (!factory || !(typescript.isArrowFunction(factory) || typescript.isFunctionExpression(factory)))
    return [];
  const uses: NameUse[] = [];
  const readReturned = (expression: ts.Expression): void => {
    let inner = expression;
    while (
      typescript.isParenthesizedExpression(inner) ||
      typescript.isAsExpression(inner) ||
      typescript.isSatisfiesExpression(inner)
    )
      inner = inner.expression;
    if (typescript.isObjectLiteralExpression(inner))
      uses.push(...inner.properties.flatMap((property) => usesOfKey(module, property)));
  };
  const findReturns = (node: ts.Node): void => {
    if (typescript.isReturnStatement(node) && node.expression) readReturned(node.expression);
    if (!typescript.isFunctionLike(node)) typescript.forEachChild(node, findReturns);
  };
  if (typescript.isBlock(factory.body)) typescript.forEachChild(factory.body, findReturns);
  else readReturned(factory.body);
  const original = factory.parameters[0]?.name;
  if (original && typescript.isIdentifier(original)) {
    for (const reference of module.referencesTo(original)) {
      if (typescript.isCallExpression(reference.parent) && reference.parent.expression === reference)
        uses.push(...usesOfValue(module, reference.parent));
    }
  }
  return uses;
}

function usesOfKey(module: TestModule, property: ts.ObjectLiteralElementLike): readonly NameUse[] {
  const { typescript, source } = module;
  const { name } = property;
  if (!name || !(typescript.isIdentifier(name) || typescript.isStringLiteral(name))) return [];
  const changed = (to: string): string => {
    if (typescript.isShorthandPropertyAssignment(property)) return `${to}: ${name.text}`;
    return typescript.isStringLiteral(name) ? quoted(name, to) : to;
  };
  const use: NameUse = {
    name: name.text,
    places: [name.getStart(source)],
    typeOnly: false,
    isMock: true,
    rename: (to) => [replaceNode(source, name, changed(to))],
  };
  return [use];
}

/** The uses of a module that a name stands for: `import * as ns`, `const ns = await import()`. */
function usesOfNamespace(module: TestModule, name: ts.Identifier): readonly NameUse[] {
  return module.referencesTo(name).flatMap((reference) => usesOfValue(module, reference));
}

/** The uses of a module that is the value of an expression (or of the promise it is). */
function usesOfValue(module: TestModule, value: ts.Expression, depth = 0): readonly NameUse[] {
  const { typescript, source } = module;
  const { parent } = value;
  if (depth > 12) return [];
  const again = (node: ts.Expression): readonly NameUse[] => usesOfValue(module, node, depth + 1);
  const member = (
    name: ts.Node,
    text: string,
    changed: (to: string) => string,
    typeOnly = false,
  ): NameUse[] => [
    {
      name: text,
      places: [name.getStart(source)],
      typeOnly,
      isMock: false,
      rename: (to) => [replaceNode(source, name, changed(to))],
    },
  ];
  if (
    typescript.isParenthesizedExpression(parent) ||
    typescript.isAwaitExpression(parent) ||
    typescript.isAsExpression(parent) ||
    typescript.isSatisfiesExpression(parent) ||
    typescript.isNonNullExpression(parent)
  )
    return again(parent);
  if (typescript.isPropertyAccessExpression(parent) && parent.expression === value) {
    const call = parent.parent;
    if (parent.name.text === 'then' && typescript.isCallExpression(call) && call.expression === parent) {
      const callback = call.arguments[0];
      const parameter =
        callback && (typescript.isArrowFunction(callback) || typescript.isFunctionExpression(callback))
          ? callback.parameters[0]
          : undefined;
      return parameter ? usesOfBinding(module, parameter.name, depth) : [];
    }
    return member(parent.name, parent.name.text, (to) => to);
  }
  if (typescript.isQualifiedName(parent) && parent.left === (value as ts.Node))
    return member(parent.right, parent.right.text, (to) => to, !typescript.isTypeQueryNode(parent.parent));
  if (typescript.isElementAccessExpression(parent) && parent.expression === value) {
    const { argumentExpression: key } = parent;
    return typescript.isStringLiteralLike(key) ? member(key, key.text, (to) => quoted(key, to)) : [];
  }
  if (typescript.isVariableDeclaration(parent) && parent.initializer === value)
    return usesOfBinding(module, parent.name, depth);
  if (
    typescript.isBinaryExpression(parent) &&
    parent.right === value &&
    parent.operatorToken.kind === typescript.SyntaxKind.EqualsToken
  ) {
    const { left } = parent;
    if (typescript.isIdentifier(left))
      return module
        .referencesTo(left)
        .filter((one) => !typescript.isVariableDeclaration(one.parent))
        .flatMap(again);
    if (typescript.isObjectLiteralExpression(left))
      return left.properties.flatMap((property) => usesOfKey(module, property)).map(notMock);
  }
  if (typescript.isCallExpression(parent) && parent.expression !== value) {
    const method = typescript.isPropertyAccessExpression(parent.expression)
      ? parent.expression.name.text
      : parent.expression.getText(source);
    if (method === 'mocked' && parent.arguments[0] === value) return again(parent);
    const key = parent.arguments[1];
    if (
      /^(?:spyOn|replaceProperty|stub|spy|method)$/.test(method) &&
      parent.arguments[0] === value &&
      key &&
      typescript.isStringLiteralLike(key)
    )
      return member(key, key.text, (to) => quoted(key, to));
  }
  return [];
}

const notMock = (use: NameUse): NameUse => ({ ...use, isMock: false });

function usesOfBinding(module: TestModule, name: ts.BindingName, depth: number): readonly NameUse[] {
  const { typescript, source } = module;
  if (typescript.isIdentifier(name))
    return module.referencesTo(name).flatMap((one) => usesOfValue(module, one, depth + 1));
  if (!typescript.isObjectBindingPattern(name)) return [];
  return name.elements.flatMap((element): NameUse[] => {
    const { propertyName, name: local } = element;
    if (element.dotDotDotToken) return [];
    const key = propertyName ?? local;
    if (!typescript.isIdentifier(key) && !typescript.isStringLiteral(key)) return [];
    const references = typescript.isIdentifier(local) ? module.referencesTo(local) : [];
    return [
      {
        name: key.text,
        places: [element, ...references].map((one) => one.getStart(source)),
        typeOnly: false,
        isMock: false,
        rename: (to) => {
          if (typescript.isStringLiteral(key)) return [replaceNode(source, key, quoted(key, to))];
          if (propertyName || !typescript.isIdentifier(local)) return [replaceNode(source, key, to)];
          const renamed = to === 'default' ? undefined : module.renameReferences(local, to);
          return renamed
            ? [replaceNode(source, local, to), ...renamed]
            : [replaceNode(source, local, `${to}: ${local.text}`)];
        },
      },
    ];
  });
}

/** The change that puts `newText` in place of the node. */
export function replaceNode(source: ts.SourceFile, node: ts.Node, newText: string): TextChange {
  return { start: node.getStart(source), end: node.getEnd(), newText };
}

function quoted(literal: ts.StringLiteralLike, text: string): string {
  const quote = literal.getText().charAt(0);
  return quote + text + quote;
}
