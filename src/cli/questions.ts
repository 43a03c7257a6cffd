// The questions of `testmend fix` at a terminal: each changed expectation while the cycle runs, everything else at its end.
import type { Decision } from '../core/engine/cycleRequest.ts';
import type { CycleEvent, CycleFix } from '../core/model/cycle.ts';
import { reachText } from '../core/model/fixCounts.ts';
import { changedLines, fixText } from '../core/reports/fixText.ts';
import type { TextStyle } from '../core/reports/fixText.ts';
import { indent, plainLine, plural, wrapText } from '../core/reports/paint.ts';
import { codeExcerpt } from './sourceExcerpt.ts';

/** One key of a question and what it stands for. */
interface Choice<Key extends string> {
  readonly key: Key;
  readonly label: string;
}

/** Asks until one of the keys is given; rejects when the command is interrupted. */
export type Ask = <Key extends string>(question: string, choices: readonly Choice<Key>[]) => Promise<Key>;

interface QuestionsRequest {
  readonly ask: Ask;
  readonly style: TextStyle;
  readonly write: (text: string) => Promise<void>;
}

/** Remembers what the user said about identical changes. */
export class Questions {
  readonly #request: QuestionsRequest;
  readonly #undecided = new Map<string, CycleFix>();
  /** Old and new texts that the user accepted wherever they occur. */
  readonly #acceptedChanges = new Set<string>();
  /** Fixes that the user called a bug of the source. */
  readonly bugs: CycleFix[] = [];

  constructor(request: QuestionsRequest) {
    this.#request = request;
  }

  /** Hears the cycle, to know how many identical changes wait for an answer. */
  onEvent(event: CycleEvent): void {
    if (event.type === 'fixJudged' && isWaiting(event.fix)) this.#undecided.set(event.fix.id, event.fix);
  }

  /** The user's word on one proven change of an expectation. */
  async decide(fix: CycleFix): Promise<Decision> {
    this.#undecided.delete(fix.id);
    const change = changeOf(fix);
    if (change !== undefined && this.#acceptedChanges.has(change)) return 'accept';
    const like = [...this.#undecided.values()].filter(
      (other) => change !== undefined && changeOf(other) === change,
    );
    await this.#request.write(changeText(fix, this.#request.style));
    const answer = await this.#request.ask(
      '  Is this right?',
      choicesFor(like.length === 0 ? undefined : reachText([fix, ...like])),
    );
    if (answer === 'l' && change !== undefined) this.#acceptedChanges.add(change);
    if (answer === 'b') this.bugs.push(fix);
    return decisions[answer];
  }

  /** Which of the cycle's fixes to write: accepted expectations, mechanical ones if the user agrees, proposals one by one. */
  async chooseAtEnd(fixes: readonly CycleFix[], takeMechanical: boolean): Promise<readonly CycleFix[]> {
    const { ask, style, write } = this.#request;
    const verified = fixes.filter((fix) => fix.verdict.verdict === 'verified');
    const accepted = verified.filter((fix) => fix.state === 'accepted');
    const mechanical = accepted.filter((fix) => fix.trust === 'mechanical');
    const taken = new Set(accepted);
    if (mechanical.length > 0 && !takeMechanical) {
      const verb = mechanical.length === 1 ? 'changes' : 'change';
      const question = `\n  Apply ${plural(mechanical.length, 'fix', 'fixes')} that ${verb} no meaning?`;
      if ((await ask(question, yesOrNo)) === 'n') for (const fix of mechanical) taken.delete(fix);
    }
    for (const fix of verified.filter((one) => one.trust === 'propose')) {
      // Of a deletion and a changed expectation of the same tests only one can stand.
      const settled = new Set([...taken].flatMap(({ failures }) => failures));
      if (fix.failures.some((id) => settled.has(id))) continue;
      await write(`\n${fixText(fix, style)}\n`);
      if ((await ask('  Apply this proposal?', yesOrNo)) === 'y') taken.add(fix);
    }
    return verified.filter((fix) => taken.has(fix));
  }
}

const isWaiting = (fix: CycleFix): boolean =>
  fix.verdict.verdict === 'verified' && fix.state === 'unreviewed';

/** Identical changes have the same key; undefined when the fix names no change. */
const changeOf = ({ expectation }: CycleFix): string | undefined =>
  expectation && JSON.stringify([expectation.old, expectation.new]);

const yesOrNo: readonly Choice<'y' | 'n'>[] = [
  { key: 'y', label: 'Yes' },
  { key: 'n', label: 'No' },
];

const decisions = { a: 'accept', l: 'accept', b: 'bug', s: 'skip' } as const;

function choicesFor(alike: string | undefined): readonly Choice<keyof typeof decisions>[] {
  return [
    { key: 'a', label: 'Accept' },
    { key: 'b', label: "It's a bug" },
    { key: 's', label: 'Skip' },
    ...(alike === undefined ? [] : [{ key: 'l' as const, label: `accept aLl alike: ${alike}` }]),
  ];
}

/** Old → new in the test beside the source change that caused it. */
function changeText(fix: CycleFix, style: TextStyle): string {
  const { paint, width } = style;
  const lines = [
    '',
    `${paint.yellow('?')} ${paint.bold(plainLine(fix.title))}`,
    indent(changedLines(fix.diff, style, 2), 2),
  ];
  if (fix.sourceChange) lines.push(codeExcerpt(fix.sourceChange, style));
  for (const sentence of fix.evidence)
    lines.push(...wrapText(plainLine(sentence), width - 2).map((line) => paint.dim(`  ${line}`)));
  return lines.join('\n') + '\n';
}
