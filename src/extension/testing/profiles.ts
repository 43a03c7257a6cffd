// The run profiles: what the user can ask of a test. Made at startup; the house behind them opens when one is used.
import * as vscode from 'vscode';
import type { Testing } from './testing.ts';

/** One profile for each kind of run; VS Code shows the default ones as buttons. */
export function createProfiles(
  controller: vscode.TestController,
  testing: () => Promise<Testing>,
): vscode.Disposable[] {
  const run = controller.createRunProfile(
    'Run',
    vscode.TestRunProfileKind.Run,
    async (request, token) =>
      request.continuous === true
        ? (await testing()).watch(request, token)
        : (await testing()).run(request, token),
    true,
    undefined,
    true,
  );
  const debug = controller.createRunProfile(
    'Debug',
    vscode.TestRunProfileKind.Debug,
    async (request, token) => (await testing()).run(request, token, { debug: true }),
    true,
  );
  const coverage = controller.createRunProfile(
    'Coverage',
    vscode.TestRunProfileKind.Coverage,
    async (request, token) => (await testing()).run(request, token, { coverage: true }),
    true,
  );
  coverage.loadDetailedCoverage = async (_run, file, token) =>
    (await testing()).coverage.details(file, token);
  coverage.loadDetailedCoverageForTest = async (_run, file, item, token) =>
    (await testing()).coverage.details(file, token, item);
  return [run, debug, coverage];
}
