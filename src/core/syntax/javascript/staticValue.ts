// Evaluates a configuration module from its syntax tree alone: literals, constants, spreads, merges; never the user's code.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

/** What cannot be known without running the code. */
export const notStatic = Symbol('notStatic');

export type StaticValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | typeof notStatic
  | RegExp
  | readonly StaticValue[]
  | StaticObject
  | StaticFunction;

export class StaticObject {
  readonly entries: ReadonlyMap<string, StaticValue>;
  /** False when something unknown was spread into it: a missing key may be there. */
  readonly complete: boolean;

  constructor(entries: ReadonlyMap<string, StaticValue>, complete = true) {
    this.entries = entries;
    this.complete = complete;
  }

  get(key: string): StaticValue {
    return this.entries.has(key) || this.complete ? this.entries.get(key) : notStatic;
  }
}

/** A function of the module, or one that the host knows. */
export class StaticFunction {
  readonly call: (args: readonly StaticValue[]) => StaticValue;

  constructor(call: (args: readonly StaticValue[]) => StaticValue) {
    this.call = call;
  }
}

export interface StaticHost {
  /** Text of an absolute file, or undefined. */
  readText(file: string): string | undefined;
  /** The file a relative import means, or undefined. */
  resolve(from: string, specifier: string): string | undefined;
  /** What a package exports under the name, as far as it is known. */
  packageExport(specifier: string, name: string): StaticValue;
}

/** The default export (or `module.exports`) of the file; unknown when it cannot be read. */
export function evaluateDefaultExport(file: string, host: StaticHost): StaticValue {
  return new Evaluator(host).exportOf(file, 'default');
}

function regularExpression(literal: string): StaticValue {
  const end = literal.lastIndexOf('/');
  try {
    return new RegExp(literal.slice(1, end), literal.slice(end + 1));
  } catch {
    return notStatic;
  }
}

function readJson(text: string | undefined): StaticValue {
  try {
    return fromJson(JSON.parse(text ?? ''));
  } catch {
    return notStatic;
  }
}

function fromJson(value: unknown): StaticValue {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value === 'object' && value !== null)
    return new StaticObject(new Map(Object.entries(value).map(([key, entry]) => [key, fromJson(entry)])));
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null ? null : notStatic;
}

/** As vite's mergeConfig: objects deeply, arrays one after the other, else the second wins. */
export function mergeStatic(base: StaticValue, over: StaticValue): StaticValue {
  if (over === undefined || over === null) return base;
  if (base === undefined || base === null) return over;
  if (base instanceof StaticObject && over instanceof StaticObject) {
    const entries = new Map(base.entries);
    for (const [key, value] of over.entries)
      entries.set(key, entries.has(key) ? mergeStatic(entries.get(key), value) : value);
    return new StaticObject(entries, base.complete && over.complete);
  }
  if (base instanceof StaticObject && over === notStatic) return new StaticObject(base.entries, false);
  if (over instanceof StaticObject && base === notStatic) return new StaticObject(over.entries, false);
  if (isList(base) || isList(over)) return [...asList(base), ...asList(over)];
  return over;
}

export function isList(value: StaticValue): value is readonly StaticValue[] {
  return Array.isArray(value);
}

function asList(value: StaticValue): readonly StaticValue[] {
  return isList(value) ? value : [value];
}

const maxDepth = 200;

class Evaluator {
  readonly #host: StaticHost;
  readonly #modules = new Map<string, ts.SourceFile | undefined>();
  readonly #running = new Set<ts.Node | string>();
  #depth = 0;

  constructor(host: StaticHost) {
    this.#host = host;
  }

  exportOf(file: string, name: string): StaticValue {
    if (file.endsWith('.json')) {
      const data = readJson(this.#host.readText(file));
      return name === 'default' ? data : data instanceof StaticObject ? data.get(name) : notStatic;
    }
    const source = this.#load(file);
    const key = `${file}\0${name}`;
    if (!source || this.#running.has(key)) return notStatic;
    this.#running.add(key);
    try {
      return this.#exportOf(source, name);
    } finally {
      this.#running.delete(key);
    }
  }

  #load(file: string): ts.SourceFile | undefined {
    if (!this.#modules.has(file)) {
      const text = this.#host.readText(file);
      const source =
        text === undefined ? undefined : ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
      this.#modules.set(file, source);
    }
    return this.#modules.get(file);
  }

  #exportOf(source: ts.SourceFile, name: string): StaticValue {
    for (const statement of source.statements) {
      if (ts.isExportAssignment(statement) && name === 'default') return this.#value(statement.expression);
      if (ts.isExpressionStatement(statement) && ts.isBinaryExpression(statement.expression)) {
        const target = statement.expression.left.getText(source);
        if (
          target === (name === 'default' ? 'module.exports' : `exports.${name}`) ||
          target === `exports.${name}`
        )
          return this.#value(statement.expression.right);
      }
      if (ts.isFunctionDeclaration(statement) && exports(statement)) {
        const isDefault = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
        if (isDefault ? name === 'default' : statement.name?.text === name) return this.#function(statement);
      }
      if (ts.isVariableStatement(statement) && exports(statement)) {
        const found = statement.declarationList.declarations.find((one) => one.name.getText(source) === name);
        if (found?.initializer) return this.#value(found.initializer);
      }
      if (
        ts.isExportDeclaration(statement) &&
        statement.exportClause &&
        ts.isNamedExports(statement.exportClause)
      ) {
        const found = statement.exportClause.elements.find((element) => element.name.text === name);
        const local = (found?.propertyName ?? found?.name)?.text;
        if (local === undefined) continue;
        return statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier)
          ? this.#imported(source.fileName, statement.moduleSpecifier.text, local)
          : this.#named(local, source);
      }
    }
    return notStatic;
  }

  #value(node: ts.Expression): StaticValue {
    if (this.#depth >= maxDepth || this.#running.has(node)) return notStatic;
    this.#depth++;
    this.#running.add(node);
    try {
      return this.#evaluate(node);
    } finally {
      this.#depth--;
      this.#running.delete(node);
    }
  }

  #evaluate(node: ts.Expression): StaticValue {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (ts.isRegularExpressionLiteral(node)) return regularExpression(node.text);
    if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (node.kind === ts.SyntaxKind.NullKeyword) return null;
    if (ts.isTemplateExpression(node)) return this.#template(node);
    if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((element) => this.#element(element));
    if (ts.isObjectLiteralExpression(node)) return this.#object(node);
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return this.#function(node);
    if (ts.isIdentifier(node)) return this.#named(node.text, node);
    if (ts.isPropertyAccessExpression(node)) return this.#property(node);
    if (ts.isCallExpression(node)) return this.#call(node);
    if (ts.isNewExpression(node)) return this.#newUrl(node);
    if (ts.isBinaryExpression(node)) return this.#binary(node);
    if (ts.isConditionalExpression(node)) {
      const condition = this.#value(node.condition);
      if (condition === notStatic) return notStatic;
      return this.#value(condition ? node.whenTrue : node.whenFalse);
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      const value = this.#value(node.operand);
      return value === notStatic ? notStatic : !value;
    }
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node)
    )
      return this.#value(node.expression);
    return notStatic;
  }

  #template(node: ts.TemplateExpression): StaticValue {
    let text = node.head.text;
    for (const span of node.templateSpans) {
      const value = this.#value(span.expression);
      if (typeof value !== 'string' && typeof value !== 'number') return notStatic;
      text += String(value) + span.literal.text;
    }
    return text;
  }

  #element(element: ts.Expression): readonly StaticValue[] {
    if (!ts.isSpreadElement(element)) return [this.#value(element)];
    const spread = this.#value(element.expression);
    return isList(spread) ? spread : [notStatic];
  }

  #object(node: ts.ObjectLiteralExpression): StaticObject {
    const entries = new Map<string, StaticValue>();
    let complete = true;
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        const spread = this.#value(property.expression);
        if (spread instanceof StaticObject) {
          complete &&= spread.complete;
          for (const [key, value] of spread.entries) entries.set(key, value);
        } else if (spread === notStatic) complete = false;
        continue;
      }
      const name = property.name;
      if (!ts.isIdentifier(name) && !ts.isStringLiteralLike(name)) complete = false;
      else if (ts.isPropertyAssignment(property)) entries.set(name.text, this.#value(property.initializer));
      else if (ts.isShorthandPropertyAssignment(property))
        entries.set(name.text, this.#named(name.text, property));
      else entries.set(name.text, notStatic);
    }
    return new StaticObject(entries, complete);
  }

  #function(node: ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration): StaticValue {
    return new StaticFunction(() => {
      if (!node.body) return notStatic;
      if (!ts.isBlock(node.body)) return this.#value(node.body);
      const returns = node.body.statements.filter(returnsSomething);
      const [only] = returns;
      if (returns.length !== 1 || !only || !ts.isReturnStatement(only)) return notStatic;
      return only.expression ? this.#value(only.expression) : undefined;
    });
  }

  #named(name: string, at: ts.Node): StaticValue {
    if (name === 'undefined') return undefined;
    for (let node: ts.Node | undefined = at; node; node = node.parent) {
      if (ts.isFunctionLike(node) && node.parameters.some((one) => mentions(one.name, name)))
        return notStatic;
      if (!ts.isBlock(node) && !ts.isSourceFile(node)) continue;
      for (const statement of node.statements) {
        const found = this.#declared(name, statement, node.getSourceFile());
        if (found) return found.value;
      }
    }
    if (name === '__dirname') return path.dirname(at.getSourceFile().fileName);
    if (name === '__filename') return at.getSourceFile().fileName;
    return notStatic;
  }

  #declared(
    name: string,
    statement: ts.Statement,
    source: ts.SourceFile,
  ): { value: StaticValue } | undefined {
    if (ts.isVariableStatement(statement)) {
      for (const { name: declared, initializer } of statement.declarationList.declarations) {
        if (!mentions(declared, name)) continue;
        const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
        return {
          value: isConst && initializer && ts.isIdentifier(declared) ? this.#value(initializer) : notStatic,
        };
      }
    }
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name)
      return { value: this.#function(statement) };
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
      return undefined;
    const { importClause } = statement;
    const from = statement.moduleSpecifier.text;
    if (importClause?.name?.text === name) return { value: this.#imported(source.fileName, from, 'default') };
    const bindings = importClause?.namedBindings;
    if (!bindings) return undefined;
    if (ts.isNamespaceImport(bindings))
      return bindings.name.text === name
        ? { value: this.#imported(source.fileName, from, 'default') }
        : undefined;
    const specifier = bindings.elements.find((element) => element.name.text === name);
    const imported = (specifier?.propertyName ?? specifier?.name)?.text;
    return imported === undefined ? undefined : { value: this.#imported(source.fileName, from, imported) };
  }

  #imported(from: string, specifier: string, name: string): StaticValue {
    if (!specifier.startsWith('.'))
      return knownModule(specifier, name) ?? this.#host.packageExport(specifier, name);
    const file = this.#host.resolve(from, specifier);
    return file === undefined ? notStatic : this.exportOf(file, name);
  }

  #property(node: ts.PropertyAccessExpression): StaticValue {
    const name = node.name.text;
    if (ts.isMetaProperty(node.expression)) {
      const { fileName } = node.getSourceFile();
      if (name === 'dirname') return path.dirname(fileName);
      if (name === 'filename') return fileName;
      return name === 'url' ? pathToFileURL(fileName).href : notStatic;
    }
    const base = this.#value(node.expression);
    return base instanceof StaticObject ? base.get(name) : notStatic;
  }

  #call(node: ts.CallExpression): StaticValue {
    const [first] = node.arguments;
    if (node.expression.getText() === 'require' && first && ts.isStringLiteralLike(first))
      return this.#imported(node.getSourceFile().fileName, first.text, 'default');
    const callee = this.#value(node.expression);
    if (!(callee instanceof StaticFunction)) return notStatic;
    return callee.call(node.arguments.flatMap((argument) => this.#element(argument)));
  }

  /** `new URL('./x', import.meta.url)`, as its text. */
  #newUrl(node: ts.NewExpression): StaticValue {
    if (node.expression.getText() !== 'URL') return notStatic;
    const [target, base] = (node.arguments ?? []).map((argument) => this.#value(argument));
    if (typeof target !== 'string' || typeof base !== 'string' || !URL.canParse(target, base))
      return notStatic;
    return new URL(target, base).href;
  }

  #binary(node: ts.BinaryExpression): StaticValue {
    const left: StaticValue = this.#value(node.left);
    const right: StaticValue = this.#value(node.right);
    if (node.operatorToken.kind === ts.SyntaxKind.PlusToken)
      return typeof left === 'string' && typeof right === 'string' ? left + right : notStatic;
    if (left === notStatic) return notStatic;
    switch (node.operatorToken.kind) {
      case ts.SyntaxKind.QuestionQuestionToken:
        return left ?? right;
      case ts.SyntaxKind.BarBarToken:
        return left || right;
      case ts.SyntaxKind.AmpersandAmpersandToken:
        return left ? right : left;
      default:
        return notStatic;
    }
  }
}

function returnsSomething(node: ts.Node): boolean {
  if (ts.isReturnStatement(node)) return true;
  return (
    !ts.isFunctionLike(node) &&
    ts.forEachChild(node, (child) => returnsSomething(child) || undefined) === true
  );
}

function exports(node: ts.HasModifiers): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function mentions(name: ts.BindingName, wanted: string): boolean {
  if (ts.isIdentifier(name)) return name.text === wanted;
  return name.elements.some((element) => ts.isBindingElement(element) && mentions(element.name, wanted));
}

/** Node's own functions that configurations build paths with. */
function knownModule(specifier: string, name: string): StaticValue {
  const pathCall = (call: (...parts: string[]) => string): StaticFunction =>
    new StaticFunction((args) => (args.every((arg) => typeof arg === 'string') ? call(...args) : notStatic));
  const functions = new Map<string, StaticValue>([
    [
      'resolve',
      pathCall((...parts) =>
        path.isAbsolute(parts[0] ?? '') ? path.resolve(...parts) : path.join(...parts),
      ),
    ],
    ['join', pathCall((...parts) => path.join(...parts))],
    ['dirname', pathCall((file = '') => path.dirname(file))],
    ['fileURLToPath', pathCall((url = '') => (url.startsWith('file:') ? fileURLToPath(url) : url))],
  ]);
  if (!/^(?:node:)?(?:path|url)$|^pathe$/.test(specifier)) return undefined;
  return name === 'default' ? new StaticObject(functions, false) : functions.get(name);
}
