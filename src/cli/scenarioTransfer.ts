// `testmend scenario import` and `export`: Playwright tests into scenarios and back, with all that is not in them.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { realPathOr } from '../core/base/paths.ts';
import {
  alreadyThere,
  exportedTest,
  importedScenarios,
  leftOutText,
  writeScenarioFile,
  type CarriedOver,
} from '../core/engine/scenarioFiles.ts';
import { plainLine, plural } from '../core/reports/paint.ts';
import { exitCodes } from './command.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';

export const importCommand: Command = async (context) => {
  const file = fileFrom(
    context,
    'testmend scenario import tests/checkout.spec.ts --out checkout.scenario.yaml',
  );
  const scenarios = await importedScenarios(path.resolve(file));
  const out = context.options.text('out');
  const [only, ...others] = scenarios;
  if (only !== undefined && others.length === 0)
    return tell([{ ...only, ...(out !== undefined && { out }) }], context);
  if (out === undefined || (existsSync(out) && !statSync(out).isDirectory()) || /\.(?:ya?ml|json)$/.test(out))
    throw new HumanError('usage', `${file} holds ${scenarios.length} tests: each becomes a file.`, {
      value: file,
      remedy: 'Name a folder for them with --out F.',
    });
  const names = new Map<string, number>();
  const placed = scenarios.map((scenario) => {
    const count = (names.get(scenario.id) ?? 0) + 1;
    names.set(scenario.id, count);
    const name = count === 1 ? scenario.id : `${scenario.id}-${count}`;
    return { ...scenario, out: path.join(out, `${name}.scenario.yaml`) };
  });
  return tell(placed, context);
};

export const exportCommand: Command = async (context) => {
  const file = fileFrom(
    context,
    'testmend scenario export checkout.scenario.yaml --out tests/checkout.spec.ts',
  );
  const root = realPathOr(context.options.text('root') ?? '.');
  const test = await exportedTest(realPathOr(file), root);
  const out = context.options.text('out');
  return tell([{ ...test, ...(out !== undefined && { out }) }], context);
};

function fileFrom({ files }: CommandContext, example: string): string {
  const [file, ...others] = files;
  if (file !== undefined && others.length === 0) return file;
  throw new HumanError('usage', 'The operation needs one file.', {
    ...(files.length > 1 && { value: files.join(' ') }),
    remedy: `Name it: ${example}`,
  });
}

async function tell(
  texts: readonly (CarriedOver & { readonly out?: string })[],
  { options, terminal }: CommandContext,
): Promise<CommandResult> {
  const force = options.flag('force');
  for (const { out } of texts)
    if (out !== undefined && !force && existsSync(out)) throw alreadyThere(path.resolve(out));
  for (const { text, out, leftOut } of texts) {
    if (out !== undefined) await writeScenarioFile(path.resolve(out), text, force);
    if (terminal.json) continue;
    await (out === undefined ? terminal.out(text) : terminal.out(`Wrote ${plainLine(out)}.\n`));
    if (leftOut.length === 0) continue;
    const lines = leftOut.map((one) => `  ${plainLine(leftOutText(one))}\n`);
    await terminal.err(`! ${plural(leftOut.length, 'statement')} not carried over:\n${lines.join('')}`);
  }
  const isWhole = texts.every(({ leftOut }) => leftOut.length === 0);
  return {
    exitCode: isWhole ? exitCodes.ok : exitCodes.failures,
    json: { files: texts.map(({ out, ...told }) => ({ ...told, ...(out !== undefined && { file: out }) })) },
  };
}
