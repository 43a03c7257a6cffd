// Names that are worth opening the house for; which files really are tests, the engine says.
import type * as vscode from 'vscode';

export function looksLikeTest(uri: vscode.Uri): boolean {
  return (
    uri.scheme === 'file' &&
    /(?:(?:[._-](?:test|tests|spec)|\/__tests__\/[^/]+)\.[cm]?[jt]sx?|(?:\/tests?|\/test_[^/]*|_test)\.py|_test\.go)$/i.test(
      uri.path,
    )
  );
}
