// Asks a question on the process's own terminal.
import { createInterface } from 'node:readline/promises';
import type { Ask } from './questions.ts';
import type { Terminal } from './terminal.ts';

/** Asks again until the answer is one of the keys, and says which they are; for the rest as `askUntil`. */
export function terminalAsk(terminal: Terminal, signal: AbortSignal): Ask {
  return (question, choices) => {
    const labels = choices.map((choice) => `${terminal.paint.bold(choice.key)} ${choice.label}`).join(' · ');
    const keys = choices.map(({ key }) => key);
    return askUntil(terminal, signal, {
      prompt: `${question}  ${labels} › `,
      read: (typed) => keys.find((key) => key === typed.toLowerCase().slice(0, 1)),
      hint: `Type ${keys.slice(0, -1).join(', ')} or ${keys.at(-1) ?? ''}, then Enter.`,
    });
  };
}

/** Shows the items with their numbers and asks for one of them, or for several; resolves with these. */
export async function terminalPick<Item>(
  terminal: Terminal,
  signal: AbortSignal,
  items: readonly { readonly item: Item; readonly label: string }[],
  several: boolean,
): Promise<readonly Item[]> {
  const { bold } = terminal.paint;
  const width = String(items.length).length;
  const rows = items.map(({ label }, at) => `${bold(String(at + 1).padStart(width))}  ${label}\n`);
  await terminal.out(rows.join(''));
  return askUntil(terminal, signal, {
    prompt: several ? `Which?  ${bold('1')}, ${bold('1 3')} or ${bold('all')} › ` : 'Which? › ',
    read: (typed) => {
      if (several && typed.toLowerCase() === 'all') return items.map(({ item }) => item);
      const numbers = typed.split(/[\s,]+/);
      const chosen = numbers.flatMap((number) =>
        /^\d+$/.test(number) ? (items[Number(number) - 1] ?? []) : [],
      );
      const isAnswer = chosen.length === numbers.length && (several || chosen.length === 1);
      return isAnswer ? [...new Set(chosen)].map(({ item }) => item) : undefined;
    },
    hint: several
      ? `Type numbers from 1 to ${items.length}, or all, then Enter.`
      : `Type a number from 1 to ${items.length}, then Enter.`,
  });
}

interface Question<T> {
  readonly prompt: string;
  /** Undefined for an answer that is none. */
  readonly read: (typed: string) => T | undefined;
  /** Said after an answer that is none. */
  readonly hint: string;
}

/** The end of the input means the same as ctrl-C. Rejects with the signal's reason. */
async function askUntil<T>(
  terminal: Terminal,
  signal: AbortSignal,
  { prompt, read, hint }: Question<T>,
): Promise<T> {
  for (;;) {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    // Ctrl-C arrives at the interface while it reads; it means the same as anywhere else.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    let answered = false;
    lines.on('close', () => void (answered || process.emit('SIGINT')));
    try {
      const typed = await lines.question(prompt, { signal });
      answered = true;
      const found = read(typed.trim());
      if (found !== undefined) return found;
      await terminal.out(`  ${hint}\n`);
    } catch (error) {
      // Who asks is told why the command ends, not that readline gave up.
      signal.throwIfAborted();
      throw error;
    } finally {
      answered = true;
      lines.close();
    }
  }
}
