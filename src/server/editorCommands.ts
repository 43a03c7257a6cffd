// Commands for editors without a dialogue of their own: run tests, try and apply a fix, call a failure a bug.
import {
  MessageType,
  ShowMessageNotification,
  type Connection,
  type ExecuteCommandParams,
  type TextDocumentEdit,
  type TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import { hashText } from '../core/base/hash.ts';
import type { FileEdit } from '../core/model/edit.ts';
import { shownLine } from '../core/model/visibleText.ts';
import { healingArgumentSchema } from './healingActions.ts';
import {
  codeActionArgumentSchema,
  codeActionCommands,
  healingCommand,
  runFileCommand,
  type RunEnd,
  type Target,
} from './messages.ts';
import type { RootEngine } from '../core/engine/rootEngine.ts';
import type { RootFixes } from '../core/engine/rootFixes.ts';
import { listedId } from '../core/engine/rootListing.ts';

interface Root {
  readonly engine: RootEngine;
  readonly fixes: RootFixes;
  readonly uriOf: (file: string) => string;
}

interface EditorCommandsHost {
  readonly connection: Connection;
  root(name: string): Root;
  rootOfUri(uri: string): { readonly root: Root; readonly file: string } | undefined;
  run(root: string, targets: readonly Target[] | undefined, signal: AbortSignal): Promise<RunEnd>;
  textOf(uri: string): TextDocument | undefined;
  /** The failures of a root changed. */
  published(root: Root): void;
}

export class EditorCommands {
  /** `testmend.runFile` takes the uri of a test file; the others come with code actions. An editor with a dialogue has most of its own. */
  static idsFor(hasOwnUi: boolean): string[] {
    const plain = [runFileCommand, codeActionCommands.tryFix, codeActionCommands.isBug];
    return hasOwnUi ? [healingCommand] : [...plain, healingCommand];
  }

  readonly #host: EditorCommandsHost;

  constructor(host: EditorCommandsHost) {
    this.#host = host;
  }

  async execute(
    { command, arguments: given = [] }: ExecuteCommandParams,
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      const [argument] = given as readonly unknown[];
      if (command === runFileCommand) return await this.#runFile(String(argument), signal);
      if (command === codeActionCommands.tryFix) return await this.#tryFix(argument, signal);
      if (command === codeActionCommands.isBug) return await this.#isBug(argument);
      if (command === healingCommand) return await this.#decideHealing(argument);
      throw new HumanError('usage', `There is no command ${command}.`, {
        remedy: 'Update the plug-in of the editor.',
      });
    } catch (error) {
      const remedy = error instanceof HumanError ? ` ${error.details.remedy}` : '';
      this.#say(MessageType.Error, `${errorMessage(error)}${remedy}`);
      return undefined;
    }
  }

  async #runFile(uri: string, signal: AbortSignal): Promise<RunEnd | undefined> {
    const place = this.#host.rootOfUri(uri);
    if (place === undefined) return undefined;
    const { engine } = place.root;
    const listing = await engine.tests.current(signal);
    const targets = listing.files
      .filter(({ file }) => file === place.file)
      .map((listed) => ({ fileId: listedId(listed) }));
    if (targets.length === 0) {
      throw new HumanError('no-tests', `${place.file} is not a test file.`, {
        remedy: 'Open a test file and run it again.',
      });
    }
    return this.#host.run(engine.root, targets, signal);
  }

  async #tryFix(argument: unknown, signal: AbortSignal): Promise<void> {
    const { root: name, fixId, title } = codeActionArgumentSchema.parse(argument);
    const { connection } = this.#host;
    const root = this.#host.root(name);
    const progress = await connection.window.createWorkDoneProgress();
    progress.begin('Testmend', undefined, shownLine(`Trying the fix in a sandbox: ${title}`));
    const { fix, verdict } = await root.fixes.verify(fixId, signal).finally(() => progress.done());
    if (verdict.verdict !== 'verified') {
      this.#say(MessageType.Warning, `${verdict.verdict}. ${verdict.reason ?? ''}`);
      return;
    }
    const documentChanges = await Promise.all(fix.edits.map((edit) => this.#documentEdit(root, edit)));
    const answer = await connection.workspace.applyEdit({ label: fix.title, edit: { documentChanges } });
    if (!answer.applied) throw stale(fix.edits.map(({ file }) => file).join(', '));
    root.engine.failures.forget(fix.failures);
    root.fixes.forgetProposals();
    this.#host.published(root);
    this.#say(MessageType.Info, `verified and applied. ${fix.title}`);
  }

  /** Positions and version of the document as the editor has it; refused when it is not the text the fix was made for. */
  async #documentEdit({ engine, uriOf }: Root, edit: FileEdit): Promise<TextDocumentEdit> {
    const uri = uriOf(edit.file);
    const open = this.#host.textOf(uri);
    const text = open?.getText() ?? (await engine.textOf(edit.file));
    if (text === undefined || hashText(text) !== edit.before) throw stale(edit.file);
    const document = open ?? TextDocument.create(uri, 'plaintext', 0, text);
    const edits = edit.changes.map(({ start, end, newText }): TextEdit => ({
      range: { start: document.positionAt(start), end: document.positionAt(end) },
      newText,
    }));
    return { textDocument: { uri, version: open?.version ?? null }, edits };
  }

  async #decideHealing(argument: unknown): Promise<void> {
    const { root: name, ...asked } = healingArgumentSchema.parse(argument);
    const { root } = this.#host.root(name).engine;
    const { decideHealingOf } = await import('../core/engine/scenarioHealings.ts');
    const { files } = await decideHealingOf(root, asked);
    if (asked.decision === 'reject')
      this.#say(MessageType.Info, 'rejected: the step is not healed this way again.');
    else this.#say(MessageType.Info, `the healed locator is written into ${files.join(', ')}.`);
  }

  /** A message without buttons: a notification, which every editor understands. */
  #say(type: MessageType, message: string): void {
    void this.#host.connection.sendNotification(ShowMessageNotification.type, {
      type,
      message: `Testmend: ${message}`,
    });
  }

  async #isBug(argument: unknown): Promise<void> {
    const { root: name, failures } = codeActionArgumentSchema.parse(argument);
    await this.#host.root(name).fixes.markBug(failures);
    this.#say(MessageType.Info, 'recorded as a bug in the source; the test stays unchanged.');
  }
}

function stale(file: string): HumanError {
  return new HumanError('stale', `${file} changed after the fix was proposed.`, {
    file,
    remedy: 'Nothing was changed; request the fix again.',
  });
}
