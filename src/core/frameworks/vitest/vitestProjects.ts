// Resolves the projects of a vitest configuration (inline, files, folders, globs) the way vitest itself does.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { toPosix, toRelativePosix } from '../../base/paths.ts';
import type { FrameworkProject } from '../../model/frameworkProject.ts';
import { filesBelow, walkTree, type FileTree } from '../../workspace/walk.ts';
import { computedNote } from '../partlyKnown.ts';
import {
  configFileNames,
  readVitestConfig,
  readVitestWorkspace,
  workspaceFileNames,
  type InlineProject,
  type ProjectEntry,
  type VitestSettings,
} from './vitestConfig.ts';

/** One project as vitest runs it. */
export interface VitestProject {
  /** Empty for a project without a name. */
  readonly name: string;
  /** Absolute folder that the patterns are relative to. */
  readonly dir: string;
  readonly settings: VitestSettings;
}

interface ResolvedVitest {
  readonly projects: readonly VitestProject[];
  /** The configuration lists projects, so it speaks for all folders below it. */
  readonly listsProjects: boolean;
  /** What could not be read, as sentences. */
  readonly notes: readonly string[];
}

/** Installed major version; the newest known one when nothing is installed. */
export function majorOf(project: FrameworkProject): number {
  const major = Number.parseInt(project.version ?? '', 10);
  return Number.isNaN(major) ? 5 : major;
}

/** Every project that starting vitest in `project.root` runs. `tree` saves a walk where globs name the projects. */
export async function resolveVitest(
  project: FrameworkProject,
  tree?: FileTree,
  signal?: AbortSignal,
): Promise<ResolvedVitest> {
  const notes: string[] = [];
  const major = majorOf(project);
  const resolver = new ProjectResolver({
    major,
    folder: project.root,
    named: (file) => toRelativePosix(tree?.root ?? project.root, file),
    notes,
    tree: async () => (tree && filesBelow(tree, project.root) ? tree : walkTree(project.root, signal)),
  });
  const root = await resolver.root(project.configFile);
  return { ...root, notes };
}

interface ResolverFacts {
  readonly major: number;
  /** Where vitest is started. */
  readonly folder: string;
  /** The name of a file in notes. */
  readonly named: (file: string) => string;
  readonly notes: string[];
  readonly tree: () => Promise<FileTree>;
}

class ProjectResolver {
  readonly #facts: ResolverFacts;

  constructor(facts: ResolverFacts) {
    this.#facts = facts;
  }

  async root(configFile: string | undefined): Promise<Omit<ResolvedVitest, 'notes'>> {
    const settings = configFile === undefined ? { computed: [] } : await this.#read(configFile);
    const folder =
      settings.root === undefined ? this.#facts.folder : path.resolve(this.#facts.folder, settings.root);
    const entries = settings.projects ?? (await this.#workspaceFile(configFile));
    const alone = this.#withBrowsers({ name: settings.name ?? '', dir: dirOf(folder, settings), settings });
    if (!entries) return { projects: alone, listsProjects: false };
    const context = { folder, settings, ...(configFile === undefined ? {} : { configFile }), trail: [] };
    const projects = await this.#entries(entries, context);
    return { projects, listsProjects: true };
  }

  async #workspaceFile(configFile: string | undefined): Promise<readonly ProjectEntry[] | undefined> {
    if (this.#facts.major > 3) return undefined;
    const folder = configFile === undefined ? this.#facts.folder : path.dirname(configFile);
    const name = workspaceFileNames.find((candidate) => existsSync(path.join(folder, candidate)));
    if (name === undefined) return undefined;
    const entries = await readVitestWorkspace(path.join(folder, name), this.#facts.major);
    if (!entries) this.#note(path.join(folder, name), ['projects']);
    return entries;
  }

  async #read(file: string): Promise<VitestSettings> {
    const settings = await readVitestConfig(file, this.#facts.major);
    this.#note(file, settings.computed);
    return settings;
  }

  #note(file: string, computed: readonly string[]): void {
    const note = computedNote(this.#facts.named(file), computed);
    if (note !== undefined) this.#facts.notes.push(note);
  }

  async #entries(entries: readonly ProjectEntry[], context: Context): Promise<VitestProject[]> {
    const inline = entries.filter((entry) => typeof entry !== 'string');
    const result: VitestProject[] = [];
    for (const [index, entry] of inline.entries())
      result.push(...(await this.#inline(entry, index, context)));
    const paths = entries.filter((entry) => typeof entry === 'string');
    for (const found of await this.#paths(paths, context))
      result.push(...(await this.#fileProject(found, context)));
    return result;
  }

  async #inline(entry: InlineProject, index: number, context: Context): Promise<readonly VitestProject[]> {
    const { settings } = entry;
    const base = await this.#inherited(entry, context);
    const merged = base ? mergeSettings(base, settings, this.#facts.major) : settings;
    this.#note(context.configFile ?? context.folder, settings.computed);
    const folder = merged.root === undefined ? context.folder : path.resolve(context.folder, merged.root);
    const name = nested(merged.name ?? String(index), context);
    return this.#withBrowsers({ name, dir: dirOf(folder, merged), settings: merged });
  }

  async #inherited(entry: InlineProject, context: Context): Promise<VitestSettings | undefined> {
    if (typeof entry.extends === 'string') return this.#read(path.resolve(context.folder, entry.extends));
    const inherits = entry.extends ?? this.#facts.major >= 5;
    return inherits ? context.settings : undefined;
  }

  /** Configuration files and folders (with a slash at their end) that the entries name. */
  async #paths(entries: readonly string[], context: Context): Promise<readonly string[]> {
    const found = new Set<string>();
    const globs: string[] = [];
    for (const entry of entries.map((text) => text.replace('<rootDir>', toPosix(context.folder)))) {
      if (picomatch.scan(entry).isGlob || entry.startsWith('!')) globs.push(entry);
      else {
        const target = path.resolve(context.folder, entry);
        const config = configAt(target);
        if (config === undefined) this.#facts.notes.push(`The vitest project ${entry} does not exist.`);
        else found.add(config);
      }
    }
    if (globs.length > 0) for (const one of await this.#matching(globs, context.folder)) found.add(one);
    return [...found];
  }

  async #matching(globs: readonly string[], folder: string): Promise<readonly string[]> {
    const files = filesBelow(await this.#facts.tree(), folder) ?? [];
    const clean = (glob: string): string => glob.replace(/^\.\//, '').replace(/\/$/, '');
    const wanted = picomatch(globs.filter((glob) => !glob.startsWith('!')).map(clean), { dot: true });
    const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => clean(glob.slice(1)));
    const ignored = unwanted.length > 0 ? picomatch(unwanted, { dot: true }) : () => false;
    const matched = [...foldersOf(files), ...files.filter(isConfigName)].filter(
      (one) => wanted(one) && !ignored(one),
    );
    return matched.flatMap((one) => configAt(path.join(folder, one)) ?? []);
  }

  async #fileProject(target: string, context: Context): Promise<readonly VitestProject[]> {
    if (target === context.configFile) {
      const { folder, settings } = context;
      return this.#withBrowsers({ name: settings.name ?? '', dir: dirOf(folder, settings), settings });
    }
    if (context.trail.includes(target)) return [];
    const isFolder = target.endsWith('/');
    const home = isFolder ? target.slice(0, -1) : path.dirname(target);
    const settings = isFolder ? { computed: [] } : await this.#read(target);
    const folder = settings.root === undefined ? home : path.resolve(home, settings.root);
    const name = nested(settings.name || packageName(home) || path.basename(home), context);
    if (settings.projects && this.#facts.major >= 5) {
      const trail = [...context.trail, target];
      return this.#entries(settings.projects, {
        folder,
        settings,
        configFile: target,
        container: name,
        trail,
      });
    }
    return this.#withBrowsers({ name, dir: dirOf(folder, settings), settings });
  }

  #withBrowsers(project: VitestProject): readonly VitestProject[] {
    const { browsers } = project.settings;
    if (!browsers) return [project];
    return browsers.map(({ name, browser }) => ({
      ...project,
      name: name ?? (project.name === '' ? browser : `${project.name} (${browser})`),
    }));
  }
}

/** Where entries are written. */
interface Context {
  readonly folder: string;
  readonly settings: VitestSettings;
  readonly configFile?: string;
  /** Name of the project that holds them (vitest 5). */
  readonly container?: string;
  readonly trail: readonly string[];
}

function nested(name: string, { container }: Context): string {
  return container === undefined ? name : `${container} (${name})`;
}

function dirOf(folder: string, settings: VitestSettings): string {
  return settings.dir === undefined ? folder : path.resolve(folder, settings.dir);
}

/** Lists are joined as vite does it. */
function mergeSettings(base: VitestSettings, over: VitestSettings, major: number): VitestSettings {
  const join = (
    key: 'include' | 'exclude' | 'includeSource',
  ): Partial<Record<typeof key, readonly string[]>> => {
    if (!base[key] && !over[key]) return {};
    return { [key]: [...(base[key] ?? []), ...(over[key] ?? [])] };
  };
  const { name, root, projects: _projects, ...inherited } = base;
  const kept =
    major >= 5 ? {} : { ...(name === undefined ? {} : { name }), ...(root === undefined ? {} : { root }) };
  return { ...inherited, ...kept, ...over, ...join('include'), ...join('exclude'), ...join('includeSource') };
}

function isConfigName(file: string): boolean {
  return /^vite(?:st)?(?:\.[\w-]+)?\.config\./.test(path.posix.basename(file));
}

/** A configuration file; for a folder the one inside it, or the folder with a slash at its end. */
function configAt(target: string): string | undefined {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats?.isFile()) return isConfigName(toPosix(target)) ? target : undefined;
  if (!stats?.isDirectory()) return undefined;
  const names = new Set(readdirSync(target));
  const config = configFileNames.find((name) => names.has(name));
  return config === undefined ? target + '/' : path.join(target, config);
}

function foldersOf(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

function packageName(folder: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const name = typeof parsed === 'object' && parsed !== null && 'name' in parsed ? parsed.name : undefined;
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
