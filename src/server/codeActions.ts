// Fixes as code actions on failing lines; the title says what will change, choosing one tries it first.
import {
  CodeActionKind,
  type CodeAction,
  type CodeActionParams,
  type Diagnostic,
  type TextDocuments,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Fix } from '../core/model/fix.ts';
import { shownLine } from '../core/model/visibleText.ts';
import { codeActionCommands, type CodeActionArgument } from './messages.ts';
import type { RootEngine } from '../core/engine/rootEngine.ts';
import type { RootFixes } from '../core/engine/rootFixes.ts';

/** Actions for the tests that fail in the range asked about; none while the document has unsaved changes, or in a cycle. */
export async function codeActionsAt(
  params: CodeActionParams,
  place:
    | { readonly root: { readonly engine: RootEngine; readonly fixes: RootFixes }; readonly file: string }
    | undefined,
  documents: TextDocuments<TextDocument>,
  signal: AbortSignal,
): Promise<CodeAction[]> {
  if (place === undefined || !wantsQuickFixes(params)) return [];
  const { engine, fixes } = place.root;
  const { start, end } = params.range;
  const ids = engine.failures
    .at(place.file)
    .filter(({ line }) => line - 1 >= start.line && line - 1 <= end.line)
    .map(({ result }) => result.id);
  if (ids.length === 0 || fixes.isCycling) return [];
  const document = documents.get(params.textDocument.uri);
  if (document !== undefined && !(await isAsOnDisk(document, place.file, engine))) return [];
  const proposed = await fixes.propose([...new Set(ids)], signal);
  return actionsFor(engine.root, proposed.fixes, params.context.diagnostics);
}

function wantsQuickFixes({ context }: CodeActionParams): boolean {
  return (
    context.only === undefined || context.only.some((kind) => kind === '' || kind === CodeActionKind.QuickFix)
  );
}

async function isAsOnDisk(document: TextDocument, file: string, engine: RootEngine): Promise<boolean> {
  const plain = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const onDisk = await engine.textOf(file).catch(() => undefined);
  return onDisk !== undefined && plain(onDisk) === plain(document.getText());
}

function actionsFor(root: string, fixes: readonly Fix[], diagnostics: readonly Diagnostic[]): CodeAction[] {
  const ours = diagnostics.filter((diagnostic) => diagnostic.source === 'testmend');
  const action = (title: string, command: string, fix: Fix): CodeAction => ({
    title: shownLine(title),
    kind: CodeActionKind.QuickFix,
    diagnostics: ours,
    command: { title, command, arguments: [argumentOf(root, fix)] },
  });
  const questions = fixes.filter((fix) => fix.trust !== 'mechanical' && fix.expectation !== undefined);
  const [question] = questions;
  return [
    ...fixes.map((fix) => ({
      ...action(`Fix (${fix.grade}): ${fix.title}`, codeActionCommands.tryFix, fix),
      // Only what leaves the meaning of the test alone may be applied without looking (INTERFACES "Trust").
      isPreferred: fix.trust === 'mechanical',
    })),
    // One answer for the line, also when several rows of a table fail at it.
    ...(question === undefined
      ? []
      : [
          action("It's a bug in the source", codeActionCommands.isBug, {
            ...question,
            failures: [...new Set(questions.flatMap((fix) => fix.failures))],
          }),
        ]),
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
