// What is handed over with failures that nothing mended, as Markdown for a colleague or an agent.
import { block, inlineCode } from '../base/codeBlock.ts';
import { withoutSecrets } from '../base/redactSecrets.ts';
import { shownPaths } from '../base/shownPaths.ts';
import { toldBy } from '../diagnosis/toldSecrets.ts';
import { alikeFailures } from '../model/alikeFailures.ts';
import type { HandOver, Remaining } from '../model/cycle.ts';
import type { Fault } from '../model/fix.ts';
import { fullName } from '../model/testName.ts';
import { cutEnd, plainLine, plainText, plural } from './paint.ts';

/** Limits in characters; what is in a pack was cut when it was made. */
const limits = { title: 300, message: 4_000 };

/** Tests that fail alike which are named. */
const mostNamed = 20;

/**
 * One chapter for each way to fail. Whatever a test or value says stays text: it ends no block and begins none. Secrets are blotted
 * out, and files below `root` are named relative to it, so that no folder of this machine is told.
 */
export function handOverMarkdown(failures: readonly Remaining[], root: string): string {
  const told = toldBy(failures, root);
  return withoutSecrets((hide) => written(failures, root, hide), told);
}

function written(failures: readonly Remaining[], root: string, hide: (text: string) => string): string {
  const told = (text: string): string => plainText(hide(shownPaths(text, root)));
  if (failures.length === 0) return '# No failing test is left\n';
  const count = failures.length === 1 ? 'A failing test' : `${failures.length} failing tests`;
  const chapters = alikeFailures(failures).map((group) => chapter(group, told));
  return `${[`# ${count} that Testmend did not mend`, introduction, ...chapters].join('\n\n')}\n`;
}

const introduction = `A test may be right: change what it expects only if the change of the source was intended. Code blocks quote
the workspace. \`npx testmend run FILE:LINE\` runs a test, \`npx testmend verify --patch F\` judges a change to tests.`;

type Told = (text: string) => string;

function chapter([first, ...alike]: readonly [Remaining, ...Remaining[]], told: Told): string {
  const { handOver } = first;
  const message = told(first.message).trim();
  return [
    `## ${code(cutEnd(told(fullName(first)), limits.title))}`,
    facts(first, alike, told),
    ...(message === '' ? [] : ['### Message', block(cutEnd(message, limits.message))]),
    ...(handOver === undefined ? [] : packOf(handOver, told)),
  ].join('\n\n');
}

const faults: Readonly<Record<Fault, string>> = {
  test: 'The test is at fault.',
  source: 'The source is at fault.',
  environment: 'The environment is at fault.',
  flaky: 'The test is flaky.',
  unknown: 'It is not known what is at fault.',
};

function facts(first: Remaining, alike: readonly Remaining[], told: Told): string {
  const { id, file, handOver, severity, fault, reason } = first;
  const place = handOver === undefined ? file : `${handOver.test.file}:${handOver.test.line}`;
  const stack = (handOver?.stack ?? []).map((at) => code(told(at)));
  const named = alike.slice(0, mostNamed).map((one) => code(cutEnd(told(one.id), limits.title)));
  const more = alike.length > named.length ? [plural(alike.length - named.length, 'more test')] : [];
  return [
    `- Test: ${code(told(place))}, ${code(cutEnd(told(id), limits.title))}`,
    `- Cause: ${faults[fault]} ${prose(told(reason))}`,
    `- Severity: ${severity}`,
    ...(stack.length > 0 ? [`- Failed at: ${stack.join(', ')}`] : []),
    ...(alike.length > 0 ? [`- Fails in the same way: ${[...named, ...more].join(', ')}`] : []),
  ].join('\n');
}

function packOf({ values, test, sourceChanges, refusals, candidates }: HandOver, told: Told): string[] {
  const language = languageOf(test.file);
  const side = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : [label, block(told(text), language)];
  const recorded = values.flatMap(({ matcher, expected, actual }) => [
    ...side(`Expected (${code(told(matcher))}):`, expected),
    ...side('Actual:', actual),
  ]);
  return [
    ...titled('### Recorded values', recorded),
    ...titled('### The test', test.text === '' ? [] : [block(told(test.text), language)]),
    ...titled(
      '### Source changes that reach it, most likely first',
      sourceChanges.flatMap(({ file, line, text }) => [
        code(`${told(file)}:${line}`),
        block(told(text), 'diff'),
      ]),
    ),
    ...titled(
      '### Why there is no fix',
      refusals.length === 0 ? [] : [refusals.map((refusal) => `- ${prose(told(refusal))}`).join('\n')],
    ),
    ...titled(
      '### Tried, and not applied',
      candidates.flatMap(({ title, provider, verdict, trust, reasons, diff }) => [
        [
          `${prose(told(title))} (${code(provider)}, ${trust}): ${verdict}.`,
          ...reasons.map((reason) => prose(told(reason))),
        ].join(' '),
        ...(diff === '' ? [] : [block(told(diff).trimEnd(), 'diff')]),
      ]),
    ),
  ];
}

const titled = (heading: string, parts: readonly string[]): string[] =>
  parts.length === 0 ? [] : [heading, ...parts];

const languageOf = (file: string): string => /\.[cm]?([jt]sx?|py|go)$/.exec(file)?.[1] ?? '';

const code = (text: string): string => inlineCode(plainLine(text));

/** On one line as text: nothing in it is markup, also at the beginning of a line. */
function prose(text: string): string {
  return plainLine(text)
    .trim()
    .replace(/[\\`*<[&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\$&`)
    .replace(/^(?:[#>+=-]|\d+(?=[.)]))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`));
}
