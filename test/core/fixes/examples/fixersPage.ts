// Makes docs/fixers.md of the fixers and their examples: `npm run docs:fixers` writes it, fixersPage.test.ts holds it to that.
import { diffLines } from 'diff';
import type { FixProvider } from '../../../../src/core/fixes/fixProvider.ts';
import { exampleGroups, type FixerExample } from './fixerExamples.ts';

const head = `# Fixers

Made by \`npm run docs:fixers\` of the fixers themselves. Each pair of before and after runs as a test on the real framework. Who must agree to a fix is told in
[trust](trust.md#who-must-agree), what no fix may do in [policy](policy.md). A fixer that is not certain proposes nothing, and the report says why.
`;

/** What of a text is gone and what came, as a diff without its head. */
function changeOf(before: string, after: string): readonly string[] {
  return diffLines(before, after).flatMap(({ value, added, removed }) =>
    added || removed
      ? value
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `${added ? '+' : '-'} ${line}`.trimEnd())
      : [],
  );
}

function sourceChanges({ sources }: FixerExample): readonly string[] {
  const files = Object.entries(sources);
  const [from] = files.find(([, [, now]]) => now === undefined) ?? [];
  const [to, [, text = ''] = []] = files.find(([, [before]]) => before === undefined) ?? [];
  if (from !== undefined && to !== undefined && text !== '') return [`# ${from} is ${to} now`];
  return files.flatMap(([file, [before = '', now = '']]) => [`# ${file}`, ...changeOf(before, now)]);
}

function section({ id, description }: FixProvider, runner: string, example: FixerExample): string {
  const { test, trust, lowered, since } = example;
  const inserted =
    test.committed === undefined ? [] : [`# ${test.file}, changed`, ...changeOf(test.committed, test.before)];
  return [
    `### ${id}\n`,
    `${description}\n`,
    '```diff',
    ...sourceChanges(example),
    ...inserted,
    `# ${test.file}, mended`,
    ...changeOf(test.before, test.after),
    '```\n',
    `Trust: ${trust}${lowered === undefined ? '' : `; ${lowered}`}. Since ${since}. The example runs with ${runner}.\n`,
  ].join('\n');
}

/** The page as it should stand in docs/. */
export function fixersPage(providers: readonly FixProvider[], nursery: readonly FixProvider[]): string {
  const examples = new Map(
    exampleGroups.flatMap(({ name, examples: all }) =>
      all.map((example) => [example.fixer, [name, example] as const]),
    ),
  );
  const sections = (some: readonly FixProvider[]): string =>
    some
      .map((provider) => {
        const [runner, example] = examples.get(provider.id) ?? [];
        return runner === undefined || example === undefined
          ? `### ${provider.id}\n\n${provider.description}\n\nNo example of it runs here: what it needs cannot be installed with the tests.\n`
          : section(provider, runner, example);
      })
      .join('\n');
  return `${head}\n## On\n\n${sections(providers)}\n## Nursery\n\nThese have mended no commit of a project that they had not seen, so they are off until you name them: \`testmend fix --nursery waiting\`, in VS Code the setting \`testmend.fix.nursery\`. What speaks against a changed expectation is told all the same.\n\n${sections(nursery)}`;
}
