// Finds where an export of the last commit is now: renamed, moved to another module, made default, or several at once.
import path from 'node:path';
import { toRelativePosix } from '../../base/paths.ts';
import type { StaleImports } from '../renameDoubts/staleImport.ts';
import { isMistyped } from '../members/closeName.ts';
import { areOpposites } from '../members/oppositeName.ts';
import { mayMeanAnother } from '../renameDoubts/otherMeaning.ts';
import { rivalsOf, takenFrom, type Declared } from '../renameDoubts/successor.ts';
import { haveSameOperators } from './declarationShape.ts';
import type { ExportSuccession, SuccessionReader } from './exportSuccession.ts';
import {
  isSameDeclaration,
  type Declaration,
  type ExportReader,
  type ModuleExports,
} from './moduleExports.ts';
import type { Revisions } from './revisions.ts';
import { similarityOf } from '../../workspace/similarity.ts';

export interface ExportPlace {
  /** Absolute file that exports it now. */
  readonly module: string;
  readonly name: string;
}

export type ExportMigration =
  | {
      readonly kind: 'found';
      readonly place: ExportPlace;
      readonly confidence: number;
      readonly evidence: string;
      /**
       * Why only a person can tell that the same is meant, as a sentence: another name for another text, or for one that says too
       * little, and no caller went along; other operators; a name that may mean something else; a source that stayed behind.
       */
      readonly doubt?: string;
      /** The doubt is gone where a source that changed went the same way. */
      readonly needsCaller?: boolean;
      /** All the same the doubt is not that it is another thing: the module has the very text under the new name only. */
      readonly isSameText: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** Several could have its place. */
      readonly isSeveral?: true;
      /** It has another name now, but too little says so to follow it. */
      readonly isSameText?: true;
    }
  /** History knows no such export: nothing can be said. */
  | { readonly kind: 'unknown' };

export interface MigrationReaders {
  readonly revisions: Revisions;
  readonly exportsNow: ExportReader;
  readonly exportsBefore: ExportReader;
  /** Takes absolute paths. */
  readonly isTestFile: (file: string) => boolean;
  /** What the sources that were changed now import in place of what they imported before. */
  readonly replacedByCallers: (module: string, name: string) => Promise<readonly ExportPlace[]>;
  readonly leftBehind: StaleImports;
  readonly readSuccession: SuccessionReader;
}

type Found = Extract<ExportMigration, { kind: 'found' }>;

/** Where `name`, which the module at `before` exported, is exported now; exactly one place or a reason. */
export async function findExport(
  name: string,
  before: string,
  readers: MigrationReaders,
): Promise<ExportMigration> {
  const found = await findPlace(name, before, readers);
  if (found.kind !== 'found' || found.doubt !== undefined) return found;
  const doubt = await readers.leftBehind(name, before);
  return doubt === undefined ? found : { ...found, doubt, isSameText: false };
}

/** What no caller went along with is a doubt until one did. */
const noCaller = 'No changed source file uses the new name.';

async function findPlace(name: string, before: string, readers: MigrationReaders): Promise<ExportMigration> {
  const { revisions, exportsNow, exportsBefore, isTestFile } = readers;
  const known = (await exportsBefore(before)).names.get(name);
  if (!known) return { kind: 'unknown' };
  const moduleNow = revisions.pathNow(before);
  const wanted = await lostOf(known, name, moduleNow, readers);
  const declaredNow = revisions.pathNow(wanted.file);
  const modules = new Set(
    [moduleNow, declaredNow, ...revisions.changedNow].filter(
      (file) =>
        file !== undefined &&
        path.isAbsolute(file) &&
        /\.[mc]?[jt]sx?$/.test(file) &&
        // A test goes on testing the code, not a copy of it among the tests.
        (isTestFile(before) || !isTestFile(file)),
    ),
  );
  const candidates: Candidate[] = [];
  for (const module of modules) {
    if (module === undefined) continue;
    const present = await exportsNow(module);
    const old = revisions.pathBefore(module);
    const oldExports = old === undefined ? undefined : await exportsBefore(old);
    for (const [exported, { also = [], ...first }] of present.names)
      for (const declaration of [first, ...also]) {
        const candidate = judge(wanted, { module, exported, declaration }, oldExports, revisions);
        if (candidate) candidates.push(candidate);
      }
  }
  const succession = await readers.readSuccession({ typeOnly: wanted.typeOnly, of: before });
  const context = { name, wanted, before, moduleNow, revisions, succession };
  const byCallers = await readers.replacedByCallers(before, name);
  // The sources may import it from where it is declared, the tests from where it is passed on.
  const direct = wanted.file === before ? [] : await readers.replacedByCallers(wanted.file, wanted.name);
  const isTaken = ({ module, name, declaration }: Candidate): boolean =>
    [...byCallers, ...direct].some(
      (one) =>
        (one.module === module && one.name === name) ||
        (one.module === declaration.file && one.name === declaration.name),
    );
  const chosen = chooseBest(candidates, context, isTaken) ?? (await onlySwap(candidates, context, readers));
  if (chosen !== undefined && 'kind' in chosen) return chosen;
  if (chosen !== undefined) {
    const { doubt, needsCaller = false, ...certain } = foundAt(chosen, context);
    if (isTaken(chosen)) return { ...certain, ...(doubt !== undefined && !needsCaller && { doubt }) };
    const elsewhere = await newlyTaken(chosen, byCallers, { wanted, readers });
    const contradiction = elsewhere && `The changed source files use ${elsewhere} instead.`;
    const said = contradiction ?? doubt;
    return { ...certain, ...(said !== undefined && { doubt: said }) };
  }
  const [place, ...others] = byCallers;
  const wasThere = place !== undefined && (await wasExported(place, readers));
  if (place && others.length === 0 && !wasThere) {
    return {
      kind: 'found',
      place,
      confidence: 0.5,
      isSameText: false,
      doubt: `Only the callers suggest this: the code of ${printed(place.name)} resembles nothing that existed before.`,
      evidence: `the changed source files import ${place.name} from ${relative(revisions, place.module)} instead of ${name} ${revisions.when}.`,
    };
  }
  const twin = await onlyTwin(candidates, context, readers);
  if (twin !== undefined) return { kind: 'refused', reason: twin, isSameText: true };
  const where = relative(revisions, before);
  return {
    kind: 'refused',
    reason: `${name} is no longer exported by ${where}, and no file that changed ${revisions.when} contains similar code.`,
  };
}

/** Of several declarations that had the name before the one that it no longer leads to. */
async function lostOf(
  known: Declaration,
  name: string,
  moduleNow: string | undefined,
  { revisions, exportsNow }: MigrationReaders,
): Promise<Declaration> {
  const left = moduleNow === undefined ? undefined : (await exportsNow(moduleNow)).names.get(name);
  const isLeft = (one: Declaration): boolean =>
    [left, ...(left?.also ?? [])].some(
      (other) => other?.name === one.name && other.file === revisions.pathNow(one.file),
    );
  return [known, ...(known.also ?? [])].find((one) => !isLeft(one)) ?? known;
}

/** What could be imported before already did something of its own: callers that use it now may do so in another way. */
async function wasExported(
  { module, name }: ExportPlace,
  { revisions, exportsBefore }: MigrationReaders,
): Promise<boolean> {
  const before = revisions.pathBefore(module);
  return before !== undefined && (await exportsBefore(before)).names.has(name);
}

interface Wanted {
  readonly name: string;
  readonly wanted: Declaration;
  readonly before: string;
}

interface Candidate extends ExportPlace {
  readonly declaration: Declaration;
  /** The very declaration, found at its own place under its own name. */
  readonly same: boolean;
  readonly score: number;
  /** The module did not export this name before. */
  readonly isNew: boolean;
}

function judge(
  wanted: Declaration,
  found: { module: string; exported: string; declaration: Declaration },
  oldExports: ModuleExports | undefined,
  revisions: Revisions,
): Candidate | undefined {
  const { module, exported, declaration } = found;
  if (declaration.typeOnly !== wanted.typeOnly) return undefined;
  const isOwn = (one: Declaration, file: string | undefined): boolean =>
    file === wanted.file && one.name === wanted.name && one.name !== '';
  const same = isOwn(declaration, revisions.pathBefore(declaration.file));
  const old = oldExports?.names.get(exported);
  // What was there before under this name is another thing, unless it was another way to the same declaration.
  if (old && ![old, ...(old.also ?? [])].some((one) => isOwn(one, one.file))) return undefined;
  const score = same ? 1 : similarityOf(wanted.shape, declaration.shape);
  return { module, name: exported, declaration, same, score, isNew: old === undefined };
}

interface ChoiceContext extends Wanted {
  readonly moduleNow: string | undefined;
  readonly revisions: Revisions;
  readonly succession: ExportSuccession;
}

/** A body of this many tokens does not come twice by chance. */
const tellingLength = 12;

/** Of the only export that went and the only one that came: shorter ones, as `3` or `[]`, are the same by chance even then. */
const leastLength = 6;

const hasSameName = (one: Candidate, { name, wanted }: Wanted): boolean =>
  one.name === name || one.declaration.name === wanted.name;

/** One that stands clearly before all others, or that the changed sources take; else a refusal that names them. */
function chooseBest(
  candidates: readonly Candidate[],
  context: ChoiceContext,
  isTaken: (one: Candidate) => boolean,
): Candidate | Extract<ExportMigration, { kind: 'refused' }> | undefined {
  const { name, wanted, succession } = context;
  const namesAlike = (one: Candidate): boolean => hasSameName(one, context);
  const tiers: readonly ((one: Candidate) => boolean)[] = [
    (one) => one.same,
    (one) => one.score === 1 && namesAlike(one),
    (one) => one.score === 1 && wanted.shape.length >= tellingLength,
    (one) => one.score >= 0.5 && namesAlike(one),
    (one) => one.score >= 0.8 && wanted.shape.length >= tellingLength,
  ];
  for (const belongs of tiers) {
    const tier = candidates.filter(belongs);
    if (tier.length === 0) continue;
    const top = bestOf(tier, context.moduleNow);
    // The very declaration at its own place is no other one.
    const isItself = top.same && top.declaration.file === wanted.file;
    const others = isItself ? [] : rivalsOf(formerOf(context), heirOf(top, context), succession);
    const rivals = candidates.filter((one) => others.includes(heirOf(one, context)));
    if (rivals.length === 0) return preferred(tier, top, context);
    const [taken, ...more] = [top, ...rivals].filter(isTaken);
    if (taken && more.every((one) => isSameDeclaration(one.declaration, taken.declaration)))
      return preferred(candidates, taken, context);
    const all = [top, ...rivals].map(
      (one) => `${one.name} in ${relative(context.revisions, one.declaration.file)}`,
    );
    return {
      kind: 'refused',
      reason: `${name} may now be ${[...new Set(all)].join(' or ')}, so the replacement is unclear.`,
      isSeveral: true,
    };
  }
  return undefined;
}

const formerOf = ({ name, wanted, succession }: ChoiceContext): Declared =>
  succession.gone.find((one) => one.name === name && one.place === wanted.file) ?? {
    name,
    place: wanted.file,
    shape: wanted.shape,
    order: 0,
  };

const heirOf = ({ declaration, name }: Candidate, { succession }: ChoiceContext): Declared =>
  succession.declared(declaration, name);

/** What changed sources took newly in its place, where that is another thing and looks like it, too. */
async function newlyTaken(
  chosen: Candidate,
  [place, ...others]: readonly ExportPlace[],
  { wanted, readers }: { readonly wanted: Declaration; readonly readers: MigrationReaders },
): Promise<string | undefined> {
  if (place === undefined || others.length > 0 || place.name === chosen.name) return undefined;
  const taken = (await readers.exportsNow(place.module)).names.get(place.name);
  const isAlike = taken !== undefined && similarityOf(wanted.shape, taken.shape) >= 0.5;
  if (!isAlike || (await wasExported(place, readers))) return undefined;
  return `${printed(place.name)} from ${relative(readers.revisions, place.module)}`;
}

/** The likeliest; of those that are equal what the module itself exports. */
const bestOf = (tier: readonly Candidate[], home: string | undefined): Candidate =>
  tier.reduce((a, b) =>
    b.score > a.score || (b.score === a.score && b.module === home && a.module !== home) ? b : a,
  );

/** Exactly one export of the module went and exactly one came: likely a rename with other changes. */
async function onlySwap(
  candidates: readonly Candidate[],
  context: ChoiceContext,
  readers: MigrationReaders,
): Promise<Candidate | undefined> {
  const { before, moduleNow, wanted } = context;
  if (moduleNow === undefined) return undefined;
  const old = (await readers.exportsBefore(before)).names;
  const present = (await readers.exportsNow(moduleNow)).names;
  const gone = [...old].filter(([name, one]) => !present.has(name) && one.typeOnly === wanted.typeOnly);
  const come = [...present].filter(([name, one]) => !old.has(name) && one.typeOnly === wanted.typeOnly);
  const candidate = candidates.find((one) => one.module === moduleNow && one.name === come[0]?.[0]);
  if (gone.length !== 1 || come.length !== 1 || !candidate || candidate.score < 0.4) return undefined;
  return candidate;
}

/** Several exports went, and exactly one that came has the text of this one, as none of the others had: what is to be said of it. */
async function onlyTwin(
  candidates: readonly Candidate[],
  context: ChoiceContext,
  readers: MigrationReaders,
): Promise<string | undefined> {
  const { name, before, moduleNow, wanted, revisions } = context;
  if (moduleNow === undefined) return undefined;
  const present = (await readers.exportsNow(moduleNow)).names;
  const gone = [...(await readers.exportsBefore(before)).names].filter(
    ([name, { shape }]) => !present.has(name) && similarityOf(wanted.shape, shape) === 1,
  );
  const [twin, ...others] = candidates.filter(
    ({ module, isNew, score }) => module === moduleNow && isNew && score === 1,
  );
  if (twin === undefined || others.length > 0 || gone.length !== 1) return undefined;
  const isAnother = mayMeanAnother(name, twin.name) !== undefined;
  if (isAnother) return undefined;
  return `${name} of ${relative(revisions, before)} is ${twin.name} ${revisions.when}, but its code is too short for certainty: ${lowerFirst(noCaller)}`;
}

function preferred(tier: readonly Candidate[], top: Candidate, context: ChoiceContext): Candidate {
  const wasReExported = context.wanted.file !== context.before;
  const rank = (one: Candidate): number =>
    (one.module === context.moduleNow ? 16 : 0) +
    (one.name === context.name ? 8 : 0) +
    (one.isNew ? 4 : 0) +
    ((one.declaration.file !== one.module) === wasReExported ? 2 : 0) +
    (one.declaration.file === one.module ? 1 : 0);
  return tier
    .filter((one) => isSameDeclaration(one.declaration, top.declaration))
    .reduce((a, b) => (rank(b) > rank(a) ? b : a));
}

function foundAt(candidate: Candidate, context: ChoiceContext): Found {
  const { revisions, name, before, wanted } = context;
  const { module } = candidate;
  const likeness =
    candidate.score === 1
      ? candidate.same && similarityOf(wanted.shape, candidate.declaration.shape) < 1
        ? 'changed inside'
        : 'the same declaration'
      : `${Math.floor(candidate.score * 100)} % similar`;
  const at = module === before ? '' : ` by ${relative(revisions, module)}`;
  const doubt = doubtOf(candidate, context);
  return {
    kind: 'found',
    place: { module, name: candidate.name },
    ...doubt,
    isSameText:
      candidate.score === 1 &&
      module === context.moduleNow &&
      mayMeanAnother(name, candidate.name) === undefined,
    confidence: candidate.score === 1 ? 0.97 : 0.6 + candidate.score * 0.3,
    evidence: `${printed(name)} of ${relative(revisions, before)} is exported as ${printed(candidate.name)}${at} ${revisions.when} (${likeness}).`,
  };
}

function doubtOf(candidate: Candidate, context: ChoiceContext): Pick<Found, 'doubt' | 'needsCaller'> {
  const { name, wanted, succession } = context;
  if (hasSameName(candidate, context)) return {};
  const another = mayMeanAnother(name, candidate.name);
  const isTelling = wanted.shape.length >= tellingLength;
  // With the very same text it does the same: then the callers tell whether the opposite name is meant.
  if (candidate.score === 1 && isTelling && areOpposites(name, candidate.name))
    return { doubt: noCaller, needsCaller: true };
  if (another !== undefined) return { doubt: `The new name may mean something else: ${another}.` };
  const { shape } = candidate.declaration;
  if (!haveSameOperators(wanted.shape, shape))
    return { doubt: `${candidate.name} computes its result differently.` };
  if (isMistyped(name, candidate.name))
    return { doubt: `${candidate.name} may be a typo of ${name}.`, needsCaller: true };
  const other = takenFrom(formerOf(context), heirOf(candidate, context), succession);
  if (other !== undefined) return { doubt: `It may replace another export: ${other}.`, needsCaller: true };
  return candidate.score < 1 || wanted.shape.length < leastLength
    ? { doubt: noCaller, needsCaller: true }
    : {};
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const printed = (name: string): string => (name === 'default' ? 'the default export' : name);

const relative = (revisions: Revisions, file: string): string => toRelativePosix(revisions.root, file);
