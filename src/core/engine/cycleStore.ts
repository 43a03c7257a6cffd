// Fix cycles that ended, by their ids, with all that it takes to apply their fixes later: what they were proven against, and what became of them.
import path from 'node:path';
import { z } from 'zod';
import { hashText } from '../base/hash.ts';
import { redactTold } from '../base/redactSecrets.ts';
import { toldBy } from '../diagnosis/toldSecrets.ts';
import { cycleReportSchema, type CycleFix, type CycleReport } from '../model/cycle.ts';
import { fileOfId } from '../model/testId.ts';
import { testResultSchema, type TestResult } from '../model/testResult.ts';
import { createImportGraph } from '../modules/importGraph.ts';
import { graphRoots } from '../run/graphRoots.ts';
import { readText } from '../workspace/readText.ts';
import { EntryStore } from './entryStore.ts';

const storedCycleSchema = z.object({
  root: z.string(),
  cycleId: z.string(),
  /** ISO 8601, UTC; those of older versions have none. */
  endedAt: z.string().optional(),
  report: cycleReportSchema,
  /** What the tests did as the workspace was. */
  before: z.array(testResultSchema),
  /** Test files that count, relative to the root, with a layer. */
  suite: z.array(z.string()).optional(),
  /** Texts that the cycle started from, of the files that its verified fixes change; null: there was no such file. */
  bases: z.record(z.string(), z.string().nullable()),
  /** Files that the tests of verified fixes reach, each with the hash of the text that they were proven against. */
  reached: z.array(z.tuple([z.string(), z.string()])),
  /** By the id of the fix: which of `reached` its tests reach. */
  reach: z.record(z.string(), z.array(z.number().int())),
});
export type StoredCycle = z.infer<typeof storedCycleSchema>;

/** A text that fixes were written into: whoever finds it in the file knows which of them are there. */
const writtenSchema = z.object({ file: z.string(), hash: z.string(), fixes: z.array(z.string()) });

/** What a cycle ends with. */
export interface EndedCycle {
  readonly root: string;
  readonly cycleId: string;
  readonly report: CycleReport;
  readonly before: readonly TestResult[];
  /** Absolute. */
  readonly suite?: Iterable<string> | undefined;
  /** Text of a file (relative) as the last tests ran with it. */
  readonly textInSandbox: (file: string) => Promise<string | undefined>;
}

/** While the files of the workspace are as the user left them. Not one whose texts hold secrets: they would lie in a file of ours. */
export async function keepCycle(ended: EndedCycle): Promise<void> {
  const { root, cycleId, report, before, suite } = ended;
  const cycle: StoredCycle = {
    root,
    cycleId,
    endedAt: new Date().toISOString(),
    report,
    // What the tests printed helps nobody to apply a fix.
    before: before.map(({ output: _output, ...test }) => test),
    ...(suite && { suite: [...suite].map((file) => path.relative(root, file)) }),
    ...(await provenAgainst(ended)),
  };
  if (!holdsSecrets(cycle, toldBy([report, before], root))) await storeOf(root).keep(cycleId, cycle);
}

function holdsSecrets(cycle: StoredCycle, told: Set<string>): boolean {
  let found = false;
  JSON.stringify(cycle, (_key, value: unknown) => {
    if (typeof value === 'string') found ||= redactTold(value, told) !== value;
    return value;
  });
  return found;
}

/** Undefined for a cycle that is not known any more. */
export const storedCycle = (root: string, cycleId: string): Promise<StoredCycle | undefined> =>
  storeOf(root).read(cycleId);

/** Undefined where none is known. */
export const lastCycle = (root: string): Promise<StoredCycle | undefined> =>
  storeOf(root).newest('', () => true);

/** The last cycle that had such a fix, by its id or the beginning of it. */
export function cycleWithFix(root: string, fixId: string): Promise<StoredCycle | undefined> {
  return storeOf(root).newest(`"id":"${fixId}`, ({ report }) =>
    report.fixes.some((fix) => isNamed(fix, fixId)),
  );
}

/** Is this its id, or the beginning of it? */
export const isNamed = (fix: Pick<CycleFix, 'id'>, name: string): boolean =>
  fix.id.slice(0, name.length) === name;

/** Before it is written: these texts of files have these fixes in them. */
export async function noteWritten(
  root: string,
  cycleId: string,
  written: Iterable<{ readonly file: string; readonly text: string; readonly fixes: readonly string[] }>,
): Promise<void> {
  const store = storeOf(root);
  for (const { file, text, fixes } of written)
    await store.addNote(cycleId, { file, hash: hashText(text), fixes });
}

/** Ids of the fixes that lie in a file with this text; undefined where it is none that the cycle knows. */
export async function fixesIn(
  { root, cycleId, bases }: StoredCycle,
  file: string,
  text: string | undefined,
): Promise<readonly string[] | undefined> {
  if ((text ?? null) === bases[file]) return [];
  if (text === undefined) return undefined;
  const hash = hashText(text);
  const notes = (await storeOf(root).notes(cycleId)).flatMap(
    (note) => writtenSchema.safeParse(note).data ?? [],
  );
  return notes.findLast((note) => note.file === file && note.hash === hash)?.fixes;
}

/** Raise the number when the content of the files changes its meaning. */
const storeOf = (root: string): EntryStore<StoredCycle> =>
  new EntryStore(root, 'cycles-1', (data) => storedCycleSchema.safeParse(data).data);

async function provenAgainst({
  root,
  report,
  textInSandbox,
}: EndedCycle): Promise<Pick<StoredCycle, 'bases' | 'reached' | 'reach'>> {
  const verified = report.fixes.filter(({ verdict }) => verdict.verdict === 'verified');
  const bases = await basesOf(root, verified);
  const places = new Map<string, number>();
  const reached: StoredCycle['reached'] = [];
  const reach: StoredCycle['reach'] = {};
  const graph = createImportGraph({ root });
  for (const fix of verified) {
    const own: number[] = [];
    for (const file of await filesBelow(fix, root, graph)) {
      let place = places.get(file);
      if (place === undefined) {
        const text = file in bases ? bases[file] : await textInSandbox(file).catch(() => undefined);
        // Git ignores it, or it is no text: nothing was proven against it.
        if (text === undefined || text === null) continue;
        place = reached.push([file, hashText(text)]) - 1;
        places.set(file, place);
      }
      own.push(place);
    }
    reach[fix.id] = own;
  }
  return { bases, reached, reach };
}

/** None of a file that somebody changed since the cycle started: nothing of it can be applied. */
async function basesOf(root: string, fixes: readonly CycleFix[]): Promise<StoredCycle['bases']> {
  const bases: StoredCycle['bases'] = {};
  const edits = fixes.flatMap((fix) => fix.edits);
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const text = await readText(path.join(root, file)).catch(() => undefined);
    const hash = hashText(text ?? '');
    if (edits.some((edit) => edit.file === file && edit.before === hash)) bases[file] = text ?? null;
  }
  return bases;
}

/** What decides over the tests of a fix: their files and all that these import, and what configures their runner. */
async function filesBelow(
  { failures, edits, sourceChange }: CycleFix,
  root: string,
  graph: ReturnType<typeof createImportGraph>,
): Promise<ReadonlySet<string>> {
  const tests = failures.flatMap((id) => fileOfId(id) ?? []);
  const start = [...tests, ...edits.map(({ file }) => file)];
  const files = new Set(start);
  for (const file of start) for (const next of await graph.reaches(file)) files.add(next);
  for (const { configs } of graphRoots(root, tests)) for (const file of configs) files.add(file);
  if (sourceChange !== undefined) files.add(sourceChange.location.file);
  return files;
}
