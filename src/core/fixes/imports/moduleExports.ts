// What a module exports, each export followed to its declaration, so that two revisions can be compared.
import type ts from 'typescript';
import type { Revision } from './revisions.ts';

export interface Declaration {
  /** Absolute file of the declaration; the specifier for what comes from an installed package. */
  readonly file: string;
  /** Its own name there; empty for an anonymous default. */
  readonly name: string;
  /** Only a type: nothing of it exists at run time. */
  readonly typeOnly: boolean;
  /** The declaration as tokens without comments and layout, its own name blotted out. */
  readonly shape: readonly string[];
}

export interface ModuleExports {
  readonly names: ReadonlyMap<string, Declaration>;
  /** It may export more than could be seen: computed CommonJS exports, `export *` from a package, another language. */
  readonly open: boolean;
}

export type ExportReader = (file: string) => Promise<ModuleExports>;

/** Reads exports of one revision; every file is parsed at most once, cycles of `export *` end. */
export function createExportReader(typescript: typeof ts, revision: Revision): ExportReader {
  const parsed = new Map<string, Promise<ModuleSyntax | undefined>>();
  const complete = new Map<string, ModuleExports>();
  const syntaxOf = (file: string): Promise<ModuleSyntax | undefined> => {
    let syntax = parsed.get(file);
    if (!syntax) {
      syntax = revision
        .readText(file)
        .then((text) =>
          text !== undefined && /\.[mc]?[jt]sx?$/.test(file) ? readModule(typescript, file, text) : undefined,
        );
      parsed.set(file, syntax);
    }
    return syntax;
  };
  const fileOf = (specifier: string, from: string): string | undefined => {
    const resolution = revision.resolver.resolve(specifier, from);
    return resolution.kind === 'file' ? resolution.file : undefined;
  };
  const follow = async (
    specifier: string,
    name: string,
    from: string,
    trail: readonly string[],
  ): Promise<Declaration | undefined> => {
    const target = fileOf(specifier, from);
    if (target === undefined || name === '*') {
      const shape = ['from', target ?? specifier, name];
      return { file: target ?? specifier, name, typeOnly: false, shape };
    }
    return (await read(target, trail)).names.get(name);
  };
  const read = async (file: string, trail: readonly string[]): Promise<ModuleExports> => {
    const known = complete.get(file);
    if (known) return known;
    if (trail.includes(file)) return { names: new Map(), open: false };
    const syntax = await syntaxOf(file);
    if (!syntax) return { names: new Map(), open: true };
    const inner = [...trail, file];
    const names = new Map<string, Declaration>();
    let { open } = syntax;
    for (const [name, entry] of syntax.exports) {
      const declaration =
        'specifier' in entry ? await follow(entry.specifier, entry.name, file, inner) : { ...entry, file };
      if (declaration) names.set(name, declaration);
    }
    for (const specifier of syntax.stars) {
      const target = fileOf(specifier, file);
      const star = target === undefined ? undefined : await read(target, inner);
      if (!star || star.open) open = true;
      for (const [name, declaration] of star?.names ?? [])
        if (name !== 'default' && !names.has(name)) names.set(name, declaration);
    }
    const result = { names, open };
    // Inside a cycle the answer is partial: only the outermost one is kept.
    if (trail.length === 0) complete.set(file, result);
    return result;
  };
  return (file) => read(file, []);
}

type ExportEntry =
  | { readonly specifier: string; readonly name: string }
  | { readonly name: string; readonly typeOnly: boolean; readonly shape: readonly string[] };

interface ModuleSyntax {
  readonly exports: ReadonlyMap<string, ExportEntry>;
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[];
  readonly open: boolean;
}

function readModule(typescript: typeof ts, file: string, text: string): ModuleSyntax {
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true);
  const local = new Map<string, ExportEntry>();
  const exports = new Map<string, ExportEntry>();
  const stars: string[] = [];
  let open = false;
  let isEsm = false;
  const declare = (name: string, node: ts.Node, typeOnly = false): void => {
    const earlier = local.get(name);
    // Overloads and merged declarations are one thing.
    const before = earlier && 'shape' in earlier ? earlier : undefined;
    local.set(name, {
      name,
      typeOnly: typeOnly && (before?.typeOnly ?? true),
      shape: [...(before?.shape ?? []), ...shapeOf(typescript, node, name)],
    });
  };
  // First what is declared, because an export list may stand before its declarations.
  for (const statement of source.statements) {
    if (typescript.isImportDeclaration(statement)) {
      isEsm = true;
      readImport(typescript, statement, local);
    } else if (typescript.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations)
        for (const name of boundNames(typescript, declaration.name)) declare(name, declaration);
    } else if (
      typescript.isFunctionDeclaration(statement) ||
      typescript.isClassDeclaration(statement) ||
      typescript.isEnumDeclaration(statement) ||
      typescript.isModuleDeclaration(statement)
    ) {
      if (statement.name) declare(statement.name.text, statement);
    } else if (typescript.isInterfaceDeclaration(statement) || typescript.isTypeAliasDeclaration(statement)) {
      declare(statement.name.text, statement, true);
    }
  }
  for (const statement of source.statements) {
    if (typescript.isExportDeclaration(statement)) {
      isEsm = true;
      const specifier =
        statement.moduleSpecifier && typescript.isStringLiteral(statement.moduleSpecifier)
          ? statement.moduleSpecifier.text
          : undefined;
      const clause = statement.exportClause;
      if (!clause) {
        if (specifier !== undefined) stars.push(specifier);
      } else if (typescript.isNamespaceExport(clause)) {
        if (specifier !== undefined) exports.set(clause.name.text, { specifier, name: '*' });
      } else {
        for (const element of clause.elements) {
          const name = (element.propertyName ?? element.name).text;
          const entry = specifier === undefined ? local.get(name) : { specifier, name };
          exports.set(element.name.text, entry ?? { name, typeOnly: false, shape: ['unknown', name] });
        }
      }
    } else if (typescript.isExportAssignment(statement)) {
      isEsm = true;
      if (statement.isExportEquals) open = true;
      else {
        const { expression } = statement;
        const entry = typescript.isIdentifier(expression) ? local.get(expression.text) : undefined;
        exports.set(
          'default',
          entry ?? { name: '', typeOnly: false, shape: shapeOf(typescript, expression, '') },
        );
      }
    } else if (hasModifier(typescript, statement, typescript.SyntaxKind.ExportKeyword)) {
      isEsm = true;
      const isDefault = hasModifier(typescript, statement, typescript.SyntaxKind.DefaultKeyword);
      const names = typescript.isVariableStatement(statement)
        ? statement.declarationList.declarations.flatMap((one) => boundNames(typescript, one.name))
        : isNamedDeclaration(typescript, statement) && statement.name
          ? [statement.name.text]
          : [];
      for (const name of names) {
        const entry = local.get(name);
        if (entry) exports.set(isDefault ? 'default' : name, entry);
      }
      if (isDefault && names.length === 0)
        exports.set('default', { name: '', typeOnly: false, shape: shapeOf(typescript, statement, '') });
    }
  }
  if (!isEsm) open = readCommonJs(typescript, source, local, exports);
  return { exports, stars, open };
}

function readImport(
  typescript: typeof ts,
  statement: ts.ImportDeclaration,
  local: Map<string, ExportEntry>,
): void {
  const clause = statement.importClause;
  if (!clause || !typescript.isStringLiteral(statement.moduleSpecifier)) return;
  const specifier = statement.moduleSpecifier.text;
  if (clause.name) local.set(clause.name.text, { specifier, name: 'default' });
  const bindings = clause.namedBindings;
  if (bindings && typescript.isNamespaceImport(bindings))
    local.set(bindings.name.text, { specifier, name: '*' });
  else if (bindings)
    for (const element of bindings.elements)
      local.set(element.name.text, { specifier, name: (element.propertyName ?? element.name).text });
}

/** Collects `exports.x = …` and `module.exports = {…}`; true when there may be more. */
function readCommonJs(
  typescript: typeof ts,
  source: ts.SourceFile,
  local: ReadonlyMap<string, ExportEntry>,
  exports: Map<string, ExportEntry>,
): boolean {
  let open = false;
  const add = (name: string, value: ts.Expression): void => {
    const entry = typescript.isIdentifier(value) ? local.get(value.text) : undefined;
    exports.set(name, entry ?? { name, typeOnly: false, shape: shapeOf(typescript, value, name) });
  };
  let found = false;
  for (const statement of source.statements) {
    if (
      !typescript.isExpressionStatement(statement) ||
      !typescript.isBinaryExpression(statement.expression) ||
      statement.expression.operatorToken.kind !== typescript.SyntaxKind.EqualsToken
    )
      continue;
    const { left, right } = statement.expression;
    const target = left.getText(source);
    if (target === 'module.exports' || target === 'exports') {
      found = true;
      add('default', right);
      if (!typescript.isObjectLiteralExpression(right)) open = true;
      else
        for (const property of right.properties) {
          if (typescript.isShorthandPropertyAssignment(property)) add(property.name.text, property.name);
          else if (typescript.isPropertyAssignment(property) && typescript.isIdentifier(property.name))
            add(property.name.text, property.initializer);
          else open = true;
        }
    } else {
      const name = /^(?:module\.)?exports\.([\w$]+)$/.exec(target)?.[1];
      if (name === undefined) continue;
      found = true;
      add(name, right);
    }
  }
  return open || !found;
}

function isNamedDeclaration(
  typescript: typeof ts,
  node: ts.Statement,
): node is
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.EnumDeclaration
  | ts.ModuleDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration {
  return (
    typescript.isFunctionDeclaration(node) ||
    typescript.isClassDeclaration(node) ||
    typescript.isEnumDeclaration(node) ||
    typescript.isModuleDeclaration(node) ||
    typescript.isInterfaceDeclaration(node) ||
    typescript.isTypeAliasDeclaration(node)
  );
}

function boundNames(typescript: typeof ts, name: ts.BindingName): string[] {
  if (typescript.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    typescript.isOmittedExpression(element) ? [] : boundNames(typescript, element.name),
  );
}

function hasModifier(typescript: typeof ts, statement: ts.Statement, kind: ts.SyntaxKind): boolean {
  return (
    typescript.canHaveModifiers(statement) &&
    (typescript.getModifiers(statement)?.some((modifier) => modifier.kind === kind) ?? false)
  );
}

const operatorMark = '\u0002';

/** Do two shapes compute with the same operators, as often? */
export function haveSameOperators(left: readonly string[], right: readonly string[]): boolean {
  const [was, is] = [left, right].map((shape) =>
    shape
      .filter((item) => item.startsWith(operatorMark))
      .toSorted()
      .join(),
  );
  return was === is;
}

/** Names, literals and kinds in reading order; `export`, `default`, layout and comments do not count. */
function shapeOf(typescript: typeof ts, root: ts.Node, ownName: string): readonly string[] {
  const shape: string[] = [];
  const { SyntaxKind } = typescript;
  const visit = (node: ts.Node): void => {
    if (node.kind === SyntaxKind.ExportKeyword || node.kind === SyntaxKind.DefaultKeyword) return;
    if (typescript.isIdentifier(node) || typescript.isPrivateIdentifier(node))
      shape.push(node.text === ownName && !isMemberOf(typescript, node) ? '\0' : node.text);
    else if (typescript.isLiteralExpression(node) || typescript.isTemplateLiteralToken(node))
      shape.push(JSON.stringify(node.text));
    else if (typescript.isBinaryExpression(node)) shape.push(operatorMark + node.operatorToken.kind);
    else if (typescript.isPrefixUnaryExpression(node)) shape.push(operatorMark + node.operator);
    // A function expression and an arrow function with the same body are near, not equal.
    else shape.push(`#${node.kind}`);
    typescript.forEachChild(node, visit);
  };
  visit(root);
  return shape;
}

/** `digest` of `hash.digest()` and of `{ digest: 1 }` is no use of what has that name. */
const isMemberOf = (typescript: typeof ts, node: ts.Identifier | ts.PrivateIdentifier): boolean =>
  (typescript.isPropertyAccessExpression(node.parent) || typescript.isPropertyAssignment(node.parent)) &&
  node.parent.name === node;
