// Fixes after which tests get further and do not pass yet: what is sought next is sought on top of them, and what never arrives is taken back.
import { isInFile } from '../model/testId.ts';
import { hashText } from '../base/hash.ts';
import { editsKey } from '../fixes/rankFixes.ts';
import type { TextChange } from '../model/fileEdit.ts';
import { ownFailures, type Fix } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import type { Standing } from '../verification/progress.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';
import { afterChanges } from '../workspace/stackedEdits.ts';
import type { Undo } from '../sandbox/sandbox.ts';
import type { Attempts } from './attempts.ts';
import { chainFix, composeSteps, type Step } from './chainFix.ts';
import type { CycleBench } from './cycleBench.ts';

/** A step that lies on top, with those that lead to it. */
interface Advance extends Step {
  readonly tests: readonly string[];
  readonly below: ReadonlySet<Advance>;
  /** As it is reported. */
  readonly chain: Fix;
  /** Hashes of the texts below all steps, by file. */
  readonly base: ReadonlyMap<string, string>;
}

/** What a chain was made of. */
interface Origin {
  readonly raw: Fix;
  readonly below: ReadonlySet<Advance>;
  /** The number of the state that it was made on. */
  readonly state: number;
}

export class Advances {
  readonly #bench: CycleBench;
  readonly #attempts: Attempts;
  #steps: Advance[] = [];
  /** Texts below the steps, as of when they were laid down last. */
  #texts = new Map<string, string>();
  #laid: { readonly undo: Undo; readonly standing: Standing } | undefined;
  #state = 0;
  readonly #origins = new Map<string, Origin>();
  /** States that were seen: to come back to one is no progress. */
  readonly #seen = new Map<string, number>();

  constructor(bench: CycleBench, attempts: Attempts) {
    this.#bench = bench;
    this.#attempts = attempts;
  }

  /** Changes with every step that is added. */
  get state(): number {
    return this.#state;
  }

  /** Where the tests stand with the steps in place; undefined without any. */
  get standing(): Standing | undefined {
    return this.#laid?.standing;
  }

  /** The steps that lead to where this failing test stands now. */
  leadingTo(id: string): readonly Fix[] {
    return [...this.#leading([id])].map(({ fix }) => fix);
  }

  /** Lays the steps down: from here on the bench tells what tests do with them. Steps that no longer fit or that break a test go. */
  async lay(): Promise<void> {
    if (this.#laid !== undefined) return;
    await this.#readTexts();
    // What lies below was taken back.
    const fits = ({ base }: Advance): boolean =>
      [...base].every(([file, hash]) => hashText(this.#texts.get(file) ?? '') === hash);
    this.#forget(this.#steps.filter((step) => !fits(step)));
    while (this.#steps.length > 0) {
      const all = composeSteps({ steps: this.#steps, wanted: new Set(this.#steps), textOf: this.#textOf });
      const last = this.#steps.at(-1);
      if (all === undefined || last === undefined) return this.#forget(this.#steps);
      const key = editsKey(all.edits);
      if (this.#seen.get(key) !== undefined && this.#seen.get(key) !== this.#state) {
        this.#drop([last]);
        continue;
      }
      this.#seen.set(key, this.#state);
      const settled = this.#bench.results;
      const tests = this.#steps.flatMap((step) => [...step.tests]);
      const undo = await this.#bench.advance([{ ...chainFix(this.#steps, all, []), failures: tests }]);
      const { results, flaky } = this.#bench;
      if (![...settled.values()].some((test) => isWorse(test, results.get(test.id), flaky))) {
        this.#laid = { undo, standing: { results, edits: all.edits } };
        return;
      }
      await undo.undo();
      this.#drop([last]);
    }
  }

  /** Takes the steps off: the bench tells what tests do without them. */
  async lift(): Promise<void> {
    const laid = this.#laid;
    this.#laid = undefined;
    await laid?.undo.undo();
  }

  /** A proposal for the texts as they are with the steps, as a fix of the texts without them: with those that it needs. */
  chainOf = (raw: Fix): Fix | undefined => {
    if (this.#laid === undefined) return raw;
    const changes = changesOf(raw);
    if (changes === undefined) return undefined;
    let below = this.#leading(ownFailures(raw));
    const isApart = raw.edits.every(({ file }) => !this.#texts.has(file));
    if (below.size === 0 && isApart) return raw;
    if (raw.removesTests === true) return undefined;
    const step: Step = { fix: raw, changes };
    const steps = [...this.#steps, step];
    const compose = (wanted: Iterable<Step>): ReturnType<typeof composeSteps> =>
      composeSteps({ steps, wanted: new Set([...wanted, step]), textOf: this.#textOf });
    let composed = compose(below);
    if (composed === undefined) {
      // It touches a step that leads elsewhere: it needs all that change its files.
      const files = new Set(changes.keys());
      const near = this.#steps.filter((one) => [...one.changes.keys()].some((file) => files.has(file)));
      below = new Set([...below, ...near.flatMap((one) => [one, ...one.below])]);
      composed = compose(below);
    }
    if (composed === undefined) return undefined;
    const own = this.#steps.filter((one) => below.has(one));
    const tests = ownFailures(raw);
    const loaded = own.flatMap((one) => one.tests.filter((id) => tests.some((test) => isInFile(test, id))));
    const chain =
      own.length === 0 ? { ...raw, edits: [...composed.edits] } : chainFix([...own, step], composed, loaded);
    this.#origins.set(chain.id, { raw, below: new Set(own), state: this.#state });
    return chain;
  };

  /** Chains that make the same change as one. */
  join = (group: readonly Fix[], joinRaw: (raws: readonly Fix[]) => Fix): Fix => {
    if (this.#laid === undefined) return joinRaw(group);
    const raws = group.map((chain) => this.#origins.get(chain.id)?.raw ?? chain);
    const [first] = group;
    return this.chainOf(joinRaw(raws)) ?? first ?? joinRaw(group);
  };

  /** What was kept for good, and what only lets tests get further, both as they were judged together. The steps do not lie there now. */
  async settle(kept: readonly Fix[], advancing: readonly Fix[]): Promise<void> {
    const originOf = ({ id }: Fix): Origin | undefined => this.#origins.get(id);
    const arrived = new Set(kept.flatMap((chain) => [...(originOf(chain)?.below ?? [])]));
    for (const { chain } of arrived) this.#attempts.absorb(chain.id);
    const files = new Set(kept.flatMap(({ edits }) => edits.map(({ file }) => file)));
    const isTouched = ({ changes }: Step): boolean => [...changes.keys()].some((file) => files.has(file));
    // What else lay in a file that is another one now is sought anew.
    const left = this.#steps.filter((step) => !arrived.has(step));
    const stale = left.filter((step) => isTouched(step) || [...step.below].some(isTouched));
    const staleFiles = new Set(stale.flatMap(({ changes }) => [...changes.keys()]));
    this.#steps = left;
    this.#forget(stale);
    const keptChanges = kept.flatMap((chain) => changesOf(originOf(chain)?.raw ?? chain) ?? []);
    const added: Step[] = [];
    for (const chain of advancing) {
      const { raw = chain, below = new Set<Advance>(), state = this.#state } = originOf(chain) ?? {};
      const changes = changesOf(raw);
      const placed =
        changes &&
        placeOver(
          changes,
          keptChanges,
          added.map((step) => step.changes),
        );
      const isLost = [...below].some((step) => !this.#steps.includes(step) && !arrived.has(step));
      const isStale = [...(changes?.keys() ?? [])].some((file) => staleFiles.has(file));
      if (placed === undefined || isLost || isStale || state !== this.#state) {
        this.#attempts.forget(chain.id);
        continue;
      }
      const step: Advance = {
        fix: raw,
        changes: placed,
        tests: ownFailures(raw),
        below: new Set([...below].filter((one) => !arrived.has(one))),
        chain,
        base: await this.#hashesOf([...placed.keys()]),
      };
      added.push(step);
      this.#steps.push(step);
    }
    if (added.length > 0) this.#state++;
  }

  async #hashesOf(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const hashes = new Map<string, string>();
    for (const file of files) hashes.set(file, hashText((await this.#bench.readText(file)) ?? ''));
    return hashes;
  }

  async #readTexts(): Promise<void> {
    const files = new Set(this.#steps.flatMap(({ changes }) => [...changes.keys()]));
    this.#texts = new Map();
    for (const file of files) {
      const text = await this.#bench.readText(file);
      if (text !== undefined) this.#texts.set(file, text);
    }
  }

  #textOf = (file: string): string | undefined => this.#texts.get(file);

  #leading(tests: readonly string[]): Set<Advance> {
    const direct = this.#steps.filter((step) =>
      step.tests.some((id) => tests.some((test) => test === id || isInFile(test, id))),
    );
    return new Set(direct.flatMap((step) => [...step.below, step]));
  }

  #drop(steps: readonly Advance[]): void {
    const gone = new Set(steps);
    this.#steps = this.#steps.filter(
      (step) => !gone.has(step) && ![...step.below].some((one) => gone.has(one)),
    );
  }

  /** They may be tried again, on other texts. */
  #forget(steps: readonly Advance[]): void {
    for (const { chain } of steps) this.#attempts.forget(chain.id);
    this.#drop(steps);
  }
}

/** Undefined for a fix that changes a file twice, one after the other. */
function changesOf(fix: Fix): ReadonlyMap<string, readonly TextChange[]> | undefined {
  const edits = mergeEdits(fix.edits);
  const changes = new Map(edits.map((edit) => [edit.file, edit.changes]));
  return changes.size === edits.length ? changes : undefined;
}

type Changes = ReadonlyMap<string, readonly TextChange[]>;

/** As they are after what was kept, all of it made for the same texts as they, and after the steps added since; undefined where they touch. */
function placeOver(
  changes: Changes,
  kept: readonly Changes[],
  added: readonly Changes[],
): Changes | undefined {
  const placed = new Map<string, readonly TextChange[]>();
  for (const [file, own] of changes) {
    const below = new Map(
      kept.flatMap((one) => one.get(file) ?? []).map((one) => [JSON.stringify(one), one]),
    );
    let here = afterChanges(own, [...below.values()]);
    for (const step of added) here = here && afterChanges(here, step.get(file) ?? []);
    if (here === undefined) return undefined;
    placed.set(file, here);
  }
  return placed;
}

const isWorse = (before: TestResult, now: TestResult | undefined, flaky: ReadonlySet<string>): boolean =>
  before.outcome === 'passed' && now?.outcome !== 'passed' && !flaky.has(before.id);
