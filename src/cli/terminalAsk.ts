// Asks a question on the process's own terminal.
import { createInterface } from 'node:readline/promises';
import type { Ask } from './questions.ts';
import type { Terminal } from './terminal.ts';

/** Asks again until the answer is one of the keys, and says which they are. The end of the input means the same as ctrl-C. Rejects with the signal's reason. */
export function terminalAsk(terminal: Terminal, signal: AbortSignal): Ask {
  return async (question, choices) => {
    const labels = choices.map((choice) => `${terminal.paint.bold(choice.key)} ${choice.label}`).join(' · ');
    for (;;) {
      const lines = createInterface({ input: process.stdin, output: process.stdout });
      // Ctrl-C arrives at the interface while it reads; it means the same as anywhere else.
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      let answered = false;
      lines.on('close', () => void (answered || process.emit('SIGINT')));
      try {
        const typed = await lines.question(`${question}  ${labels} › `, { signal });
        answered = true;
        const found = choices.find((choice) => choice.key === typed.trim().toLowerCase().slice(0, 1));
        if (found) return found.key;
        const keys = choices.map(({ key }) => key);
        await terminal.out(`  Type ${keys.slice(0, -1).join(', ')} or ${keys.at(-1) ?? ''}, then Enter.\n`);
      } catch (error) {
        // Who asks is told why the command ends, not that readline gave up.
        signal.throwIfAborted();
        throw error;
      } finally {
        answered = true;
        lines.close();
      }
    }
  };
}
