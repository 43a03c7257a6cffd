// A real workbench with the packaged extension, and a probe in its extension host that tells what the host endures.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import {
  installVscodeServer,
  installVsix,
  startBrowser,
  startVscodeServer,
  workbenchUrl,
  type ServerOptions,
} from '../host/vscodeServer.ts';
import { Workbench } from '../ui/workbench.ts';

const probeFolder = path.join(import.meta.dirname, 'hostProbe');
const vsix = path.resolve(import.meta.dirname, '../../testmend.vsix');

/** What the extension host spent since `start`: processor time, and the longest time its event loop stood still. */
const loadSchema = z.object({ pid: z.number(), cpuMs: z.number(), blockedMs: z.number() });
const heapSchema = z.object({ heapMb: z.number() });
const profileSchema = z.object({ ownMs: z.number() });
export type HostLoad = z.infer<typeof loadSchema>;

export interface HostProbe {
  start(): Promise<void>;
  read(): Promise<HostLoad>;
  startProfile(): Promise<void>;
  /** Milliseconds since `startProfile` in Testmend's code and in what it called. */
  stopProfile(): Promise<number>;
  /** Heap in use after a full collection, MiB. */
  heapMb(): Promise<number>;
}

export interface ProbedWorkbench {
  readonly workbench: Workbench;
  readonly probe: HostProbe;
  /** The server's data folder: logs are in data/logs. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Opens the workspace; needs testmend.vsix (`npm run package`). */
export async function openProbedWorkbench(
  workspace: string,
  options: Pick<ServerOptions, 'settings' | 'env'> = {},
): Promise<ProbedWorkbench> {
  if (!existsSync(vsix)) throw new Error('run `npm run package` first');
  installVscodeServer();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'testmend-probed-'));
  const screenshots = path.join(folder, 'screenshots');
  mkdirSync(screenshots);
  const portFile = path.join(folder, 'probe-port');
  installVsix(vsix, folder);
  const server = await startVscodeServer({
    ...options,
    folder,
    env: { ...options.env, TESTMEND_PROBE_FILE: portFile },
  });
  const started = await startBrowser();
  const close = async (): Promise<void> => {
    await started.browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    const page = await started.context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(workbenchUrl(server, { workspace, extensionDevelopmentPath: probeFolder }));
    const workbench = new Workbench(page, started, { data: folder, screenshots }, close);
    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /Testing/ })
      .waitFor();
    while (!existsSync(portFile)) await page.waitForTimeout(50);
    return { workbench, folder, close, probe: probeAt(portFile) };
  } catch (error) {
    await close();
    throw error;
  }
}

function probeAt(portFile: string): HostProbe {
  // The host starts anew when the window reloads: the port is read each time.
  const ask = async (what: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${readFileSync(portFile, 'utf8')}/${what}`);
    return response.json();
  };
  return {
    start: async () => void (await ask('start')),
    read: async () => loadSchema.parse(await ask('read')),
    startProfile: async () => void (await ask('startProfile')),
    stopProfile: async () => profileSchema.parse(await ask('stopProfile')).ownMs,
    heapMb: async () => heapSchema.parse(await ask('heap')).heapMb,
  };
}
