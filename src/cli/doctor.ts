// `testmend doctor`: what is found, what is missing, and what mends it.
import { redactSecrets } from '../core/base/redactSecrets.ts';
import { examineWorkspace, type Check } from '../core/engine/examineWorkspace.ts';
import { plainLine } from '../core/reports/paint.ts';
import type { Command } from './command.ts';
import { exitCodes } from './command.ts';
import { workspaceFrom } from './workspaceOptions.ts';

export const doctorCommand: Command = async (context) => {
  const { terminal, signal } = context;
  const workspace = await workspaceFrom(context);
  const checks = (await examineWorkspace(workspace, signal)).map((check) => ({
    ...check,
    message: redactSecrets(check.message),
  }));
  if (!terminal.json) await terminal.out(checks.map(textOf).join(''));
  const isSound = checks.every(({ status }) => status !== 'fail');
  return {
    exitCode: isSound ? exitCodes.ok : exitCodes.failures,
    json: { root: workspace.root, ok: isSound, checks },
  };
};

const marks = { ok: '✓', warn: '!', fail: '✗' } as const;

function textOf({ name, status, message, remedy }: Check): string {
  const more = remedy === undefined ? '' : `\n    → ${plainLine(remedy)}`;
  return `${marks[status]} ${name}: ${plainLine(message)}${more}\n`;
}
