// Asks the person at the terminal about proven fixes: one by one for changed expectations, all at once for the rest.
import { createInterface } from 'node:readline/promises';
import type { CycleFix } from '../core/model/cycle.ts';
import { fixText } from '../core/reports/fixText.ts';
import type { TextStyle } from '../core/reports/fixText.ts';
import { codeExcerpt } from './sourceExcerpt.ts';
import { plainLine, plural } from '../core/reports/paint.ts';
import type { Terminal } from './terminal.ts';

/** One key of a question and what it stands for. */
export interface Choice<Key extends string> {
  readonly key: Key;
  readonly label: string;
}

/** Asks until one of the keys is given; rejects when the signal is aborted. */
export type Ask = <Key extends string>(question: string, choices: readonly Choice<Key>[]) => Promise<Key>;

export interface Review {
  /** Fixes to write, in the order they were proven. */
  readonly accepted: readonly CycleFix[];
  /** Changed expectations that hide a bug of the source, says the user. */
  readonly bugs: readonly CycleFix[];
}

export interface ReviewRequest {
  readonly fixes: readonly CycleFix[];
  /** Mechanical fixes are taken without a question (--apply). */
  readonly takeMechanical: boolean;
  readonly ask: Ask;
  readonly style: TextStyle;
  readonly write: (text: string) => Promise<void>;
}

/** Goes through the verified fixes: mechanical ones together, changed expectations each or per identical change, proposals each. */
export async function reviewFixes(request: ReviewRequest): Promise<Review> {
  const { fixes, ask, takeMechanical } = request;
  const verified = fixes.filter((fix) => fix.verdict.verdict === 'verified');
  const taken = new Set<CycleFix>();
  const bugs: CycleFix[] = [];
  const mechanical = verified.filter((fix) => fix.trust === 'mechanical');
  if (mechanical.length > 0) {
    const question = `Apply ${plural(mechanical.length, 'fix', 'fixes')} that ${mechanical.length === 1 ? 'changes' : 'change'} no meaning?`;
    const answer = takeMechanical ? 'y' : await ask(question, yesOrNo);
    if (answer === 'y') for (const fix of mechanical) taken.add(fix);
  }
  // Accepted by the user beforehand (--assume source-is-right): nothing to ask.
  for (const fix of verified) if (fix.trust === 'oracle' && fix.state === 'accepted') taken.add(fix);
  const waiting = verified.filter((fix) => fix.trust === 'oracle' && fix.state === 'unreviewed');
  const decided = new Set<CycleFix>();
  for (const fix of waiting) {
    if (decided.has(fix)) continue;
    const like = waiting.filter((other) => other !== fix && !decided.has(other) && sameChange(other, fix));
    await showChange(fix, request);
    const answer = await ask('Is the new expectation right?', choicesFor(like.length));
    const group = answer === 'l' ? [fix, ...like] : [fix];
    for (const one of group) decided.add(one);
    if (answer === 'a' || answer === 'l') for (const one of group) taken.add(one);
    if (answer === 'b') bugs.push(fix);
  }
  for (const fix of verified.filter((one) => one.trust === 'propose')) {
    await request.write(`\n${fixText(fix, request.style)}\n`);
    if ((await ask('Apply this proposal?', yesOrNo)) === 'y') taken.add(fix);
  }
  return { accepted: verified.filter((fix) => taken.has(fix)), bugs };
}

const yesOrNo: readonly Choice<'y' | 'n'>[] = [
  { key: 'y', label: 'Yes' },
  { key: 'n', label: 'No' },
];

function choicesFor(like: number): readonly Choice<'a' | 'b' | 's' | 'l'>[] {
  return [
    { key: 'a', label: 'Accept' },
    { key: 'b', label: "It's a bug" },
    { key: 's', label: 'Skip' },
    ...(like > 0 ? [{ key: 'l' as const, label: `accept aLl ${like + 1} like this` }] : []),
  ];
}

const sameChange = (a: CycleFix, b: CycleFix): boolean =>
  a.expectation !== undefined &&
  a.expectation.old === b.expectation?.old &&
  a.expectation.new === b.expectation.new;

/** Old → new beside the source change that caused it. */
async function showChange(fix: CycleFix, { style, write }: ReviewRequest): Promise<void> {
  const { paint } = style;
  const lines = ['', paint.bold(plainLine(fix.title))];
  if (fix.expectation) {
    lines.push(
      `  ${paint.red(`- ${plainLine(fix.expectation.old)}`)}`,
      `  ${paint.green(`+ ${plainLine(fix.expectation.new)}`)}`,
    );
  }
  if (fix.sourceChange) lines.push(codeExcerpt(fix.sourceChange, style));
  for (const sentence of fix.evidence) lines.push(paint.dim(`  · ${plainLine(sentence)}`));
  await write(lines.join('\n') + '\n');
}

/** Asks on the process's own terminal. */
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
