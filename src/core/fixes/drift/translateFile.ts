// Writes one test file for another runner, name for name from the table: all of it, or nothing and the reason.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { startOf, textOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { doneCallbacks, promiseChanges, type DoneCallback } from './doneCallbacks.ts';
import { givesImplementations, memberMeaning, type MemberMeaning } from './memberMeaning.ts';
import { awaitsIn, factoryOf, isAsync } from './moduleMocks.ts';
import { importChanges, runnerImports } from './runnerImports.ts';
import {
  anyRunnerName,
  linksOf,
  matcherAliases,
  mayBeAnything,
  mockObject,
  mockTypes,
  nameIn,
  onlyInVitest,
  type Runner,
} from './runnerTable.ts';
import { freeUses, ownNames, rootOf } from './runnerUses.ts';

export interface TranslationWish {
  readonly runner: Runner;
  /** The runner gives its names without an import. */
  readonly hasGlobals: boolean;
  /** The runner no longer knows the second names of matchers. */
  readonly lacksAliases: boolean;
}

export interface Translation {
  readonly changes: readonly TextChange[];
  /** What was written in another way, as `jest.fn → vi.fn`: each once, in order. */
  readonly words: readonly string[];
  /** Tests that keep their callback, each with the reason. */
  readonly left: readonly DoneCallback[];
}

export function translateFile(
  tree: SourceTree,
  wish: TranslationWish,
): Translation | { readonly reason: string } {
  const imports = runnerImports(tree.ast);
  if ('reason' in imports) return imports;
  const [known, another] = imports;
  if (another !== undefined) return { reason: 'The test imports a runner more than once.' };
  const steps = new Steps(tree, wish);
  const unknown = steps.translateNames() ?? steps.findForeignParts();
  if (unknown !== undefined) return { reason: `${unknown}.` };
  if (wish.lacksAliases) steps.renameMatchers();
  const left = wish.runner === 'vitest' ? steps.promiseCallbacks() : [];
  const isAsked = !wish.hasGlobals || (known !== undefined && known.runner === wish.runner);
  const needed = [
    ...(isAsked ? [...steps.names].sort() : []),
    ...[...steps.types].map((type) => `type ${type}`),
  ];
  const imported = importChanges(tree, known, wish.runner, needed);
  if ('reason' in imported) return imported;
  // What has been translated is told; an import alone is the missing names themselves.
  const words = [...steps.words];
  if (imported.length > 0 && words.length === 0)
    words.push(`import { ${needed.join(', ')} } from '${wish.runner}'`);
  return { changes: [...imported, ...steps.changes], words, left };
}

class Steps {
  readonly changes: TextChange[] = [];
  readonly words = new Set<string>();
  /** Names of the runner that the file uses, as it calls them. */
  readonly names = new Set<string>();
  readonly types = new Set<string>();
  readonly #tree: SourceTree;
  readonly #runner: Runner;

  constructor(tree: SourceTree, { runner }: TranslationWish) {
    this.#tree = tree;
    this.#runner = runner;
  }

  /** A reason, without its full stop, when something has no counterpart. */
  translateNames(): string | undefined {
    const imported = new Set(importedNames(this.#tree.ast));
    for (const use of freeUses(this.#tree.ast, anyRunnerName)) {
      if (imported.has(use.text)) continue;
      const now = nameIn(this.#runner, use.text);
      if (now === undefined) {
        if (mayBeAnything.has(use.text) && !takesTestBody(use)) continue;
        return `${use.text} has no counterpart in ${this.#runner}`;
      }
      if (isForeignObject(use.text, this.#runner)) {
        const reason = ts.isQualifiedName(use.parent)
          ? this.#translateType(use, use.parent)
          : this.#translateMember(use, now);
        if (reason !== undefined) return reason;
        continue;
      }
      this.names.add(now);
      if (now === use.text) continue;
      if (rootOf(use.parent) !== use) return `${use.text} is used as a value of its own`;
      this.#replace(use, now);
    }
    return undefined;
  }

  #translateMember(use: ts.Identifier, object: string): string | undefined {
    const meaning = memberMeaning(use, use.text === 'jest' ? 'jest' : 'vitest');
    if ('reason' in meaning) return meaning.reason;
    const { member, name } = meaning;
    this.names.add(object);
    if (name === 'actual') return this.#translateActual(meaning, object);
    if (meaning.factory?.kind === 'other') return meaning.factory.reason;
    if (meaning.factory?.kind === 'wrap') this.#wrap(meaning.factory.value);
    this.#change(use, object);
    this.words.add(`${textOf(this.#tree, member)} → ${object}.${name}`);
    return undefined;
  }

  /** `jest.requireActual('m')` → `(await vi.importActual('m'))`, and the factory waits for it. */
  #translateActual(meaning: Extract<MemberMeaning, { name: string }>, object: string): string | undefined {
    const { member, call } = meaning;
    if (this.#runner !== 'vitest' || call === undefined)
      return `${textOf(this.#tree, member)} has no counterpart in ${this.#runner}`;
    const start = startOf(this.#tree, member);
    this.changes.push({ start, end: member.end, newText: `(await ${object}.importActual` });
    this.changes.push({ start: call.end, end: call.end, newText: ')' });
    let factory: ts.Node = call.parent;
    while (!ts.isFunctionLike(factory)) factory = factory.parent;
    const at = startOf(this.#tree, factory);
    const isMarked = this.changes.some((one) => one.start === at && one.newText === 'async ');
    if (!isMarked && !isAsync(factory)) this.changes.push({ start: at, end: at, newText: 'async ' });
    this.words.add(`${textOf(this.#tree, member)} → ${object}.importActual`);
    return undefined;
  }

  #translateType(use: ts.Identifier, name: ts.QualifiedName): string | undefined {
    const { parent } = name;
    const hasArguments = ts.isTypeReferenceNode(parent) && (parent.typeArguments?.length ?? 0) > 0;
    const own = name.right.text;
    const now =
      this.#runner === 'vitest'
        ? (mockTypes.get(hasArguments ? own : `${own}()`) ?? plainType(own))
        : undefined;
    if (now === undefined) return `The type ${use.text}.${own} has no certain counterpart in ${this.#runner}`;
    const { ast } = this.#tree;
    if (ownNames(ast).has(now) || [...importedNames(ast)].includes(now))
      return `${now} means something else in the test`;
    this.types.add(now);
    this.#change(name, now);
    this.words.add(`${use.text}.${own} → ${now}`);
    return undefined;
  }

  /** Parts of the other runner that hang on names of this one: `it.failing`, `this.timeout()`, `expect(…).toBeTypeOf()`. */
  findForeignParts(): string | undefined {
    const { ast } = this.#tree;
    let found: string | undefined;
    const hasImplementations = givesImplementations(ast);
    visitNodes(ast, (node) => {
      if (found !== undefined || !ts.isPropertyAccessExpression(node)) return;
      const { name, expression } = node;
      const root = rootOf(node)?.text ?? '';
      if (expression.kind === ts.SyntaxKind.ThisKeyword && this.#runner !== 'mocha') {
        if (/^(?:timeout|slow|retries|skip)$/.test(name.text))
          found = `this.${name.text} has no counterpart in ${this.#runner}`;
      } else if (name.text === 'mockReset' && hasImplementations && this.words.size > 0)
        found = 'mockReset gives a mock its first implementation back in vitest, and takes it away in jest';
      else if (/^(?:it|test|describe)$/.test(root) && ts.isIdentifier(unwrap(expression))) {
        if (!linksOf[this.#runner].has(name.text))
          found = `${root}.${name.text} has no certain counterpart in ${this.#runner}`;
      } else if (root === 'expect' && this.#runner === 'jest' && onlyInVitest.has(name.text))
        found = `${name.text} has no counterpart in jest`;
    });
    return found ?? this.#requiredMock();
  }

  /** Vitest mocks what is imported, not what is required. */
  #requiredMock(): string | undefined {
    const mocks = freeUses(this.#tree.ast, new Set(['jest'])).some(({ parent }) =>
      /^jest\.(?:mock|doMock|unmock|resetModules)$/.test(parent.getText()),
    );
    const isRequired =
      mocks && this.#runner === 'vitest' && /(?<![.\w$])require\(\s*['"`]\.{1,2}\//.test(this.#tree.text);
    return isRequired ? 'Vitest mocks only what is imported, and the test requires its modules' : undefined;
  }

  renameMatchers(): void {
    visitNodes(this.#tree.ast, (node) => {
      const now = aliasedMatcher(node);
      if (now === undefined) return;
      this.#change(now.name, now.plain);
      this.words.add(`${now.name.text} → ${now.plain}`);
    });
  }

  /** The callbacks that no promise certainly stands for. */
  promiseCallbacks(): readonly DoneCallback[] {
    return doneCallbacks(this.#tree.ast).flatMap((one) => {
      const changes = one.reason === undefined ? promiseChanges(this.#tree, one) : undefined;
      if (changes === undefined)
        return [{ reason: 'has other meanings for the names it would need', ...one }];
      this.changes.push(...changes);
      this.words.add(`(${one.name}) => … → () => new Promise(…)`);
      return [];
    });
  }

  /** `() => value` → `() => ({ default: value })` */
  #wrap(value: ts.Expression): void {
    const isBody = ts.isArrowFunction(value.parent);
    const [inner, open, close] = isBody
      ? ts.isParenthesizedExpression(value)
        ? ([value.expression, '{ default: ', ' }'] as const)
        : ([value, '({ default: ', ' })'] as const)
      : ([value, '{ default: ', ' }'] as const);
    const start = startOf(this.#tree, inner);
    this.changes.push(
      { start, end: start, newText: open },
      { start: inner.end, end: inner.end, newText: close },
    );
  }

  #replace(use: ts.Identifier, now: string): void {
    this.#change(use, now);
    this.words.add(`${use.text} → ${now}`);
  }

  #change(node: ts.Node, newText: string): void {
    this.changes.push({ start: startOf(this.#tree, node), end: node.end, newText });
  }
}

const plainType = (name: string): string | undefined => {
  const now = mockTypes.get(name);
  return now === name ? now : undefined;
};

/** `jest` in vitest, `vi` in jest. */
const isForeignObject = (name: string, runner: Runner): boolean =>
  (name === 'jest' || name === 'vi') && mockObject[runner] !== name;

/** Is it called with a function, as what defines tests is? */
function takesTestBody(use: ts.Identifier): boolean {
  const { parent } = use;
  const isCalled = ts.isCallExpression(parent) && parent.expression === use;
  return isCalled && parent.arguments.some((one) => ts.isFunctionLike(unwrap(one)));
}

/** The names that the file imports from anything but a runner. */
export function* importedNames(source: ts.SourceFile): Generator<string> {
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    if (/^(?:@jest\/globals|vitest|mocha)$/.test(statement.moduleSpecifier.text)) continue;
    const { name, namedBindings: named } = statement.importClause ?? {};
    if (name !== undefined) yield name.text;
    if (named !== undefined && ts.isNamespaceImport(named)) yield named.name.text;
    else if (named !== undefined) for (const element of named.elements) yield element.name.text;
  }
}

/** A matcher of `expect` under its second name, where it is called. */
export function aliasedMatcher(
  node: ts.Node,
): { readonly name: ts.MemberName; readonly plain: string } | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { name } = node.expression;
  const plain = matcherAliases.get(name.text);
  return plain !== undefined && rootOf(node)?.text === 'expect' ? { name, plain } : undefined;
}

/** The awaits of a factory, when all of them wait for the real module. */
export function actualAwaits(call: ts.CallExpression): readonly ts.AwaitExpression[] {
  const factory = factoryOf(call);
  const awaits = factory === undefined ? [] : awaitsIn(factory);
  const isActual = ({ expression }: ts.AwaitExpression): boolean =>
    /^vi\.importActual\b/.test(unwrap(expression).getText());
  return awaits.every(isActual) ? awaits : [];
}
