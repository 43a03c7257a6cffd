// The task as a model or an agent is told it: the rules, and what is known of the failures (CONTRACTS F7).
import { block } from '../../base/codeBlock.ts';
import type { SecretMask } from '../../base/secretMask.ts';
import { cut, failurePack, type FailurePack } from '../../diagnosis/failurePack.ts';
import { toldBy } from '../../diagnosis/toldSecrets.ts';
import type { FixContext } from '../fixProvider.ts';
import type { OutsideWork } from './outsideWork.ts';

/** F7: lines of what the runner printed. */
const excerptLines = 30;
const excerptLimit = 4_000;

/** F4, in the words of a task. */
export const rules = `Rules, which a program checks; an edit that breaks one is thrown away:
- The source is taken as it is: change test files only, and of these only the ones that are named.
- Delete no test and no assertion. No skip, only, todo, no early return, no caught failures, no longer time limits, no retries.
- Weaken nothing: no wider matcher, no smaller subject, no \`any\`, \`@ts-ignore\` or \`@ts-expect-error\`.
- Change no input of the code under test unless a signature, a name or an option of the source changed; mock nothing of it anew.
- Keep the names of tests and their structure. Make the smallest edit that the author of the test would have made.
- If the test is right and the source is wrong, change nothing and say so.`;

/** What is known of one failure, as Markdown. Texts of the workspace stand in code blocks that nothing in them ends. */
export async function failureText(
  { first, results }: OutsideWork,
  context: FixContext,
  hide: SecretMask['hide'],
): Promise<string> {
  const { result } = first;
  const told = (text: string): string => hide(context.told?.(text) ?? text);
  const { values, test, stack, sourceChanges } = await packOf(first, context, hide);
  const message = told(result.failure?.message ?? result.outcome);
  const excerpt = cut(message.split('\n').slice(0, excerptLines).join('\n'), excerptLimit);
  const sides = values.flatMap(({ matcher, expected = '(not recorded)', actual = '(not recorded)' }) => [
    `expected (${matcher}): ${expected}`,
    `actual: ${actual}`,
  ]);
  const more = results.length > 1 ? ` and ${results.length - 1} more of the same text` : '';
  return [
    `## ${JSON.stringify(told(result.title))}${more}`,
    `It stands in ${test.file}:${test.line}${stack.length > 0 ? `, and failed at ${stack.join(', ')}` : ''}.`,
    'The failure:',
    block(excerpt),
    ...(sides.length > 0 ? ['Recorded values:', block(sides.join('\n'))] : []),
    'The test:',
    block(test.text),
    ...(sourceChanges.length > 0
      ? [
          'Changes of the source that reach it, the likeliest first:',
          ...sourceChanges.map(({ file, line, text }) => block(`${file}:${line}\n${text}`, 'diff')),
        ]
      : []),
  ].join('\n\n');
}

/** Those that the files of these failures give away, and what was compared with one. */
export async function secretsOf(work: readonly OutsideWork[], context: FixContext): Promise<Set<string>> {
  const remaining = [];
  for (const { first } of work) {
    const { file, failure } = first.result;
    const pack = await packOf(first, context, (text) => text);
    const handOver = { ...pack, refusals: [], candidates: [] };
    remaining.push({ ...failure, file, message: failure?.message ?? '', handOver });
  }
  return toldBy(remaining, context.root);
}

function packOf(
  { result, captured }: OutsideWork['first'],
  context: FixContext,
  hide: SecretMask['hide'],
): Promise<FailurePack> {
  return failurePack({
    result,
    captured,
    changes: context.changes,
    readText: (file) => context.readText(file),
    told: (text) => context.told?.(text) ?? text,
    hide,
  });
}
