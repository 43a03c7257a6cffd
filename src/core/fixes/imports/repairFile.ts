// Repairs the imports of one test file: compares what it names with what the modules export now, and writes the difference.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type ts from 'typescript';
import type { ReachedChange } from '../../diagnosis/reachedChange.ts';
import { toRelativePosix } from '../../base/paths.ts';
import { applyChanges, type TextChange } from '../../model/edit.ts';
import {
  findExport,
  type ExportMigration,
  type ExportPlace,
  type MigrationReaders,
} from './exportMigration.ts';
import { findImportSites, type ImportSite } from './importSites.ts';
import type { ModuleExports } from './moduleExports.ts';
import type { NameUse } from './moduleUses.ts';
import { similarityOfTexts } from '../../workspace/similarity.ts';
import { specifierFor } from './specifierStyle.ts';
import { replaceSpecifier, rewriteStatic } from './staticImport.ts';
import { openTestModule, type TestModule } from './testModule.ts';

export interface FileRepair {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  readonly changes: readonly TextChange[];
  /** What each change does, for titles. */
  readonly titles: readonly string[];
  readonly evidence: readonly string[];
  /** 0..1 */
  readonly confidence: number;
  /** A name leads to something that may be another thing: only a person can tell. */
  readonly isDoubtful: boolean;
  /** Offsets at which a broken name is used, imports left out. */
  readonly places: readonly number[];
  /** The file does not load, or a mock has no effect: every failing test of it may be meant. */
  readonly breaksFile: boolean;
  /** Why something broken was left as it is. */
  readonly refusals: readonly string[];
  /** It names something that its module neither has nor had: an older change may tell. */
  readonly hasUnseen: boolean;
  /** What it still names, and where. */
  readonly lost: readonly LostName[];
}

interface LostName {
  readonly change: ReachedChange;
  /** Offsets at which it is used. */
  readonly places: readonly number[];
  /** Without it the file may not load. */
  readonly isStatic: boolean;
}

export interface RepairRequest extends MigrationReaders {
  readonly typescript: typeof ts;
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  /** Names that failing tests found to be nothing, by what they say. */
  readonly lacked: ReadonlySet<string>;
}

/** What has to change in the file so that everything it imports is there; no changes when nothing is broken. */
export async function repairFile(request: RepairRequest): Promise<FileRepair> {
  const module = openTestModule(request.typescript, request.file, request.text);
  const sites = findImportSites(module);
  const repair = new Repair(request, module, sites);
  const broken: BrokenSite[] = [];
  for (const site of sites) {
    const found = await repair.examine(site);
    if (found) broken.push(found);
  }
  for (const site of broken) await repair.mend(site, broken);
  return repair.result();
}

/** Whatever a run decides. */
const isAlwaysThere = ({ names, partial }: ModuleExports, name: string): boolean =>
  names.has(name) && !partial.has(name);

/** Members of a default export are the module's own where that is the module itself, as in CommonJS. */
const isOfModule = ({ isOfDefault }: NameUse, { isCommonJs }: ModuleExports): boolean =>
  isOfDefault !== true || isCommonJs;

/** A name that was never seen is nothing to follow where it may be given at run time, or where a value has more members than are written. */
const mayBeUnseen = (name: string, { names, open, isCommonJs }: ModuleExports): boolean =>
  (open || isCommonJs) && !names.has(name);

interface BrokenSite {
  readonly site: ImportSite;
  /** Absolute file it stood for in the last commit. */
  readonly before: string;
  /** Where that file is now, when it still is. */
  readonly now: string | undefined;
  /** The specifier itself leads nowhere. */
  readonly isMissing: boolean;
  readonly placed: readonly {
    readonly use: NameUse;
    readonly place: ExportPlace;
    readonly wasBroken: boolean;
  }[];
}

class Repair {
  readonly #request: RepairRequest;
  readonly #module: TestModule;
  readonly #changes = new Map<string, TextChange>();
  readonly #titles = new Set<string>();
  readonly #evidence = new Set<string>();
  readonly #refusals = new Set<string>();
  readonly #places: number[] = [];
  #confidence = 0.98;
  #isDoubtful = false;
  #breaksFile = false;
  #hasUnseen = false;
  readonly #specifiers: readonly string[];
  readonly #lost: LostName[] = [];

  constructor(request: RepairRequest, module: TestModule, sites: readonly ImportSite[]) {
    this.#request = request;
    this.#module = module;
    this.#specifiers = sites.map(({ specifier }) => specifier);
  }

  /** Undefined when everything the site names is there, or nothing can be said about it. */
  async examine(site: ImportSite): Promise<BrokenSite | undefined> {
    const { file, revisions, exportsNow, exportsBefore, lacked } = this.#request;
    const current = revisions.now.resolver.resolve(site.specifier, file);
    if (current.kind === 'external' || (current.kind === 'missing' && isOnDisk(site, file))) return undefined;
    const present = current.kind === 'file' ? await exportsNow(current.file) : undefined;
    // A mock without a factory names nothing: it follows the imports it is there for.
    const follows = site.kind === 'mock' && site.uses.length === 0 && present?.open !== true;
    if (present && !follows && site.uses.every(({ name }) => isAlwaysThere(present, name))) return undefined;
    const former = revisions.pathBefore(file) ?? file;
    const old = revisions.before.resolver.resolve(site.specifier, former);
    const beforeExports = old.kind === 'file' ? await exportsBefore(old.file) : undefined;
    const known = beforeExports ?? present;
    const uses = site.uses.filter((use) => known === undefined || isOfModule(use, known));
    const isThere = ({ name }: NameUse): boolean =>
      present?.names.has(name) === true &&
      (!present.partial.has(name) || beforeExports?.partial.has(name) === true);
    const lost = uses.filter((use) => !isThere(use));
    const absent = lost.filter(({ name }) => known === undefined || !mayBeUnseen(name, known));
    this.#hasUnseen ||= lost.length > absent.length;
    if (present && absent.length === 0 && !follows) return undefined;
    if (old.kind !== 'file' || beforeExports === undefined) {
      if (present?.open === true || site.typeOnly || !site.specifier.startsWith('.')) return undefined;
      if (current.kind === 'missing')
        this.#refusals.add(
          `'${site.specifier}' does not resolve, and the git history does not show what it resolved to.`,
        );
      else if (absent.some((use) => !use.isMock && !use.typeOnly))
        this.#refusals.add(`'${site.specifier}' lacks a name that the git history does not contain either.`);
      return undefined;
    }
    const before = old.file;
    const now = revisions.pathNow(before);
    const home = current.kind === 'file' ? current.file : now;
    const homeExports = home === undefined ? undefined : await exportsNow(home);
    const placed: { use: NameUse; place: ExportPlace; wasBroken: boolean }[] = [];
    for (const use of uses) {
      const isKept = current.kind === 'file' ? isThere(use) : homeExports?.names.has(use.name) === true;
      // git may take another file for the one that moved.
      const moved =
        isKept && current.kind === 'missing' ? await findExport(use.name, before, this.#request) : undefined;
      const isElsewhere = moved?.kind === 'refused' && moved.isSeveral === true;
      if (home !== undefined && !isElsewhere && (isKept || mayBeUnseen(use.name, beforeExports))) {
        placed.push({ use, place: { module: home, name: use.name }, wasBroken: current.kind === 'missing' });
        continue;
      }
      if (use.isMock && !beforeExports.names.has(use.name)) continue;
      const migration = moved ?? (await findExport(use.name, before, this.#request));
      if (!use.typeOnly && migration.kind !== 'unknown') this.#noteLost(site, use, now ?? before, migration);
      if (migration.kind === 'found') {
        placed.push({ use, place: migration.place, wasBroken: true });
        this.#evidence.add(migration.evidence);
        const isMaybe = homeExports?.open === true && !use.typeOnly && !lacked.has(use.name);
        const doubt =
          migration.doubt ?? (isMaybe ? `${use.name} may still exist: a test run decides.` : undefined);
        if (doubt !== undefined) {
          this.#isDoubtful = true;
          this.#evidence.add(doubt);
        }
        this.#confidence = Math.min(this.#confidence, migration.confidence);
      } else if (!use.typeOnly) {
        this.#refusals.add(
          migration.kind === 'refused'
            ? migration.reason
            : `${use.name} is not exported by ${this.#relative(before)}, and the git history does not contain it either.`,
        );
        // A site with a name that has no place cannot be written as a whole.
        if (current.kind === 'missing') return undefined;
        if (home !== undefined)
          placed.push({ use, place: { module: home, name: use.name }, wasBroken: false });
      } else if (home !== undefined) {
        placed.push({ use, place: { module: home, name: use.name }, wasBroken: false });
      }
    }
    return { site, before, now: home, isMissing: current.kind === 'missing', placed };
  }

  #noteLost(
    { declaration }: ImportSite,
    { name, places }: NameUse,
    file: string,
    migration: Exclude<ExportMigration, { kind: 'unknown' }>,
  ): void {
    const isFound = migration.kind === 'found';
    const doubt = isFound ? migration.doubt : undefined;
    const account = isFound
      ? `${migration.evidence}${doubt === undefined ? '' : ` ${doubt}`}`
      : migration.reason;
    const isSame = (isFound && doubt === undefined) || migration.isSameText === true;
    this.#lost.push({
      change: { file: this.#relative(file), name, account, isSame },
      places,
      isStatic: declaration !== undefined,
    });
  }

  /** Writes the site so that it names what it named before; `all` are the broken sites of the file. */
  async mend(broken: BrokenSite, all: readonly BrokenSite[]): Promise<void> {
    const { site, before, placed } = broken;
    const follow = placed.length === 0 ? await this.#follow(broken, all) : undefined;
    if (placed.length === 0 && follow === undefined) {
      if (broken.isMissing && !site.typeOnly)
        this.#refusals.add(`${this.#relative(before)} was removed, and no single file replaces it.`);
      return;
    }
    const specifiers = new Map<string, string>();
    for (const target of new Set(follow === undefined ? placed.map((one) => one.place.module) : [follow])) {
      const specifier = await this.#specifier(site, before, target);
      if (specifier === undefined) {
        this.#refusals.add(
          `${this.#relative(target)} cannot be imported in the style of '${site.specifier}'.`,
        );
        return;
      }
      specifiers.set(target, specifier);
    }
    const placements = placed.map(({ use, place }) => ({
      use,
      name: place.name,
      specifier: specifiers.get(place.module) ?? site.specifier,
    }));
    const changes = this.#write(site, placements, [...specifiers.values()]);
    if (changes === undefined) {
      this.#refusals.add(
        `the names of '${site.specifier}' moved to several modules, which '${site.literal.parent.getText().slice(0, 60)}' cannot import at once.`,
      );
      return;
    }
    if (changes.length === 0) return;
    for (const change of changes)
      this.#changes.set(`${change.start}:${change.end}:${change.newText}`, change);
    await this.#explain(broken, placements, [...specifiers.keys()]);
    if (site.typeOnly) return;
    if ((broken.isMissing && site.kind === 'static') || site.kind === 'mock') this.#breaksFile = true;
    const { declaration } = site;
    for (const { use, wasBroken } of placed) {
      if (wasBroken)
        this.#places.push(
          ...use.places.filter(
            (at) => !declaration || at < declaration.getStart() || at > declaration.getEnd(),
          ),
        );
    }
    if (placed.length === 0) this.#places.push(site.literal.getStart());
  }

  result(): FileRepair {
    const { file, text } = this.#request;
    let changes = [...this.#changes.values()];
    try {
      applyChanges(changes, text);
    } catch {
      changes = [];
      this.#refusals.add('the necessary edits overlap.');
    }
    return {
      file,
      text,
      changes,
      titles: [...this.#titles],
      evidence: [...this.#evidence],
      confidence: this.#confidence,
      isDoubtful: this.#isDoubtful,
      places: this.#places,
      breaksFile: this.#breaksFile,
      refusals: [...this.#refusals],
      hasUnseen: this.#hasUnseen,
      lost: this.#lost,
    };
  }

  /** Where a site without names goes: with its file, with the other sites of the file, or to the one new file of its name. */
  async #follow(broken: BrokenSite, all: readonly BrokenSite[]): Promise<string | undefined> {
    const others = all.filter((one) => one.before === broken.before && one.site.kind === 'static');
    const targets = new Set(others.flatMap((one) => one.placed.map(({ place }) => place.module)));
    if (others.length > 0 && targets.size === 1) return [...targets][0];
    if (broken.now !== undefined) return broken.now;
    const { revisions, isTestFile } = this.#request;
    const stem = stemOf(broken.before);
    const [only, ...rest] = revisions.added.filter(
      (file) => stemOf(file) === stem && (isTestFile(broken.before) || !isTestFile(file)),
    );
    if (only === undefined || rest.length > 0) return undefined;
    this.#confidence = Math.min(this.#confidence, 0.7);
    this.#evidence.add(
      `${this.#relative(broken.before)} was removed and ${this.#relative(only)} was added ${revisions.when}.`,
    );
    return only;
  }

  #specifier(site: ImportSite, oldTarget: string, target: string): Promise<string | undefined> {
    const { file, revisions } = this.#request;
    return specifierFor({
      specifier: site.specifier,
      oldTarget,
      from: file,
      target,
      root: revisions.root,
      revision: revisions.now,
      beside: this.#specifiers.filter((one) => one !== site.specifier),
    });
  }

  #write(
    site: ImportSite,
    placements: readonly { readonly use: NameUse; readonly name: string; readonly specifier: string }[],
    specifiers: readonly string[],
  ): readonly TextChange[] | undefined {
    if (site.declaration && placements.length > 0) return rewriteStatic(this.#module, site, placements);
    const [specifier, ...others] = specifiers;
    if (specifier === undefined || others.length > 0) return undefined;
    return [
      ...(specifier === site.specifier
        ? []
        : [replaceSpecifier(this.#module.source, site.literal, specifier)]),
      ...placements.flatMap(({ use, name }) => (name === use.name ? [] : use.rename(name))),
    ];
  }

  async #explain(
    { site, before }: BrokenSite,
    placements: readonly { readonly use: NameUse; readonly name: string; readonly specifier: string }[],
    targets: readonly string[],
  ): Promise<void> {
    const verb = site.kind === 'mock' ? 'mock' : 'import';
    const shown = (name: string): string => (name === 'default' ? 'the default export' : name);
    for (const { use, name, specifier } of placements) {
      const was = [
        ...(name === use.name ? [] : [shown(use.name)]),
        ...(specifier === site.specifier ? [] : [`from '${site.specifier}'`]),
      ].join(' ');
      if (was !== '' && name !== use.name)
        this.#titles.add(`${verb} ${shown(name)} from '${specifier}' (was ${was})`);
      else if (was !== '')
        this.#titles.add(
          targets.length > 1
            ? `${verb} ${shown(name)} from '${specifier}' (was '${site.specifier}')`
            : `${verb} from '${specifier}' (was '${site.specifier}')`,
        );
    }
    const { revisions } = this.#request;
    const [target] = targets;
    if (placements.length === 0 && target !== undefined) {
      const specifier = await this.#specifier(site, before, target);
      this.#titles.add(`${verb} from '${specifier ?? ''}' (was '${site.specifier}')`);
    }
    const moved = revisions.pathNow(before);
    if (moved === undefined || moved === before || !targets.includes(moved)) return;
    const old = (await revisions.before.readText(before)) ?? '';
    const similar = Math.floor(similarityOfTexts(old, (await revisions.now.readText(moved)) ?? '') * 100);
    this.#evidence.add(
      `${this.#relative(before)} was renamed to ${this.#relative(moved)} (${similar} % similar) ${revisions.when}.`,
    );
  }

  #relative(file: string): string {
    return toRelativePosix(this.#request.revisions.root, file);
  }
}

/** The name by which a file is imported: an index file has its folder's. */
function stemOf(file: string): string {
  const { name, dir } = path.parse(file);
  return name === 'index' ? path.basename(dir) : name;
}

/** A folder or a file that is no module: `new URL('../fixtures/', import.meta.url)`. */
function isOnDisk({ kind, specifier }: ImportSite, file: string): boolean {
  const [name = ''] = specifier.split(/[?#]/);
  return kind === 'path' && name.startsWith('.') && existsSync(path.resolve(path.dirname(file), name));
}
