// The language of scenario files for any editor: problems, completion, hover, declarations and the outline. Text only; nothing of it runs.
import path from 'node:path';
import {
  CodeActionKind,
  CodeLensRequest,
  CompletionItemKind,
  CompletionRequest,
  DefinitionRequest,
  DiagnosticSeverity,
  DocumentSymbolRequest,
  HoverRequest,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
  SymbolKind,
  type ClientCapabilities,
  type CodeAction,
  type CompletionItem,
  type Connection,
  type Diagnostic,
  type DocumentSymbol,
  type Range,
  type ServerCapabilities,
  type TextDocuments,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { errorMessage } from '../core/base/humanError.ts';
import type * as Editing from '../core/engine/scenarioEditing.ts';
import type { Completion, EditedFile, OutlineItem } from '../core/engine/scenarioEditing.ts';
import type { Range as OneBasedRange } from '../core/model/position.ts';
import { scenarioFileGlobs, scenarioFileKind } from '../core/model/scenarioFile.ts';
import { healingActionsAt } from './healingActions.ts';
import { recordCommand, runFileCommand } from './messages.ts';

/** Typing pauses this long before the problems are looked for anew, ms. */
const pauseMs = 150;
const triggerCharacters = ['{', ' ', '"', "'", '.'];

interface ScenarioFilesHost {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  /** Absolute path of a file on disk. */
  pathOf(uri: string): string | undefined;
  /** Absolute folder of the workspace that holds the file. */
  rootOf(file: string): string | undefined;
  /** How the editor names a file. */
  uriOf(file: string): string;
  show(uri: string, problems: Diagnostic[]): void;
  warn(message: string): void;
}

/** A scenario file that is open, ready to be asked about. */
interface Opened extends EditedFile {
  readonly document: TextDocument;
  readonly file: string;
}

export class ScenarioFiles {
  readonly #host: ScenarioFilesHost;
  #hasSnippets = false;
  #hasOwnUi = false;
  #isDynamic = false;
  #isRegistered = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: ScenarioFilesHost) {
    this.#host = host;
    const { connection, documents } = host;
    connection.onCompletion(({ textDocument, position }) =>
      this.#answer(textDocument.uri, async (opened) => {
        const { completionsAt } = await editing();
        const found = completionsAt(opened, opened.document.offsetAt(position));
        return found.map((one) => this.#item(opened.document, one));
      }),
    );
    connection.onHover(({ textDocument, position }) =>
      this.#answer(textDocument.uri, async (opened) => {
        const { hoverAt } = await editing();
        const found = hoverAt(opened, opened.document.offsetAt(position));
        if (!found) return null;
        const contents = { kind: MarkupKind.Markdown, value: found.markdown };
        return { contents, range: rangeIn(opened.document, found) };
      }),
    );
    connection.onDefinition(({ textDocument, position }) =>
      this.#answer(textDocument.uri, async (opened) => {
        const { definitionsAt } = await editing();
        const found = definitionsAt(opened, opened.document.offsetAt(position));
        return found.map(({ file, range }) => ({
          uri: file === undefined ? textDocument.uri : host.uriOf(file),
          range: zeroBased(range),
        }));
      }),
    );
    connection.onDocumentSymbol(({ textDocument }) =>
      this.#answer(textDocument.uri, async ({ document, kind, text }) => {
        const { outlineOf } = await editing();
        return outlineOf(kind, text).map((one) => symbolOf(document, one));
      }),
    );
    connection.onCodeLens(({ textDocument: { uri } }) => {
      if (scenarioFileKind(uri) !== 'scenario') return null;
      const start = { line: 0, character: 0 };
      const range = { start, end: start };
      const run = { range, command: { title: '▷ Run', command: runFileCommand, arguments: [uri] } };
      // Its dialogue is the editor's.
      const record = { range, command: { title: '● Record', command: recordCommand } };
      return this.#hasOwnUi ? [run, record] : [run];
    });
    documents.onDidChangeContent(({ document }) => {
      if (scenarioFileKind(document.uri) === undefined) return;
      this.#register();
      // A component or the configuration changes what is wrong with the others.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#checkAll(), pauseMs);
    });
    documents.onDidClose(({ document }) => {
      if (scenarioFileKind(document.uri) !== undefined) host.show(document.uri, []);
    });
  }

  /** For an editor to which nothing can be added later; empty for all others: they hear of it with the first scenario file. */
  capabilities({ textDocument }: ClientCapabilities, hasOwnUi: boolean): ServerCapabilities {
    this.#hasOwnUi = hasOwnUi;
    const { completion, hover, definition, documentSymbol, codeLens } = textDocument ?? {};
    this.#hasSnippets = completion?.completionItem?.snippetSupport === true;
    this.#isDynamic = [completion, hover, definition, documentSymbol, codeLens].every(
      (one) => one?.dynamicRegistration === true,
    );
    return this.#isDynamic
      ? {}
      : {
          completionProvider: { triggerCharacters },
          hoverProvider: true,
          definitionProvider: true,
          documentSymbolProvider: true,
          codeLensProvider: {},
        };
  }

  /** Names that were probably meant in the place of wrong ones, and decisions about healed steps. */
  async quickFixes(uri: string, range: Range): Promise<CodeAction[]> {
    const actions = await this.#answer(uri, async (opened) => {
      const problems = await problemsOf(opened);
      const root = this.#host.rootOf(opened.file);
      const healings = root === undefined ? [] : await healingActionsAt(opened, root, range);
      const mended = problems.flatMap(({ diagnostic, suggestion }) => {
        if (suggestion === undefined || !overlap(diagnostic.range, range)) return [];
        const quote = /^["']/.exec(opened.document.getText(diagnostic.range))?.[0] ?? '';
        const newText = `${quote}${suggestion}${quote}`;
        return [
          {
            title: `Change to "${suggestion}"`,
            kind: CodeActionKind.QuickFix,
            isPreferred: true,
            diagnostics: [diagnostic],
            edit: { changes: { [uri]: [{ range: diagnostic.range, newText }] } },
          },
        ];
      });
      return [...mended, ...healings];
    });
    return actions ?? [];
  }

  /** Null for any other file, and where something goes wrong: the editor asks at every key. */
  async #answer<Answer>(uri: string, answer: (opened: Opened) => Promise<Answer>): Promise<Answer | null> {
    try {
      const opened = await this.#open(uri);
      return opened === undefined ? null : await answer(opened);
    } catch (error) {
      this.#host.warn(`${uri}: ${errorMessage(error)}`);
      return null;
    }
  }

  async #open(uri: string): Promise<Opened | undefined> {
    const document = this.#host.documents.get(uri);
    const kind = scenarioFileKind(uri);
    const file = this.#host.pathOf(uri);
    if (document === undefined || kind === undefined || file === undefined) return undefined;
    const { loadSurroundings } = await editing();
    const texts = new Map(
      this.#host.documents
        .all()
        .filter((one) => scenarioFileKind(one.uri) !== undefined)
        .map((one) => [this.#host.pathOf(one.uri), one.getText()]),
    );
    const root = this.#host.rootOf(file) ?? path.dirname(file);
    const surroundings = await loadSurroundings(file, root, (one) => texts.get(one));
    return { document, file, kind, text: document.getText(), isJson: file.endsWith('.json'), surroundings };
  }

  #register(): void {
    if (!this.#isDynamic || this.#isRegistered) return;
    this.#isRegistered = true;
    const documentSelector = scenarioFileGlobs.map((pattern) => ({ scheme: 'file', pattern }));
    const { client } = this.#host.connection;
    void Promise.all([
      client.register(CompletionRequest.type, { documentSelector, triggerCharacters }),
      client.register(HoverRequest.type, { documentSelector }),
      client.register(DefinitionRequest.type, { documentSelector }),
      client.register(DocumentSymbolRequest.type, { documentSelector, label: 'Testmend' }),
      client.register(CodeLensRequest.type, { documentSelector }),
    ]).catch((error: unknown) => this.#host.warn(`Scenario files get no help: ${errorMessage(error)}`));
  }

  async #checkAll(): Promise<void> {
    for (const { uri } of this.#host.documents.all()) {
      const problems = await this.#answer(uri, problemsOf);
      // It may have been closed meanwhile.
      if (problems !== null && this.#host.documents.get(uri) !== undefined)
        this.#host.show(
          uri,
          problems.map(({ diagnostic }) => diagnostic),
        );
    }
  }

  #item(document: TextDocument, one: Completion): CompletionItem {
    const isSnippet = one.isSnippet && this.#hasSnippets;
    const plain = one.isSnippet && !isSnippet ? withoutPlaces(one.insert) : one.insert;
    return {
      label: one.label,
      kind: itemKinds[one.kind],
      detail: one.detail,
      documentation: one.documentation,
      sortText: `${one.rank}${one.label}`,
      insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
      insertTextMode: InsertTextMode.asIs,
      textEdit: { range: rangeIn(document, one), newText: plain },
    };
  }
}

/** Loaded with the first scenario file: the engine starts sooner without it. */
const editing = (): Promise<typeof Editing> => import('../core/engine/scenarioEditing.ts');

async function problemsOf({
  kind,
  text,
  file,
  surroundings,
}: Opened): Promise<readonly { readonly diagnostic: Diagnostic; readonly suggestion?: string }[]> {
  const { checkScenarioFile } = await editing();
  return checkScenarioFile(kind, text, file, surroundings).map(
    ({ message, remedy, range, severity, suggestion }) => ({
      diagnostic: {
        range: zeroBased(range),
        message: `${message} ${remedy}`,
        severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
        source: 'testmend',
      },
      ...(suggestion !== undefined && { suggestion }),
    }),
  );
}

const itemKinds: Readonly<Record<Completion['kind'], CompletionItemKind>> = {
  field: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  step: CompletionItemKind.Snippet,
  variable: CompletionItemKind.Variable,
  component: CompletionItemKind.Module,
};
const symbolKinds: Readonly<Record<OutlineItem['kind'], SymbolKind>> = {
  part: SymbolKind.Array,
  step: SymbolKind.Event,
  variable: SymbolKind.Variable,
};

function symbolOf(document: TextDocument, one: OutlineItem): DocumentSymbol {
  const range = rangeIn(document, one);
  return {
    name: one.name === '' ? '?' : one.name,
    detail: one.detail,
    kind: symbolKinds[one.kind],
    range,
    selectionRange: { start: range.start, end: range.start },
    children: one.children.map((child) => symbolOf(document, child)),
  };
}

const rangeIn = (document: TextDocument, { start, end }: { start: number; end: number }): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

const zeroBased = ({ start, end }: OneBasedRange): Range => ({
  start: { line: start.line - 1, character: start.column - 1 },
  end: { line: end.line - 1, character: end.column - 1 },
});

const isBefore = (one: Range['start'], other: Range['start']): boolean =>
  one.line < other.line || (one.line === other.line && one.character < other.character);
const overlap = (one: Range, other: Range): boolean =>
  !isBefore(one.end, other.start) && !isBefore(other.end, one.start);

/** A snippet as text: the first choice, or nothing. */
const withoutPlaces = (snippet: string): string =>
  snippet.replace(/\$\{\d+\|([^,|]*)[^}]*\}|\$\d+/g, (_, first: string | undefined) => first ?? '');
