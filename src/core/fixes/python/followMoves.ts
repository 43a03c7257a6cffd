// Rewrites the imports of a Python test file, and the names that it patches, to where the source has them now.
import type { SyntaxNode } from '@lezer/common';
import type { TextChange } from '../../model/edit.ts';
import { readImports, type ImportItem, type ImportStatement } from '../../syntax/python/importStatements.ts';
import {
  argumentsOf,
  type Argument,
  childrenOf,
  parsePython,
  visitPython,
  type PythonSource,
} from '../../syntax/python/parsePython.ts';
import { readPythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import { usesOf } from './nameUses.ts';
import { moduleIn, type PythonHistory, type PythonPlace } from './pythonHistory.ts';

export interface FollowedMoves {
  readonly changes: readonly TextChange[];
  /** `pkg.mod.old` → `pkg.mod.new`, for sentences. */
  readonly moves: readonly (readonly [old: string, now: string])[];
  readonly refusals: readonly Refusal[];
  /** Names that a module passed on, and may have lost by mistake. */
  readonly lost: readonly string[];
  /** Why only a person can tell whether the same is meant, in sentences. */
  readonly doubts: readonly string[];
}

/**
 * Follows what the history shows to have one new home; the same text gives the same changes. What does not change its meaning with
 * them is left alone: names that a test gives something else, and keywords.
 */
export async function followMoves(
  file: string,
  text: string,
  history: PythonHistory,
): Promise<FollowedMoves> {
  const source = parsePython(text);
  const follower = new Follower(file, source, history);
  if (source.errorLine === undefined) {
    for (const statement of readImports(source, source.root)) await follower.importStatement(statement);
    await follower.members();
    await follower.targets();
  }
  return follower.result();
}

interface Target {
  readonly module: string;
  readonly name: string;
}

interface FoundModule {
  readonly file: string;
  /** The folder that it is imported from. */
  readonly base: string;
}

const replacing =
  /^(?:(?:unittest\.)?mock\.|mocker\.)?patch(?:\.dict|\.object)?$|^monkeypatch\.(?:setattr|delattr)$/;

class Follower {
  readonly #changes: TextChange[] = [];
  readonly #moves = new Map<string, string>();
  readonly #refusals: Refusal[] = [];
  readonly #lost: string[] = [];
  readonly #doubts = new Set<string>();
  /** What names of the file stand for, of modules: `shop`, `pkg.shop`. */
  readonly #modules = new Map<string, { readonly file: string; readonly module: string }>();
  readonly #seenUses = new Map<string, readonly SyntaxNode[] | undefined>();
  readonly #file: string;
  readonly #source: PythonSource;
  readonly #history: PythonHistory;

  constructor(file: string, source: PythonSource, history: PythonHistory) {
    this.#file = file;
    this.#source = source;
    this.#history = history;
  }

  result(): FollowedMoves {
    return {
      changes: this.#changes,
      moves: [...this.#moves],
      refusals: this.#refusals,
      lost: this.#lost,
      doubts: [...this.#doubts],
    };
  }

  async #placeOf(file: string, name: string): Promise<PythonPlace | Refusal | undefined> {
    const place = await this.#history.placeOf(file, name);
    if (place !== undefined && !isRefusal(place) && place.doubt !== undefined) this.#doubts.add(place.doubt);
    return place;
  }

  async importStatement(statement: ImportStatement): Promise<void> {
    const { module, items } = statement;
    if (module === undefined) for (const item of items) await this.#wholeModule(item);
    else if (!module.text.startsWith('.')) await this.#names(statement, module);
  }

  /** `import pkg.mod as m` */
  async #wholeModule({ name, alias, from, to }: ImportItem): Promise<void> {
    const found = await this.#history.module(name, this.#file, 'before');
    if (found === undefined) return;
    this.#modules.set(alias ?? name, { file: found.file, module: name });
    const home = this.#history.pathNow(found.file);
    if (home === found.file) return;
    const now = home === undefined ? undefined : moduleIn(found.base, home);
    if (now === undefined)
      return void this.#refusals.push(refuse(`${name} was removed, and no file replaces it.`));
    if (now === name) return;
    const renamed = alias === undefined ? this.#usesRenamed(name, now) : { text: now, uses: [] };
    if (isRefusal(renamed)) return void this.#refusals.push(renamed);
    this.#change(from, to, renamed.text);
    for (const use of renamed.uses) this.#change(use.from, use.to, now);
    this.#moved(name, now);
  }

  /** Every use of the module follows; where its name stands for something else as well, it keeps it (`import store as shop`). */
  #usesRenamed(
    name: string,
    now: string,
  ): { readonly text: string; readonly uses: readonly SyntaxNode[] } | Refusal {
    const [root = name, ...deeper] = name.split('.');
    const [rootNow = now] = now.split('.');
    const uses = usesOf(root, this.#source);
    if (deeper.length > 0) {
      const chains = this.#chainsOf(name);
      const isWhole = uses?.every((use) => chains.some(({ from }) => from === use.from)) === true;
      return uses !== undefined && (isWhole || root === rootNow)
        ? { text: now, uses: chains }
        : refuse(`${name} is now ${now}, but the test also uses ${root} for something else.`);
    }
    const sharing = readImports(this.#source, this.#source.root)
      .flatMap(({ items }) => items)
      .some((item) => item.name.startsWith(`${root}.`) && item.alias === undefined);
    const isFree = !new RegExp(`\\b${rootNow}\\b`).test(this.#source.text);
    return uses === undefined || sharing || !isFree
      ? { text: `${now} as ${name}`, uses: [] }
      : { text: now, uses };
  }

  /** `pkg.mod` wherever it is written. */
  #chainsOf(name: string): readonly SyntaxNode[] {
    const chains: SyntaxNode[] = [];
    visitPython(this.#source.root, (node) => {
      if (node.name !== 'MemberExpression' || this.#source.textOf(node) !== name) return true;
      chains.push(node);
      return false;
    });
    return chains;
  }

  /** `from pkg.mod import a, b as c` */
  async #names(statement: ImportStatement, module: NonNullable<ImportStatement['module']>): Promise<void> {
    const found = await this.#history.module(module.text, this.#file, 'before');
    if (found === undefined) return;
    const targets: Target[] = [];
    for (const item of statement.items) {
      const target =
        (await this.#submodule(item, module.text)) ?? (await this.#nameIn(item, module.text, found));
      if (isRefusal(target)) {
        for (const { name, alias } of statement.items) this.#modules.delete(alias ?? name);
        return void this.#refusals.push(target);
      }
      targets.push(target);
    }
    const homes = targets.map((target) => target.module);
    const [home = module.text] = homes;
    const isOne = homes.every((one) => one === home);
    const indent = this.#indentOf(statement);
    // Nothing of the statement may be changed before it is clear that all of it can be.
    if (!isOne && indent === undefined) {
      for (const { name, alias } of statement.items) this.#modules.delete(alias ?? name);
      return void this.#refusals.push(
        refuse(`The names of ${module.text} moved to several modules: ${this.#namesOf(statement)}.`),
      );
    }
    const renamed = statement.items.map((item, index) =>
      this.#itemNow(item, targets[index]?.name ?? item.name),
    );
    for (const [index, item] of statement.items.entries())
      this.#moved(`${module.text}.${item.name}`, `${targets[index]?.module}.${targets[index]?.name}`);
    if (indent === undefined || isOne) {
      if (home !== module.text) this.#change(module.from, module.to, home);
      for (const [index, item] of statement.items.entries())
        if (renamed[index] !== this.#written(item)) this.#change(item.from, item.end, renamed[index] ?? '');
      return;
    }
    this.#split(statement, indent, homes, renamed);
  }

  #namesOf({ items }: ImportStatement): string {
    return items.map(({ name }) => name).join(', ');
  }

  /** Undefined where it has comments, or something stands before it. */
  #indentOf({ node }: ImportStatement): string | undefined {
    const start = this.#source.text.lastIndexOf('\n', node.from) + 1;
    const indent = this.#source.text.slice(start, node.from);
    return indent.trim() !== '' || /#/.test(this.#source.textOf(node)) ? undefined : indent;
  }

  /** Names of one statement went to several modules: a statement for each, in the order of their first name. */
  #split(
    { node }: ImportStatement,
    indent: string,
    homes: readonly string[],
    renamed: readonly string[],
  ): void {
    const eol = this.#source.text.includes('\r\n') ? '\r\n' : '\n';
    const statements = [...new Set(homes)].map(
      (home) => `from ${home} import ${renamed.filter((_name, index) => homes[index] === home).join(', ')}`,
    );
    this.#change(node.from, node.to, statements.join(eol + indent));
  }

  /** What the statement imports is a module of the package. */
  async #submodule(item: ImportItem, parent: string): Promise<Target | Refusal | undefined> {
    const name = `${parent}.${item.name}`;
    const found = await this.#history.module(name, this.#file, 'before');
    if (found === undefined) return undefined;
    this.#modules.set(item.alias ?? item.name, { file: found.file, module: name });
    const home = this.#history.pathNow(found.file);
    const now = home === undefined ? undefined : moduleIn(found.base, home);
    const [, module, last] = /^(.+)\.(\w+)$/.exec(now ?? '') ?? [];
    return module === undefined || last === undefined
      ? refuse(`${name} was removed, and no file in a package replaces it.`)
      : { module, name: last };
  }

  async #nameIn(item: ImportItem, module: string, { file, base }: FoundModule): Promise<Target | Refusal> {
    const place = await this.#placeOf(file, item.name);
    if (place === undefined) return { module, name: item.name };
    if (isRefusal(place)) return place;
    if (place.isLost === true) this.#lost.push(`${module}.${item.name}`);
    const home = moduleIn(base, place.file);
    return home === undefined
      ? refuse(`${item.name} moved to ${place.file}, from which the test cannot import it.`)
      : { module: home, name: place.name };
  }

  /** Every use follows where the old name certainly means the import and nothing has the new one; else the import gets an alias. */
  #itemNow(item: ImportItem, name: string): string {
    if (name === item.name) return this.#written(item);
    if (item.alias !== undefined) return item.alias === name ? name : `${name} as ${item.alias}`;
    const uses = usesOf(item.name, this.#source);
    const isFree =
      usesOf(name, this.#source)?.length === 0 && !new RegExp(`\\b${name}\\b`).test(this.#source.text);
    if (uses === undefined || !isFree) return `${name} as ${item.name}`;
    for (const use of uses) this.#change(use.from, use.to, name);
    return name;
  }

  #written({ from, end }: ImportItem): string {
    return this.#source.text.slice(from, end);
  }

  /** `shop.old` where `shop` is a module. */
  async members(): Promise<void> {
    const uses: (readonly [node: SyntaxNode, object: string])[] = [];
    visitPython(this.#source.root, (node) => {
      const [object] = node.name === 'MemberExpression' ? childrenOf(node) : [];
      if (object) uses.push([node, this.#source.textOf(object)]);
    });
    for (const [node, object] of uses) {
      const known = this.#modules.get(object);
      const property = node.lastChild;
      if (known === undefined || property?.name !== 'PropertyName') continue;
      const name = this.#source.textOf(property);
      if (this.#usesOfModule(object) === undefined) continue;
      const place = await this.#placeOf(known.file, name);
      if (place === undefined) continue;
      const home = this.#history.pathNow(known.file);
      if (isRefusal(place)) this.#refusals.push(place);
      else if (place.file !== home)
        this.#refusals.push(
          refuse(`${known.module}.${name} is now in ${place.file}, which the test does not import.`),
        );
      else if (place.name !== name) {
        this.#change(property.from, property.to, place.name);
        this.#moved(`${known.module}.${name}`, `${known.module}.${place.name}`);
      }
    }
  }

  /** What `patch` and `monkeypatch.setattr` are told to replace: `"pkg.mod.name"`, or a module and `"name"`. */
  async targets(): Promise<void> {
    const calls: (readonly Argument[])[] = [];
    visitPython(this.#source.root, (node) => {
      const isCall = node.name === 'CallExpression' || node.name === 'Decorator';
      if (isCall && replacing.test(calleeOf(node, this.#source)))
        calls.push(argumentsOf(node.getChild('ArgList'), this.#source));
    });
    for (const [first, second] of calls) {
      if (first === undefined || first.name !== undefined || first.spread) continue;
      const target = this.#textIn(first.value);
      if (target?.includes('.') === true) await this.#dotted(first.value, target);
      const known = this.#modules.get(this.#source.textOf(first.value));
      const name = second === undefined || second.name !== undefined ? undefined : this.#textIn(second.value);
      if (known === undefined || second === undefined || name === undefined) continue;
      if (this.#usesOfModule(this.#source.textOf(first.value)) === undefined) continue;
      const place = await this.#replacedPlace(known.file, name, known.module);
      if (place === undefined) continue;
      if (place.file !== this.#history.pathNow(known.file)) {
        this.#refusals.push(
          refuse(`${known.module}.${name}, which the test patches, is now in ${place.file}.`),
        );
        continue;
      }
      this.#change(second.value.from, second.value.to, this.#quoted(second.value, name, place.name));
      this.#moved(`${known.module}.${name}`, `${known.module}.${place.name}`);
    }
  }

  /** Undefined where its name stands for something else as well. */
  #usesOfModule(name: string): readonly SyntaxNode[] | undefined {
    const local = name.split('.')[0] ?? name;
    // Each look goes through the whole file, and a file may use a module in a thousand places.
    if (!this.#seenUses.has(local)) this.#seenUses.set(local, usesOf(local, this.#source));
    return this.#seenUses.get(local);
  }

  /** Names with dots between. */
  #textIn({ from, to }: SyntaxNode): string | undefined {
    const literal = readPythonLiteral(this.#source.text, from, to);
    return literal?.kind === 'str' && /^\w+(?:\.\w+)*$/.test(literal.value) ? literal.value : undefined;
  }

  #quoted(node: SyntaxNode, old: string, now: string): string {
    return this.#source.textOf(node).replace(old, () => now);
  }

  async #dotted(node: SyntaxNode, target: string): Promise<void> {
    const parts = target.split('.');
    for (let count = parts.length - 1; count > 0; count--) {
      const module = parts.slice(0, count).join('.');
      const found = await this.#history.module(module, this.#file, 'before');
      if (found === undefined) continue;
      const [name = '', ...rest] = parts.slice(count);
      const place = await this.#replacedPlace(found.file, name, module);
      const home = place === undefined ? undefined : moduleIn(found.base, place.file);
      if (place === undefined || home === undefined) return;
      const now = [home, place.name, ...rest].join('.');
      if (now !== target) this.#change(node.from, node.to, this.#quoted(node, target, now));
      this.#moved(target, now);
      return;
    }
  }

  /**
   * What is replaced is a name of the module that looks it up there: where the definition went is no other place for that, unless the
   * module has it by another name now, or reads it from the other module each time.
   */
  async #replacedPlace(file: string, name: string, module: string): Promise<PythonPlace | undefined> {
    const place = await this.#placeOf(file, name);
    const home = this.#history.pathNow(file);
    if (place !== undefined && isRefusal(place)) return void this.#refusals.push(place);
    if (place === undefined) return undefined;
    if (place.file === home) {
      const isLost =
        (await this.#history.isLookedUp(file, name, 'before')) &&
        !(await this.#history.isLookedUp(home, place.name, 'now'));
      return isLost ? this.#notLookedUp(module, name) : place;
    }
    const known = home === undefined ? undefined : await this.#history.lookup(home, place);
    if (known === 'attribute') return place;
    if (known !== undefined && home !== undefined) return { file: home, name: known.alias };
    return this.#notLookedUp(module, name);
  }

  #notLookedUp(module: string, name: string): undefined {
    this.#refusals.push(refuse(`${module} no longer uses ${name}, which the test patches there.`));
  }

  #moved(old: string, now: string): void {
    if (old !== now) this.#moves.set(old, now);
  }

  #change(start: number, end: number, newText: string): void {
    if (!this.#changes.some((one) => one.start === start && one.end === end))
      this.#changes.push({ start, end, newText });
  }
}

function calleeOf(node: SyntaxNode, source: PythonSource): string {
  const list = node.getChild('ArgList');
  return list === null ? '' : source.text.slice(node.from, list.from).replace(/^@/, '').trim();
}
