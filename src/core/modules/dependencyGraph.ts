// Which files depend on which, in every language we know, kept in step with the disk: only what changed is read again.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { hashText } from '../base/hash.ts';
import { throwIfCancelled } from '../base/humanError.ts';
import { toPosix, toRelativePosix } from '../base/paths.ts';
import { goLanguage, isPackage, packageFiles } from './goLinks.ts';
import { loadTypescript } from './importGraph.ts';
import type { ScannedSpecifiers } from './importScan.ts';
import { goKey, keysOf, type Language, type Links } from './links.ts';
import { LiveView, readOr, stampOf } from './liveView.ts';
import { pythonLanguage } from './pythonLinks.ts';
import { configText, linkConfig, namedPaths, scriptLanguage } from './scriptLinks.ts';

/** Where the graph begins: a test file, with the files that configure its runner (all relative to the root). */
export interface GraphRoot {
  readonly file: string;
  readonly configs: readonly string[];
}

interface UpdateOptions {
  /** Written just now: read whatever their times say. */
  readonly touched?: readonly string[];
  readonly signal?: AbortSignal;
}

interface Node {
  readonly stamp: string;
  readonly hash: string;
  readonly scanned: ScannedSpecifiers;
  readonly links: Links;
}

const nothing: ScannedSpecifiers = { modules: [], paths: [], open: [] };
/** Others get their turn after this long, ms. */
const slice = 10;

/** All files are relative to the root, POSIX separators; what lies outside of the root begins with `../`. */
export class DependencyGraph {
  readonly #root: string;
  readonly #view = new LiveView();
  readonly #nodes = new Map<string, Node>();
  readonly #importers = new Map<string, Set<string>>();
  /** By key (see keysOf): the files whose links it could change. */
  readonly #listeners = new Map<string, Set<string>>();
  readonly #configsOf = new Map<string, readonly string[]>();
  readonly #configs = new Set<string>();
  #languages: readonly Language[] = [];
  #updating: Promise<unknown> = Promise.resolve();

  /** `root` is an absolute real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Brings it in step with the disk, and tells which files of it were changed or deleted since the last update. What the roots
   * reach and was not known is loaded. Calls follow one another; others get their turn every few milliseconds.
   */
  update(roots: readonly GraphRoot[], options: UpdateOptions = {}): Promise<ReadonlySet<string>> {
    const next = this.#updating.then(() => this.#update(roots, options));
    this.#updating = next.catch(() => undefined);
    return next;
  }

  has(file: string): boolean {
    return this.#nodes.has(file);
  }

  /** The files and everything that depends on one of them, directly or not. */
  dependents(files: Iterable<string>): ReadonlySet<string> {
    const reached = new Set(files);
    for (const file of reached) for (const importer of this.#importers.get(file) ?? []) reached.add(importer);
    return reached;
  }

  /** The file and everything it depends on, directly or not. */
  dependencies(file: string): ReadonlySet<string> {
    const reached = new Set([file]);
    for (const one of reached) {
      for (const next of this.#nodes.get(one)?.links.needs ?? []) reached.add(next);
      for (const next of this.#configsOf.get(one) ?? []) reached.add(next);
    }
    return new Set([...reached].filter((one) => !isPackage(one)));
  }

  /** Every file it holds. */
  files(): readonly string[] {
    return [...this.#nodes.keys()].filter((file) => !isPackage(file));
  }

  /** Files that load others by names which only a run knows, and that could mean this one. */
  openTo(file: string): readonly string[] {
    const found: string[] = [];
    for (const [importer, { links }] of this.#nodes)
      if (links.open.some((place) => file.startsWith(place))) found.push(importer);
    return found;
  }

  /** Files that start programs of which their texts do not tell for certain: any change can matter to them. */
  starters(): readonly string[] {
    return [...this.#nodes]
      .flatMap(([file, { links }]) => (links.startsAny === true ? [file] : []))
      .toSorted();
  }

  /** Files that name something that this one, which is gone or new, can stand for. */
  namers(file: string): readonly string[] {
    return keysOf(file).flatMap((key) => [...(this.#listeners.get(key) ?? [])]);
  }

  async #update(
    roots: readonly GraphRoot[],
    { touched = [], signal }: UpdateOptions,
  ): Promise<ReadonlySet<string>> {
    const typescript = await loadTypescript();
    const rest = breather(signal);
    const stale = this.#staleLinks();
    if (this.#languages.length === 0) {
      const [root, view] = [this.#root, this.#view];
      this.#languages = [
        scriptLanguage(typescript, root, view),
        pythonLanguage(root, view),
        goLanguage(root, view),
      ];
    }
    const changed = new Set<string>();
    const pending: string[] = [];
    const again = new Set(touched);
    for (const [file, node] of this.#nodes) {
      if (isPackage(file)) continue;
      const stamp = stampOf(path.join(this.#root, file));
      if (stamp === node.stamp && !again.has(file)) continue;
      await rest();
      const now = this.#load(file);
      if (now?.hash === node.hash) this.#nodes.set(file, { ...node, stamp });
      else {
        changed.add(file);
        stale.delete(file);
        this.#replace(file, now);
        pending.push(...(now?.links.needs ?? []));
      }
    }
    for (const file of stale) {
      const node = this.#nodes.get(file);
      if (node === undefined) continue;
      await rest();
      const links = this.#link(file, node.scanned);
      this.#replace(file, { ...node, links });
      pending.push(...links.needs);
    }
    for (const { file, configs } of roots) {
      this.#configure(file, configs);
      pending.push(file, ...configs);
    }
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      if (this.#nodes.has(file)) continue;
      await rest();
      const node = this.#load(file);
      if (node === undefined) continue;
      this.#replace(file, node);
      pending.push(...node.links.needs);
    }
    return changed;
  }

  /** Files whose links may lead elsewhere because files came or went; all of them when settings of the resolvers changed. */
  #staleLinks(): Set<string> {
    const { entries, texts } = this.#view.refresh();
    if (entries.length + texts.length === 0) return new Set();
    // What the resolvers remember may be no more.
    this.#languages = [];
    if (texts.length > 0 || entries.some((entry) => /[\\/]node_modules(?:[\\/]|$)/.test(entry)))
      return new Set(this.#nodes.keys());
    const keys = new Set<string>();
    for (const entry of entries) {
      const name = toRelativePosix(this.#root, entry);
      // A folder brings or takes all that lies in it.
      const known = [...this.#nodes.keys()].filter((file) => file.startsWith(name + '/'));
      for (const file of [name, ...known, ...filesBelow(entry, name)])
        for (const key of keysOf(file)) keys.add(key);
    }
    return new Set([...keys].flatMap((key) => [...(this.#listeners.get(key) ?? [])]));
  }

  /** Notes what configures the runner of a test file. */
  #configure(file: string, configs: readonly string[]): void {
    const known = this.#configsOf.get(file);
    if (known !== undefined && known.join('\0') === configs.join('\0')) return;
    for (const config of known ?? []) this.#importers.get(config)?.delete(file);
    for (const config of configs) {
      // Whatever was known of it says nothing about the files it names.
      if (!this.#configs.has(config)) this.#replace(config, undefined);
      this.#configs.add(config);
      addTo(this.#importers, config, file);
    }
    this.#configsOf.set(file, configs);
  }

  #load(file: string): Node | undefined {
    if (isPackage(file)) return { stamp: '', hash: '', scanned: nothing, links: this.#link(file, nothing) };
    const absolute = path.join(this.#root, file);
    const stamp = stampOf(absolute);
    if (stamp === '') return undefined;
    const language = this.#languageOf(file);
    const isConfig = this.#configs.has(file);
    // Data may be of any size: its time says enough.
    if (language === undefined && !isConfig)
      return { stamp, hash: stamp.replace(' fresh', ''), scanned: nothing, links: this.#link(file, nothing) };
    const text = readOr(absolute);
    if (text === undefined) return undefined;
    const scanned = language?.scan(text, file) ?? nothing;
    const named = isConfig ? namedPaths(configText(file, text)) : [];
    const all = { ...scanned, paths: [...scanned.paths, ...named] };
    return { stamp, hash: hashText(text), scanned: all, links: this.#link(file, all) };
  }

  #link(file: string, scanned: ScannedSpecifiers): Links {
    if (isPackage(file)) {
      const needs = packageFiles(this.#view, this.#root, file);
      return { needs, listens: [goKey(file.slice(0, -1))], open: [] };
    }
    const links = this.#languageOf(file)?.link(file, scanned) ?? { needs: [], listens: [], open: [] };
    if (!this.#configs.has(file)) return links;
    const named = linkConfig(this.#root, file, scanned.paths, this.#view);
    return {
      needs: [...new Set([...links.needs, ...named.needs])],
      listens: [...new Set([...links.listens, ...named.listens])],
      open: links.open,
      startsAny: links.startsAny === true || scanned.starts?.isUnknown === true,
    };
  }

  /** Puts a node in the place of what was known of the file; none takes the file out. */
  #replace(file: string, node: Node | undefined): void {
    const known = this.#nodes.get(file);
    for (const need of known?.links.needs ?? []) {
      if (!this.#configsOf.get(file)?.includes(need)) this.#importers.get(need)?.delete(file);
    }
    for (const key of known?.links.listens ?? []) this.#listeners.get(key)?.delete(file);
    if (node === undefined) {
      this.#nodes.delete(file);
      return;
    }
    for (const need of node.links.needs) addTo(this.#importers, need, file);
    for (const key of node.links.listens) addTo(this.#listeners, key, file);
    this.#nodes.set(file, node);
  }

  #languageOf(file: string): Language | undefined {
    return this.#languages.find((language) => language.handles(file));
  }
}

/** Files below a folder that just came, by their names from the root; none when it is no folder. */
function filesBelow(folder: string, name: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((one) => `${name}/${toPosix(one)}`);
  } catch {
    return [];
  }
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}

/** Waits for the others when a slice is used up; throws the cancellation error. */
function breather(signal: AbortSignal | undefined): () => Promise<void> | undefined {
  let end = performance.now() + slice;
  throwIfCancelled(signal);
  return () => {
    if (performance.now() < end) return undefined;
    return setImmediate().then(() => {
      throwIfCancelled(signal);
      end = performance.now() + slice;
    });
  };
}
