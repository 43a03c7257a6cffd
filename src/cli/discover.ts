// `testmend discover`: the tests of the workspace, found without running any of its code.
import { discoverDocument, discoverWorkspace } from '../core/engine/discoverWorkspace.ts';
import { visitTests } from '../core/model/testNode.ts';
import type { TestFile } from '../core/model/testNode.ts';
import { cutEnd, duration, plainLine, plural } from '../core/reports/paint.ts';
import { noteText } from '../core/reports/terminalReporter.ts';
import { exitCodes } from './command.ts';
import type { Command } from './command.ts';
import type { Terminal } from './terminal.ts';
import { workspaceFrom } from './workspaceOptions.ts';

export const discoverCommand: Command = async ({ options, terminal, signal }) => {
  const workspace = await workspaceFrom({ options, terminal });
  if (terminal.json) {
    const { pieces, totals } = await discoverDocument(workspace, signal);
    return { exitCode: exitCodeOf(totals), json: undefined, document: pieces };
  }
  const { files, json, offer } = await discoverWorkspace(workspace, signal);
  const { totals, durationMs, notes, problems } = json;
  const told = [...notes, ...offer, ...problems.map(({ message, remedy }) => `${message} ${remedy}`)];
  const count = `${plural(totals.tests, 'test')} in ${plural(totals.files, 'file')}`;
  await terminal.out(
    files.map((file) => tree(file, terminal)).join('') +
      told.map((note) => `${noteText(note, terminal.paint, terminal.width)}\n`).join('') +
      `${count} ${terminal.paint.dim(duration(durationMs))}\n`,
  );
  return { exitCode: exitCodeOf(totals), json: undefined };
};

const exitCodeOf = ({ tests }: { readonly tests: number }): number =>
  tests === 0 ? exitCodes.usage : exitCodes.ok;

function tree({ file, framework, tests, warnings }: TestFile, { paint, width }: Terminal): string {
  const lines = [`${paint.bold(plainLine(file))} ${paint.dim(framework)}`];
  for (const warning of warnings)
    lines.push(`  ${paint.yellow('!')} ${cutEnd(plainLine(warning), width - 4)}`);
  visitTests(tests, ({ title, suites, range, kind, mode }) => {
    const margin = '  '.repeat(suites.length + 1);
    const mark = mode === 'run' ? '' : ` ${paint.yellow(mode)}`;
    const name = cutEnd(plainLine(title), width - margin.length - 12);
    const cases = kind === 'template' ? paint.dim(' …') : '';
    lines.push(
      `${margin}${kind === 'suite' ? paint.cyan(name) : name}${cases}${mark} ${paint.dim(`:${range.start.line}`)}`,
    );
  });
  return [...lines, '', ''].join('\n');
}
