// The calls of runner functions in JavaScript and TypeScript, and why a title of them cannot be known from the text: the rule by
// which tests count as statically knowable. It shares no code with the discovery that it judges.
import type * as Ast from '@babel/types';
import {
  ancestorsOf,
  isFunctionNode,
  loadReader,
  type ModuleText,
} from '../../../src/core/syntax/javascript/moduleText.ts';

export interface WrittenTest {
  /** Suites, then the title: values of literals, else the text of the expression. */
  readonly names: readonly string[];
  /** Lines of the call, 1-based. */
  readonly line: number;
  readonly endLine: number;
  /** Why its names or their number are not in the text; absent when they are. */
  readonly why?: string;
}

const suiteWords = new Set(['describe', 'suite', 'context', 'xdescribe', 'fdescribe', 'xcontext']);
const testWords = new Set(['it', 'test', 'specify', 'xit', 'xtest', 'fit', 'xspecify']);
const modifiers = new Set(
  'only skip todo each for concurrent sequential serial failing fails skipIf runIf shuffle default'.split(
    ' ',
  ),
);
const tables = new Set(['each', 'for']);
const runnerModules = new Set(['vitest', '@jest/globals', 'mocha', 'node:test', 'bun:test', 'ava']);

type Role = 'suite' | 'test';

/** `file`: absolute. Undefined when the text cannot be parsed. */
export async function writtenTests(file: string, text: string): Promise<readonly WrittenTest[] | undefined> {
  const module = (await loadReader())(file, text);
  if (!module) return undefined;
  const reading = new Reading(module, text);
  const calls = [...module.parents.keys()].filter((node) => node.type === 'CallExpression');
  return calls.flatMap((call) => reading.testOf(call) ?? []).sort((a, b) => a.line - b.line);
}

class Reading {
  readonly #module: ModuleText;
  readonly #text: string;
  /** Names that stand for a runner function, or for an object of them, besides the usual ones. */
  readonly #aliases = new Map<string, Role | 'module'>();

  constructor(module: ModuleText, text: string) {
    this.#module = module;
    this.#text = text;
    for (const node of module.parents.keys()) {
      if (node.type === 'ImportDeclaration') this.#readImport(node);
      if (node.type === 'VariableDeclarator') this.#readVariable(node);
    }
  }

  testOf(call: Ast.CallExpression): WrittenTest | undefined {
    const found = this.#declared(call);
    const title = call.arguments[0];
    if (found?.role !== 'test' || !title || !call.loc) return undefined;
    const names: string[] = [];
    let why: string | undefined;
    let inner: Ast.Node = call;
    for (const node of ancestorsOf(call, this.#module)) {
      const declared = node.type === 'CallExpression' ? this.#declared(node) : undefined;
      const [first] = node.type === 'CallExpression' ? node.arguments : [];
      if (declared && first && (node === call || node.type !== 'CallExpression' || node.callee !== inner)) {
        const literal = valueOf(first);
        names.unshift(literal ?? this.#sourceOf(first));
        if (literal === undefined) why ??= this.#at(node, `the title of this ${declared.role} is computed`);
        if (declared.table) why ??= this.#at(node, `a table makes this ${declared.role}`);
      } else why ??= this.#repeats(node);
      inner = node;
    }
    const { start, end } = call.loc;
    return { names, line: start.line, endLine: end.line, ...(why === undefined ? {} : { why }) };
  }

  /** Whether what stands in the node may run another number of times than once. */
  #repeats(node: Ast.Node): string | undefined {
    if (/^(?:For|While|DoWhile)/.test(node.type)) return this.#at(node, 'a loop declares it');
    if (!isFunctionNode(node)) return undefined;
    const parent = this.#module.parents.get(node);
    if (parent?.type !== 'CallExpression')
      return this.#at(node, 'a function declares it, where it is called');
    if (parent.callee === node || this.#declared(parent)) return undefined;
    const callee = this.#sourceOf(parent.callee);
    return this.#at(node, `a function that is given to ${callee.slice(-40)} declares it`);
  }

  #at(node: Ast.Node, sentence: string): string {
    return `${sentence} (line ${node.loc?.start.line ?? 0})`;
  }

  /** What a call declares when its callee resolves to a runner function. */
  #declared(call: Ast.CallExpression): { role: Role; table: boolean } | undefined {
    const members: string[] = [];
    let at: Ast.Node = call.callee;
    for (;;) {
      if (at.type === 'MemberExpression' && !at.computed && at.property.type === 'Identifier') {
        members.unshift(at.property.name);
        at = at.object;
      } else if (at.type === 'TaggedTemplateExpression') at = at.tag;
      else if (at.type === 'CallExpression' || at.type === 'TSInstantiationExpression')
        at = at.type === 'CallExpression' ? at.callee : at.expression;
      else break;
    }
    if (at.type !== 'Identifier') return undefined;
    const root = this.#roleOfName(at.name, call);
    if (root === undefined) return undefined;
    let role = root === 'module' ? undefined : root;
    for (const member of members) {
      if (suiteWords.has(member)) role = 'suite';
      else if (testWords.has(member)) role = 'test';
      else if (!modifiers.has(member)) return undefined;
    }
    // The call of `it.each(rows)` gives the function that declares; `it.each` itself does not.
    const last = members.at(-1) ?? '';
    const isTable = tables.has(last) || /^(?:skipIf|runIf)$/.test(last);
    if (role === undefined || (isTable && isPlain(call.callee))) return undefined;
    return { role, table: members.some((member) => tables.has(member)) };
  }

  #roleOfName(name: string, call: Ast.Node): Role | 'module' | undefined {
    const alias = this.#aliases.get(name);
    if (alias) return alias;
    if (suiteWords.has(name)) return 'suite';
    if (testWords.has(name)) return 'test';
    // `t` of `test('…', t => t.test('…'))`.
    for (const node of ancestorsOf(call, this.#module)) {
      if (!isFunctionNode(node)) continue;
      const parent = this.#module.parents.get(node);
      const [parameter] = node.params;
      if (parameter?.type !== 'Identifier' || parameter.name !== name) continue;
      return parent?.type === 'CallExpression' && this.#declared(parent) ? 'module' : undefined;
    }
    return undefined;
  }

  #readImport({ source, specifiers }: Ast.ImportDeclaration): void {
    if (!runnerModules.has(source.value)) return;
    for (const specifier of specifiers) {
      const { name } = specifier.local;
      if (specifier.type !== 'ImportSpecifier')
        this.#aliases.set(name, specifier.type === 'ImportDefaultSpecifier' ? 'test' : 'module');
      else
        this.#alias(name, 'name' in specifier.imported ? specifier.imported.name : specifier.imported.value);
    }
  }

  #alias(name: string, original: string): void {
    if (suiteWords.has(original)) this.#aliases.set(name, 'suite');
    if (testWords.has(original) || original === 'default') this.#aliases.set(name, 'test');
  }

  /** `const spec = it`, `const itOnLinux = linux ? it : it.skip`, `const test = it.extend({})`, `require('node:test')`. */
  #readVariable({ id, init }: Ast.VariableDeclarator): void {
    if (!init) return;
    const module = init.type === 'CallExpression' && 'name' in init.callee && init.callee.name === 'require';
    const [argument] = module ? init.arguments : [];
    if (argument?.type === 'StringLiteral' && runnerModules.has(argument.value)) {
      if (id.type === 'Identifier') this.#aliases.set(id.name, 'test');
      if (id.type !== 'ObjectPattern') return;
      for (const property of id.properties)
        if (property.type === 'ObjectProperty' && 'name' in property.key && 'name' in property.value)
          this.#alias(property.value.name, property.key.name);
      return;
    }
    if (id.type !== 'Identifier') return;
    const values = init.type === 'ConditionalExpression' ? [init.consequent, init.alternate] : [init];
    for (const value of values) {
      let at: Ast.Node = value;
      const extended =
        at.type === 'CallExpression' && /\.(?:extend|skipIf|runIf)$/.test(this.#sourceOf(at.callee));
      if (extended && at.type === 'CallExpression' && 'object' in at.callee) at = at.callee.object;
      while (at.type === 'MemberExpression') at = at.object;
      if (at.type === 'Identifier') this.#alias(id.name, at.name);
    }
  }

  #sourceOf(node: Ast.Node): string {
    const text = this.#text.slice(node.start ?? 0, node.end ?? 0);
    return node.type === 'TemplateLiteral' || node.type === 'StringLiteral' ? text.slice(1, -1) : text;
  }
}

/** `it.each`, without a call or a template within. */
function isPlain(callee: Ast.Node): boolean {
  return callee.type === 'MemberExpression' || callee.type === 'Identifier';
}

/** The text of a literal, also one that is joined of literals. */
function valueOf(node: Ast.Node): string | undefined {
  if (node.type === 'StringLiteral') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  if (node.type === 'ParenthesizedExpression' || node.type === 'TSAsExpression')
    return valueOf(node.expression);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const left = valueOf(node.left);
  const right = valueOf(node.right);
  return left === undefined || right === undefined ? undefined : left + right;
}
