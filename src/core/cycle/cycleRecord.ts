// The record of a running cycle: what it has proven and what was decided, line by line in a file, so that a kill loses at most the last one.
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorMessage } from '../base/humanError.ts';
import { redactTold } from '../base/redactSecrets.ts';
import { toldBy } from '../diagnosis/toldSecrets.ts';
import type { CycleEvent, CycleFix } from '../model/cycle.ts';
import type { Fix } from '../model/fix.ts';
import type { ProcessOwner } from '../sandbox/processOwnerSchema.ts';
import type { Decision } from './cycleRequest.ts';
import { recordFile, type AskedCycle, type FormerCycle, type RecordLine } from './formerCycle.ts';

/** A snapshot of many megabytes is sooner written anew than kept, characters. */
const mostOfAFix = 200_000;
const mostOfARecord = 4_000_000;

interface RecordRequest {
  readonly root: string;
  readonly cacheFolder: string;
  readonly owner: ProcessOwner;
  readonly asked: AskedCycle;
  /** The cycle that is taken up: nothing of it is lost before it is proven again. */
  readonly former: FormerCycle | undefined;
  /** Told once, when the record cannot be written. */
  readonly onTrouble: (note: string) => void;
}

/** Nothing is written before something is proven; whoever holds the lock of the cycle is the only writer. */
export class CycleRecord {
  readonly #request: RecordRequest;
  readonly #file: string;
  readonly #said = new Map<string, Decision>();
  /** As lines have them. */
  readonly #fixes = new Map<string, string>();
  #iterations: number;
  #size = 0;
  #isBegun = false;
  #isBroken = false;

  constructor(request: RecordRequest) {
    this.#request = request;
    this.#file = recordFile(request.root, request.cacheFolder);
    this.#iterations = request.former?.iterations ?? 0;
    for (const { fix, said } of request.former?.fixes ?? []) this.#noteFix(fix, said);
  }

  /** Writes all of it aside and puts it in the place of an earlier record, so that there is always one whole record. */
  begin(): void {
    const { root, owner, asked } = this.#request;
    const lines = [
      printed({ type: 'cycle', version: 2, root, owner, startedAt: Date.now(), asked }),
      printed({ type: 'iteration', number: this.#iterations }),
      ...this.#fixes.values(),
    ];
    const text = lines.join('');
    this.#try(() => {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(`${this.#file}.new`, text, { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
      this.#isBegun = true;
      this.#size = text.length;
    });
  }

  /** Before the event is told to anybody. */
  onEvent(event: CycleEvent): void {
    if (event.type === 'iterationEnded') {
      this.#iterations = event.record.iteration;
      if (this.#isBegun) this.#add({ type: 'iteration', number: this.#iterations });
    } else if (event.type === 'fixRolledBack') this.#drop(event.fixId);
    else if (event.type === 'fixJudged') this.#onJudged(event.fix);
  }

  /** What the person said about a proven fix. */
  onSaid(fix: CycleFix, said: Decision): void {
    this.#said.set(fix.id, said);
    this.#onJudged(fix);
  }

  /**
   * The cycle ended and its report is told: there is nothing to take up. One that ended by itself also takes the place of the one that was
   * killed before it.
   */
  end(isByItself: boolean): void {
    if (this.#isBegun || isByItself) this.#try(() => rmSync(this.#file, { force: true }));
  }

  #onJudged(fix: CycleFix): void {
    // What only a person may apply does not stay in the sandbox: nothing is built on it.
    if (fix.verdict.verdict !== 'verified' || fix.trust === 'propose') return this.#drop(fix.id);
    const said = this.#said.get(fix.id);
    const kept = withoutSecrets(fix, this.#request.root);
    if (kept === undefined || !this.#noteFix(kept, said)) return;
    if (this.#isBegun) this.#append(this.#fixes.get(fix.id) ?? '');
    else this.begin();
  }

  #noteFix(fix: Fix, said: Decision | undefined): boolean {
    const text = printed({ type: 'fix', fix, ...(said !== undefined && { said }) });
    if (text.length > mostOfAFix || this.#size + text.length > mostOfARecord) return false;
    if (text === this.#fixes.get(fix.id)) return false;
    if (said !== undefined) this.#said.set(fix.id, said);
    this.#fixes.set(fix.id, text);
    return true;
  }

  #drop(id: string): void {
    if (this.#fixes.delete(id) && this.#isBegun) this.#add({ type: 'dropped', id });
  }

  #add(line: RecordLine): void {
    this.#append(printed(line));
  }

  #append(text: string): void {
    if (this.#isBroken) return;
    this.#size += text.length;
    this.#try(() => appendFileSync(this.#file, text));
  }

  /** A full disk must not end a cycle. */
  #try(write: () => void): void {
    if (this.#isBroken) return;
    try {
      write();
    } catch (error) {
      this.#isBroken = true;
      this.#request.onTrouble(`This cycle could not be resumed after a kill: ${errorMessage(error)}`);
    }
  }
}

const printed = (line: RecordLine): string => `${JSON.stringify(line)}\n`;

/** Words are blotted out; a fix whose own text holds a secret is not kept, for it would be another one without it. */
function withoutSecrets(fix: CycleFix, root: string): Fix | undefined {
  const told = toldBy(fix, root);
  const hide = (text: string): string => redactTold(text, told);
  const { verdict: _verdict, diff, state: _state, ...plain } = fix;
  const added = diff.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line));
  const { old = '', new: now = '' } = fix.expectation ?? {};
  const own = [...added, old, now, ...fix.edits.flatMap(({ changes }) => changes.map((one) => one.newText))];
  if (own.some((text) => hide(text) !== text)) return undefined;
  const { sourceChange, cause: _cause, ...rest } = plain;
  return {
    ...rest,
    title: hide(fix.title),
    evidence: fix.evidence.map((text) => hide(text)),
    ...(sourceChange !== undefined && {
      sourceChange: { ...sourceChange, excerpt: hide(sourceChange.excerpt) },
    }),
  };
}
