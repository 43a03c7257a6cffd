// A change that nobody vouches for and that the fix policy stops: does it say in other words what was there, or can evidence decide?
import type { Violation } from '../model/fix.ts';
import type { FileChange } from '../policy/checkPolicy.ts';
import type { Weighs } from '../policy/undeclared.ts';
import type { StrengthAnswer } from '../strength/compareStrength.ts';

type ChangedFile = FileChange & { readonly from?: string };

/** What the fix policy says of changes: the rules that they break, and why the rest proves nothing. */
export interface PolicyAnswer {
  readonly violations: readonly Violation[];
  readonly unread: string | undefined;
}

interface Yielding {
  /** Files in which the change says in other words what was there: are their tests in another order? */
  readonly reworded: ReadonlyMap<string, { readonly isReordered: boolean }>;
  /** Tests that passed, and notice all the planted bugs that they noticed, are to allow it. */
  readonly isWeighed: boolean;
  /** It gives tests more keys or arguments, and does not only ask more. */
  readonly givesMore: boolean;
}

/** `weighs`: what planted bugs can decide is left to them. */
type Judge = (files: readonly ChangedFile[], weighs: Weighs) => Promise<PolicyAnswer>;

/** Undefined where the policy's answer about these files stays, whatever else is known. */
export async function whatYields(
  files: readonly ChangedFile[],
  { violations }: PolicyAnswer,
  judge: Judge,
  canWeigh: boolean,
): Promise<Yielding | undefined> {
  const { answerOf } = await import('../policy/gateTable.ts');
  if (violations.some(({ rule }) => answerOf(rule) === 'forbidden')) return undefined;
  const { plainForm } = await import('../policy/plainForm.ts');
  const forms = files.map((file) => (file.from === undefined ? plainForm(file) : undefined));
  const reworded = new Map(forms.flatMap((form) => (form === undefined ? [] : [[form.file, form] as const])));
  const plain = files.map((file): ChangedFile => {
    const form = reworded.get(file.file);
    return form === undefined ? file : { ...file, before: form.before, after: form.after };
  });
  const left = await judge(plain, 'nothing');
  const yielding = { reworded, isWeighed: false, givesMore: false };
  if (left.violations.length === 0 && left.unread === undefined) return yielding;
  if (!canWeigh || left.violations.some(({ rule }) => answerOf(rule) !== 'weighed')) return undefined;
  for (const weighs of ['assertions', 'inputs'] as const)
    if ((await judge(plain, weighs)).unread === undefined)
      return { ...yielding, isWeighed: true, givesMore: weighs === 'inputs' };
  return undefined;
}

/** Why evidence does not allow a change that only it could; undefined: it could not be asked. */
export function whyLight(answer: StrengthAnswer | undefined): string {
  if (answer === undefined)
    return 'What its tests notice cannot be asked, and nothing else tells whether they check less.';
  const { reason, noticed, still, lost } = answer;
  const [first] = lost;
  if (first === undefined)
    return `A person must decide whether its tests check less. ${reason ?? ''}`.trimEnd();
  const { file, line, from, to } = first.bug;
  return `The tests pass, and notice less than before: ${still} of the ${noticed} planted bugs that they noticed. Lost: ${from} → ${to} at ${file}:${line}.`;
}
