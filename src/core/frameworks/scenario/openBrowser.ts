// Starts the browser for the scenarios of one process, and closes it whatever happens.
import type { APIRequestContext, Browser, LaunchOptions } from 'playwright-core';
import { findBrowser, loadPlaywright } from '../../scenario/browser/findBrowser.ts';
import { HumanError } from '../../base/humanError.ts';
import type { ScenarioConfig } from '../../scenario/scenarioSchema.ts';
import type { WorkerTask } from './workerTask.ts';

export interface OpenedBrowser {
  readonly browser: Browser;
  readonly newRequests: () => Promise<APIRequestContext>;
  readonly close: () => Promise<void>;
}

/** A browser that hangs is killed with this process, ms. */
const closeLimit = 5000;

/** Within the browser, for what no guard of a page sees: sockets, workers, and where redirects of pictures lead. */
const privateHosts = [
  'localhost',
  '*.localhost',
  '*.local',
  '*.internal',
  '0.*.*.*',
  '10.*.*.*',
  '127.*.*.*',
  '169.254.*.*',
  '192.168.*.*',
  '[::]',
  '[::1]',
  '[::ffff:*',
  '[fc*',
  '[fd*',
  '[fe8*',
  '[fe9*',
  '[fea*',
  '[feb*',
  ...Array.from({ length: 16 }, (_, at) => `172.${16 + at}.*.*`),
  ...Array.from({ length: 64 }, (_, at) => `100.${64 + at}.*.*`),
]
  .map((host) => `MAP ${host} ~NOTFOUND`)
  .join(', ');

/** Throws a HumanError without a browser, and what Playwright says of one that does not start. */
export async function openBrowser(task: WorkerTask, config: ScenarioConfig): Promise<OpenedBrowser> {
  const playwright = loadPlaywright(task.playwright);
  const named = process.env['TESTMEND_SCENARIO_BROWSER'];
  const wanted =
    (task.browser === 'chromium' ? undefined : task.browser) ??
    (named === '' ? undefined : named) ??
    config.browser;
  const { kind, executable } = findBrowser(wanted, (one) => playwright[one].executablePath());
  if (task.untrusted && kind !== 'chromium')
    throw new HumanError('usage', `Scenarios that are not trusted do not run in ${kind}.`, {
      value: kind,
      remedy: 'Use chromium, which can be kept from the addresses of this machine.',
    });
  const options: LaunchOptions = {
    headless: !(task.headed ?? task.debug ?? !config.headless),
    // The worker ends its browser itself.
    handleSIGINT: false,
    handleSIGTERM: false,
    ...(executable !== undefined && { executablePath: executable }),
    ...(kind === 'chromium' && {
      args: [
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        ...(task.untrusted ? [`--host-resolver-rules=${privateHosts}`] : []),
      ],
    }),
  };
  const browser = await playwright[kind].launch(options);
  return {
    browser,
    newRequests: () => playwright.request.newContext(),
    close: async () => {
      const closed = browser.close().catch(() => undefined);
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, closeLimit).unref())]);
    },
  };
}
