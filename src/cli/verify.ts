// `testmend verify`: judges any patch of test files in the sandbox and changes nothing.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import { verifyJson, verifyWorkspace, type PatchVerdict } from '../core/engine/verifyWorkspace.ts';
import { fullName } from '../core/model/testName.ts';
import { violationText } from '../core/reports/cycleReporter.ts';
import { cutAround, verdictText } from '../core/reports/fixText.ts';
import { plainLine, plural, wrapText } from '../core/reports/paint.ts';
import { changeText } from '../core/reports/strengthText.ts';
import type { Command } from './command.ts';
import { LiveLine } from './liveLine.ts';
import { isInPlace, sandboxNotes } from './sandboxOption.ts';
import type { Terminal } from './terminal.ts';
import { openedFrom } from './workspaceOptions.ts';

const strengths = ['off', 'quick', 'thorough'] as const;
const strengthSeconds = { off: 0, quick: 4, thorough: 60 } as const;

export const verifyCommand: Command = async (context) => {
  const { options, terminal, signal } = context;
  const patch = await readPatch(options.text('patch'));
  const opened = await openedFrom({ options, signal, terminal });
  const live = new LiveLine(terminal);
  live.show('trying the patch in a sandbox');
  const notes = [...opened.notes];
  const sandbox = sandboxNotes(context);
  const verdict = await verifyWorkspace({
    patch,
    opened,
    inPlace: isInPlace(context),
    strengthSeconds: strengthSeconds[options.choice('strength', strengths) ?? 'quick'],
    signal,
    onNote: (note) => notes.push(note),
    onSandboxNote: sandbox.onNote,
  }).finally(() => {
    live.clear();
    return sandbox.told();
  });
  for (const note of notes) await terminal.err(`! ${plainLine(note)}\n`);
  if (!terminal.json) await terminal.out(verdictLines(verdict, terminal));
  return {
    exitCode: { verified: 0, rejected: 1, unverifiable: 2 }[verdict.verdict],
    json: verifyJson(verdict),
  };
};

async function readPatch(file: string | undefined): Promise<string> {
  if (file === undefined)
    throw new HumanError('usage', 'testmend verify needs a patch.', {
      remedy: 'Name it with --patch F, or read it from stdin with --patch -.',
    });
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new HumanError(
      'usage',
      `The patch ${file} cannot be read: ${errorMessage(error)}`,
      {
        file,
        value: file,
        remedy: 'Name a unified diff with --patch F, or read it from stdin with --patch -.',
      },
      { cause: error },
    );
  }
}

function verdictLines(verdict: PatchVerdict, { paint, width }: Terminal): string {
  const changed = verdict.tests.filter((test) => test.before !== test.after);
  return [
    verdictText(verdict, paint),
    // What the fix policy forbids is told below, with all of its places.
    ...(verdict.reason === undefined || verdict.violations.length > 0
      ? []
      : wrapText(plainLine(verdict.reason), width - 2).map((line) => `  ${line}`)),
    ...verdict.violations.map((violation) => violationText(violation, { paint, width })),
    ...expectationLines(verdict.expectations, { paint, width }),
    ...changeLines(verdict.changes, { paint, width }),
    ...(verdict.strength ? strengthLines(verdict.strength, { paint, width }) : []),
    ...changed.map(
      (test) =>
        `  ${test.before ?? 'new'} → ${test.after ?? 'gone'}  ${plainLine(test.file)} ${plainLine(test.title)}`,
    ),
    ...(verdict.tests.length > changed.length
      ? [paint.dim(`  ${plural(verdict.tests.length - changed.length, 'test')} as before`)]
      : []),
    '',
  ].join('\n');
}

/** `still notices 12 of 12 planted bugs`, or each one that nobody notices any more. */
function strengthLines(
  { answer, noticed, lost, reason = '' }: NonNullable<PatchVerdict['strength']>,
  { paint, width }: Pick<Terminal, 'paint' | 'width'>,
): readonly string[] {
  if (answer === 'cannot tell')
    return wrapText(`What the tests notice cannot be told: ${reason}`, width - 2).map((line) =>
      paint.dim(`  ${line}`),
    );
  if (answer === 'kept')
    return [paint.dim(`  still notices ${noticed} of ${plural(noticed, 'planted bug')}`)];
  return lost.flatMap(({ bug, by }) => [
    `  ${paint.red('no longer noticed:')} ${changeText(bug)}`,
    paint.dim(`    ${plainLine(bug.file)}:${bug.line}, was noticed by "${plainLine(fullName(by))}"`),
  ]);
}

/** `also changes: 2 inputs (test/cart.test.js:4, 9), 1 title (test/cart.test.js:3)`; `--json` has the texts. */
function changeLines(
  changes: PatchVerdict['changes'],
  { paint, width }: Pick<Terminal, 'paint' | 'width'>,
): readonly string[] {
  const kinds = [...new Set(changes.map(({ kind }) => kind))].filter((kind) => kind !== 'expectation');
  const told = kinds.map((kind) => {
    const all = changes.filter((change) => change.kind === kind);
    const [first] = all;
    const rest = all
      .slice(1, mostPlaces)
      .map(({ file, line }) => (file === first?.file ? line : `${file}:${line}`));
    const places = [`${first?.file}:${first?.line}`, ...rest, ...(all.length > mostPlaces ? ['…'] : [])];
    return `${all.length} ${words[kind]} (${places.join(', ')})`;
  });
  if (told.length === 0) return [];
  return wrapText(plainLine(`also changes: ${told.join(', ')}`), width - 2).map((line) =>
    paint.dim(`  ${line}`),
  );
}

const mostPlaces = 5;
const words: Readonly<Record<PatchVerdict['changes'][number]['kind'], string>> = {
  expectation: 'expected',
  input: 'input',
  double: 'test double',
  name: 'name',
  await: 'await',
  title: 'title',
  import: 'import',
  test: 'new test',
  removed: 'removed',
  other: 'other',
};

/** A pass does not tell that what is expected now is what is wanted. */
function expectationLines(
  expectations: PatchVerdict['expectations'],
  { paint, width }: Pick<Terminal, 'paint' | 'width'>,
): readonly string[] {
  if (expectations.length === 0) return [];
  return [
    ...wrapText('Changed expectations: a person must decide whether they are intended', width - 2).map(
      (line) => `  ${paint.yellow(line)}`,
    ),
    ...expectations.flatMap(({ file, line, old, new: now }) => {
      const place = `${plainLine(file)}:${line}`;
      const [before, after] = [plainLine(old), plainLine(now)];
      const change = `    ${place}  ${before} → ${after}`;
      if (Array.from(change).length <= width) return [change];
      return [
        `    ${place}`,
        paint.red(`    - ${cutAround(before, after, width - 6)}`),
        paint.green(`    + ${cutAround(after, before, width - 6)}`),
      ];
    }),
  ];
}
