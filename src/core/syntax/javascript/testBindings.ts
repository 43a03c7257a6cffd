// Resolves names and chains of a syntax tree to the test functions they stand for: imports, aliases, `test.extend`.
import ts from 'typescript';
import type { TestVocabulary } from '../vocabulary.ts';
import { satisfiedApi, type TestApi } from './testApi.ts';

/**
 * What an expression stands for: a test function; a function that returns one (`const describeIf = (c) => c ? … : …`);
 * a module or object whose members are test functions; the context that a test is given; or something of a test function's name that only its use can tell.
 */
type Meaning =
  | { readonly kind: 'api' | 'factory' | 'likely'; readonly api: TestApi }
  | { readonly kind: 'namespace' }
  | { readonly kind: 'context' };

export interface ApiResolver {
  /** The test function that this call declares a suite or test with, or undefined when it declares none. */
  declaredBy(call: ts.CallExpression): TestApi | undefined;
  /** The function with the tests of a suite that this call declares without a title. */
  untitledSuite(call: ts.CallExpression): ts.ArrowFunction | ts.FunctionExpression | undefined;
  /** The name in the vocabulary of the hook that this call declares: `beforeEach`, under whatever local name. */
  hookOf(call: ts.CallExpression): string | undefined;
}

const namespace: Meaning = { kind: 'namespace' };

/** A resolver for one file, whose tree must have its parents set. */
export function createApiResolver(vocabulary: TestVocabulary): ApiResolver {
  return new Resolver(vocabulary);
}

export function isFunctionArgument(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** `x as T`, `x satisfies T`, `x!` → `x`. */
export function skipTypeWrappers(node: ts.Expression): ts.Expression {
  let inner = node;
  while (ts.isAsExpression(inner) || ts.isSatisfiesExpression(inner) || ts.isNonNullExpression(inner))
    inner = inner.expression;
  return inner;
}

type Declaration =
  | ts.VariableDeclaration
  | ts.BindingElement
  | ts.ParameterDeclaration
  | ts.ImportSpecifier
  | ts.ImportClause
  | ts.NamespaceImport
  | ts.FunctionDeclaration
  | ts.ClassDeclaration;

class Resolver implements ApiResolver {
  readonly #vocabulary: TestVocabulary;
  readonly #scopes = new Map<ts.Node, ReadonlyMap<string, Declaration>>();
  readonly #meanings = new Map<Declaration, Meaning | undefined>();

  constructor(vocabulary: TestVocabulary) {
    this.#vocabulary = vocabulary;
  }

  declaredBy(call: ts.CallExpression): TestApi | undefined {
    const [title] = call.arguments;
    if (!title || isFunctionArgument(title) || ts.isSpreadElement(title) || ts.isClassExpression(title))
      return;
    const meaning = this.#meaning(call.expression);
    if (!meaning || meaning.kind === 'namespace' || meaning.kind === 'context' || meaning.kind === 'factory')
      return;
    if (meaning.api.needs !== 'nothing') return;
    if (meaning.kind === 'likely' && !looksLikeDeclaration(call)) return;
    if (meaning.api.mayAnnotate && !isText(title) && !call.arguments.some(isFunctionArgument)) return;
    return meaning.api;
  }

  untitledSuite(call: ts.CallExpression): ReturnType<ApiResolver['untitledSuite']> {
    const [callback] = call.arguments;
    if (!this.#vocabulary.untitledSuites || !callback || !isFunctionArgument(callback)) return undefined;
    const meaning = this.#meaning(call.expression);
    return meaning?.kind === 'api' && meaning.api.role === 'suite' ? callback : undefined;
  }

  hookOf(call: ts.CallExpression): string | undefined {
    return call.arguments.length > 0 ? this.#hookNamed(call.expression, new Set()) : undefined;
  }

  /** `beforeEach`, `test.beforeEach`, `v.beforeEach`, `test.after.always`. */
  #hookNamed(node: ts.Expression, seen: Set<Declaration>): string | undefined {
    const { hooks, modules } = this.#vocabulary;
    const known = (name: string): string | undefined => (hooks.has(name) ? name : undefined);
    const inner = skipTypeWrappers(node);
    if (ts.isPropertyAccessExpression(inner))
      return known(inner.name.text) !== undefined && this.#meaning(inner.expression) !== undefined
        ? inner.name.text
        : this.#hookNamed(inner.expression, seen);
    if (!ts.isIdentifier(inner)) return undefined;
    const declaration = this.#find(inner);
    if (!declaration) return known(inner.text);
    if (seen.has(declaration)) return undefined;
    seen.add(declaration);
    if (ts.isImportSpecifier(declaration)) {
      const imported = (declaration.propertyName ?? declaration.name).text;
      const isOurs = modules.has(moduleOf(declaration.parent.parent.parent));
      return known(imported) ?? (isOurs ? undefined : known(inner.text));
    }
    if (ts.isVariableDeclaration(declaration) && declaration.initializer)
      return this.#hookNamed(declaration.initializer, seen) ?? known(inner.text);
    if (!ts.isBindingElement(declaration)) return undefined;
    const key = declaration.propertyName ?? declaration.name;
    return ts.isIdentifier(key) ? known(key.text) : undefined;
  }

  #meaning(node: ts.Expression): Meaning | undefined {
    if (ts.isIdentifier(node)) return this.#meaningOfName(node);
    if (ts.isPropertyAccessExpression(node)) {
      if (isImportMetaVitest(node)) return namespace;
      const base = this.#meaning(node.expression);
      if (!base) return undefined;
      if (base.kind === 'context') return node.name.text === 'test' ? asApi(this.#root('test')) : undefined;
      if (base.kind === 'namespace') return this.#exported(node.name.text);
      const api = this.#vocabulary.member(base.api, node.name.text);
      return api && { kind: base.kind, api };
    }
    if (ts.isCallExpression(node)) {
      const base = this.#meaning(node.expression);
      if (!base) return this.#isModuleLoad(node) ? this.#loaded(node) : undefined;
      if (base.kind === 'namespace' || base.kind === 'context') return undefined;
      if (base.kind === 'factory') return { kind: 'api', api: base.api };
      return base.api.needs === 'nothing' ? undefined : { ...base, api: satisfiedApi(base.api) };
    }
    if (ts.isTaggedTemplateExpression(node)) {
      const base = this.#meaning(node.tag);
      if (!base || base.kind === 'namespace' || base.kind === 'context' || base.api.needs !== 'table')
        return undefined;
      return { ...base, api: satisfiedApi(base.api) };
    }
    if (ts.isConditionalExpression(node)) {
      const [yes, no] = [this.#meaning(node.whenTrue), this.#meaning(node.whenFalse)];
      if (yes?.kind !== 'api' || no?.kind !== 'api' || yes.api.role !== no.api.role) return undefined;
      return yes.api.skip ? no : yes;
    }
    if (ts.isAwaitExpression(node)) return this.#meaning(node.expression);
    if (ts.isParenthesizedExpression(node)) return this.#meaning(node.expression);
    const inner = skipTypeWrappers(node);
    return inner === node ? undefined : this.#meaning(inner);
  }

  #isModuleLoad(call: ts.CallExpression): boolean {
    const [specifier] = call.arguments;
    const loads =
      call.expression.kind === ts.SyntaxKind.ImportKeyword ||
      (ts.isIdentifier(call.expression) && call.expression.text === 'require');
    return (
      loads &&
      specifier !== undefined &&
      ts.isStringLiteral(specifier) &&
      this.#vocabulary.modules.has(specifier.text)
    );
  }

  /** `require` gives the test function where the module is one; `import()` always a namespace. */
  #loaded(call: ts.CallExpression): Meaning {
    const itself = call.expression.kind === ts.SyntaxKind.ImportKeyword ? undefined : this.#itself();
    return asApi(itself) ?? namespace;
  }

  #itself(): TestApi | undefined {
    return this.#vocabulary.moduleItself === undefined
      ? undefined
      : this.#root(this.#vocabulary.moduleItself);
  }

  #exported(name: string): Meaning | undefined {
    return asApi(name === 'default' ? this.#itself() : this.#root(name));
  }

  #meaningOfName(name: ts.Identifier): Meaning | undefined {
    const declaration = this.#find(name);
    if (!declaration) return asApi(this.#root(name.text));
    if (this.#meanings.has(declaration)) return this.#meanings.get(declaration);
    this.#meanings.set(declaration, undefined);
    const meaning = this.#meaningOfDeclaration(declaration, name.text);
    this.#meanings.set(declaration, meaning);
    return meaning;
  }

  #root(name: string): TestApi | undefined {
    return this.#vocabulary.roots.get(name);
  }

  #find(name: ts.Identifier): Declaration | undefined {
    for (let node: ts.Node | undefined = name.parent; node; node = node.parent) {
      if (!isScope(node)) continue;
      let names = this.#scopes.get(node);
      if (!names) this.#scopes.set(node, (names = declarationsOf(node)));
      const found = names.get(name.text);
      if (found) return found;
    }
    return undefined;
  }

  #meaningOfDeclaration(declaration: Declaration, name: string): Meaning | undefined {
    const likely = this.#root(name);
    const fallback: Meaning | undefined = likely && { kind: 'likely', api: likely };
    if (ts.isImportSpecifier(declaration)) {
      if (declaration.isTypeOnly || declaration.parent.parent.isTypeOnly) return undefined;
      const imported = (declaration.propertyName ?? declaration.name).text;
      const from = moduleOf(declaration.parent.parent.parent);
      return this.#vocabulary.modules.has(from)
        ? this.#exported(imported)
        : asApi(this.#root(name) ?? this.#root(imported));
    }
    if (ts.isImportClause(declaration)) {
      if (declaration.isTypeOnly) return undefined;
      const isOurs = this.#vocabulary.modules.has(moduleOf(declaration.parent));
      return asApi((isOurs ? this.#itself() : undefined) ?? this.#root(name));
    }
    if (ts.isNamespaceImport(declaration))
      return this.#vocabulary.modules.has(moduleOf(declaration.parent.parent)) ? namespace : undefined;
    if (ts.isVariableDeclaration(declaration)) {
      const { initializer } = declaration;
      if (!initializer) return fallback;
      if (isFunctionArgument(initializer)) return this.#factory(initializer);
      return this.#meaning(initializer) ?? fallback;
    }
    if (ts.isBindingElement(declaration)) {
      const key = declaration.propertyName ?? declaration.name;
      const holder = declaration.parent.parent;
      const from =
        ts.isVariableDeclaration(holder) && holder.initializer
          ? this.#meaning(holder.initializer)
          : undefined;
      if (!ts.isIdentifier(key)) return fallback;
      if (from?.kind === 'namespace') return this.#exported(key.text);
      if (from?.kind !== 'api' || !this.#itself()) return fallback;
      // What `require` gives may be a test function that holds the others.
      return key.text === 'default' ? from : (asApi(this.#vocabulary.member(from.api, key.text)) ?? fallback);
    }
    if (ts.isParameter(declaration)) return this.#callbackParameter(declaration) ?? fallback;
    return undefined;
  }

  /** `describe('title', (it) => …)`: vitest hands its test function to the callback. */
  #callbackParameter(parameter: ts.ParameterDeclaration): Meaning | undefined {
    const callback = parameter.parent;
    if (!isFunctionArgument(callback) || callback.parameters[0] !== parameter) return undefined;
    const call = callback.parent;
    if (!ts.isCallExpression(call) || !call.arguments.some((argument) => argument === callback))
      return undefined;
    const api = this.declaredBy(call);
    if (this.#vocabulary.subtests && api?.role === 'test') return { kind: 'context' };
    const isGiven = this.#vocabulary.suitesGiveTests && api?.role === 'suite' && !api.each;
    return isGiven ? asApi(this.#root('test')) : undefined;
  }

  #factory(definition: ts.ArrowFunction | ts.FunctionExpression): Meaning | undefined {
    if (ts.isBlock(definition.body)) return undefined;
    const result = this.#meaning(definition.body);
    return result?.kind === 'api' ? { kind: 'factory', api: result.api } : undefined;
  }
}

function asApi(api: TestApi | undefined): Meaning | undefined {
  return api && { kind: 'api', api };
}

function isImportMetaVitest(node: ts.PropertyAccessExpression): boolean {
  return node.name.text === 'vitest' && ts.isMetaProperty(node.expression);
}

/** A title and a function: what a call of something merely named `test` must have to be taken for one. */
function looksLikeDeclaration(call: ts.CallExpression): boolean {
  const [title, ...rest] = call.arguments;
  return title !== undefined && isText(title) && rest.some(isFunctionArgument);
}

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

function moduleOf(declaration: ts.ImportDeclaration | ts.JSDocImportTag): string {
  return ts.isStringLiteral(declaration.moduleSpecifier) ? declaration.moduleSpecifier.text : '';
}

function isScope(node: ts.Node): boolean {
  return (
    ts.isFunctionLike(node) ||
    ts.isBlock(node) ||
    ts.isSourceFile(node) ||
    ts.isModuleBlock(node) ||
    ts.isForOfStatement(node)
  );
}

function declarationsOf(scope: ts.Node): ReadonlyMap<string, Declaration> {
  const names = new Map<string, Declaration>();
  const bind = (declaration: ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement): void => {
    if (ts.isIdentifier(declaration.name)) names.set(declaration.name.text, declaration);
    else for (const element of declaration.name.elements) if (ts.isBindingElement(element)) bind(element);
  };
  if (ts.isFunctionLike(scope))
    scope.parameters.forEach((parameter) => ts.isParameter(parameter) && bind(parameter));
  if (ts.isForOfStatement(scope) && ts.isVariableDeclarationList(scope.initializer))
    scope.initializer.declarations.forEach(bind);
  if (ts.isBlock(scope) || ts.isSourceFile(scope) || ts.isModuleBlock(scope)) {
    for (const statement of scope.statements) {
      if (ts.isVariableStatement(statement)) statement.declarationList.declarations.forEach(bind);
      else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name)
        names.set(statement.name.text, statement);
      else if (ts.isImportDeclaration(statement)) bindImport(statement, names);
    }
  }
  return names;
}

function bindImport(statement: ts.ImportDeclaration, names: Map<string, Declaration>): void {
  const clause = statement.importClause;
  if (!clause) return;
  if (clause.name) names.set(clause.name.text, clause);
  const bindings = clause.namedBindings;
  if (!bindings) return;
  if (ts.isNamespaceImport(bindings)) names.set(bindings.name.text, bindings);
  else for (const element of bindings.elements) names.set(element.name.text, element);
}
