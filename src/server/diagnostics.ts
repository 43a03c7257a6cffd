// Failing lines as LSP diagnostics: errors for plain editors, hints where the editor shows test results itself.
import { DiagnosticSeverity, type Connection, type Diagnostic } from 'vscode-languageserver/node';
import { shownLine } from '../core/model/visibleText.ts';
import type { Failures } from '../core/engine/failures.ts';

export class Diagnostics {
  readonly #connection: Connection;
  readonly #published = new Map<string, Set<string>>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Shows the failures of a root and takes back what is no failure any more. */
  publish(root: string, failures: Failures, toUri: (file: string) => string, hasOwnUi: boolean): void {
    const files = failures.files();
    const before = this.#published.get(root) ?? new Set<string>();
    for (const file of new Set([...before, ...files])) {
      const diagnostics = failures.at(file).map(({ line, column, message, result }): Diagnostic => ({
        range: {
          start: { line: line - 1, character: column - 1 },
          end: { line: line - 1, character: 1_000 },
        },
        message: `${shownLine(result.title)}: ${message}`,
        severity: hasOwnUi ? DiagnosticSeverity.Hint : DiagnosticSeverity.Error,
        source: 'testmend',
        data: { id: result.id },
      }));
      void this.#connection.sendDiagnostics({ uri: toUri(file), diagnostics });
    }
    this.#published.set(root, new Set(files));
  }
}
