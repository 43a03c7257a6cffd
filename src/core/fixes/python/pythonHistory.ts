// The modules of Python as they are and as they were, and where a name that is gone from one of them is now.
import path from 'node:path';
import type { ChangedSource, SourceChanges } from '../../diagnosis/sourceChanges.ts';
import { moduleNames, type ModuleNames } from '../../syntax/python/moduleNames.ts';
import { parsePython } from '../../syntax/python/parsePython.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import { areOpposites } from '../members/oppositeName.ts';
import { isMistyped } from '../members/closeName.ts';
import { rivalsOf, takenFrom, type Declared, type Succession } from '../renameDoubts/successor.ts';
import { mayMeanAnother } from '../renameDoubts/otherMeaning.ts';
import { stalePythonUse } from '../renameDoubts/stalePythonUse.ts';
import type { WorkspaceSources } from '../renameDoubts/workspaceSources.ts';
import { isMentionedLate, lookedUpAs } from './lookedUpAs.ts';

export interface PythonPlace {
  /** Relative to the root. */
  readonly file: string;
  readonly name: string;
  /** Only a module that passed it on has it no longer, which may be by mistake: no other changed source asks for it here instead. */
  readonly isLost?: boolean;
  /** Why only a person can tell that this is the same thing, one sentence. */
  readonly doubt?: string;
}

interface HistoryRequest {
  readonly changes: SourceChanges;
  /** As it is now. */
  readText(file: string): Promise<string | undefined>;
  isTestFile(file: string): boolean;
  /** All sources of the workspace; absent, only those that changed are looked at. */
  readonly sources?: WorkspaceSources;
}

/** The changes since the last commit; where no Python is among them, since the commit before. */
export async function openPythonHistory(request: HistoryRequest): Promise<PythonHistory | undefined> {
  const isPython = ({ files }: SourceChanges): boolean => files.some(({ file }) => file.endsWith('.py'));
  const { changes } = request;
  if (changes.unavailable !== undefined) return undefined;
  const meant = isPython(changes) ? changes : await changes.sincePreviousCommit?.();
  const when = meant === changes ? 'since the last commit' : 'since the commit before the last';
  return meant !== undefined && isPython(meant)
    ? new PythonHistory({ ...request, changes: meant }, when)
    : undefined;
}

export type When = 'before' | 'now';

type GoneAndCome = Pick<Succession, 'gone' | 'come'>;

export class PythonHistory {
  readonly #request: HistoryRequest;
  readonly #changed: readonly ChangedSource[];
  readonly #names = new Map<string, Promise<ModuleNames | undefined>>();
  readonly #successions = new Map<string, Promise<GoneAndCome>>();

  /** "since the last commit", for sentences. */
  readonly when: string;

  constructor(request: HistoryRequest, when: string) {
    this.#request = request;
    this.when = when;
    this.#changed = request.changes.files.filter(({ file }) => file.endsWith('.py'));
  }

  /** Sources that were changed and are there, as they are called now. */
  get changedFiles(): readonly string[] {
    return this.#changed
      .filter(({ file, status }) => status !== 'deleted' && !this.#request.isTestFile(file))
      .map(({ file }) => file);
  }

  get sources(): WorkspaceSources | undefined {
    return this.#request.sources;
  }

  /** The file that `module` stands for, and the folder in which it is looked for. */
  async module(
    module: string,
    importer: string,
    when: When,
  ): Promise<{ readonly file: string; readonly base: string } | undefined> {
    const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(module) ?? [];
    const folder = path.posix.dirname(importer);
    const above: string[] = [];
    for (let at = folder; at !== '.'; at = path.posix.dirname(at)) above.push(at);
    const bases =
      dots === ''
        ? [...above, '.'].flatMap((at) => [at, path.posix.join(at, 'src'), path.posix.join(at, 'lib')])
        : [path.posix.join(folder, ...Array.from(dots.slice(1), () => '..'))];
    for (const base of bases) {
      const place = path.posix.join(base, ...rest.split('.').filter((part) => part !== ''));
      for (const file of [`${place}.py`, path.posix.join(place, '__init__.py')])
        if ((await this.names(file, when)) !== undefined) return { file, base };
    }
    return undefined;
  }

  /** Where the file is now; undefined when it is gone. */
  pathNow(file: string): string | undefined {
    const moved = this.#changed.find(({ from, status }) => status === 'renamed' && from === file);
    if (moved !== undefined) return moved.file;
    return this.#changed.some((one) => one.file === file && one.status === 'deleted') ? undefined : file;
  }

  /** Its path at the base, if it is a source that changed since and was there. */
  pathBefore(file: string): string | undefined {
    const change = this.#changed.find((one) => one.file === file);
    return change === undefined || change.status === 'added' || change.status === 'deleted'
      ? undefined
      : (change.from ?? file);
  }

  /** The sources that were changed, as they were and as they are. */
  async changedTexts(): Promise<readonly { readonly before: string; readonly now: string }[]> {
    const texts = this.#changed
      .filter(({ file }) => !this.#request.isTestFile(file))
      .map(async ({ file, from = file }) => ({
        before: (await this.text(from, 'before')) ?? '',
        now: (await this.text(file, 'now')) ?? '',
      }));
    return Promise.all(texts);
  }

  names(file: string, when: When): Promise<ModuleNames | undefined> {
    const key = `${when} ${file}`;
    const known = this.#names.get(key) ?? this.#read(file, when);
    this.#names.set(key, known);
    return known;
  }

  /** How the file looks up what another one has now. */
  async lookup(file: string, place: PythonPlace): ReturnType<typeof lookedUpAs> {
    const text = await this.#request.readText(file);
    const isModule = async (module: string): Promise<boolean> =>
      (await this.module(module, file, 'now'))?.file === place.file;
    return text === undefined ? undefined : lookedUpAs({ name: place.name, isModule }, parsePython(text));
  }

  /** Do functions of the module look the name up, as far as their text tells? */
  async isLookedUp(file: string, name: string, when: When): Promise<boolean> {
    const text = await this.text(file, when);
    return text !== undefined && isMentionedLate(name, parsePython(text));
  }

  async #read(file: string, when: When): Promise<ModuleNames | undefined> {
    const text = await this.text(file, when);
    return text === undefined ? undefined : moduleNames(parsePython(text));
  }

  /** Of a file that is gone or renamed by its old path, as it was. */
  async text(file: string, when: When): Promise<string | undefined> {
    const isTouched = this.#changed.some((one) => one.file === file || one.from === file);
    return when === 'before' && isTouched
      ? this.#request.changes.baseText(file)
      : this.#request.readText(file);
  }

  /** Undefined when the name is where it was, or never was there. */
  async placeOf(file: string, name: string): Promise<PythonPlace | Refusal | undefined> {
    const was = (await this.names(file, 'before'))?.names.get(name);
    if (was === undefined) return this.#placeOfTakenOver(file, name);
    const home = this.pathNow(file);
    const now = home === undefined ? undefined : await this.names(home, 'now');
    if (home !== undefined && now?.names.has(name)) {
      if (home === file) return undefined;
      const doubt = await this.#exchanged({ file, name }, home);
      return { file: home, name, ...(doubt !== undefined && { doubt }) };
    }
    if (now?.isOpen)
      return refuse(`The names of ${home} cannot be determined, because it imports names with \`*\`.`);
    if (was.kind === 'other')
      return refuse(`${name} was removed from ${file}, where it was not a plain definition.`);
    if (was.kind === 'import') return this.#placeOfImport({ file, name }, was, home);
    return this.#candidate(file, name, was);
  }

  /** In a file that was moved the name has what another name had: they may have been exchanged on the way. */
  async #exchanged({ file, name }: PythonPlace, home: string): Promise<string | undefined> {
    const shapeOf = (names: ModuleNames | undefined, one: string): string | undefined => {
      const what = names?.names.get(one);
      return what !== undefined && 'shape' in what ? what.shape : undefined;
    };
    const [before, after] = [await this.names(file, 'before'), await this.names(home, 'now')];
    const now = shapeOf(after, name);
    if (now === undefined || now === shapeOf(before, name)) return undefined;
    for (const other of before?.names.keys() ?? [])
      if (other !== name && shapeOf(before, other) === now && shapeOf(after, other) !== now)
        return `${name} in ${home} has the code that ${other} had in ${file}.`;
    return undefined;
  }

  /** A name that the module takes over from another one with all others (`from x import *`), and under which it has it now. */
  async #placeOfTakenOver(file: string, name: string): Promise<PythonPlace | Refusal | undefined> {
    const home = this.pathNow(file);
    const now = home === undefined ? undefined : await this.names(home, 'now');
    if (home === undefined || now === undefined || now.names.has(name)) return undefined;
    for (const module of now.stars) {
      const origin = await this.module(module, home, 'now');
      if (origin === undefined || origin.file === home) continue;
      const place = await this.placeOf(origin.file, name);
      if (place === undefined || isRefusal(place)) continue;
      // Where the other module says what it gives, the new name has to be among that.
      const text = (await this.text(origin.file, 'now')) ?? '';
      const given = /^__all__\s*=\s*[[(]([^\])]*)[\])]/m.exec(text)?.[1];
      const isGiven =
        given === undefined ? !place.name.startsWith('_') : new RegExp(`(['"])${place.name}\\1`).test(given);
      return place.file === origin.file && isGiven ? { ...place, file: home } : undefined;
    }
    return undefined;
  }

  /** A name that was only passed on: where it comes from, or under which name it is passed on now. */
  async #placeOfImport(
    { file, name: was }: PythonPlace,
    { module, name }: { readonly module: string; readonly name: string },
    home: string | undefined,
  ): Promise<PythonPlace | Refusal> {
    const gone = refuse(`${name} is no longer in ${file}, and its origin cannot be determined.`);
    const origin = await this.module(module, file, 'before');
    if (origin === undefined) return gone;
    const moved = await this.placeOf(origin.file, name);
    if (moved !== undefined && isRefusal(moved)) return moved;
    const place = moved ?? { file: origin.file, name };
    if (!(await this.names(place.file, 'now'))?.names.has(place.name)) return gone;
    const passedOn = home === undefined ? undefined : await this.names(home, 'now');
    for (const [local, what] of passedOn?.names ?? []) {
      if (home === undefined || what.kind !== 'import' || what.name !== place.name) continue;
      const from = await this.module(what.module, home, 'now');
      if (from?.file === place.file) return { file: home, name: local };
    }
    if (this.#request.isTestFile(place.file)) return gone;
    return (await this.#isAskedHere({ file, name: was }, place)) ? place : { ...place, isLost: true };
  }

  /** Did another changed source import the name from there, and does it import it from here now? */
  async #isAskedHere(old: PythonPlace, place: PythonPlace): Promise<boolean> {
    const imports = async (file: string, when: When, wanted: PythonPlace): Promise<boolean> => {
      for (const what of (await this.names(file, when))?.names.values() ?? [])
        if (what.kind === 'import' && what.name === wanted.name)
          if ((await this.module(what.module, file, when))?.file === wanted.file) return true;
      return false;
    };
    for (const { file, from = file, status } of this.#changed) {
      if (status === 'added' || status === 'deleted' || file === old.file || this.#request.isTestFile(file))
        continue;
      if ((await imports(from, 'before', old)) && (await imports(file, 'now', place))) return true;
    }
    return false;
  }

  /** The one definition with the same text that was not there before, and that no other one is nearly as likely as. */
  async #candidate(
    file: string,
    name: string,
    was: { readonly kind: string; readonly shape: string; readonly tells: boolean },
  ): Promise<PythonPlace | Refusal> {
    const { gone, come } = await this.#succession(was.kind);
    const succession = { gone, come, placeNow: (place: string) => this.pathNow(place) };
    const former = gone.find((one) => one.name === name && one.place === file);
    const found = come.filter(({ shape }) => shape.join(' ') === was.shape);
    const named = found.filter((one) => one.name === name);
    const [only, ...others] = named.length > 0 ? named : found;
    if (only === undefined || former === undefined)
      return refuse(`${name} was removed from ${file}, and no changed file contains the same code.`);
    const alike = gone.filter(({ shape }) => shape.join(' ') === was.shape);
    const isCertain = only.name === name || (alike.length === 1 && was.kind !== 'value');
    if (others.length > 0 || !isCertain)
      return refuse(`${name} was removed from ${file}, and more than one definition may replace it.`);
    if (only.place !== this.pathNow(file) && /\b__(?:name|file|package|spec|path)__\b/.test(was.shape))
      return refuse(
        `${name} was removed from ${file}, and the same code means something else in ${only.place}.`,
      );
    if (areOpposites(name, only.name))
      return refuse(`${name} was removed from ${file}, and ${only.name} means the opposite.`);
    if (only.name !== name && !was.tells)
      return refuse(
        `${name} was removed from ${file}. ${only.name} has the same code, but that is too little code for certainty.`,
      );
    const [rival] = rivalsOf(former, only, succession);
    if (rival !== undefined)
      return refuse(
        `${name} was removed from ${file}, and may now be ${only.name} in ${only.place} or ${rival.name} in ${rival.place}.`,
      );
    const place = { file: only.place, name: only.name };
    const taken = takenFrom(former, only, succession);
    const doubt =
      taken === undefined
        ? await this.#doubtOf(file, name, place)
        : `${name} was removed from ${file}. ${only.name} has the same code, but ${taken}.`;
    return doubt === undefined ? place : { ...place, doubt };
  }

  /** Definitions of a kind that went and came with the change. */
  #succession(kind: string): Promise<GoneAndCome> {
    const known = this.#successions.get(kind) ?? this.#readSuccession(kind);
    this.#successions.set(kind, known);
    return known;
  }

  async #readSuccession(kind: string): Promise<GoneAndCome> {
    const gone: Declared[] = [];
    const come: Declared[] = [];
    const add = (to: Declared[], place: string, own: ModuleNames, other: ModuleNames | undefined): void => {
      for (const [name, what] of own.names)
        if ('shape' in what && what.kind === kind && other?.names.has(name) !== true)
          to.push({ name, place, shape: what.shape.split(' '), order: to.length });
    };
    for (const { file: now, from = now, status } of this.#changed) {
      if (this.#request.isTestFile(now)) continue;
      const present = status === 'deleted' ? undefined : await this.names(now, 'now');
      const past = status === 'added' ? undefined : await this.names(from, 'before');
      if (past !== undefined) add(gone, from, past, present);
      if (present !== undefined) add(come, now, present, past);
    }
    return { gone, come };
  }

  async #doubtOf(file: string, name: string, only: PythonPlace): Promise<string | undefined> {
    const another = mayMeanAnother(name, only.name);
    if (another !== undefined)
      return `${name} was removed from ${file}. ${only.name} has the same code, but ${another}.`;
    if (isMistyped(name, only.name))
      return `${name} was removed from ${file}. ${only.name} has the same code, but may be a typo of ${name}.`;
    const stem = path.posix.basename(file, '.py');
    const dotted = new RegExp(`\\b${stem}\\.${name}\\b`);
    const imported = new RegExp(`\\b${stem}\\s+import\\b[^#]*\\b${name}\\b`);
    return stalePythonUse(name, file, this.sources, (line) => dotted.test(line) || imported.test(line));
  }
}

/** `pkg.mod` of `src/pkg/mod.py`, as it is imported from the folder; undefined outside of it. */
export function moduleIn(base: string, file: string): string | undefined {
  const place = path.posix.relative(base, file).replace(/(?:^|\/)__init__\.py$|\.py$/, '');
  return /^[A-Za-z_]\w*(?:\/[A-Za-z_]\w*)*$/.test(place) ? place.replaceAll('/', '.') : undefined;
}
