// Resolves the projects of a jest configuration (in place, files, folders, globs, presets) the way jest itself does.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { realPathOr, toPosix, toRelativePosix } from '../../base/paths.ts';
import type { FrameworkProject } from '../../model/frameworkProject.ts';
import { filesBelow, walkTree, type FileTree } from '../../workspace/walk.ts';
import { computedNote } from '../partlyKnown.ts';
import { configFileNames, readJestConfig, readJestPreset, type JestSettings } from './jestConfig.ts';

/** One project as jest runs it. */
export interface JestProject {
  /** Its displayName; empty when it has none. */
  readonly name: string;
  /** Absolute real path: what `<rootDir>` means. */
  readonly rootDir: string;
  readonly settings: JestSettings;
}

export interface ResolvedJest {
  readonly projects: readonly JestProject[];
  /** The settings of the configuration that jest is started with. */
  readonly own: JestSettings;
  /** That configuration lists projects. */
  readonly listsProjects: boolean;
  /** What could not be read, as sentences. */
  readonly notes: readonly string[];
}

const none: JestSettings = { computed: [] };

/** Every project that starting jest in `project.root` runs. `tree` saves a walk where globs name the projects. */
export async function resolveJest(
  project: FrameworkProject,
  tree?: FileTree,
  signal?: AbortSignal,
): Promise<ResolvedJest> {
  const notes: string[] = [];
  const named = (file: string): string => toRelativePosix(tree?.root ?? project.root, file);
  const noteComputed = (name: string, { computed }: JestSettings): void => {
    const note = computedNote(name, computed);
    if (note !== undefined) notes.push(note);
  };
  const read = async (file: string): Promise<JestSettings> => {
    const settings = await readJestConfig(file);
    noteComputed(named(file), settings);
    return settings;
  };
  const withPreset = async (settings: JestSettings, rootDir: string): Promise<JestSettings> => {
    if (settings.preset === undefined) return settings;
    const preset = await readJestPreset(settings.preset, rootDir);
    if (!preset) {
      notes.push(`The jest preset ${settings.preset} is not installed.`);
      return settings;
    }
    noteComputed(`The jest preset ${settings.preset}`, preset);
    return merged(preset, settings);
  };
  const resolved = async (settings: JestSettings, folder: string): Promise<JestProject> => {
    const rootDir = realPathOr(path.resolve(folder, settings.rootDir ?? '.'));
    const full = await withPreset(settings, rootDir);
    return { name: full.displayName ?? '', rootDir, settings: full };
  };

  const { configFile, root } = project;
  const own = await resolved(
    configFile === undefined ? none : await read(configFile),
    homeOf(configFile) ?? root,
  );
  if (!own.settings.projects) return { projects: [own], own: own.settings, listsProjects: false, notes };
  const projects: JestProject[] = [];
  const folder = homeOf(configFile) ?? root;
  const treeOf = async (): Promise<FileTree> =>
    tree && filesBelow(tree, own.rootDir) ? tree : walkTree(own.rootDir, signal);
  for (const entry of own.settings.projects) {
    if (typeof entry !== 'string') {
      noteComputed(named(configFile ?? root), entry);
      projects.push(await resolved(entry, folder));
      continue;
    }
    const places = await placesOf(entry, own.rootDir, folder, treeOf);
    if (places.length === 0) notes.push(`The jest project ${entry} does not exist.`);
    for (const place of places) {
      if (place.file === configFile) projects.push(own);
      else
        projects.push(await resolved(place.file === undefined ? none : await read(place.file), place.folder));
    }
  }
  return { projects, own: own.settings, listsProjects: true, notes };
}

/** Folder that the settings of a configuration file are relative to. */
function homeOf(configFile: string | undefined): string | undefined {
  return configFile === undefined ? undefined : path.dirname(configFile);
}

/** As jest merges them: the configuration wins, patterns of modules to leave out are joined. */
function merged(preset: JestSettings, settings: JestSettings): JestSettings {
  const { computed: _computed, ...known } = settings;
  const left = [...(preset.modulePathIgnorePatterns ?? []), ...(settings.modulePathIgnorePatterns ?? [])];
  return {
    ...preset,
    ...known,
    ...(left.length > 0 && { modulePathIgnorePatterns: left }),
    computed: [...preset.computed, ...settings.computed],
  };
}

interface Place {
  readonly folder: string;
  /** Its configuration file, when it has one. */
  readonly file?: string;
}

/** The folders and configuration files that an entry of `projects` names. */
async function placesOf(
  entry: string,
  rootDir: string,
  folder: string,
  treeOf: () => Promise<FileTree>,
): Promise<readonly Place[]> {
  const written = entry.replace(/^<rootDir>/, toPosix(rootDir));
  if (!picomatch.scan(written).isGlob) return placeAt(path.resolve(folder, written));
  const { root, files } = await treeOf();
  const matches = picomatch(toPosix(path.resolve(folder, written)));
  const found = new Set<string>();
  for (const file of files) {
    const absolute = path.join(root, file);
    if (matches(toPosix(absolute))) found.add(absolute);
    for (let at = path.dirname(absolute); at.length > root.length; at = path.dirname(at))
      if (matches(toPosix(at))) found.add(at);
  }
  return [...found].sort().flatMap(placeAt);
}

/** A configuration file; or a folder with the one that jest finds there or above. */
function placeAt(target: string): readonly Place[] {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats?.isFile()) {
    return /\.(?:[cm]?[jt]s|json)$/.test(target) ? [{ folder: path.dirname(target), file: target }] : [];
  }
  if (!stats?.isDirectory()) return [];
  for (let folder = target; ; folder = path.dirname(folder)) {
    const names = [...configFileNames, 'package.json'];
    const name = names.find((one) => existsSync(path.join(folder, one)));
    if (name !== undefined) return [{ folder, file: path.join(folder, name) }];
    if (path.dirname(folder) === folder) return [];
  }
}
