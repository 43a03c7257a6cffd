// The help texts, printed from the command table; nothing here loads the core.
import { commands, commonOptions } from './commandTable.ts';
import type { CommandInfo, OptionInfo } from './commandInfo.ts';
import type { Paint } from '../core/reports/paint.ts';

/** Help about one command, or about all of them; fits 80 columns. */
export function helpText(paint: Paint, about?: CommandInfo): string {
  return about ? commandHelp(about, paint) : overview(paint);
}

function overview(paint: Paint): string {
  return `${paint.bold('testmend')} finds your tests, runs them in isolated processes, and mends the
ones that broke: every fix is proven in a sandbox before it touches a file.

${paint.bold('Usage')}
  testmend <command> [options]

${paint.bold('Commands')}
${commands.map((command) => row(command.name, command.about, 10)).join('\n')}
${row('help', 'Show this text, or the options of a command.', 10)}
${row('version', 'Show the version.', 10)}

${optionList('Options of every command', commonOptions, paint)}

${paint.bold('Examples')}
  testmend run test/cart.test.ts --filter "adds up"
  testmend fix --dry-run --patch fixes.patch
`;
}

function commandHelp(command: CommandInfo, paint: Paint): string {
  const own = command.options.length ? optionList('Options', command.options, paint) + '\n\n' : '';
  return `${wrap(command.about, 0)}

${paint.bold('Usage')}
  ${command.usage} [options]

${own}${optionList('Options of every command', commonOptions, paint)}

${paint.bold('Exit codes')}
  ${wrap(command.exitCodes, 2)}
`;
}

function optionList(title: string, options: readonly OptionInfo[], paint: Paint): string {
  const rows = options.map((option) =>
    row(`--${option.name}${option.value ? ` ${option.value}` : ''}`, option.about, 22),
  );
  return `${paint.bold(title)}\n${rows.join('\n')}`;
}

function row(name: string, about: string, column: number): string {
  return `  ${name.padEnd(column)} ${wrap(about, column + 3)}`;
}

/** Breaks the text at 80 columns, further lines indented. */
function wrap(text: string, margin: number): string {
  let line = '';
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    if (line !== '' && margin + line.length + 1 + word.length > 80) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n' + ' '.repeat(margin));
}
