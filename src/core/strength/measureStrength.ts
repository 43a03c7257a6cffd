// Which of many small bugs in the sources do the tests notice? All bugs are planted in one copy, and each is tried in a warm run.
import { throwIfCancelled } from '../base/humanError.ts';
import { hashText } from '../base/hash.ts';
import type { PlantedBug } from './plantBugs.ts';
import { plantInCopy, type PlanResult, type PlantedCopy, type StrengthSandbox } from './plantedCopy.ts';
import type { TestSite } from './repeatTests.ts';

interface StrengthRequest {
  readonly sandbox: StrengthSandbox;
  /** Relative to the root. */
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** What the repetitions of tests may take. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: StrengthProgress) => void;
  /** Texts that stand there instead of those in the sandbox. */
  readonly instead?: ReadonlyMap<string, string | undefined>;
  /** Of the same sources and tests, from before. */
  readonly reach?: PlanResult | undefined;
  /** Is the bug to be tried at the tests of this site? Absent: all at all that reach it. */
  readonly choose?: (copy: PlantedCopy) => (bug: PlantedBug, site: TestSite) => boolean;
}

export interface StrengthProgress {
  readonly tried: number;
  readonly of: number;
}

/**
 * noticed: a test failed, or did not end · unnoticed: every test that reaches it passed · unreached: no test runs that code ·
 * untried: there was no time, or a test that reaches it cannot be repeated.
 */
export type BugFate = 'noticed' | 'unnoticed' | 'unreached' | 'untried';

export interface TriedBug {
  readonly bug: PlantedBug;
  readonly fate: BugFate;
  /** The first site whose tests noticed it. */
  readonly by?: TestSite;
}

export interface Strength {
  /** In the order of the files; those that act only while a file loads are left out. */
  readonly bugs: readonly TriedBug[];
  readonly sites: readonly TestSite[];
  /** Sites whose tests could be repeated. */
  readonly repeated: number;
  /** Bugs that act only while a file loads: they are not tried. */
  readonly atLoad: number;
  readonly notes: readonly string[];
  /** Which test reaches what. */
  readonly reach: PlanResult;
}

/** The sandbox is as it was afterwards. Throws the cancellation error. */
export async function measureStrength(request: StrengthRequest): Promise<Strength> {
  const { sandbox, sources, tests, signal } = request;
  const copy = await plantInCopy(sandbox, sources, tests, request.instead);
  try {
    const first = request.reach ?? (await copy.run({ mode: 'reach' }, tests, signal));
    const trial = new Trial(copy, first, request.choose?.(copy));
    const until = Date.now() + request.seconds * 1000;
    for (let most = request.choose ? 16 : 2; Date.now() < until; most *= 4) {
      const plan = trial.next(most, until - Date.now());
      if (plan.size === 0) break;
      request.onProgress?.({ tried: trial.tried, of: trial.reachable });
      const files = [...new Set([...plan.keys()].map((id) => trial.site(id).file))];
      const result = await copy.run({ mode: 'try', sites: plan, until }, files, signal);
      throwIfCancelled(signal);
      trial.learn(plan, result, Date.now() < until);
    }
    return trial.strength(first);
  } finally {
    await copy.restore();
  }
}

/** A repetition costs at least so much, ms. */
const leastCost = 0.5;

/** Which bugs are tried at the tests of a site. */
type Try = ReadonlyMap<number, readonly number[]>;

class Trial {
  readonly #copy: PlantedCopy;
  readonly #sites: ReadonlyMap<number, TestSite>;
  /** What a repetition of the tests of a site takes, ms; of those that can be repeated. */
  readonly #cost = new Map<number, number>();
  /** The sites that reach a bug and are yet to be asked, those that reach the least first. */
  readonly #ahead = new Map<number, Set<number>>();
  readonly #noticed = new Map<number, number>();
  /** Bugs that tests reach which cannot be repeated: nobody knows what these would notice. */
  readonly #unasked = new Set<number>();
  /** A site and a bug at which it was to be asked and gave no answer. */
  readonly #silent = new Set<string>();
  readonly #reached = new Set<number>();
  /** First bugs of returned values that were met, changeable or not. */
  readonly #ran = new Set<number>();
  readonly #doubtful = new Set<number>();
  readonly #order: readonly number[];

  constructor(
    copy: PlantedCopy,
    { repetitions, reached }: PlanResult,
    isChosen: (bug: PlantedBug, site: TestSite) => boolean = () => true,
  ) {
    this.#copy = copy;
    this.#sites = new Map(copy.sites.map((site) => [site.id, site]));
    for (const { site, bug, ms, how } of repetitions)
      if (bug === 0 && how === undefined) this.#cost.set(site, Math.max(leastCost, ms));
    const bySize = [...reached].toSorted(([, a], [, b]) => a.size - b.size);
    for (const [site, bugs] of bySize)
      for (const bug of bugs) {
        if (bug < 0) this.#ran.add(-bug);
        if (bug < 0) continue;
        this.#reached.add(bug);
        const [planted, at] = [copy.bugs[bug - 1], this.#sites.get(site)];
        if (planted === undefined || at === undefined || !isChosen(planted, at)) continue;
        if (!this.#cost.has(site)) this.#unasked.add(bug);
        if (!this.#cost.has(site)) continue;
        const sites = this.#ahead.get(bug);
        if (sites === undefined) this.#ahead.set(bug, new Set([site]));
        else sites.add(site);
      }
    this.#order = inTurns(copy.bugs.filter(({ id }) => this.#ahead.has(id))).map(({ id }) => id);
  }

  get reachable(): number {
    return this.#order.length;
  }

  get tried(): number {
    return this.#order.filter((bug) => this.#noticed.has(bug) || this.#ahead.get(bug)?.size === 0).length;
  }

  site(id: number): TestSite {
    const site = this.#sites.get(id);
    if (site === undefined) throw new Error(`no site ${id}`);
    return site;
  }

  /** Each bug that nobody noticed yet, at the next few sites that reach it, as far as the time may be enough. */
  next(most: number, leftMs: number): Try {
    const plan = new Map<number, number[]>();
    let left = leftMs;
    for (const bug of this.#order) {
      if (this.#noticed.has(bug)) continue;
      const sites = this.#sitesAhead(bug).slice(0, most);
      left -= sites.reduce((sum, site) => sum + (this.#cost.get(site) ?? leastCost), 0);
      if (left < 0) break;
      for (const site of sites) {
        const bugs = plan.get(site);
        if (bugs === undefined) plan.set(site, [bug]);
        else bugs.push(bug);
      }
    }
    return plan;
  }

  /** Takes in what came of a plan. `isComplete`: what has no result now will have none: its tests did not get that far. */
  learn(plan: Try, { repetitions }: PlanResult, isComplete: boolean): void {
    const withoutBug = new Map<number, number>();
    for (const { site, bug, how } of repetitions)
      if (bug <= 0 && how === undefined) withoutBug.set(site, (withoutBug.get(site) ?? 0) + 1);
    const ended = new Set<string>();
    for (const { site, bug, how } of repetitions) {
      if (bug <= 0) continue;
      // Tests that fail without a bug too, by now, say nothing.
      if (withoutBug.get(site) !== 2) this.#doubtful.add(site);
      else if (how !== undefined && !this.#noticed.has(bug)) this.#noticed.set(bug, site);
      ended.add(`${site} ${bug}`);
    }
    for (const [site, bugs] of plan)
      for (const bug of bugs) {
        if (ended.has(`${site} ${bug}`)) this.#ahead.get(bug)?.delete(site);
        else if (isComplete && !this.#noticed.has(bug)) this.#silent.add(`${site} ${bug}`);
      }
  }

  /** Sites that reach the bug and are yet to be asked. */
  #sitesAhead(bug: number): readonly number[] {
    return [...(this.#ahead.get(bug) ?? [])].filter(
      (site) => !this.#doubtful.has(site) && !this.#silent.has(`${site} ${bug}`),
    );
  }

  strength(reach: PlanResult): Strength {
    const places = new Set(this.#copy.bugs.filter(({ id }) => this.#ran.has(id)).map(resultPlace));
    // Of a number no value within it can be changed, of a class's object nothing.
    const canBe = this.#copy.bugs.filter(
      (bug) => bug.kind !== 'Result' || this.#reached.has(bug.id) || !places.has(resultPlace(bug)),
    );
    const inFunctions = canBe.filter(({ id, within }) => within !== undefined || this.#reached.has(id));
    return {
      bugs: inFunctions.map((bug): TriedBug => {
        const by = this.#noticed.get(bug.id);
        return { bug, fate: this.#fateOf(bug.id), ...(by !== undefined && { by: this.site(by) }) };
      }),
      sites: this.#copy.sites,
      repeated: this.#cost.size - this.#doubtful.size,
      atLoad: canBe.length - inFunctions.length,
      notes: [...this.#copy.notes, ...unrepeatable(this.#copy.sites, reach)],
      reach,
    };
  }

  #fateOf(bug: number): BugFate {
    if (this.#noticed.has(bug)) return 'noticed';
    if (!this.#reached.has(bug)) return 'unreached';
    const ahead = this.#ahead.get(bug);
    if (this.#unasked.has(bug) || (ahead !== undefined && ahead.size > 0)) return 'untried';
    return ahead === undefined ? 'unreached' : 'unnoticed';
  }
}

/** Tests that ran and do not pass when they are repeated; those that are skipped did not run. */
function unrepeatable(sites: readonly TestSite[], { repetitions, summary }: PlanResult): readonly string[] {
  const broken = summary.tests.find(({ outcome }) => outcome === 'failed' || outcome === 'errored');
  if (repetitions.length === 0 && broken)
    return [`No test could be repeated. ${broken.file}: ${broken.failure?.message ?? broken.outcome}`];
  const failed = new Set(
    repetitions.filter(({ bug, how }) => bug === 0 && how !== undefined).map(({ site }) => site),
  );
  const [first] = sites.filter(({ id }) => failed.has(id));
  if (first === undefined) return [];
  const which = `"${first.title}" at ${first.file}:${first.line}`;
  return [
    failed.size === 1
      ? `One test fails, or fails when it is repeated, and was left out: ${which}.`
      : `${failed.size} tests fail, or fail when they are repeated, and were left out; the first is ${which}.`,
  ];
}

const resultPlace = ({ kind, file, line, column }: PlantedBug): string => `${kind} ${file}:${line}:${column}`;

/** One of each function in turn, so that a short time says something of all; which one is first is chance, and the same every time. */
function inTurns(bugs: readonly PlantedBug[]): readonly PlantedBug[] {
  const groups = new Map<string, PlantedBug[]>();
  for (const bug of bugs) {
    const key = `${bug.file}\n${bug.within ?? ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [bug]);
    else group.push(bug);
  }
  const keyed = [...groups.values()].map((group) =>
    group
      .map((bug) => ({ bug, key: hashText(`${bug.file}:${bug.line}:${bug.column}:${bug.kind}:${bug.to}`) }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ bug }) => bug),
  );
  const rounds = Math.max(0, ...keyed.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => keyed.flatMap((group) => group[round] ?? [])).flat();
}
