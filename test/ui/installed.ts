// The packaged extension in a real workbench, opened on a workspace before the tests of a suite and closed after them.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { installVscodeServer, missingForWorkbench } from '../host/vscodeServer.ts';
import {
  openWorkbench,
  startWorkbenchHost,
  type Workbench,
  type WorkbenchHost,
  type WorkbenchOptions,
} from './workbench.ts';

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

interface InstalledOptions extends Partial<WorkbenchOptions> {
  /** A server and a browser of its own, with the server's data in this folder or, when it is empty, a temporary one. */
  readonly ownData?: string;
}

/** Of all suites of this process that want none of their own. */
let shared: WorkbenchHost | undefined;

/** Started for the first that asks, and stopped after the last suite of the run. */
async function sharedHost(suite: Mocha.Suite | undefined, vsix: string): Promise<WorkbenchHost> {
  if (shared === undefined) {
    const host = await startWorkbenchHost(vsix);
    let root = suite;
    while (root?.parent) root = root.parent;
    root?.afterAll(async () => {
      shared = undefined;
      await host.stop();
    });
    shared = host;
  }
  return shared;
}

/**
 * Registers the hooks of the suite it is called in. Without the tools the suite is skipped, visibly; with CI=true it fails. A test
 * that fails leaves a screenshot `failed-<title>.png`.
 */
export function installed<W extends OpenedWorkspace>(
  makeWorkspace: () => Promise<W>,
  settings: Readonly<Record<string, unknown>> = {},
  more: InstalledOptions | ((workspace: W) => InstalledOptions) = {},
): () => Installed<W> {
  let workspace: W | undefined;
  let workbench: Workbench | undefined;
  let own: WorkbenchHost | undefined;

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
    const { ownData, ...options } = typeof more === 'function' ? more(workspace) : more;
    if (ownData !== undefined) own = await startWorkbenchHost(vsix, ownData === '' ? undefined : ownData);
    workbench = await openWorkbench(own ?? (await sharedHost(this.test?.parent, vsix)), {
      workspace: workspace.root,
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
    await own?.stop();
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
