// Healings that wait for a decision, as code actions on their steps; deciding rewrites scenarios on disk.
import path from 'node:path';
import { CodeActionKind, type CodeAction, type Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { z } from 'zod';
import { hashText } from '../core/base/hash.ts';
import { toRelativePosix } from '../core/base/paths.ts';
import type { EditedFile } from '../core/engine/scenarioEditing.ts';
import { shownLine } from '../core/model/visibleText.ts';
import { healingCommand } from './messages.ts';

/** Argument of the command. */
export const healingArgumentSchema = z.object({
  root: z.string(),
  healing: z.string(),
  decision: z.enum(['approve', 'reject']),
  propagate: z.boolean(),
});

interface Healed extends Pick<EditedFile, 'kind' | 'text'> {
  readonly document: TextDocument;
  /** Absolute. */
  readonly file: string;
}

/** For the steps in the range. None while the text is another one than that of the run: such a healing is refused. */
export async function healingActionsAt(
  { document, file, kind, text }: Healed,
  root: string,
  range: Range,
): Promise<CodeAction[]> {
  const { healingsOf } = await import('../core/engine/scenarioHealings.ts');
  const name = toRelativePosix(root, file);
  const hash = hashText(text);
  const healings = (await healingsOf(root)).filter(
    (one) => one.status === 'pending' && one.file === name && one.fileHash === hash,
  );
  if (healings.length === 0) return [];
  const { outlineOf } = await import('../core/engine/scenarioEditing.ts');
  const ids = outlineOf(kind, text)
    .flatMap(({ children }) => children)
    .filter(
      ({ start, end }) =>
        document.positionAt(start).line <= range.end.line &&
        document.positionAt(end).line >= range.start.line,
    )
    .flatMap(({ stepId }) => (stepId === undefined ? [] : [stepId]));
  return healings
    .filter(({ stepId }) => ids.includes(path.posix.basename(stepId)))
    .flatMap(({ id, locatorDisplayName, originalStrategy, healedStrategy, trigger }) => {
      const change = `${originalStrategy.type} → ${healedStrategy.type}`;
      const action = (title: string, decision: 'approve' | 'reject', propagate: boolean): CodeAction => ({
        title: shownLine(title),
        kind: CodeActionKind.QuickFix,
        command: { title, command: healingCommand, arguments: [{ root, healing: id, decision, propagate }] },
      });
      const reject = action(`Reject healed locator of "${locatorDisplayName}"`, 'reject', false);
      // A path in an answer is changed by hand.
      if (trigger === 'api_path_changed') return [reject];
      return [
        action(`Accept healed locator of "${locatorDisplayName}" (${change})`, 'approve', false),
        action(`Accept everywhere: all locators "${locatorDisplayName}" (${change})`, 'approve', true),
        reject,
      ];
    });
}
