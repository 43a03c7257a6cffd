// Every place of a test file that names a module, and the names of that module it uses.
import type ts from 'typescript';
import {
  ofDefault,
  quoted,
  replaceNode,
  usesOfKey,
  usesOfNamespace,
  usesOfValue,
  type NameUse,
} from './moduleUses.ts';
import type { TestModule } from './testModule.ts';

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
    uses.push(...usesOfNamespace(module, name).map(ofDefault));
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
