// One Python text with its classes, and those that it imports from other texts which somebody can read.
import { lineMap } from '../lineMap.ts';
import type { Range } from '../../model/position.ts';
import { emptyScope, type Definition, type Scope } from './definitions.ts';
import { scanDefinitions } from './scanDefinitions.ts';

/** Reads the module that a text means by `specifier` (`a.b`, `.a`); undefined for what is not there or none of the user's own. */
export type ReadModule = (
  specifier: string,
) => { readonly text: string; readonly read: ReadModule } | undefined;

/** A definition and the module that it stands in. */
export interface Placed {
  readonly definition: Definition;
  readonly module: PythonModule;
}

interface Import {
  readonly specifier: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Modules that import one another end somewhere. */
const deepest = 4;

export class PythonModule {
  readonly scope: Scope;
  readonly #text: string;
  readonly #read: ReadModule;
  readonly #depth: number;
  readonly #classes = new Map<string, Definition>();
  #lines: ReturnType<typeof lineMap> | undefined;
  #imports: ReadonlyMap<string, Import> | undefined;

  constructor(text: string, scope: Scope, read: ReadModule, depth = 0) {
    this.scope = scope;
    this.#text = text;
    this.#read = read;
    this.#depth = depth;
    for (const definition of scope.definitions)
      if (definition.kind === 'class') this.#classes.set(definition.name, definition);
  }

  range(start: number, end: number): Range {
    this.#lines ??= lineMap(this.#text);
    return this.#lines.range(start, end);
  }

  /** The class that stands here under this name, or is imported under it. */
  classNamed(name: string): Placed | undefined {
    const definition = this.#classes.get(name);
    if (definition !== undefined) return { definition, module: this };
    const found = this.imported(name);
    return found?.definition.kind === 'class' ? found : undefined;
  }

  /** What is imported under this name from a module that can be read. */
  imported(name: string): (Placed & { readonly range: Range }) | undefined {
    const wanted = this.imports().get(name);
    if (wanted === undefined || this.#depth >= deepest) return undefined;
    const source = this.#read(wanted.specifier);
    if (source === undefined) return undefined;
    const scope = scanDefinitions(source.text);
    const module = new PythonModule(
      source.text,
      scope === 'ambiguous' ? emptyScope : scope,
      source.read,
      this.#depth + 1,
    );
    const own = module.scope.definitions.findLast((one) => one.name === wanted.name);
    const placed = own === undefined ? module.imported(wanted.name) : { definition: own, module };
    return placed && { ...placed, range: this.range(wanted.start, wanted.end) };
  }

  /** By the names that they have here: `from a import b, c as d` at the outermost level. */
  imports(): ReadonlyMap<string, Import> {
    return (this.#imports ??= importsIn(this.#text));
  }
}

function importsIn(text: string): ReadonlyMap<string, Import> {
  const found = new Map<string, Import>();
  for (const statement of text.matchAll(/^from[ \t]+([.\w]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#]+))/gm)) {
    const [whole, specifier = ''] = statement;
    const list = (statement[2] ?? statement[3] ?? '').replaceAll(/#.*/g, '').replaceAll('\\', ' ');
    const [start, end] = [statement.index, statement.index + whole.trimEnd().length];
    for (const item of list.split(',')) {
      const [name = '', alias] = item.trim().split(/\s+as\s+/);
      if (name !== '' && name !== '*') found.set(alias ?? name, { specifier, name, start, end });
    }
  }
  return found;
}
