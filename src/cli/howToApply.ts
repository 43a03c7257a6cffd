// How proven fixes that were not written get into the workspace: the commands, each with what it writes.
import type { CycleFix } from '../core/model/cycle.ts';
import { plainLine, plural } from '../core/reports/paint.ts';
import type { CommandContext } from './command.ts';

type Asked = Pick<CommandContext, 'options' | 'files'>;

/** Lines to show below each other; `patch` is the file that holds them all, where one was written. */
export function howToApply(
  left: readonly CycleFix[],
  { options, files }: Asked,
  patch: string | undefined,
): readonly string[] {
  const root = options.text('root');
  const command = [
    'testmend fix',
    ...files.map(word),
    ...(root === undefined ? [] : [`--root ${word(root)}`]),
  ].join(' ');
  const mechanical = left.filter(({ trust }) => trust === 'mechanical').length;
  const expectations = left.length - mechanical;
  const rows: (readonly [command: string, does: string])[] = [];
  if (mechanical > 0)
    rows.push([
      `${command} --apply`,
      expectations === 0
        ? 'writes them'
        : `writes the ${mechanical} that ${mechanical === 1 ? 'does' : 'do'} not change the meaning of a test`,
    ]);
  if (expectations > 0)
    rows.push([
      `${command} --apply --assume source-is-right`,
      `${mechanical > 0 ? 'also ' : 'writes '}${plural(expectations, 'changed expectation')}, if the source is right`,
    ]);
  rows.push([command, 'at a terminal: shows each fix and asks']);
  if (patch === undefined) rows.push([`${command} --patch fixes.patch`, 'writes a patch for git apply']);
  else rows.push([`git apply ${word(patch)}`, 'applies all of them']);
  const column = Math.max(...rows.map(([text]) => text.length));
  return rows.map(([text, does]) => plainLine(`  ${text.padEnd(column)}  ${does}`));
}

/** As a shell reads it back. */
const word = (text: string): string =>
  /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
