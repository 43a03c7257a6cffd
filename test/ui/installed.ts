// The packaged extension in a real workbench, opened on a workspace before the tests of a suite and closed after them.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { installVscodeServer, missingForWorkbench } from '../host/vscodeServer.ts';
import { openWorkbench, type Workbench, type WorkbenchOptions } from './workbench.ts';

export const projectRoot = path.resolve(import.meta.dirname, '../..');
export const screenshots = path.join(projectRoot, 'test-output/screenshots');

/** Of a test in the workbench and of opening it: a loaded machine takes its time. */
const limitMs = 400_000;

interface OpenedWorkspace {
  readonly root: string;
  dispose(): Promise<void>;
}

/** What the tests of a suite use; only from `before` on. */
export interface Installed<W> {
  readonly workspace: W;
  readonly workbench: Workbench;
  /** Beside the workspace, where this workbench makes its sandboxes. */
  readonly sandboxes: string;
}

/**
 * Registers the hooks of the suite it is called in. Without the tools the suite is skipped, visibly; with CI=true it fails. A test
 * that fails leaves a screenshot `failed-<title>.png`.
 */
export function installed<W extends OpenedWorkspace>(
  makeWorkspace: () => Promise<W>,
  settings: Readonly<Record<string, unknown>> = {},
  more: Partial<WorkbenchOptions> | ((workspace: W) => Partial<WorkbenchOptions>) = {},
): () => Installed<W> {
  let workspace: W | undefined;
  let workbench: Workbench | undefined;

  before(async function () {
    this.timeout(limitMs);
    for (const test of this.test?.parent?.tests ?? []) test.timeout(limitMs);
    const missing = missingForWorkbench();
    if (missing !== undefined && process.env['CI'] !== 'true') {
      console.log(`skipped: ${missing}`);
      this.skip();
    }
    assert.equal(missing, undefined);
    installVscodeServer();
    const vsix = path.join(projectRoot, 'testmend.vsix');
    assert.ok(existsSync(vsix), 'run `npm run package` first');
    workspace = await makeWorkspace();
    const options = typeof more === 'function' ? more(workspace) : more;
    workbench = await openWorkbench({
      workspace: workspace.root,
      vsix,
      screenshots,
      ...options,
      env: { TESTMEND_SANDBOX_DIR: sandboxesOf(workspace), ...options.env },
      settings: {
        'testing.automaticallyOpenTestResults': 'neverOpen',
        'testing.automaticallyOpenPeekView': 'never',
        'editor.minimap.enabled': false,
        'workbench.hover.delay': 60_000,
        ...settings,
      },
    });
  });

  after(async () => {
    await workbench?.close();
    await workspace?.dispose();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await workbench?.screenshot(`failed-${this.currentTest.title.replaceAll(/\W+/g, '-')}`);
  });

  return () => {
    assert.ok(workspace && workbench, 'the workbench is open');
    return { workspace, workbench, sandboxes: sandboxesOf(workspace) };
  };
}

function sandboxesOf({ root }: OpenedWorkspace): string {
  return path.join(path.dirname(root), 'sandboxes');
}
