// `testmend fix --apply ID…`: writes fixes that an earlier command or the editor proved, and judges the workspace as it then is.
import { existsSync } from 'node:fs';
import { HumanError } from '../core/base/humanError.ts';
import { hasBrokenConfiguration } from '../core/model/brokenConfiguration.ts';
import type { CycleFix } from '../core/model/cycle.ts';
import { fixText } from '../core/reports/fixText.ts';
import { plainLine } from '../core/reports/paint.ts';
import { agreementFor, applyFixes, findFixes, notAgreed, type Agreement } from '../core/engine/applyFixes.ts';
import { fixJson } from '../core/engine/fixJson.ts';
import { exitCodes, type CommandContext } from './command.ts';
import { fixClosing } from './fixClosing.ts';
import { fixExitCode, type FixResult } from './fixResult.ts';
import type { Ask } from './questions.ts';
import { openedFrom } from './workspaceOptions.ts';

/** Does `--apply` name fixes? What is a file or a folder is none. */
export function namesFixes({ options, files }: Pick<CommandContext, 'options' | 'files'>): boolean {
  const isFix = (word: string): boolean => /^[0-9a-f]{12,40}$/.test(word) && !existsSync(word);
  return options.flag('apply') && files.some(isFix);
}

/** What belongs to a cycle, and not to what one has proven. */
const ofApplying = new Set(['apply', 'assume', 'target', 'root', 'json', 'no-color']);
const ofRuns = new Set(['framework', 'timeout', 'skill-timeout', 'max-parallel']);

/** Without `ask`, only `--assume source-is-right` speaks for changed expectations, and nothing for proposals. */
export async function applyById(context: CommandContext, ask: Ask | undefined): Promise<FixResult> {
  const { options, files: ids, terminal, signal } = context;
  const other = options.names().find((name) => !ofApplying.has(name) && !ofRuns.has(name));
  if (other !== undefined)
    throw new HumanError('usage', `--${other} belongs to a fix cycle; --apply ${ids.join(' ')} runs none.`, {
      value: ids.join(' '),
      remedy: `Leave out --${other}, or the ids.`,
    });
  const opened = await openedFrom(context);
  const { root } = opened.workspace;
  const { fixes } = await findFixes(root, ids);
  const agreed: Agreement = options.text('assume') === 'source-is-right' ? 'expectation' : 'none';
  const open = fixes.filter((fix) => agreementFor(fix) !== 'none' && agreementFor(fix) !== agreed);
  if (ask === undefined) refuseOpen(open);
  else for (const fix of open) await refuseUnlessAgreed(fix, ask, context);
  const onNote = (note: string): void => void terminal.err(`! ${plainLine(note)}\n`);
  const { outcome, unwritten } = await applyFixes({
    opened,
    ids,
    agreed: open.length > 0 ? 'person' : agreed,
    target: options.number('target'),
    signal,
    onNote,
  });
  if (unwritten !== undefined) throw unwritten.error;
  if (!terminal.json) await terminal.out(fixClosing(outcome, { ...context, files: [] }, new Set()));
  const isBroken = hasBrokenConfiguration(outcome.tests);
  const exitCode = Math.max(fixExitCode(outcome.report), isBroken ? exitCodes.usage : exitCodes.ok);
  return { exitCode, json: fixJson(outcome.report, root), report: outcome.report };
}

function refuseOpen([fix]: readonly CycleFix[]): void {
  if (fix === undefined) return;
  throw notAgreed(fix, {
    expectation:
      'Run this at a terminal, which asks, or add --assume source-is-right if the source is right.',
    person: 'Run this at a terminal: it shows the fix and asks.',
  });
}

async function refuseUnlessAgreed(fix: CycleFix, ask: Ask, { terminal }: CommandContext): Promise<void> {
  await terminal.out(`\n${fixText(fix, terminal)}\n`);
  const answer = await ask('  Apply this fix?', [
    { key: 'y', label: 'Yes' },
    { key: 'n', label: 'No' },
  ]);
  if (answer === 'y') return;
  throw new HumanError('cancelled', 'Nothing was applied.', { remedy: 'Name only the fixes that you want.' });
}
