// Names that are worth opening the house for; which files really are tests, the engine says.
import type * as vscode from 'vscode';
import { scenarioFileKind } from '../core/model/scenarioFile.ts';

export function looksLikeTest(uri: vscode.Uri): boolean {
  return (
    uri.scheme === 'file' &&
    (scenarioFileKind(uri.path) === 'scenario' ||
      /(?:(?:[._-](?:test|tests|spec)|\/__tests__\/[^/]+)\.[cm]?[jt]sx?|(?:\/tests?|\/test_[^/]*|_test)\.py|_test\.go)$/i.test(
        uri.path,
      ))
  );
}

/** Files whose language the engine knows: it has to run for their completion. */
export function isScenarioFile(uri: vscode.Uri): boolean {
  return uri.scheme === 'file' && scenarioFileKind(uri.path) !== undefined;
}
