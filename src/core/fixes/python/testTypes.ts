// What an expression of a Python test certainly is: a class of the source, an object of one, or what a function of the source gave.
import type { SyntaxNode } from '@lezer/common';
import { readImports } from '../../syntax/python/importStatements.ts';
import { definitionIn } from '../../syntax/python/moduleApi.ts';
import {
  argumentsOf,
  childrenOf,
  parsePython,
  unwrapPython,
  visitPython,
  type PythonSource,
} from '../../syntax/python/parsePython.ts';
import { isTarget, usesOf } from './nameUses.ts';
import type { OfferHistory } from './apiHistory.ts';
import type { PythonHistory, PythonPlace } from './pythonHistory.ts';

interface TestType {
  /** function: it may be called · result: what a call of it gave. */
  readonly kind: 'class' | 'object' | 'function' | 'result';
  readonly place: PythonPlace;
  /** Of a result: of which class it is an object. */
  readonly object?: PythonPlace;
}

interface KnownSources {
  readonly history: PythonHistory;
  readonly offers: OfferHistory;
}

const deepest = 12;

/** The types of one file of tests, or of a conftest.py whose fixtures they use. */
export class TestTypes {
  readonly #file: string;
  readonly #source: PythonSource;
  readonly #known: KnownSources;
  #around: Promise<readonly TestTypes[]> | undefined;

  constructor(file: string, source: PythonSource, known: KnownSources) {
    this.#file = file;
    this.#source = source;
    this.#known = known;
  }

  /** Undefined where it is not certain. */
  async typeOf(whole: SyntaxNode, depth = 0): Promise<TestType | undefined> {
    const node = unwrapPython(whole);
    if (depth > deepest) return undefined;
    if (node.name === 'AwaitExpression') {
      const inner = childrenOf(node)[1];
      return inner && this.typeOf(inner, depth + 1);
    }
    if (node.name === 'VariableName') return this.#typeOfName(node, depth + 1);
    if (node.name === 'CallExpression') return this.#typeOfCall(node, depth + 1);
    return node.name === 'MemberExpression' ? this.#typeOfMember(node, depth + 1) : undefined;
  }

  /** The class that a module, as this file would import it, has under the name. */
  async classIn(module: string, name: string): Promise<PythonPlace | undefined> {
    const found = await this.#known.history.module(module, this.#file, 'now');
    return found && this.#classNamed(found, name);
  }

  async #typeOfCall(node: SyntaxNode, depth: number): Promise<TestType | undefined> {
    const callee = node.firstChild;
    if (callee === null) return undefined;
    const spec = this.#specOf(node, callee);
    if (spec !== undefined) {
      const type = await this.typeOf(spec, depth);
      return type?.kind === 'class' ? { kind: 'object', place: type.place } : undefined;
    }
    const type = await this.typeOf(callee, depth);
    if (type?.kind === 'class') return { kind: 'object', place: type.place };
    if (type?.kind !== 'function') return undefined;
    const { place } = type;
    const gives = (await this.#known.offers.functionAt(place))?.gives;
    const object = gives === undefined ? undefined : await this.#classGiven(place, gives);
    return { kind: 'result', place, ...(object && { object }) };
  }

  /** `Self` is of the class that the method was called on, which may have it from another one. */
  async #classGiven(place: PythonPlace, gives: string): Promise<PythonPlace | undefined> {
    const [owner = '', method] = place.name.split('.');
    const isOwn = method !== undefined && /^(?:typing(?:_extensions)?\.|t\.)?Self$/.test(gives);
    return this.#classNamed(place, isOwn ? owner : gives);
  }

  /** `Mock(spec=Cart)` has the members of a cart, and no others. */
  #specOf(node: SyntaxNode, callee: SyntaxNode): SyntaxNode | undefined {
    if (
      !/^(?:(?:unittest\.)?mock\.|mocker\.)?(?:(?:Magic|Async|NonCallable)?Mock)$/.test(
        this.#source.textOf(callee),
      )
    )
      return undefined;
    return argumentsOf(node.getChild('ArgList'), this.#source).find(({ name }) =>
      /^spec(?:_set)?$/.test(name ?? ''),
    )?.value;
  }

  async #classNamed({ file }: Pick<PythonPlace, 'file'>, name: string): Promise<PythonPlace | undefined> {
    const place = await this.#known.offers.definedAt(file, name);
    return place !== undefined && (await this.#known.offers.classAt(place)) !== undefined ? place : undefined;
  }

  /** `shop.Cart` of a module, `Cart.load` and `cart.load` of a class, `self.cart` of a test. */
  async #typeOfMember(node: SyntaxNode, depth: number): Promise<TestType | undefined> {
    const [object] = childrenOf(node);
    const property = node.lastChild;
    if (object === undefined || property?.name !== 'PropertyName') return undefined;
    const name = this.#source.textOf(property);
    const module = await this.#moduleNamed(this.#source.textOf(object));
    if (module !== undefined) return this.#definition(module, name);
    if (object.name === 'VariableName' && this.#source.textOf(object) === 'self') {
      const own = await this.#typeOfOwn(node, name, depth);
      if (own !== undefined) return own;
    }
    const type = await this.typeOf(object, depth);
    const owner = type?.kind === 'result' ? type.object : type?.kind === 'function' ? undefined : type?.place;
    if (owner === undefined) return undefined;
    const place = { file: owner.file, name: `${owner.name}.${name}` };
    const method = await this.#known.offers.functionAt(place);
    return method === undefined ||
      /^@\s*(?:functools\.)?(?:cached_)?property\b|\.setter\b/m.test(method.decorators)
      ? undefined
      : { kind: 'function', place };
  }

  /** What the methods of the class around give to `self.name`. */
  async #typeOfOwn(node: SyntaxNode, name: string, depth: number): Promise<TestType | undefined> {
    let around: SyntaxNode | null = node;
    while (around !== null && around.name !== 'ClassDefinition') around = around.parent;
    if (around === null) return undefined;
    const values: SyntaxNode[] = [];
    let isCertain = true;
    visitPython(around, (inner) => {
      if (inner.name !== 'MemberExpression' || this.#source.textOf(inner) !== `self.${name}`) return;
      const value = givenTo(inner);
      if (value !== undefined) values.push(value);
      else isCertain &&= !isTarget(inner, this.#source);
    });
    return isCertain ? this.#same(values, depth) : undefined;
  }

  /** All of them are of one type. */
  async #same(values: readonly SyntaxNode[], depth: number): Promise<TestType | undefined> {
    const types: (TestType | undefined)[] = [];
    for (const value of values) types.push(await this.typeOf(value, depth));
    const [first] = types;
    return first !== undefined && new Set(types.map((one) => JSON.stringify(one))).size === 1
      ? first
      : undefined;
  }

  async #typeOfName(node: SyntaxNode, depth: number): Promise<TestType | undefined> {
    const name = this.#source.textOf(node);
    for (let inner: SyntaxNode | null = node; inner !== null; inner = inner.parent) {
      if (
        /^(?:Lambda|.*Comprehension)Expression$/.test(inner.name) &&
        mentions(inner, name, this.#source, true)
      )
        return undefined;
      if (inner.name !== 'FunctionDefinition') continue;
      if (isParameter(inner, name, this.#source))
        return isFixtureOf(inner, name, this.#source) && valuesOf(inner, name, this.#source).length === 0
          ? this.#fixture(name, depth)
          : undefined;
      const values = valuesOf(inner, name, this.#source);
      if (values === 'unknown') return undefined;
      if (values.length > 0) return this.#same(values, depth);
    }
    const imported = await this.#imported(name);
    if (imported !== undefined) return imported;
    const values = valuesOf(this.#source.root, name, this.#source);
    return values === 'unknown' || usesAsImport(name, this.#source) ? undefined : this.#same(values, depth);
  }

  async #imported(name: string): Promise<TestType | undefined> {
    if (usesOf(name, this.#source) === undefined) return undefined;
    for (const { module, items } of readImports(this.#source, this.#source.root))
      for (const item of items) {
        if (module === undefined || (item.alias ?? item.name) !== name) continue;
        const found = await this.#known.history.module(module.text, this.#file, 'now');
        return found && this.#definition(found.file, item.name);
      }
    return undefined;
  }

  /** The file of a module that an import gave the name. */
  async #moduleNamed(name: string): Promise<string | undefined> {
    if (!/^[\w.]+$/.test(name) || usesOf(name.split('.')[0] ?? name, this.#source) === undefined)
      return undefined;
    for (const { module, items } of readImports(this.#source, this.#source.root))
      for (const item of items) {
        if ((item.alias ?? item.name) !== name) continue;
        const full =
          module === undefined
            ? item.name
            : `${module.text}${module.text.endsWith('.') ? '' : '.'}${item.name}`;
        const found = await this.#known.history.module(full, this.#file, 'now');
        if (found !== undefined) return found.file;
      }
    return undefined;
  }

  async #definition(file: string, name: string): Promise<TestType | undefined> {
    const place = await this.#known.offers.definedAt(file, name);
    if (place === undefined) return undefined;
    const isClass = (await this.#known.offers.classAt(place)) !== undefined;
    return { kind: isClass ? 'class' : 'function', place };
  }

  /** What the nearest fixture of that name gives. */
  async #fixture(name: string, depth: number): Promise<TestType | undefined> {
    this.#around ??= this.#conftests();
    for (const one of [this, ...(await this.#around)]) {
      const given = fixtureNamed(name, one.#source);
      if (given === 'unknown') return undefined;
      if (given !== undefined) return one.typeOf(given, depth);
    }
    return undefined;
  }

  async #conftests(): Promise<readonly TestTypes[]> {
    const found: TestTypes[] = [];
    for (let folder = this.#file; folder.includes('/') || folder === this.#file;) {
      folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '';
      const file = folder === '' ? 'conftest.py' : `${folder}/conftest.py`;
      const text = file === this.#file ? undefined : await this.#known.history.text(file, 'now');
      if (text !== undefined) found.push(new TestTypes(file, parsePython(text), this.#known));
      if (folder === '') break;
    }
    return found;
  }
}

/** The value of `target = value`, where that is all of the statement. */
function givenTo(target: SyntaxNode): SyntaxNode | undefined {
  const { parent } = target;
  if (parent?.name !== 'AssignStatement') return undefined;
  const [first, sign, value, ...more] = childrenOf(parent).filter(({ name }) => name !== 'TypeDef');
  const isPlain = first?.from === target.from && sign?.name === 'AssignOp' && more.length === 0;
  return isPlain ? value : undefined;
}

/** Values that a name is given in a function, or at the top of the module; 'unknown' where it gets one in another way. */
function valuesOf(scope: SyntaxNode, name: string, source: PythonSource): readonly SyntaxNode[] | 'unknown' {
  const values: SyntaxNode[] = [];
  let isKnown = true;
  visitPython(scope, (node) => {
    const isInner = node.from !== scope.from && /^(?:Function|Class)Definition$/.test(node.name);
    if (isInner) {
      const own = node.getChild('VariableName');
      isKnown &&= own === null || source.textOf(own) !== name || scope.name === 'Script';
      // What an inner function gives it may be meant for this one.
      isKnown &&= !/\b(?:nonlocal|global)\b/.test(source.textOf(node)) || !mentions(node, name, source, true);
      return false;
    }
    if (node.name === 'ImportStatement') {
      isKnown &&= scope.name === 'Script' || !new RegExp(`\\b${name}\\b`).test(source.textOf(node));
      return false;
    }
    if (node.name !== 'VariableName' || source.textOf(node) !== name || node.prevSibling?.name === '.')
      return true;
    if (node.parent?.name === 'ArgList' && node.nextSibling?.name === 'AssignOp') return true;
    const value = givenTo(node);
    if (value !== undefined) values.push(value);
    else
      isKnown &&= !(
        isTarget(node, source) ||
        /^(?:ScopeStatement|NamedExpression|CapturePattern)$/.test(node.parent?.name ?? '')
      );
    return true;
  });
  return isKnown ? values : 'unknown';
}

/** `binding`: only where the node may give it a value. */
function mentions(node: SyntaxNode, name: string, source: PythonSource, binding: boolean): boolean {
  let found = false;
  visitPython(node, (inner) => {
    if (inner.name !== 'VariableName' || source.textOf(inner) !== name) return;
    found ||=
      !binding ||
      isTarget(inner, source) ||
      /^(?:ParamList|ScopeStatement|NamedExpression)$/.test(inner.parent?.name ?? '');
  });
  return found;
}

function isParameter(definition: SyntaxNode, name: string, source: PythonSource): boolean {
  const list = definition.getChild('ParamList');
  return (
    list !== null &&
    childrenOf(list).some((one) => one.name === 'VariableName' && source.textOf(one) === name)
  );
}

/** Is the parameter one of a test or a fixture, and nothing that a table or a patch around gives it? */
function isFixtureOf(definition: SyntaxNode, name: string, source: PythonSource): boolean {
  const own = definition.getChild('VariableName');
  const decorators: string[] = [];
  for (let node: SyntaxNode | null = definition; node !== null; node = node.parent)
    if (node.name === 'DecoratedStatement')
      decorators.push(...node.getChildren('Decorator').map((one) => source.textOf(one)));
  const isAsked =
    (own !== null && source.textOf(own).startsWith('test')) ||
    /^@\s*[\w.]*fixture\b/m.test(decorators.join('\n'));
  return (
    isAsked &&
    !decorators.some(
      (text) => /\bpatch\b/.test(text) || new RegExp(`\\bparametrize\\b[^]*\\b${name}\\b`).test(text),
    )
  );
}

const usesAsImport = (name: string, source: PythonSource): boolean =>
  readImports(source, source.root).some(({ items }) =>
    items.some((item) => (item.alias ?? item.name) === name),
  );

/** What a fixture of the file gives, by the one `return` or `yield` that it has. */
function fixtureNamed(name: string, source: PythonSource): SyntaxNode | 'unknown' | undefined {
  const found: (SyntaxNode | 'unknown')[] = [];
  visitPython(source.root, (whole) => {
    if (whole.name !== 'DecoratedStatement') return;
    const { definition, name: own } = definitionIn(whole, source) ?? {};
    const decorators = whole.getChildren('Decorator').map((one) => source.textOf(one));
    const fixture = decorators.find((text) => /^@\s*(?:pytest(?:_asyncio)?\.)?fixture\b/.test(text));
    if (definition === undefined || fixture === undefined) return;
    const called = /\bname\s*=\s*["'](\w+)["']/.exec(fixture)?.[1] ?? own;
    if (called !== name) return;
    const given: (SyntaxNode | undefined)[] = [];
    visitPython(definition, (node) => {
      if (
        node.from !== definition.from &&
        /^(?:Function|Class)Definition$|^LambdaExpression$/.test(node.name)
      )
        return false;
      if (/^(?:Return|Yield)Statement$|^YieldExpression$/.test(node.name)) given.push(childrenOf(node)[1]);
      return !node.name.startsWith('Yield');
    });
    found.push(given.length === 1 && decorators.length === 1 ? (given[0] ?? 'unknown') : 'unknown');
  });
  return found.length > 1 ? 'unknown' : found[0];
}
