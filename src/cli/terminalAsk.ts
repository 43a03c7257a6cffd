// Asks a question on the process's own terminal.
import { createInterface } from 'node:readline/promises';
import type { Ask } from './questions.ts';
import type { Terminal } from './terminal.ts';

/** Asks again until the answer is one of the keys. */
export function terminalAsk(terminal: Terminal, signal: AbortSignal): Ask {
  return async (question, choices) => {
    const labels = choices.map((choice) => `${terminal.paint.bold(choice.key)} ${choice.label}`).join(' · ');
    for (;;) {
      const lines = createInterface({ input: process.stdin, output: process.stdout });
      // Ctrl-C arrives at the interface while it reads; it means the same as anywhere else.
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      try {
        const typed = await lines.question(`${question}  ${labels} › `, { signal });
        const found = choices.find((choice) => choice.key === typed.trim().toLowerCase().slice(0, 1));
        if (found) return found.key;
      } finally {
        lines.close();
      }
    }
  };
}
