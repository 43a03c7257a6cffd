// Finds the browser of the machine and the Playwright that drives it: nothing is downloaded, and where there is none it says how to get one.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { APIRequest, BrowserType } from 'playwright-core';
import { HumanError } from '../../base/humanError.ts';
import { programOnPath } from '../../process/programOnPath.ts';

interface FoundPlaywright {
  /** Absolute path of what is imported. */
  readonly entry: string;
  readonly version: string;
  /** Where it comes from, for `testmend doctor`. */
  readonly from: 'testmend' | 'workspace';
}

interface FoundBrowser {
  readonly kind: 'chromium' | 'firefox' | 'webkit';
  /** Absolute; absent: the one that Playwright has downloaded. */
  readonly executable?: string;
}

interface Playwright {
  readonly chromium: BrowserType;
  readonly firefox: BrowserType;
  readonly webkit: BrowserType;
  readonly request: APIRequest;
}

/** What `findPlaywright` found: loading it starts nothing. */
export function loadPlaywright(entry: string): Playwright {
  // Its own types say so; another package under the name would fail at the first call.
  return createRequire(import.meta.url)(entry) as Playwright; // oxlint-disable-line typescript/no-unsafe-type-assertion
}

/** Ours first, else that of the workspace: `playwright-core`, or what `playwright` and `@playwright/test` bring along. */
export function findPlaywright(root: string): FoundPlaywright | undefined {
  const own = resolved(import.meta.url, 'playwright-core');
  if (own) return { ...own, from: 'testmend' };
  const place = path.join(root, 'package.json');
  const direct = resolved(place, 'playwright-core') ?? resolved(place, 'playwright');
  if (direct) return { ...direct, from: 'workspace' };
  const test = resolved(place, '@playwright/test');
  const behind = test && (resolved(test.entry, 'playwright-core') ?? resolved(test.entry, 'playwright'));
  return behind && { ...behind, from: 'workspace' };
}

function resolved(
  from: string,
  name: string,
): { readonly entry: string; readonly version: string } | undefined {
  try {
    const entry = createRequire(from).resolve(name);
    const folder = entry.slice(0, entry.lastIndexOf(path.join('node_modules', ...name.split('/'))));
    const manifest: unknown = JSON.parse(
      readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8'),
    );
    const version = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : '';
    return { entry, version: String(version) };
  } catch {
    return undefined;
  }
}

export const playwrightRemedy = 'Run `npm install -D playwright-core`; it downloads no browser.';
const browserRemedy =
  'Install Chromium, Chrome or Edge, or run `npx playwright install chromium`; or name the program as `browser` in scenario.config.yaml or in TESTMEND_SCENARIO_BROWSER.';

const names: Readonly<Record<string, readonly string[]>> = {
  chromium: ['chromium', 'chromium-browser'],
  chrome: ['google-chrome', 'google-chrome-stable', 'chrome'],
  msedge: ['microsoft-edge', 'microsoft-edge-stable', 'msedge'],
};

/**
 * `wanted` is chromium, chrome, msedge, firefox, webkit or the path of a program; absent: the first Chromium, Chrome or Edge of the
 * machine, else the Chromium that Playwright has downloaded. Throws `not-installed` with the way to get one.
 */
export function findBrowser(
  wanted: string | undefined,
  downloaded: (kind: FoundBrowser['kind']) => string,
): FoundBrowser {
  if (wanted === 'firefox' || wanted === 'webkit') {
    if (existsSync(downloaded(wanted))) return { kind: wanted };
    throw new HumanError('not-installed', `Playwright has no ${wanted} on this machine.`, {
      remedy: `Run \`npx playwright install ${wanted}\`.`,
    });
  }
  if (wanted !== undefined && !(wanted in names)) {
    if (existsSync(wanted)) return { kind: 'chromium', executable: path.resolve(wanted) };
    throw new HumanError('not-installed', `There is no browser at ${wanted}.`, {
      value: wanted,
      remedy: browserRemedy,
    });
  }
  for (const name of wanted === undefined ? Object.keys(names) : [wanted]) {
    const executable = systemBrowser(name);
    if (executable !== undefined) return { kind: 'chromium', executable };
  }
  if ((wanted === undefined || wanted === 'chromium') && existsSync(downloaded('chromium')))
    return { kind: 'chromium' };
  throw new HumanError(
    'not-installed',
    `No ${wanted ?? 'Chromium, Chrome or Edge'} was found on this machine.`,
    {
      remedy: browserRemedy,
    },
  );
}

function systemBrowser(name: string): string | undefined {
  const known = names[name] ?? [];
  if (process.platform === 'win32') {
    const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(
      (key) => process.env[key] ?? [],
    );
    const below = { chrome: 'Google/Chrome', msedge: 'Microsoft/Edge', chromium: 'Chromium' }[name] ?? name;
    const program = name === 'msedge' ? 'msedge.exe' : 'chrome.exe';
    return folders.map((folder) => path.join(folder, below, 'Application', program)).find(existsSync);
  }
  if (process.platform === 'darwin') {
    const app = { chrome: 'Google Chrome', msedge: 'Microsoft Edge', chromium: 'Chromium' }[name] ?? name;
    const places = ['/Applications', path.join(os.homedir(), 'Applications')];
    const found = places
      .map((folder) => path.join(folder, `${app}.app/Contents/MacOS/${app}`))
      .find(existsSync);
    if (found !== undefined) return found;
  }
  return programOnPath(known, ['/usr/bin', '/snap/bin', '/opt/google/chrome']);
}
