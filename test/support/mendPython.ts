// A Python project whose source changes under its tests, mended as a whole.
import type { CycleRequest } from '../../src/core/cycle/cycleRequest.ts';
import type { CycleReport } from '../../src/core/model/cycle.ts';
import { mendWorkspace } from './mendWorkspace.ts';
import { temporaryWorkspace } from './temporaryWorkspace.ts';

/** Files by their names: as they are committed, and those that are others afterwards. Tests of pytest, in any of them. */
export async function mendPython(
  committed: Readonly<Record<string, string>>,
  changed: Readonly<Record<string, string>>,
  more: Partial<CycleRequest> = {},
): Promise<CycleReport> {
  const workspace = await temporaryWorkspace(
    { 'pytest.ini': '[pytest]\n', '.gitignore': '__pycache__/\n.pytest_cache/\n', ...committed },
    { git: true },
  );
  try {
    for (const [file, text] of Object.entries(changed)) await workspace.write(file, text);
    return await mendWorkspace(workspace, more);
  } finally {
    await workspace.dispose();
  }
}
