// A fix chosen from the lightbulb: tried in the sandbox, shown as a diff, applied or dropped, and the tests run again.
import type * as vscode from 'vscode';
import { errorMessage, HumanError } from '../../core/base/humanError.ts';
import type { Fix, Verdict } from '../../core/model/fix.ts';
import { codeActionArgumentSchema, requests } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { offerToSave } from '../testing/unsavedFiles.ts';
import type { Testing } from '../testing/testing.ts';
import { applyEdits, type ShownTexts } from './applyEdits.ts';
import type { ProposedDocuments } from './proposedDocuments.ts';
import { tell, tellWhile } from '../tell.ts';

/** A fix whose diff is open and that nobody has decided on. */
interface PendingFix {
  readonly root: string;
  readonly fix: Fix;
  /** There as soon as the diff is. */
  readonly shown: Promise<ShownTexts>;
}

export class FixDialogue {
  readonly #engine: EngineClient;
  readonly #testing: Testing;
  readonly #documents: ProposedDocuments;
  readonly #log: vscode.LogOutputChannel;
  readonly #pending = new Map<string, PendingFix>();

  constructor(
    engine: EngineClient,
    testing: Testing,
    documents: ProposedDocuments,
    log: vscode.LogOutputChannel,
  ) {
    this.#engine = engine;
    this.#testing = testing;
    this.#documents = documents;
    this.#log = log;
  }

  /** Runs the whole dialogue for the argument of a code action. */
  async tryFix(argument: unknown): Promise<void> {
    const { root, fixId, title } = codeActionArgumentSchema.parse(argument);
    await this.#tell(async () => {
      if (!(await offerToSave('fix'))) return;
      const { fix, verdict } = await tellWhile(`Trying the fix in a sandbox: ${title}`, (token) =>
        this.#engine.request(requests.verifyFix, { root, fixId }, token),
      );
      this.#log.info(
        `${verdict.verdict}: ${fix.title}${verdict.reason === undefined ? '' : ` (${verdict.reason})`}`,
      );
      if (verdict.verdict === 'rejected') {
        void tell.warning(`Testmend did not keep this fix. ${verdict.reason ?? ''}`);
        return;
      }
      const key = fix.id;
      const shown = this.#documents.showDiff(root, key, `${fix.title} (Testmend)`, fix.edits);
      // Known before it is drawn: whoever sees the diff can apply it at once.
      this.#pending.set(key, { root, fix, shown });
      await shown.catch((error: unknown) => {
        this.#pending.delete(key);
        throw error;
      });
      await this.#ask(key, fix, verdict);
    });
  }

  /** Apply, from the diff's title bar. */
  async applyShown(): Promise<void> {
    const key = this.#documents.keyOfActiveDiff();
    if (key !== undefined) await this.#apply(key);
  }

  /** Discard, from the diff's title bar. */
  async discardShown(): Promise<void> {
    const key = this.#documents.keyOfActiveDiff();
    if (key !== undefined) await this.#discard(key);
  }

  /** The user says that the expectation is right. */
  async isBug(argument: unknown): Promise<void> {
    const { root, failures, expectation } = codeActionArgumentSchema.parse(argument);
    await this.#tell(async () => {
      const reason =
        expectation === undefined
          ? 'The user decided that the source is wrong.'
          : `The user decided that ${expectation.old} is right and the source is wrong.`;
      await this.#engine.request(requests.markBug, { root, ids: failures, reason });
      void tell.information(
        'Recorded as a bug in the source: the test stays unchanged, and no fix of its expectation is offered until the test or the source changes.',
      );
    });
  }

  async #ask(key: string, fix: Fix, verdict: Verdict): Promise<void> {
    const times = verdict.runs === 1 ? 'once' : `${verdict.runs} times`;
    const choice =
      verdict.verdict === 'verified'
        ? await tell.information(
            `Verified: ${fix.title}. The test passed ${times} in the sandbox, and nothing else broke.`,
            'Apply',
            'Discard',
          )
        : await tell.warning(
            `Not proven: ${fix.title}. ${verdict.reason ?? 'The sandbox could not reproduce the test.'}`,
            'Apply',
            'Discard',
          );
    if (choice === 'Apply') await this.#apply(key);
    if (choice === 'Discard') await this.#discard(key);
  }

  async #apply(key: string): Promise<void> {
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    this.#pending.delete(key);
    await this.#tell(async () => {
      const { root, fix, shown } = pending;
      try {
        await applyEdits(root, fix.edits, fix.title, await shown);
      } finally {
        await this.#documents.closeDiff(key);
      }
      this.#log.info(`applied: ${fix.title}`);
      // Applied is applied: a run that waits for its turn, or for an answer about unsaved files, keeps nobody waiting.
      void this.#testing.runIds(root, fix.failures);
    });
  }

  async #discard(key: string): Promise<void> {
    this.#pending.delete(key);
    await this.#documents.closeDiff(key);
  }

  /** Resolves when the work is done or has failed; a message may stay open longer. */
  async #tell(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof HumanError && error.code === 'cancelled') return;
      const remedy = error instanceof HumanError ? ` ${error.details.remedy}` : '';
      this.#log.error(error instanceof HumanError || !(error instanceof Error) ? errorMessage(error) : error);
      void tell
        .error(`Testmend: ${errorMessage(error)}${remedy}`, 'Show Log')
        .then((choice) => choice !== undefined && this.#log.show());
    }
  }
}
