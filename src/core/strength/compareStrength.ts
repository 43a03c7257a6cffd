// Do changed tests still notice the planted bugs that they noticed before?
import { changedSites, type ChangedTests, type SiteChanges } from './changedSites.ts';
import { inChangedLines, inRefusals } from './changedLines.ts';
import { measureStrength, type Strength, type TriedBug } from './measureStrength.ts';
import type { PlantedBug } from './plantBugs.ts';
import type { PlanResult, StrengthSandbox } from './plantedCopy.ts';
import type { TestSite } from './repeatTests.ts';
import { sameBugs, type ChangedSourceText } from './sameBugs.ts';

export type { ChangedTests } from './changedSites.ts';

interface CompareRequest {
  readonly sandbox: StrengthSandbox;
  readonly tests: readonly ChangedTests[];
  /** Test files that do not change; they are asked for tests that are gone. */
  readonly others: readonly string[];
  /** Sources that the tests reach, relative to the root. */
  readonly sources: readonly string[];
  /** Texts of sources as they were when the tests passed, where they are others now; undefined for one that was not there. */
  readonly formerly: ReadonlyMap<string, string | undefined>;
  /** For the repetitions of the tests before the change, and as much after it. */
  readonly seconds: number;
  /** Each test that changes must notice enough by itself, and all of that again. */
  readonly isEach?: boolean;
  readonly signal: AbortSignal;
}

/** A bug that nobody notices any more, in the sources as they are now. */
interface LostBug {
  readonly bug: PlantedBug;
  /** Who noticed it before the change. */
  readonly by: TestSite;
}

/** kept: all that were noticed, and can still be planted, are noticed now. */
export interface StrengthAnswer {
  readonly answer: 'kept' | 'weaker' | 'cannot tell';
  /** Bugs that the tests noticed before and that were tried again. */
  readonly noticed: number;
  readonly still: number;
  readonly lost: readonly LostBug[];
  /** Why it cannot be told, as a sentence. */
  readonly reason?: string;
}

/** More are not looked at twice, and not told. */
const mostLost = 12;

/** The sandbox is as it was afterwards. Throws the cancellation error. */
export async function compareStrength(request: CompareRequest): Promise<StrengthAnswer> {
  const comparison = new Comparison(request, await changedTexts(request));
  return request.isEach === true ? comparison.answerOfEach() : comparison.answer();
}

/** Sources that differ and are there both times. */
async function changedTexts({
  formerly,
  sandbox,
}: CompareRequest): Promise<ReadonlyMap<string, ChangedSourceText>> {
  const changed = new Map<string, ChangedSourceText>();
  for (const [file, before] of formerly) {
    const after = await sandbox.readText(file);
    if (before !== undefined && after !== undefined) changed.set(file, { before, after });
  }
  return changed;
}

/** Fewer say too little of a test. */
const enough = 5;
/** So many say enough where there was no time for all. */
const many = 30;
/** Each test is asked in runs of its own. */
const mostTests = 5;

/** A bug with who noticed it before, and what became of it now. */
interface Asked extends LostBug {
  readonly was: PlantedBug;
  readonly fate: TriedBug['fate'];
}

class Comparison {
  readonly #request: CompareRequest;
  readonly #texts: ReadonlyMap<string, ChangedSourceText>;
  readonly #sites: SiteChanges;
  /** Which test reaches what: before, and now by the test files that were asked. */
  readonly #reaches = new Map<string, PlanResult>();
  #alone: TestSite | undefined;

  constructor(request: CompareRequest, texts: ReadonlyMap<string, ChangedSourceText>) {
    this.#request = request;
    this.#texts = texts;
    this.#sites = changedSites(request.tests);
  }

  /** Whether each test that changed notices, by itself, all that it noticed. */
  async answerOfEach(): Promise<StrengthAnswer> {
    const all = await this.#before(() => false);
    const sites = all.sites.filter((site) => this.#sites.formerly(site));
    if (sites.length > mostTests)
      return cannotTell(
        `The patch changes ${sites.length} tests, or what they share: at most ${mostTests} can be asked one by one.`,
      );
    const names = all.sites.map((site) => `${site.file}\n${nameOf(site)}`);
    if (new Set(names).size < names.length) return cannotTell('Tests of one name cannot be told apart.');
    const answers: StrengthAnswer[] = [];
    for (const site of sites) {
      const answer = await this.answer(site);
      if (answer.answer !== 'kept') return answer;
      const avoids = this.#request.formerly.size === 0 ? undefined : await this.#whyAvoids(site);
      if (avoids !== undefined) return cannotTell(avoids);
      answers.push(answer);
    }
    const noticed = answers.reduce((sum, answer) => sum + answer.noticed, 0);
    if (noticed === 0) return cannotTell('No test changes that was there before.');
    return { answer: 'kept', noticed, still: noticed, lost: [] };
  }

  /** `alone`: nobody else than this test may notice what it noticed. */
  async answer(alone?: TestSite): Promise<StrengthAnswer> {
    this.#alone = alone;
    const before = await this.#before(() => true);
    const noticed = noticedIn(before);
    if (noticed.size === 0) return cannotTell(whyNothing(before));
    const asked = await this.#now(noticed);
    const certain = asked.filter(({ fate }) => fate !== 'untried');
    const isHasty =
      [...before.bugs, ...asked].some(({ fate }) => fate === 'untried') && certain.length < many;
    if (alone && (certain.length < enough || isHasty))
      return cannotTell(
        `"${alone.title}" noticed ${certain.length} planted bugs, which is too few to tell${isHasty ? ' in that time' : ''}.`,
      );
    if (certain.length === 0) return cannotTell(whyNothingNow(asked));
    const missed = certain.filter(({ fate }) => fate !== 'noticed');
    const lost = await this.#confirmed(missed.slice(0, mostLost), noticed);
    if (alone && lost.length === 0 && missed.length > 0)
      return cannotTell(`The planted bugs that "${alone.title}" notices differ from run to run.`);
    return {
      answer: lost.length > 0 ? 'weaker' : 'kept',
      noticed: certain.length,
      still: certain.length - lost.length,
      lost: lost.map(({ bug, by }) => ({ bug, by })),
    };
  }

  /** What the tests that change noticed before, in the sources as they were. */
  async #before(isWanted: (bug: PlantedBug) => boolean): Promise<Strength> {
    const { sandbox, tests, sources, formerly, seconds, signal } = this.#request;
    const texts = tests.flatMap(({ file, before }) =>
      before === undefined ? [] : [[file, before] as const],
    );
    const gone = [...formerly].filter(([, text]) => text === undefined).map(([file]) => file);
    const strength = await measureStrength({
      sandbox,
      reach: this.#reaches.get('before'),
      sources: [...new Set([...sources, ...this.#texts.keys()])].filter((file) => !gone.includes(file)),
      tests: texts.map(([file]) => file),
      instead: new Map([...formerly, ...texts]),
      seconds,
      signal,
      choose: () => (bug, site) => this.#sites.formerly(site) && this.#isAsked(site) && isWanted(bug),
    });
    this.#reaches.set('before', strength.reach);
    return strength;
  }

  /** The same bugs at the tests that changed or are new; what only a test noticed that is gone, at all tests. */
  async #now(noticed: ReadonlyMap<PlantedBug, TestSite>): Promise<readonly Asked[]> {
    const { sandbox, tests, others, sources, seconds, signal } = this.#request;
    const texts = tests.flatMap(({ file, after }) => (after === undefined ? [] : [[file, after] as const]));
    const isGone = [...noticed.values()].some((site) => this.#sites.isGone(site));
    let same: ReadonlyMap<number, PlantedBug> = new Map();
    const files = [...texts.map(([file]) => file), ...(isGone ? others : [])];
    const { bugs, reach } = await measureStrength({
      sandbox,
      reach: this.#reaches.get(files.join('\n')),
      sources,
      tests: files,
      instead: new Map(texts),
      seconds,
      signal,
      choose: (copy) => {
        same = sameBugs([...noticed.keys()], copy.bugs, this.#texts);
        return (bug, site) => {
          const by = this.#noticer(bug, same, noticed);
          return by !== undefined && this.#isAsked(site) && (this.#sites.now(site) || this.#sites.isGone(by));
        };
      },
    });
    this.#reaches.set(files.join('\n'), reach);
    return bugs.flatMap(({ bug, fate }) => {
      const was = same.get(bug.id);
      const by = was && noticed.get(was);
      return was && by ? [{ bug, was, by, fate }] : [];
    });
  }

  /**
   * What the test met in changed lines of the sources before it changed itself, it must meet now, and notice a bug there: otherwise it
   * may pass because it walks around what broke it. To get past what refused it is its purpose.
   */
  async #whyAvoids(site: TestSite): Promise<string | undefined> {
    const isChanged = inChangedLines(this.#texts);
    const isRefusal = inRefusals(this.#texts);
    const isWanted = (bug: PlantedBug): boolean => isChanged(bug) && !isRefusal(bug);
    const former = await this.#inChangedLines(site, 'before', () => false);
    const met = former.bugs.filter((bug) => isWanted(bug) && former.reached.has(bug.id));
    const now = await this.#inChangedLines(site, 'after', isWanted);
    const past = met.find((bug) => !now.reached.has(bug.id));
    const place = (bug: PlantedBug): string => `${bug.file}:${bug.line}`;
    if (past) return `"${site.title}" no longer runs ${place(past)}, where the source changed.`;
    return now.isNoticed
      ? undefined
      : `"${site.title}" notices no planted bug in the lines of the sources that changed.`;
  }

  /** What the test reaches in the sources as they are, with its text before or after the change, and whether it notices one of these. */
  async #inChangedLines(
    site: TestSite,
    side: 'before' | 'after',
    isWanted: (bug: PlantedBug) => boolean,
  ): Promise<{
    readonly bugs: readonly PlantedBug[];
    readonly reached: ReadonlySet<number>;
    readonly isNoticed: boolean;
  }> {
    const { sandbox, tests, sources, seconds, signal } = this.#request;
    const texts = tests.flatMap(({ file, [side]: text }) =>
      text === undefined ? [] : [[file, text] as const],
    );
    const key = `${side} as the sources are`;
    let planted: readonly PlantedBug[] = [];
    const { bugs, sites, reach } = await measureStrength({
      sandbox,
      reach: this.#reaches.get(key),
      sources,
      tests: texts.map(([file]) => file),
      instead: new Map(texts),
      seconds,
      signal,
      choose: (copy) => {
        planted = copy.bugs;
        return (bug, at) => isSame(at, site) && isWanted(bug);
      },
    });
    this.#reaches.set(key, reach);
    const own = sites.filter((at) => isSame(at, site));
    return {
      bugs: planted,
      reached: new Set(own.flatMap(({ id }) => [...(reach.reached.get(id) ?? [])])),
      isNoticed: bugs.some(({ bug, fate }) => isWanted(bug) && fate === 'noticed'),
    };
  }

  #isAsked(site: TestSite): boolean {
    const alone = this.#alone;
    return alone === undefined || isSame(site, alone);
  }

  #noticer(
    bug: PlantedBug,
    same: ReadonlyMap<number, PlantedBug>,
    noticed: ReadonlyMap<PlantedBug, TestSite>,
  ): TestSite | undefined {
    const was = same.get(bug.id);
    return was && noticed.get(was);
  }

  /** Those that are noticed before and not now in fresh runs too, where no other bug was tried before them. */
  async #confirmed(
    lost: readonly Asked[],
    noticed: ReadonlyMap<PlantedBug, TestSite>,
  ): Promise<readonly Asked[]> {
    if (lost.length === 0) return [];
    const wanted = new Set(lost.map(({ was }) => was.id));
    const again = noticedIn(await this.#before(({ id }) => wanted.has(id)));
    const ids = new Set([...again.keys()].map(({ id }) => id));
    const kept = new Map([...noticed].filter(([{ id }]) => ids.has(id)));
    return (await this.#now(kept)).filter(({ fate }) => fate === 'unnoticed' || fate === 'unreached');
  }
}

const noticedIn = ({ bugs }: Strength): ReadonlyMap<PlantedBug, TestSite> =>
  new Map(bugs.flatMap(({ bug, fate, by }) => (fate === 'noticed' && by ? [[bug, by] as const] : [])));

const isSame = (one: TestSite, other: TestSite): boolean =>
  one.file === other.file && nameOf(one) === nameOf(other);

const nameOf = ({ suites, title }: TestSite): string => [...suites, title].join('\n');

const cannotTell = (reason: string): StrengthAnswer => ({
  answer: 'cannot tell',
  noticed: 0,
  still: 0,
  lost: [],
  reason,
});

function whyNothing({ bugs, repeated }: Strength): string {
  if (repeated === 0)
    return 'The tests did not pass before the change, so nothing is known of what they noticed.';
  return bugs.some(({ fate }) => fate === 'unnoticed')
    ? 'The changed tests noticed none of the planted bugs before.'
    : 'The changed tests reached no source of the workspace before.';
}

const whyNothingNow = (asked: readonly Asked[]): string =>
  asked.length === 0
    ? 'The lines in which the tests noticed planted bugs are no longer in the sources.'
    : 'The changed tests cannot be repeated with a bug in the sources.';
