// Evaluates a configuration module from its syntax tree alone: literals, constants, spreads, merges; never the user's code.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as Ast from '@babel/types';
import {
  ancestorsOf,
  canReturn,
  isFunctionNode,
  loadReader,
  type ModuleReader,
  type ModuleText,
} from './moduleText.ts';
import { isList, notStatic, StaticFunction, StaticObject, type StaticValue } from './staticValue.ts';

export interface StaticHost {
  /** Text of an absolute file, or undefined. */
  readText(file: string): string | undefined;
  /** The file a relative import means, or undefined. */
  resolve(from: string, specifier: string): string | undefined;
  /** What a package exports under the name, as far as it is known. */
  packageExport(specifier: string, name: string): StaticValue;
}

/** The default export (or `module.exports`) of the file; unknown when it cannot be read. Loads the parser when it is needed first. */
export async function evaluateDefaultExport(file: string, host: StaticHost): Promise<StaticValue> {
  return new Evaluator(host, await loadReader()).exportOf(file, 'default');
}

const maxDepth = 200;

class Evaluator {
  readonly #host: StaticHost;
  readonly #read: ModuleReader;
  readonly #modules = new Map<string, ModuleText | undefined>();
  readonly #running = new Set<Ast.Node | string>();
  #depth = 0;

  constructor(host: StaticHost, read: ModuleReader) {
    this.#host = host;
    this.#read = read;
  }

  exportOf(file: string, name: string): StaticValue {
    if (file.endsWith('.json')) {
      const data = readJson(this.#host.readText(file));
      return name === 'default' ? data : data instanceof StaticObject ? data.get(name) : notStatic;
    }
    const module = this.#load(file);
    const key = `${file}\0${name}`;
    if (!module || this.#running.has(key)) return notStatic;
    this.#running.add(key);
    try {
      return this.#exportOf(module, name);
    } finally {
      this.#running.delete(key);
    }
  }

  #load(file: string): ModuleText | undefined {
    if (!this.#modules.has(file)) {
      const text = this.#host.readText(file);
      this.#modules.set(file, text === undefined ? undefined : this.#read(file, text));
    }
    return this.#modules.get(file);
  }

  #exportOf(module: ModuleText, name: string): StaticValue {
    for (const statement of module.program.body) {
      const found = this.#exportedBy(statement, name, module);
      if (found) return found.value;
    }
    return notStatic;
  }

  /** Undefined where the statement exports something else, or nothing. */
  #exportedBy(statement: Ast.Statement, name: string, module: ModuleText): Found | undefined {
    const value = (node: Ast.Expression): Found => ({ value: this.#value(node, module) });
    switch (statement.type) {
      case 'ExportDefaultDeclaration': {
        const { declaration } = statement;
        if (name !== 'default') return undefined;
        if (declaration.type === 'FunctionDeclaration') return { value: this.#function(declaration, module) };
        const unread = declaration.type === 'ClassDeclaration' || declaration.type === 'TSDeclareFunction';
        return unread ? { value: notStatic } : value(declaration);
      }
      case 'TSExportAssignment':
        return name === 'default' ? value(statement.expression) : undefined;
      case 'ExpressionStatement': {
        const { expression } = statement;
        if (expression.type !== 'AssignmentExpression') return undefined;
        const target = dottedName(expression.left);
        const isWanted = target === `exports.${name}` || (target === 'module.exports' && name === 'default');
        return isWanted ? value(expression.right) : undefined;
      }
      case 'ExportNamedDeclaration':
        return this.#exportedName(statement, name, module);
      default:
        return undefined;
    }
  }

  #exportedName(
    { declaration, specifiers, source }: Ast.ExportNamedDeclaration,
    name: string,
    module: ModuleText,
  ): Found | undefined {
    if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === name)
      return { value: this.#function(declaration, module) };
    if (declaration?.type === 'VariableDeclaration') {
      const found = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name);
      return found?.init ? { value: this.#value(found.init, module) } : undefined;
    }
    for (const specifier of specifiers) {
      if (specifier.type !== 'ExportSpecifier' || nameOf(specifier.exported) !== name) continue;
      const local = specifier.local.name;
      return {
        value: source
          ? this.#imported(module.file, source.value, local)
          : this.#named(local, module.program, module),
      };
    }
    return undefined;
  }

  #value(node: Ast.Node, module: ModuleText): StaticValue {
    if (this.#depth >= maxDepth || this.#running.has(node)) return notStatic;
    this.#depth++;
    this.#running.add(node);
    try {
      return this.#evaluate(node, module);
    } finally {
      this.#depth--;
      this.#running.delete(node);
    }
  }

  #evaluate(node: Ast.Node, module: ModuleText): StaticValue {
    switch (node.type) {
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return node.value;
      case 'NullLiteral':
        return null;
      case 'RegExpLiteral':
        return regularExpression(node.pattern, node.flags);
      case 'TemplateLiteral':
        return this.#template(node, module);
      case 'ArrayExpression':
        return this.#elements(node.elements, module);
      case 'ObjectExpression':
        return this.#object(node, module);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.#function(node, module);
      case 'Identifier':
        return this.#named(node.name, node, module);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#property(node, module);
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#call(node, module);
      case 'NewExpression':
        return this.#newUrl(node, module);
      case 'BinaryExpression':
        return this.#sum(node, module);
      case 'LogicalExpression':
        return this.#logical(node, module);
      case 'ConditionalExpression': {
        const condition = this.#value(node.test, module);
        if (condition === notStatic) return notStatic;
        return this.#value(condition ? node.consequent : node.alternate, module);
      }
      case 'UnaryExpression': {
        const value = this.#value(node.argument, module);
        return node.operator !== '!' || value === notStatic ? notStatic : !value;
      }
      case 'AwaitExpression':
        return this.#value(node.argument, module);
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
        return this.#value(node.expression, module);
      default:
        return notStatic;
    }
  }

  #template({ quasis, expressions }: Ast.TemplateLiteral, module: ModuleText): StaticValue {
    let text = '';
    for (const [index, { value }] of quasis.entries()) {
      text += value.cooked ?? value.raw;
      const expression = expressions[index];
      if (!expression) continue;
      const inserted = this.#value(expression, module);
      if (typeof inserted !== 'string' && typeof inserted !== 'number') return notStatic;
      text += String(inserted);
    }
    return text;
  }

  /** Of a list or a call. */
  #elements(elements: readonly (Ast.Node | null)[], module: ModuleText): readonly StaticValue[] {
    return elements.flatMap((element) => {
      if (element?.type !== 'SpreadElement') return [element ? this.#value(element, module) : undefined];
      const spread = this.#value(element.argument, module);
      return isList(spread) ? spread : [notStatic];
    });
  }

  #object(node: Ast.ObjectExpression, module: ModuleText): StaticObject {
    const entries = new Map<string, StaticValue>();
    let complete = true;
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.#value(property.argument, module);
        if (spread instanceof StaticObject) {
          complete &&= spread.complete;
          for (const [key, value] of spread.entries) entries.set(key, value);
        } else if (spread === notStatic) complete = false;
        continue;
      }
      const name = property.computed ? undefined : nameOf(property.key);
      if (name === undefined) complete = false;
      else
        entries.set(
          name,
          property.type === 'ObjectProperty' ? this.#value(property.value, module) : notStatic,
        );
    }
    return new StaticObject(entries, complete);
  }

  #function(
    { body }: Ast.ArrowFunctionExpression | Ast.FunctionExpression | Ast.FunctionDeclaration,
    module: ModuleText,
  ): StaticValue {
    return new StaticFunction(() => {
      if (body.type !== 'BlockStatement') return this.#value(body, module);
      const [only, ...others] = body.body.filter((statement) => canReturn(statement));
      if (only?.type !== 'ReturnStatement' || others.length > 0) return notStatic;
      return only.argument ? this.#value(only.argument, module) : undefined;
    });
  }

  #named(name: string, at: Ast.Node, module: ModuleText): StaticValue {
    if (name === 'undefined') return undefined;
    for (const node of ancestorsOf(at, module)) {
      if (isFunctionNode(node) && node.params.some((one) => mentions(one, name))) return notStatic;
      if (node.type !== 'BlockStatement' && node.type !== 'Program') continue;
      for (const statement of node.body) {
        const found = this.#declared(name, statement, module);
        if (found) return found.value;
      }
    }
    if (name === '__dirname') return path.dirname(module.file);
    if (name === '__filename') return module.file;
    return notStatic;
  }

  #declared(name: string, statement: Ast.Statement, module: ModuleText): Found | undefined {
    const isExport =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
    const declaration = isExport ? statement.declaration : statement;
    if (declaration?.type === 'VariableDeclaration') {
      for (const { id, init } of declaration.declarations) {
        if (!mentions(id, name)) continue;
        const isKnown = declaration.kind === 'const' && init && id.type === 'Identifier';
        return { value: isKnown ? this.#value(init, module) : notStatic };
      }
    }
    if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === name)
      return { value: this.#function(declaration, module) };
    if (declaration?.type !== 'ImportDeclaration') return undefined;
    const specifier = declaration.specifiers.find(({ local }) => local.name === name);
    if (!specifier) return undefined;
    const imported = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default';
    return {
      value:
        imported === undefined ? notStatic : this.#imported(module.file, declaration.source.value, imported),
    };
  }

  #imported(from: string, specifier: string, name: string): StaticValue {
    if (!specifier.startsWith('.'))
      return knownModule(specifier, name) ?? this.#host.packageExport(specifier, name);
    const file = this.#host.resolve(from, specifier);
    return file === undefined ? notStatic : this.exportOf(file, name);
  }

  #property(
    { object, property, computed }: Ast.MemberExpression | Ast.OptionalMemberExpression,
    module: ModuleText,
  ): StaticValue {
    if (computed || property.type !== 'Identifier') return notStatic;
    const { name } = property;
    const { file } = module;
    if (object.type === 'MetaProperty') {
      if (name === 'dirname') return path.dirname(file);
      if (name === 'filename') return file;
      return name === 'url' ? pathToFileURL(file).href : notStatic;
    }
    const base = this.#value(object, module);
    return base instanceof StaticObject ? base.get(name) : notStatic;
  }

  #call(node: Ast.CallExpression | Ast.OptionalCallExpression, module: ModuleText): StaticValue {
    const [first] = node.arguments;
    if (dottedName(node.callee) === 'require' && first?.type === 'StringLiteral')
      return this.#imported(module.file, first.value, 'default');
    const callee = this.#value(node.callee, module);
    return callee instanceof StaticFunction ? callee.call(this.#elements(node.arguments, module)) : notStatic;
  }

  /** `new URL('./x', import.meta.url)`, as its text. */
  #newUrl(node: Ast.NewExpression, module: ModuleText): StaticValue {
    if (dottedName(node.callee) !== 'URL') return notStatic;
    const [target, base] = this.#elements(node.arguments, module);
    if (typeof target !== 'string' || typeof base !== 'string' || !URL.canParse(target, base))
      return notStatic;
    return new URL(target, base).href;
  }

  #sum({ operator, left, right }: Ast.BinaryExpression, module: ModuleText): StaticValue {
    if (operator !== '+') return notStatic;
    const values = [this.#value(left, module), this.#value(right, module)];
    return values.every((value) => typeof value === 'string') ? values.join('') : notStatic;
  }

  #logical({ operator, left, right }: Ast.LogicalExpression, module: ModuleText): StaticValue {
    const first = this.#value(left, module);
    if (first === notStatic) return notStatic;
    const goesOn =
      operator === '??' ? first === undefined || first === null : (operator === '&&') === Boolean(first);
    return goesOn ? this.#value(right, module) : first;
  }
}

interface Found {
  readonly value: StaticValue;
}

/** Of a key or a specifier; undefined for numbers and what is computed. */
function nameOf(node: Ast.Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'StringLiteral' ? node.value : undefined;
}

/** `require`, `module.exports`; undefined for anything but names. */
function dottedName(node: Ast.Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier')
    return undefined;
  const object = dottedName(node.object);
  return object === undefined ? undefined : `${object}.${node.property.name}`;
}

/** Whether a declared name or pattern binds the name. */
function mentions(pattern: Ast.Node, name: string): boolean {
  switch (pattern.type) {
    case 'Identifier':
      return pattern.name === name;
    case 'ObjectPattern':
      return pattern.properties.some((one) => mentions(one.type === 'RestElement' ? one : one.value, name));
    case 'ArrayPattern':
      return pattern.elements.some((one) => one !== null && mentions(one, name));
    case 'AssignmentPattern':
      return mentions(pattern.left, name);
    case 'RestElement':
      return mentions(pattern.argument, name);
    case 'TSParameterProperty':
      return mentions(pattern.parameter, name);
    default:
      return false;
  }
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

function regularExpression(pattern: string, flags: string): StaticValue {
  try {
    return new RegExp(pattern, flags);
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
