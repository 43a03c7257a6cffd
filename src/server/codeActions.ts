// Fixes as code actions on failing lines; the title says what will change, choosing one tries it first.
import { CodeActionKind, type CodeAction, type Diagnostic } from 'vscode-languageserver/node';
import type { Fix } from '../core/model/fix.ts';
import { codeActionCommands, type CodeActionArgument } from './messages.ts';

/** Actions for the fixes of the tests that fail in a range; `diagnostics` are the ones the editor asked about. */
export function codeActionsFor(
  root: string,
  fixes: readonly Fix[],
  diagnostics: readonly Diagnostic[],
): readonly CodeAction[] {
  const ours = diagnostics.filter((diagnostic) => diagnostic.source === 'testmend');
  const actions = fixes.map((fix): CodeAction => ({
    title: `Fix (${fix.grade}): ${fix.title}`,
    kind: CodeActionKind.QuickFix,
    diagnostics: ours,
    // Only what leaves the meaning of the test alone may be applied without looking (INTERFACES "Trust").
    isPreferred: fix.trust === 'mechanical',
    command: { title: fix.title, command: codeActionCommands.tryFix, arguments: [argumentOf(root, fix)] },
  }));
  const questions = fixes
    .filter((fix) => fix.trust !== 'mechanical' && fix.expectation !== undefined)
    .filter((fix, index, all) => all.findIndex((other) => sameFailures(fix, other)) === index);
  return [
    ...actions,
    ...questions.map((fix): CodeAction => ({
      title: "It's a bug in the source",
      kind: CodeActionKind.QuickFix,
      diagnostics: ours,
      command: {
        title: "It's a bug in the source",
        command: codeActionCommands.isBug,
        arguments: [argumentOf(root, fix)],
      },
    })),
  ];
}

function argumentOf(root: string, fix: Fix): CodeActionArgument {
  return {
    root,
    fixId: fix.id,
    title: fix.title,
    failures: [...fix.failures],
    grade: fix.grade,
    ...(fix.expectation === undefined ? {} : { expectation: fix.expectation }),
  };
}

function sameFailures(a: Fix, b: Fix): boolean {
  return a.failures.length === b.failures.length && a.failures.every((id) => b.failures.includes(id));
}
