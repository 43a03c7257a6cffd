// Failing lines as LSP diagnostics: errors for plain editors, hints where the editor shows test results itself. Beside them, what is wrong
// with the text of a file.
import { DiagnosticSeverity, type Connection, type Diagnostic } from 'vscode-languageserver/node';
import { shownLine } from '../core/model/visibleText.ts';
import type { Failures } from '../core/engine/failures.ts';

export class Diagnostics {
  readonly #connection: Pick<Connection, 'sendDiagnostics'>;
  readonly #published = new Map<string, Set<string>>();
  /** Both kinds by file: an editor keeps only what it was sent last for a file. */
  readonly #failures = new Map<string, Diagnostic[]>();
  readonly #problems = new Map<string, Diagnostic[]>();
  #publishing: Promise<void> = Promise.resolve();

  constructor(connection: Pick<Connection, 'sendDiagnostics'>) {
    this.#connection = connection;
  }

  /**
   * Shows the failures of a root and takes back what is no failure any more. Agents and other extensions read it, so secrets are blotted
   * out.
   */
  publish(root: string, failures: Failures, toUri: (file: string) => string, hasOwnUi: boolean): void {
    const files = [...failures.files()];
    const places = files.map((file) => failures.at(file));
    this.#publishing = this.#publishing.then(async () => {
      const texts = places.flat().map(({ message, result }) => `${shownLine(result.title)}: ${message}`);
      const told = texts.length === 0 ? texts : await this.#tellable(texts, places, root);
      const before = this.#published.get(root) ?? new Set<string>();
      const shown = told[Symbol.iterator]();
      const found = new Map(
        files.map((file, index): [string, Diagnostic[]] => [
          file,
          (places[index] ?? []).map(({ line, column, result }) => ({
            range: {
              start: { line: line - 1, character: column - 1 },
              end: { line: line - 1, character: 1_000 },
            },
            message: shown.next().value ?? '',
            severity: hasOwnUi ? DiagnosticSeverity.Hint : DiagnosticSeverity.Error,
            source: 'testmend',
            data: { id: result.id },
          })),
        ]),
      );
      for (const file of new Set([...before, ...files]))
        this.#send(this.#failures, toUri(file), found.get(file) ?? []);
      this.#published.set(root, new Set(files));
    });
  }

  /** What is wrong with the text of an open file, in place of what was said before. */
  publishProblems(uri: string, problems: Diagnostic[]): void {
    this.#send(this.#problems, uri, problems);
  }

  #send(kind: Map<string, Diagnostic[]>, uri: string, diagnostics: Diagnostic[]): void {
    const key = plainUri(uri);
    if (diagnostics.length > 0) kind.set(key, diagnostics);
    else kind.delete(key);
    const all = [...(this.#problems.get(key) ?? []), ...(this.#failures.get(key) ?? [])];
    void this.#connection.sendDiagnostics({ uri, diagnostics: all });
  }

  /** Loaded when something failed: the engine starts sooner without it. */
  async #tellable(texts: readonly string[], about: unknown, root: string): Promise<readonly string[]> {
    const { tellable } = await import('../core/engine/discretion.ts');
    return tellable(texts, root, about);
  }
}

/** Editors encode more or fewer signs of the same name. */
function plainUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
