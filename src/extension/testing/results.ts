// Events of one run in one root become states, output and messages of test items, in order and in slices.
import * as vscode from 'vscode';
import { fileIdOf } from '../../core/model/testId.ts';
import { fullName } from '../../core/model/testName.ts';
import type { Failure, TestResult } from '../../core/model/testResult.ts';
import { shownLine } from '../../core/model/visibleText.ts';
import type { WireRunEvent } from '../../server/messages.ts';
import { toPosition, toUri } from '../folders.ts';
import { isLeaf, itemData, type FileItem } from './itemData.ts';
import { ownFrames } from './ownFrames.ts';
import { inSlices } from './slices.ts';
import { descendants, type TestTree } from './tree.ts';

/** From this many tests on, `started` per test is left out and durations go to the output, many at once (DESIGN: the view becomes quadratic). */
const largeRun = 2_000;
/** Files whose tests are found at once, to be marked as queued. */
const mostOpened = 500;

export class RunResults {
  readonly #run: vscode.TestRun;
  readonly #tree: TestTree;
  readonly #root: string;
  readonly #discover: (files: readonly FileItem[]) => Promise<void>;
  readonly #queue: WireRunEvent[] = [];
  readonly #open = new Set<vscode.TestItem>();
  /** Files that were queued before their tests were known, as long as none of these is told about. */
  readonly #unseen = new Set<vscode.TestItem>();
  readonly #seen = new Map<string, Set<string>>();
  readonly #failedFiles = new Set<string>();
  readonly #token: vscode.CancellationToken;
  #draining: Promise<void> | undefined;
  #opening: Promise<void> | undefined;
  #ended = 0;
  /** Durations of a large run that are not printed yet. */
  #durations = '';

  constructor(
    run: vscode.TestRun,
    tree: TestTree,
    root: string,
    discover: (files: readonly FileItem[]) => Promise<void>,
    token: vscode.CancellationToken,
  ) {
    this.#token = token;
    this.#run = run;
    this.#tree = tree;
    this.#root = root;
    this.#discover = discover;
  }

  /** Ids of the tests that did not pass. */
  readonly failing: string[] = [];

  /**
   * Marks what is about to run as queued. The tests of files that nobody has opened are found meanwhile, which `settled` waits for; of a
   * large run only the files are marked.
   */
  async enqueue(items: readonly vscode.TestItem[]): Promise<void> {
    const found = items.flatMap((item) => [item, ...descendants(item)]);
    const closed = found.filter((item) => isClosed(itemData(item)));
    const large = found.length > largeRun || closed.length > mostOpened;
    for (const item of closed) this.#unseen.add(item);
    await inSlices(found, (item) => this.#queued(item, large));
    if (large) return inSlices(closed, (item) => this.#run.enqueued(item));
    if (closed.length > 0) this.#opening = this.#openFiles(closed).catch(() => undefined);
  }

  async #openFiles(items: readonly vscode.TestItem[]): Promise<void> {
    await this.#discover(items.map(itemData).filter((data) => data?.kind === 'file'));
    await inSlices(items.flatMap(descendants), (item) => this.#queued(item, false));
  }

  /** A test that has begun meanwhile keeps its state. */
  #queued(item: vscode.TestItem, large: boolean): void {
    const data = itemData(item);
    if (data === undefined || !isLeaf(data) || this.#open.has(item)) return;
    if ('id' in data && this.#seen.get(data.fileId)?.has(data.id)) return;
    this.#open.add(item);
    if (!large) this.#run.enqueued(item);
  }

  push(events: readonly WireRunEvent[]): void {
    this.#queue.push(...events);
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
  }

  /** Resolves when everything pushed is shown. */
  async settled(): Promise<void> {
    await this.#opening;
    while (this.#draining !== undefined) await this.#draining;
  }

  /** Gives what was queued and never ended its end; without a reason (after a cancel) the end of the run clears its state. */
  finish(reason: string | undefined): void {
    for (const item of this.#open) {
      // Nothing was heard of its file, for instance because its framework could not run: that is told once, not by each test.
      const data = itemData(item);
      const file = data !== undefined && 'id' in data ? this.#tree.get(this.#root, data.fileId) : undefined;
      if (reason === undefined || (file !== undefined && this.#unseen.has(file))) continue;
      this.#run.errored(item, new vscode.TestMessage(reason));
    }
    this.#open.clear();
  }

  /** The same when the run itself failed: files of which nothing was heard get the reason too. */
  fail(reason: string | undefined): void {
    for (const item of this.#unseen) if (reason !== undefined) this.#open.add(item);
    this.finish(reason);
  }

  /** After a complete run of whole files: drops the cases that are no more. */
  pruneFiles(fileIds: ReadonlySet<string> | undefined): void {
    for (const [fileId, seen] of this.#seen) {
      const whole = fileIds === undefined || fileIds.has(fileId);
      if (whole && !this.#failedFiles.has(fileId)) this.#tree.prune(this.#root, fileId, seen);
    }
  }

  async #drain(): Promise<void> {
    // The queue grows while this waits: one more turn until it is empty.
    while (this.#queue.length > 0) {
      const events = this.#queue.splice(0);
      await this.#discoverFor(events);
      await inSlices(events, (event) => this.#show(event));
      this.#printDurations();
    }
  }

  async #discoverFor(events: readonly WireRunEvent[]): Promise<void> {
    const files = new Set<FileItem>();
    for (const event of events) {
      if (event.type !== 'testEnded') continue;
      const item = this.#tree.get(this.#root, fileIdOf(event.result.id));
      const data = item === undefined ? undefined : itemData(item);
      if (data?.kind === 'file' && !data.resolved) files.add(data);
    }
    if (files.size > 0) await this.#discover([...files]).catch(() => undefined);
  }

  #show(event: WireRunEvent): void {
    switch (event.type) {
      case 'fileStarted': {
        const item = this.#tree.get(this.#root, event.fileId);
        if (item !== undefined && isTestFile(item)) this.#run.started(item);
        return;
      }
      case 'testStarted': {
        const item = this.#tree.get(this.#root, event.id);
        if (item === undefined) return;
        this.#open.add(item);
        if (!this.#isLarge()) this.#run.started(item);
        return;
      }
      case 'output': {
        const item = event.id === undefined ? undefined : this.#tree.get(this.#root, event.id);
        this.#print(event.text, item);
        return;
      }
      case 'note':
        this.#print(`${event.text}\n`);
        return;
      case 'testEnded':
        this.#end(event.result);
    }
  }

  #end(result: TestResult): void {
    this.#ended += 1;
    const fileId = fileIdOf(result.id);
    const seen = this.#seen.get(fileId) ?? new Set<string>();
    this.#seen.set(fileId, seen.add(result.id));
    const fileItem = this.#tree.get(this.#root, fileId);
    if (fileItem !== undefined) this.#unseen.delete(fileItem);
    const item = this.#tree.itemOf(this.#root, result);
    if (item === undefined) {
      this.#print(
        `${result.outcome}: ${result.file} › ${shownLine(fullName(result))}\n${result.failure?.message ?? ''}\n`,
      );
      return;
    }
    this.#open.delete(item);
    this.#closeTemplate(item);
    const duration = this.#isLarge() ? undefined : result.durationMs;
    if (result.output !== undefined && result.output !== '') this.#print(result.output, item);
    if (result.outcome === 'passed') this.#run.passed(item, duration);
    else if (result.outcome === 'skipped') this.#run.skipped(item);
    // What a cancel kept from ending is nobody's failure.
    else if (result.outcome === 'errored' && this.#token.isCancellationRequested) this.#run.skipped(item);
    else {
      this.failing.push(result.id);
      const messages = [result.failure, ...(result.moreFailures ?? [])]
        .filter((failure) => failure !== undefined)
        .map((failure) => this.#message(failure, item, result));
      if (result.outcome === 'failed') this.#run.failed(item, messages, duration);
      else this.#run.errored(item, messages, duration);
      const data = itemData(item);
      if (data?.kind === 'file' && !data.isTest) this.#fileFailed(item, fileId);
    }
    if (duration === undefined)
      this.#durations += `${shownLine(result.title)}: ${Math.round(result.durationMs)} ms\n`;
  }

  /** The cases of a template speak for it: it has no state of its own. */
  #closeTemplate(item: vscode.TestItem): void {
    const parent = item.parent;
    if (parent !== undefined && itemData(item)?.kind === 'case') this.#open.delete(parent);
  }

  /** A file that did not load takes its tests with it. */
  #fileFailed(item: vscode.TestItem, fileId: string): void {
    this.#failedFiles.add(fileId);
    for (const test of descendants(item)) {
      if (!this.#open.delete(test)) continue;
      this.#run.errored(
        test,
        new vscode.TestMessage(`${item.label} did not load, so this test did not run.`),
      );
    }
  }

  #message(failure: Failure, item: vscode.TestItem, result: TestResult): vscode.TestMessage {
    const message =
      failure.expected !== undefined && failure.actual !== undefined
        ? vscode.TestMessage.diff(failure.message, failure.expected, failure.actual)
        : new vscode.TestMessage(failure.message);
    const place = failure.location ?? { file: result.file, line: result.line, column: 1 };
    const uri = toUri(this.#root, place.file) ?? item.uri;
    if (uri !== undefined) message.location = new vscode.Location(uri, toPosition(place));
    message.stackTrace = ownFrames(failure.stack).map((frame) => {
      const frameUri = toUri(this.#root, frame.file);
      return new vscode.TestMessageStackFrame(
        frame.name === '' ? '(anonymous)' : frame.name,
        frameUri,
        frameUri === undefined ? undefined : toPosition(frame),
      );
    });
    message.contextValue = failure.kind;
    return message;
  }

  #printDurations(): void {
    if (this.#durations !== '') this.#print(this.#durations);
    this.#durations = '';
  }

  #print(text: string, item?: vscode.TestItem): void {
    this.#run.appendOutput(text.replace(/\r?\n/g, '\r\n'), undefined, item);
  }

  #isLarge(): boolean {
    return this.#open.size > largeRun || this.#ended > largeRun;
  }
}

function isTestFile(item: vscode.TestItem): boolean {
  const data = itemData(item);
  return data !== undefined && isLeaf(data);
}

const isClosed = (data: ReturnType<typeof itemData>): boolean => data?.kind === 'file' && !data.resolved;
