// A fix cycle as GitHub Actions show it: marks at the lines of tests, as workflow commands.
import { withoutSecrets } from '../base/redactSecrets.ts';
import { toldBy } from '../diagnosis/toldSecrets.ts';
import { coverageText, isBelowTarget } from '../model/cycleScopeText.ts';
import { fullName } from '../model/testName.ts';
import { isProven, type CycleOutcome } from './cycleOutcome.ts';
import { cutEnd, plainText } from './paint.ts';

/** GitHub shows ten marks of a kind for a step; more only make the log long. */
const most = 50;
const limit = 1_000;

/** Lines for stdout; nothing of a title or a message can end a line, begin another command or steer a terminal. Secrets are blotted out. */
export function githubCycle(outcome: Pick<CycleOutcome, 'report' | 'applied'>, root: string): string {
  return withoutSecrets((hide) => written(outcome, hide), toldBy(outcome.report, root));
}

type Hide = (text: string) => string;

function written({ report, applied }: Pick<CycleOutcome, 'report' | 'applied'>, hide: Hide): string {
  const { remaining, fixes } = report;
  const lines = remaining.slice(0, most).map((test) => {
    const { file, reason, message, fault, handOver } = test;
    const kind = fault === 'source' || fault === 'unknown' ? 'error' : 'warning';
    const at = handOver?.test.line ?? 1;
    return mark(
      kind,
      { file, line: String(at), title: `${fullName(test)} still fails` },
      `${message}\n${reason}`,
      hide,
    );
  });
  const open = fixes.filter((fix) => isProven(fix) && !applied.has(fix.id));
  for (const { edits, title, diff, state } of open.slice(0, most)) {
    const at = String(firstChangedLine(diff));
    const file = edits[0]?.file ?? '';
    const head = state === 'unreviewed' ? 'A proven fix needs your approval' : 'A proven fix is not applied';
    lines.push(mark('notice', { file, line: at, title: head }, title, hide));
  }
  const counted = coverageText(report);
  if (counted !== undefined) {
    const text = [counted, report.coverage?.note ?? ''].join('\n').trimEnd();
    lines.push(mark(isBelowTarget(report) ? 'warning' : 'notice', { title: 'Coverage' }, text, hide));
  }
  return lines.map((line) => `${line}\n`).join('');
}

function mark(
  kind: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string>>,
  text: string,
  hide: Hide,
): string {
  const given = Object.entries(properties).map(
    ([name, value]) => `${name}=${escaped(value, hide).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  return `::${kind} ${given.join(',')}::${escaped(text, hide)}`;
}

/** Of the file as it would be. */
function firstChangedLine(diff: string): number {
  const [, start = '1', hunk = ''] = /^@@ -\d+(?:,\d+)? \+(\d+).*\n([^]*)/m.exec(diff) ?? [];
  const before = hunk.split('\n').findIndex((line) => /^[+-]/.test(line));
  return Number(start) + Math.max(0, before);
}

const escaped = (text: string, hide: Hide): string =>
  cutEnd(hide(plainText(text)), limit)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
