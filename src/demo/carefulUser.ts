// The user of the demo: accepts changed expectations after a look at the source change, and never what only hides a bug.
import type { Ask } from '../cli/questions.ts';
import type { Terminal } from '../cli/terminal.ts';

/** Answers as a person would, and shows question and answer. */
export function carefulUser({ paint, out }: Terminal): Ask {
  return async (question, choices) => {
    // `l`: all alike, `a`: this one, `y`: what changes no meaning, `n`: a proposal that only makes the test green.
    const wanted = question.includes('proposal') ? ['n'] : ['l', 'a', 'y'];
    const chosen = choices.find(
      ({ key }) => wanted.includes(key) && !(key === 'a' && choices.some((one) => one.key === 'l')),
    );
    if (!chosen) throw new Error(`the demo has no answer to: ${question}`);
    const labels = choices.map(({ key, label }) => `${paint.bold(key)} ${label}`).join(' · ');
    await out(`${question}  ${labels} › ${paint.cyan(chosen.key)}\n`);
    return chosen.key;
  };
}
