// `testmend scenario healings`: lists what was healed, and approves or rejects one of them.
import { HumanError } from '../core/base/humanError.ts';
import { realPathOr } from '../core/base/paths.ts';
import { decideHealingOf, healingsOf, type HealingRecord } from '../core/engine/scenarioHealings.ts';
import { plainLine, plural } from '../core/reports/paint.ts';
import { exitCodes, type Command } from './command.ts';

export const healingsCommand: Command = async ({ options, files, terminal }) => {
  if (files.length > 0)
    throw new HumanError('usage', 'testmend scenario healings takes no files.', {
      value: files.join(' '),
      remedy: 'Choose a project with --root D.',
    });
  const root = realPathOr(options.text('root') ?? '.');
  const [approve, reject] = [options.text('approve'), options.text('reject')];
  const propagate = options.flag('propagate');
  if (approve !== undefined && reject !== undefined)
    throw new HumanError('usage', 'Either approve or reject, not both.', {
      remedy: 'Run the command twice.',
    });
  const healing = approve ?? reject;
  if (healing === undefined) {
    if (propagate)
      throw new HumanError('usage', '--propagate goes with --approve ID.', {
        remedy: '`testmend scenario healings` lists the ids.',
      });
    const healings = await healingsOf(root);
    if (!terminal.json) await terminal.out(listText(healings));
    return { exitCode: exitCodes.ok, json: { healings } };
  }
  const decision = approve === undefined ? 'reject' : 'approve';
  const { record, files: written } = await decideHealingOf(root, { healing, decision, propagate });
  const text =
    decision === 'reject'
      ? `Rejected: "${record.locatorDisplayName}" will not be healed that way again.\n`
      : `Approved: ${written.map(plainLine).join(', ')} ${written.length === 1 ? 'has' : 'have'} the new locator.\n`;
  if (!terminal.json) await terminal.out(text);
  return { exitCode: exitCodes.ok, json: { healing: record, files: written } };
};

function listText(healings: readonly HealingRecord[]): string {
  if (healings.length === 0) return 'Nothing was healed.\n';
  const pending = healings.filter(({ status }) => status === 'pending').length;
  const lines = healings.map(
    (one) =>
      `${one.id}  ${one.status.replace('_', ' ')}  ${plainLine(one.file)} ${plainLine(one.stepId)}  ${plainLine(one.locatorDisplayName)}: ` +
      `${plainLine(strategyText(one.originalStrategy))} → ${plainLine(strategyText(one.healedStrategy))}` +
      `  confidence ${one.confidence.toFixed(2)}` +
      (one.evidence === undefined
        ? ''
        : `, score ${one.evidence.score.toFixed(2)}, ${one.evidence.margin.toFixed(2)} ahead`),
  );
  const rest =
    pending === 0 ? '' : `\n${plural(pending, 'healing')} pending: --approve ID or --reject ID decides.\n`;
  return `${lines.join('\n')}\n${rest}`;
}

/** `role button "Buy"`. */
function strategyText({ type, ...fields }: HealingRecord['originalStrategy']): string {
  const shown = Object.entries(fields).filter(
    ([key]) => key !== 'priority' && key !== 'timeout' && key !== 'exact',
  );
  return [
    type,
    ...shown.map(([key, value]) => (key === 'role' ? String(value) : JSON.stringify(value))),
  ].join(' ');
}
