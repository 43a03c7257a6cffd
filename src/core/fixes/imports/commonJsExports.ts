// What a CommonJS module exports, as far as its text tells: all that `exports`, `module.exports` and their other names are given.
import ts from 'typescript';
import { bindingOf, type Binding, type KnownScopes } from '../../syntax/javascript/declarations.ts';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { unwrap, visitNodes } from '../../syntax/javascript/sourceTree.ts';
import { shapeOf } from './declarationShape.ts';
import type { ExportEntry, ModuleSyntax, Star, Surface } from './moduleSyntax.ts';

/** A text that exports nothing at all, as a script for browsers, is open. */
export function readCommonJs(source: ts.SourceFile): ModuleSyntax {
  const scopes: KnownScopes = new Map();
  const surface = new ExportSurface(source, scopes);
  const functions: ts.SignatureDeclaration[] = [];
  visitNodes(source, (node) => {
    const given = isModuleObject(node) ? surface.readUse(node) : undefined;
    if (given !== undefined) functions.push(...functionsOf(given, scopes));
    if (ts.isExportAssignment(node)) surface.take(node.expression);
  });
  const [only, ...others] = functions;
  const found = surface.result();
  return {
    ...found,
    open: found.open || (found.exports.size === 0 && found.stars.length === 0),
    isCommonJs: true,
    result: only === undefined || others.length > 0 ? undefined : resultOf(only, source, scopes),
  };
}

/** `exports` or `module.exports` of the module itself. */
function isModuleObject(node: ts.Node): node is ts.Expression {
  if (ts.isIdentifier(node))
    return node.text === 'exports' && !isNameOf(node) && bindingOf(node) === undefined;
  return (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === 'exports' &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'module'
  );
}

/** `exports` of `module.exports` and of `{ exports: 1 }`. */
const isNameOf = (node: ts.Identifier): boolean =>
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node);

const isGiven = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;

function functionsOf(value: ts.Expression, scopes: KnownScopes): readonly ts.SignatureDeclaration[] {
  const node = unwrap(value);
  if (isGiven(node)) return functionsOf(node.right, scopes);
  if (ts.isFunctionExpression(node) || ts.isArrowFunction(node)) return [node];
  const declaration = ts.isIdentifier(node) ? bindingOf(node, scopes)?.declaration : undefined;
  if (declaration && ts.isFunctionDeclaration(declaration)) return [declaration];
  return declaration && ts.isVariableDeclaration(declaration) && declaration.initializer
    ? functionsOf(declaration.initializer, scopes)
    : [];
}

/** What a function gives to who calls it; undefined where that comes later or in parts. */
function resultOf(
  node: ts.SignatureDeclaration,
  source: ts.SourceFile,
  scopes: KnownScopes,
): Surface | undefined {
  const isPlain = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Async) === 0;
  const body =
    ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node)
      ? node.body
      : undefined;
  if (!isPlain || body === undefined || ('asteriskToken' in node && node.asteriskToken !== undefined))
    return undefined;
  const surface = new ExportSurface(source, scopes);
  if (!ts.isBlock(body)) surface.take(body);
  const visit = (inner: ts.Node): void => {
    if (ts.isFunctionLike(inner)) return;
    if (ts.isReturnStatement(inner) && inner.expression) surface.take(inner.expression);
    ts.forEachChild(inner, visit);
  };
  ts.forEachChild(body, visit);
  return surface.result();
}

/** Gathers the members of one value by everything that the file does with it. */
class ExportSurface {
  readonly #source: ts.SourceFile;
  readonly #scopes: KnownScopes;
  readonly #exports = new Map<string, ExportEntry[]>();
  readonly #stars = new Map<string, Star>();
  readonly #seen = new Set<ts.Node>();
  #open = false;

  constructor(source: ts.SourceFile, scopes: KnownScopes) {
    this.#source = source;
    this.#scopes = scopes;
  }

  result(): Surface {
    return { exports: this.#exports, stars: [...this.#stars.values()], open: this.#open };
  }

  /** One place where the value stands; what it is replaced by there, if it is. */
  readUse(use: ts.Expression): ts.Expression | undefined {
    const { parent } = use;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === use) {
      if (isGiven(parent.parent) && parent.parent.left === parent)
        this.#add(parent.name.text, parent.parent.right);
      else if (ts.isDeleteExpression(parent.parent)) this.#open = true;
    } else if (ts.isElementAccessExpression(parent) && parent.expression === use) {
      const key = unwrap(parent.argumentExpression);
      if (!isGiven(parent.parent) || parent.parent.left !== parent) return undefined;
      if (ts.isStringLiteralLike(key)) this.#add(key.text, parent.parent.right);
      else this.#open = true;
    } else if (isGiven(parent) && parent.left === use) {
      this.take(parent.right);
      this.#aliasOf(parent);
      if (isModuleObject(use)) this.#add('default', parent.right);
      return parent.right;
    } else if (isGiven(parent) || ts.isVariableDeclaration(parent)) this.#aliasOf(use);
    else if (ts.isCallExpression(parent) && parent.expression !== use) this.#readArgument(parent, use);
    return undefined;
  }

  /** The members of an expression belong to the value. */
  take(expression: ts.Expression): void {
    const value = unwrap(expression);
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    if (isGiven(value)) return this.take(value.right);
    if (ts.isConditionalExpression(value)) {
      this.take(value.whenTrue);
      this.take(value.whenFalse);
    } else if (ts.isObjectLiteralExpression(value)) value.properties.forEach((one) => this.#property(one));
    else if (ts.isIdentifier(value)) this.#identifier(value);
    else if (ts.isClassExpression(value)) this.#statics(value);
    else if (ts.isCallExpression(value)) this.#call(value);
    else if (isModuleObject(value) || ts.isFunctionExpression(value) || ts.isArrowFunction(value)) return;
    else if (!ts.isLiteralExpression(value)) this.#open = true;
  }

  #add(name: string, value: ts.Node): void {
    if (name === '__esModule' || (ts.isExpression(value) && isNothing(value))) return;
    const known = this.#exports.get(name) ?? [];
    known.push(entryOf(name, value, this.#scopes));
    this.#exports.set(name, known);
  }

  #star(star: Star, at: ts.Node): void {
    const isAlternative = isConditional(at);
    this.#stars.set(star.specifier, { ...star, ...(isAlternative && { isAlternative }) });
  }

  #property(property: ts.ObjectLiteralElementLike): void {
    if (ts.isSpreadAssignment(property)) return this.take(property.expression);
    const key = propertyKey(property.name);
    if (key === undefined) this.#open = true;
    else if (ts.isPropertyAssignment(property)) this.#add(key, property.initializer);
    else this.#add(key, ts.isShorthandPropertyAssignment(property) ? property.name : property);
  }

  #identifier(value: ts.Identifier): void {
    if (isModuleObject(value)) return;
    const binding = bindingOf(value, this.#scopes);
    const from = binding && importOf(binding);
    if (from) {
      if (from.name === '*') this.#star({ specifier: from.specifier }, value);
      else this.#open = true;
    } else if (binding === undefined || binding.path?.length !== 0) {
      // A declaration has no path.
      if (binding?.kind === 'other' && !ts.isCatchClause(binding.declaration)) this.#known(binding);
      else this.#open = true;
    } else if (binding.kind === 'variable') this.#known(binding);
    else this.#open = true;
  }

  #known({ name, declaration }: Binding): void {
    this.#alias(name);
    if (ts.isClassDeclaration(declaration)) this.#statics(declaration);
    if (ts.isVariableDeclaration(declaration) && declaration.initializer) this.take(declaration.initializer);
  }

  /** Another name of the same value: `app = exports = {}`, `const api = module.exports`. */
  #aliasOf(use: ts.Expression): void {
    let node: ts.Expression = use;
    while (isGiven(node.parent) && node.parent.right === node) {
      if (ts.isIdentifier(node.parent.left)) this.#aliasByName(node.parent.left);
      node = node.parent;
    }
    const { parent } = node;
    if (ts.isVariableDeclaration(parent) && parent.initializer === node && ts.isIdentifier(parent.name))
      this.#alias(parent.name);
  }

  #aliasByName(name: ts.Identifier): void {
    const binding = bindingOf(name, this.#scopes);
    if (binding) this.#alias(binding.name);
  }

  #alias(name: ts.Identifier): void {
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    visitNodes(this.#source, (node) => {
      if (!ts.isIdentifier(node) || node.text !== name.text || node === name || isNameOf(node)) return;
      if (bindingOf(node, this.#scopes)?.name !== name) return;
      const { parent } = node;
      if (isGiven(parent) && parent.left === node) this.take(parent.right);
      else this.readUse(node);
    });
  }

  #statics(node: ts.ClassLikeDeclaration): void {
    for (const member of node.members) {
      const isStatic = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
      const key = isStatic && member.name ? propertyKey(member.name) : undefined;
      if (key !== undefined) this.#add(key, member);
    }
    if (node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)) this.#open = true;
  }

  #call(call: ts.CallExpression): void {
    const specifier = requiredBy(call);
    const [first, ...rest] = call.arguments;
    const callee = call.expression.getText(this.#source);
    if (specifier !== undefined) return this.#star({ specifier }, call);
    if (callee === 'Object.freeze' || callee === 'Object.seal' || callee === 'Object.assign') {
      if (first) this.take(first);
      return rest.forEach((one) => this.take(one));
    }
    const made = unwrap(call.expression);
    const binding = ts.isIdentifier(made) ? bindingOf(made, this.#scopes) : undefined;
    const from = ts.isCallExpression(made) ? requiredBy(made) : importedWhole(binding);
    // It may have been given to the function to get more members.
    this.#open ||= call.arguments.length > 0;
    if (from !== undefined) return this.#star({ specifier: from, isCalled: true }, call);
    const [own, ...others] =
      ts.isIdentifier(made) || ts.isFunctionExpression(made) ? functionsOf(made, this.#scopes) : [];
    const result = own && others.length === 0 ? resultOf(own, this.#source, this.#scopes) : undefined;
    if (result === undefined) this.#open = true;
    else this.#merge(result);
  }

  #merge({ exports, stars, open }: Surface): void {
    for (const [name, entries] of exports)
      this.#exports.set(name, [...(this.#exports.get(name) ?? []), ...entries]);
    for (const star of stars) this.#stars.set(star.specifier, star);
    this.#open ||= open;
  }

  #readArgument(call: ts.CallExpression, use: ts.Expression): void {
    const callee = call.expression.getText(this.#source);
    const [first, second, third] = call.arguments;
    const name = callee.split('.').at(-1);
    if (name === '__exportStar' && first) this.take(first);
    else if (first !== use) this.#open = true;
    else if (callee === 'Object.assign') {
      for (const one of call.arguments.slice(1)) this.take(one);
      this.#aliasOf(call);
    } else if (callee === 'Object.defineProperty' && second && third) this.#defined(second, third);
    else if (callee === 'Object.defineProperties' && second && ts.isObjectLiteralExpression(second))
      for (const property of second.properties) {
        const key = property.name && propertyKey(property.name);
        if (key !== undefined && ts.isPropertyAssignment(property)) this.#describe(key, property.initializer);
        else this.#open = true;
      }
    else if (callee !== 'Object.freeze' && callee !== 'Object.seal' && !callee.startsWith('console.'))
      this.#open = true;
  }

  #defined(key: ts.Expression, descriptor: ts.Expression): void {
    if (ts.isStringLiteralLike(key)) this.#describe(key.text, descriptor);
    // A symbol is no name.
    else if (!/^Symbol\b/.test(key.getText(this.#source))) this.#open = true;
  }

  /** A descriptor names the value, or gives it. */
  #describe(name: string, descriptor: ts.Expression): void {
    const properties = ts.isObjectLiteralExpression(descriptor) ? descriptor.properties : [];
    const part = properties.find((one) => /^(?:get|value)$/.test((one.name && propertyKey(one.name)) ?? ''));
    if (part === undefined) return this.#add(name, descriptor);
    const value = ts.isPropertyAssignment(part) ? part.initializer : part;
    this.#add(name, givenBack(value) ?? value);
  }
}

/** The only thing that a getter gives. */
function givenBack(getter: ts.Node): ts.Expression | undefined {
  if (ts.isArrowFunction(getter) && !ts.isBlock(getter.body)) return getter.body;
  const body =
    ts.isFunctionExpression(getter) || ts.isMethodDeclaration(getter) || ts.isArrowFunction(getter)
      ? getter.body
      : undefined;
  const [only, ...others] = body && ts.isBlock(body) ? body.statements : [];
  return only && others.length === 0 && ts.isReturnStatement(only) ? only.expression : undefined;
}

/** `void 0`, by which compilers announce a name. */
const isNothing = (value: ts.Expression): boolean => {
  const node = unwrap(value);
  return isGiven(node) ? isNothing(node.right) : ts.isVoidExpression(node);
};

/** Does a condition decide whether it is reached? */
function isConditional(node: ts.Node): boolean {
  for (let up = node.parent; up !== undefined && !ts.isFunctionLike(up); up = up.parent)
    if (ts.isIfStatement(up) || ts.isConditionalExpression(up) || ts.isSwitchStatement(up)) return true;
  return false;
}

function requiredBy(node: ts.Node | undefined): string | undefined {
  if (node === undefined || !ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  const [first] = node.arguments;
  return node.expression.text === 'require' && first && ts.isStringLiteralLike(first)
    ? first.text
    : undefined;
}

interface Imported {
  readonly specifier: string;
  readonly name: string;
}

/** What an imported or required name stands for. */
function importOf({ declaration, path }: Binding): Imported | undefined {
  if (ts.isVariableDeclaration(declaration)) {
    const required = declaration.initializer && requiredValue(unwrap(declaration.initializer));
    const [step, ...further] = path ?? [];
    if (!required || path === undefined || further.length > 0) return undefined;
    if (step === undefined) return required;
    return required.name === '*' && 'key' in step ? { ...required, name: step.key } : undefined;
  }
  const statement = ts.findAncestor(declaration, ts.isImportDeclaration);
  if (!statement || !ts.isStringLiteral(statement.moduleSpecifier)) return undefined;
  const specifier = statement.moduleSpecifier.text;
  if (ts.isImportSpecifier(declaration))
    return { specifier, name: (declaration.propertyName ?? declaration.name).text };
  return { specifier, name: ts.isNamespaceImport(declaration) ? '*' : 'default' };
}

/** `require('./a')` or `require('./a').b` */
function requiredValue(value: ts.Expression): Imported | undefined {
  const whole = requiredBy(value);
  if (whole !== undefined) return { specifier: whole, name: '*' };
  const specifier = ts.isPropertyAccessExpression(value) ? requiredBy(value.expression) : undefined;
  return specifier !== undefined && ts.isPropertyAccessExpression(value)
    ? { specifier, name: value.name.text }
    : undefined;
}

function importedWhole(binding: Binding | undefined): string | undefined {
  const from = binding && importOf(binding);
  return from?.name === '*' ? from.specifier : undefined;
}

/** What a name is given: a thing of another module, a declaration of this one, or the very text. */
function entryOf(name: string, value: ts.Node, scopes: KnownScopes): ExportEntry {
  const node = unwrap(value);
  if (isGiven(node)) return entryOf(name, node.right, scopes);
  const asText: ExportEntry = { name, typeOnly: false, shape: shapeOf(ts, node, name) };
  if (ts.isFunctionExpression(node) && node.name)
    return { name: node.name.text, typeOnly: false, shape: shapeOf(ts, node, node.name.text) };
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const binding = bindingOf(node.expression, scopes);
    const from = importedWhole(binding);
    return from === undefined ? asText : { specifier: from, name: node.name.text };
  }
  const required = ts.isExpression(node) ? requiredValue(node) : undefined;
  if (required) return required;
  const binding = ts.isIdentifier(node) ? bindingOf(node, scopes) : undefined;
  if (binding === undefined) return asText;
  const from = importOf(binding);
  if (from) return from;
  const { declaration } = binding;
  return { name: binding.name.text, typeOnly: false, shape: shapeOf(ts, declaration, binding.name.text) };
}
