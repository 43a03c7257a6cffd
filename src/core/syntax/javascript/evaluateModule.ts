// Evaluates a configuration module from its syntax tree alone: literals, constants, spreads, merges; never the user's code.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Ast from '@babel/types';
import { knownGlobal, knownModule, propertyOf, regularExpression } from './knownFunctions.ts';
import {
  ancestorsOf,
  assignmentsTo,
  isFunctionNode,
  loadReader,
  mentions,
  nameOf,
  pathOf,
  returnsOf,
  type ModuleReader,
  type ModuleText,
} from './moduleText.ts';
import {
  either,
  isList,
  mergeStatic,
  notStatic,
  StaticFunction,
  StaticModule,
  StaticObject,
  withEntry,
  type StaticValue,
} from './staticValue.ts';

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
  /** Of the functions that are being evaluated. */
  readonly #arguments = new Map<Ast.Node, readonly StaticValue[]>();
  #depth = 0;

  constructor(host: StaticHost, read: ModuleReader) {
    this.#host = host;
    this.#read = read;
  }

  exportOf(file: string, name: string): StaticValue {
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
      // Who reads configurations as JSON takes comments in it.
      const code = file.endsWith('.json') ? `module.exports = ${text}` : (text ?? '');
      this.#modules.set(file, text === undefined ? undefined : this.#read(file, code));
    }
    return this.#modules.get(file);
  }

  #exportOf(module: ModuleText, name: string): StaticValue {
    for (const statement of module.program.body) {
      const found = this.#exportedBy(statement, name, module);
      if (found) return found.value;
    }
    return this.#assignedExport(module, name);
  }

  /** `module.exports = …` wherever it stands, and what is put into it member by member. */
  #assignedExport(module: ModuleText, name: string): StaticValue {
    const whole = assignmentsTo(['module', 'exports'], module);
    const members = assignmentsTo(['exports'], module);
    if (whole.length + members.length === 0) return notStatic;
    const start = whole.some(({ names }) => names.length === 0) ? undefined : new StaticObject(new Map());
    const value = this.#assigned(start, [...whole, ...members], module);
    if (name === 'default' && !(value instanceof StaticObject && value.entries.has(name))) return value;
    return value instanceof StaticObject ? value.get(name) : notStatic;
  }

  /** A value after all assignments to it or into it; those that may not happen leave both possible. */
  #assigned(
    start: StaticValue,
    assignments: ReturnType<typeof assignmentsTo>,
    module: ModuleText,
  ): StaticValue {
    let value = start;
    for (const { names, node, isCertain } of assignments) {
      const next = withEntry(value, names, this.#value(node, module));
      value = isCertain || (value === undefined && names.length === 0) ? next : either(value, next);
    }
    return value;
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
      case 'ConditionalExpression':
        return this.#alternatives(node, module).reduce(either);
      case 'AssignmentExpression':
        return node.operator === '=' ? this.#value(node.right, module) : notStatic;
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

  /** What an expression may be where a condition in it is unknown; `…(x && y)` adds `y` or nothing. */
  #alternatives(node: Ast.Node, module: ModuleText): readonly StaticValue[] {
    if (node.type === 'ConditionalExpression') {
      const condition = this.#value(node.test, module);
      const branches = [node.consequent, node.alternate];
      const open = condition === notStatic ? branches : [condition ? node.consequent : node.alternate];
      return open.flatMap((branch) => this.#alternatives(branch, module));
    }
    if (node.type !== 'LogicalExpression' || node.operator !== '&&') return [this.#value(node, module)];
    const first = this.#value(node.left, module);
    if (first !== notStatic) return [this.#logical(node, module)];
    return [undefined, ...this.#alternatives(node.right, module)];
  }

  /** Of a list or a call. */
  #elements(elements: readonly (Ast.Node | null)[], module: ModuleText): readonly StaticValue[] {
    return elements.flatMap((element) => {
      if (element?.type !== 'SpreadElement') return [element ? this.#value(element, module) : undefined];
      const possible = this.#alternatives(element.argument, module).map((one): StaticValue => one ?? []);
      const spread = possible.reduce(either);
      return isList(spread) ? spread : [notStatic];
    });
  }

  #object(node: Ast.ObjectExpression, module: ModuleText): StaticObject {
    let object = new StaticObject(new Map());
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const before = object;
        const possible = this.#alternatives(property.argument, module).map((one) => before.with(one));
        object = possible.reduce((a, b) => a.or(b));
        continue;
      }
      const key = property.computed ? this.#value(property.key, module) : nameOf(property.key);
      const value = property.type === 'ObjectProperty' ? this.#value(property.value, module) : notStatic;
      object =
        typeof key === 'string'
          ? object.with(new StaticObject(new Map([[key, value]])))
          : new StaticObject(object.entries, false);
    }
    return object;
  }

  #function(
    node: Ast.ArrowFunctionExpression | Ast.FunctionExpression | Ast.FunctionDeclaration,
    module: ModuleText,
  ): StaticValue {
    return new StaticFunction((args) => {
      const outer = this.#arguments.get(node);
      this.#arguments.set(node, args);
      try {
        const { body } = node;
        if (body.type !== 'BlockStatement') return this.#value(body, module);
        const values = returnsOf(body).map((one) => (one ? this.#value(one, module) : undefined));
        return values.length === 0 ? undefined : values.reduce(either);
      } finally {
        if (outer) this.#arguments.set(node, outer);
        else this.#arguments.delete(node);
      }
    });
  }

  #named(name: string, at: Ast.Node, module: ModuleText): StaticValue {
    if (name === 'undefined') return undefined;
    for (const node of ancestorsOf(at, module)) {
      if (isFunctionNode(node) && node.params.some((one) => mentions(one, name))) {
        const index = node.params.findIndex((one) => one.type === 'Identifier' && one.name === name);
        const given = this.#arguments.get(node) ?? [];
        // What a framework hands to a function of the configuration is unknown.
        return index >= 0 && index < given.length ? given[index] : notStatic;
      }
      if (node.type !== 'BlockStatement' && node.type !== 'Program') continue;
      for (const statement of node.body) {
        const found = this.#declared(name, statement, module);
        if (found) return found.value;
      }
    }
    if (name === '__dirname') return path.dirname(module.file);
    if (name === '__filename') return module.file;
    return knownGlobal(name);
  }

  #declared(name: string, statement: Ast.Statement, module: ModuleText): Found | undefined {
    const isExport =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
    const declaration = isExport ? statement.declaration : statement;
    if (declaration?.type === 'VariableDeclaration') {
      for (const { id, init } of declaration.declarations)
        if (mentions(id, name)) return { value: this.#variable(name, id, init ?? undefined, module) };
    }
    if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === name)
      return { value: this.#function(declaration, module) };
    if (declaration?.type !== 'ImportDeclaration') return undefined;
    const specifier = declaration.specifiers.find(({ local }) => local.name === name);
    if (!specifier) return undefined;
    const source = declaration.source.value;
    if (specifier.type === 'ImportNamespaceSpecifier')
      return { value: new StaticModule((one) => this.#imported(module.file, source, one)) };
    const imported = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default';
    return { value: imported === undefined ? notStatic : this.#imported(module.file, source, imported) };
  }

  /** A variable as it is in the end: unknown when it is given another value, and with all that is put into it later. */
  #variable(name: string, id: Ast.Node, init: Ast.Expression | undefined, module: ModuleText): StaticValue {
    if (id.type === 'ObjectPattern') {
      const member = id.properties.find((one) => one.type === 'ObjectProperty' && mentions(one.value, name));
      const isPlain =
        member?.type === 'ObjectProperty' && !member.computed && member.value.type === 'Identifier';
      const key = isPlain ? nameOf(member.key) : undefined;
      return key === undefined || !init ? notStatic : propertyOf(this.#value(init, module), key);
    }
    if (id.type !== 'Identifier') return notStatic;
    const assignments = assignmentsTo([name], module);
    const isGivenAnew = assignments.some(({ names }) => names.length === 0);
    if (isGivenAnew && init) return notStatic;
    return this.#assigned(init && this.#value(init, module), assignments, module);
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
    const name = computed ? this.#value(property, module) : nameOf(property);
    if (typeof name !== 'string') return notStatic;
    const { file } = module;
    if (object.type === 'MetaProperty') {
      if (name === 'dirname') return path.dirname(file);
      if (name === 'filename') return file;
      return name === 'url' ? pathToFileURL(file).href : notStatic;
    }
    return propertyOf(this.#value(object, module), name);
  }

  #call(node: Ast.CallExpression | Ast.OptionalCallExpression, module: ModuleText): StaticValue {
    const [first] = node.arguments;
    if (first?.type === 'StringLiteral' && pathOf(node.callee)?.join('.') === 'require')
      return this.#required(module.file, first.value);
    const callee = this.#value(node.callee, module);
    const args = this.#elements(node.arguments, module);
    if (callee instanceof StaticFunction) return callee.call(args);
    // A function that nobody knows is taken to hand on the settings it is given, and to add what cannot be known.
    return args.filter((one) => one instanceof StaticObject).reduce(mergeStatic, notStatic);
  }

  /** A whole module of CommonJS; of a package, whatever is known under its names. */
  #required(from: string, specifier: string): StaticValue {
    const whole = this.#imported(from, specifier, 'default');
    if (specifier.startsWith('.') || whole !== notStatic) return whole;
    return new StaticModule((name) => this.#imported(from, specifier, name));
  }

  /** `new URL('./x', import.meta.url)`, as its text. */
  #newUrl(node: Ast.NewExpression, module: ModuleText): StaticValue {
    if (pathOf(node.callee)?.join('.') !== 'URL') return notStatic;
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
