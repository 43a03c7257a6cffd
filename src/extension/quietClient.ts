// A language client that says nothing to the user by itself: what becomes of the engine is told once, by whoever started it.
import * as lsp from 'vscode-languageclient/node';

export class QuietClient extends lsp.LanguageClient {
  /** Only into the log; the client of the library also opens a message when the connection cannot be made. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  /** Resolves when the engine answers. Rejects when it does not, also when it dies in the middle of the start. */
  override async start(): Promise<void> {
    const starting = super.start();
    // The library forgets its own promise when the connection is lost meanwhile: `starting` is fulfilled then, and nobody would
    // handle the rejection of the forgotten one, which a second call still gets hold of.
    super.start().catch(() => undefined);
    await starting;
    if (!this.isRunning()) throw new Error('The engine stopped while it was starting.');
  }

  /** Never rejects: one that does not run is as stopped as can be. */
  override async stop(timeout?: number): Promise<void> {
    await super.stop(timeout).catch(() => undefined);
  }
}
