// Runs mocha specs inside a real VS Code extension host: desktop VS Code where it can be downloaded, the npm server otherwise.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { Workbench } from '../ui/workbench.ts';
import { openEyes } from './eyes.ts';
import { startBrowser, startVscodeServer, workbenchUrl } from './vscodeServer.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const testsPath = path.join(import.meta.dirname, 'mochaInHost.cjs');
/** Chatter of the workbench itself; --verbose shows it. */
const noise =
  /^\[(AgentHost|AccountPolicyGate|DefaultAccount|chat-stt|reconnection-grace-time|RemoteAgentHostProtocol|Service Worker|perf)|^(Ignoring fetching additional|Resolv|Creating a socket|Creation of workbench contribution|Updating additional builtin|Settings Sync|Timed out waiting for authentication provider|Extension host .*terminated|\[perf\])/;

/** For one start of the host with its specs: far more than a loaded machine needs. */
const timeoutMs = 900_000;

export interface HostRun {
  readonly specs: readonly string[];
  readonly workspace: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly verbose?: boolean;
  readonly desktop?: boolean;
  /** Data of the server, where a start before this one may have left something; one of its own when absent. */
  readonly serverFolder?: string;
  /** The workspace is not trusted until somebody says so. */
  readonly untrusted?: boolean;
  /** With the chat of VS Code and what it offers to agents. */
  readonly chat?: boolean;
}

export interface HostResult {
  readonly passed: readonly string[];
  readonly failed: readonly { readonly title: string; readonly message: string }[];
  /** Why the run as a whole is no pass. */
  readonly problem?: string;
}

/** Runs the specs; never trusts the exit code alone, since the workbench reports 0 when the extension host was killed. */
export async function runInHost(run: HostRun): Promise<HostResult> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'testmend-host-'));
  const resultsFile = path.join(folder, 'results.json');
  const env = {
    ...run.env,
    TESTMEND_HOST_SPECS: JSON.stringify(run.specs.map((spec) => path.resolve(spec))),
    TESTMEND_HOST_RESULTS: resultsFile,
    TESTMEND_HOST_EYES: path.join(folder, 'eyes'),
    TESTMEND_HOST_GREP: process.env['TESTMEND_HOST_GREP'] ?? '',
  };
  let problem: string | undefined;
  try {
    problem = run.desktop ? await runOnDesktop(run, env) : await runOnServer(run, env, folder);
    return judge(resultsFile, problem);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function runOnServer(
  run: HostRun,
  env: Record<string, string>,
  folder: string,
): Promise<string | undefined> {
  const server = await startVscodeServer({
    folder: run.serverFolder ?? folder,
    ...(run.untrusted ? { workspaceTrust: true } : {}),
    settings: {
      ...(run.untrusted && {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
      }),
      // In a browser editors save by themselves.
      ...(run.chat && { 'chat.disableAIFeatures': false, 'files.autoSave': 'off' }),
    },
  });
  const started = await startBrowser();
  const { browser, context } = started;
  const page = await context.newPage();
  let dialogs = 0;
  const eyes = openEyes(
    path.join(folder, 'eyes'),
    new Workbench(page, started, { data: folder, screenshots: folder }, async () => undefined),
    () => dialogs,
  );
  try {
    const code = await new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('timed out')), timeoutMs);
      timer.unref();
      page.on('crash', () => reject(new Error('the page crashed')));
      const prepare = async (): Promise<void> => {
        await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
          const line = args.map(String).join(' ');
          if (line.includes('Dialog requested')) dialogs += 1;
          if (run.verbose || !noise.test(line)) console.log(line);
        });
        await page.exposeFunction('codeAutomationExit', (exitCode: number) => resolve(exitCode));
        await page.goto(
          workbenchUrl(server, {
            workspace: run.workspace,
            extensionDevelopmentPath: projectRoot,
            extensionTestsPath: testsPath,
            payload: [['extensionEnvironment', JSON.stringify(env)]],
          }),
        );
      };
      prepare().catch(reject);
    });
    return code === 0 ? undefined : `the extension host reported ${code}`;
  } catch (error) {
    return String(error);
  } finally {
    await eyes.stop();
    await browser.close();
    await server.stop();
  }
}

async function runOnDesktop(run: HostRun, env: Record<string, string>): Promise<string | undefined> {
  const { runTests } = await import('@vscode/test-electron');
  const code = await runTests({
    extensionDevelopmentPath: projectRoot,
    extensionTestsPath: testsPath,
    extensionTestsEnv: env,
    launchArgs: [run.workspace, '--disable-extensions', '--disable-workspace-trust'],
  }).catch((error: unknown) => String(error));
  return code === 0 ? undefined : `desktop VS Code reported ${code}`;
}

const resultsSchema = z.object({
  passed: z.array(z.string()),
  failed: z.array(z.object({ title: z.string(), message: z.string() })),
  finished: z.boolean(),
});

function judge(resultsFile: string, problem: string | undefined): HostResult {
  if (!existsSync(resultsFile))
    return { passed: [], failed: [], problem: problem ?? 'the extension host wrote no results' };
  const { passed, failed, finished } = resultsSchema.parse(JSON.parse(readFileSync(resultsFile, 'utf8')));
  if (!finished)
    return { passed, failed, problem: problem ?? 'the extension host ended before the test run did' };
  if (passed.length + failed.length === 0) return { passed, failed, problem: 'no test ran' };
  return failed.length === 0 && problem !== undefined ? { passed, failed, problem } : { passed, failed };
}
