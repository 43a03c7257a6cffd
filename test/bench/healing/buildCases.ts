// `node --import tsx test/bench/healing/buildCases.ts PAIRS PACKAGES OUT`: labelled cases from pages that packages ship at two versions.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import glob from 'fast-glob';
import { chromium, type Browser } from 'playwright-core';
import { visibleElements } from '../../../src/core/scenario/healing/collectElements.ts';
import { kindOf } from '../../../src/core/scenario/healing/elementKind.ts';
import type { ElementFingerprint } from '../../../src/core/scenario/healing/fingerprint.ts';

const usage = `node --import tsx test/bench/healing/buildCases.ts PAIRS PACKAGES OUT
  PAIRS     lines of: package, older version, newer version
  PACKAGES  folder with each version unpacked in <package>@<version>
  OUT       one JSON line a case: {site, half, page, old, candidates, truth}`;

/** So that no site and no page decides the whole. */
const most = { ofSite: 40, ofPage: 14, pages: 25, elements: 3_000 };
/** The label must not be read off the element: these name ids. */
const pointers = ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns', 'form', 'list'];

const [pairs, packages, out] = process.argv.slice(2);
if (pairs === undefined || packages === undefined || out === undefined) {
  console.error(usage);
  process.exit(2);
}
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--allow-file-access-from-files'],
});
await writeFile(out, '');
for (const line of (await readFile(pairs, 'utf8')).split('\n')) {
  const [site, before, after] = line.trim().split(/\s+/);
  if (!site || !before || !after) continue;
  const folders = [before, after].map((version) => path.join(packages, `${site}@${version}`));
  if (folders.every((folder) => existsSync(folder))) {
    const count = await casesOfSite(site, folders[0] ?? '', folders[1] ?? '', out);
    console.log(`${site} ${before} → ${after}: ${count}`);
  }
}
await browser.close();

async function casesOfSite(site: string, before: string, after: string, target: string): Promise<number> {
  const both = await pagesOfBoth(before, after);
  let count = 0;
  let pages = 0;
  // By a hash, so that the choice is the same each time, and not the first folder alone.
  for (const [page, later] of both.sort(([one], [other]) =>
    hash(site + one) < hash(site + other) ? -1 : 1,
  )) {
    if (count >= most.ofSite || pages >= most.pages) break;
    const old = await render(browser, path.join(before, page));
    const now = old.length === 0 ? [] : await render(browser, path.join(after, later));
    const labels = sharedIds(old, now);
    if (labels.length === 0) continue;
    pages += 1;
    const chosen = labels
      .sort(
        (one, other) =>
          Number(isUsed(other[0])) - Number(isUsed(one[0])) ||
          (hash(page + one[0].id) < hash(page + other[0].id) ? -1 : 1),
      )
      .slice(0, Math.min(most.ofPage, most.ofSite - count));
    const candidates = now.map(hidden);
    for (const [was, is] of chosen) {
      const truth = now.indexOf(is);
      const half = parseInt(hash(site).slice(0, 4), 16) % 2 === 0 ? 'training' : 'untouched';
      await appendFile(
        target,
        JSON.stringify({ site, half, page, label: was.id, old: hidden(was), candidates, truth }) + '\n',
      );
    }
    count += chosen.length;
  }
  return count;
}

/** Pages at the same place, or whose name is there once in each. */
async function pagesOfBoth(before: string, after: string): Promise<(readonly [string, string])[]> {
  const [old = [], now = []] = await Promise.all(
    [before, after].map((cwd) => glob('**/*.{html,htm}', { cwd, ignore: ['**/node_modules/**'] })),
  );
  const named = (files: readonly string[], name: string): readonly string[] =>
    files.filter((file) => path.basename(file) === name);
  return old.flatMap((file): (readonly [string, string])[] => {
    if (now.includes(file)) return [[file, file]];
    const name = path.basename(file);
    const [later, ...others] = named(now, name);
    return later === undefined || others.length > 0 || named(old, name).length > 1 ? [] : [[file, later]];
  });
}

/** Nothing where the page cannot be read or is too large. */
async function render(within: Browser, file: string): Promise<ElementFingerprint[]> {
  const page = await within.newPage({ viewport: { width: 1280, height: 720 } });
  try {
    await page.route(/^https?:/, (route) => route.abort());
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
    await page.goto(pathToFileURL(file).href, { waitUntil: 'load', timeout: 8_000 }).catch(() => undefined);
    await page.waitForTimeout(300);
    const elements = [...(await visibleElements(page))];
    return elements.length > most.elements ? [] : elements;
  } catch {
    return [];
  } finally {
    await page.close().catch(() => undefined);
  }
}

/** Elements whose id is on both pages once, and that a scenario might use. An id that ends with a number was counted, and names a place. */
function sharedIds(
  old: readonly ElementFingerprint[],
  now: readonly ElementFingerprint[],
): (readonly [ElementFingerprint, ElementFingerprint])[] {
  const [before, after] = [old, now].map((elements) => {
    const byId = new Map<string, ElementFingerprint[]>();
    for (const element of elements)
      if (element.id) byId.set(element.id, [...(byId.get(element.id) ?? []), element]);
    return byId;
  });
  const pairsFound: (readonly [ElementFingerprint, ElementFingerprint])[] = [];
  for (const [id, [was, ...others]] of before ?? []) {
    const [is, ...further] = after?.get(id) ?? [];
    if (!was || !is || others.length + further.length > 0 || /\d$/.test(id)) continue;
    // The id went over to what stands around it.
    if ((kindOf(was) === 'box') !== (kindOf(is) === 'box')) continue;
    if (isUnchanged(was, is)) continue;
    if (kindOf(was) === 'box' && old.filter((one) => one.path?.startsWith(was.path + '/')).length > 10)
      continue;
    pairsFound.push([was, is]);
  }
  return pairsFound;
}

/** Any locator would still find it: nothing to heal. */
function isUnchanged(was: ElementFingerprint, is: ElementFingerprint): boolean {
  const told = ({
    path: place,
    text,
    accessibleName,
    classes,
    attributes,
    heading,
    neighbours,
  }: ElementFingerprint): string =>
    JSON.stringify([place, text, accessibleName, classes, attributes, heading, neighbours]);
  return told(was) === told(is);
}

function isUsed(element: ElementFingerprint): boolean {
  return /^(?:button|link|field|choice|checkbox|radio|tab|menuitem|slider|file)$/.test(kindOf(element));
}

/** Without its id, and whatever repeats the id or points to one. */
function hidden(element: ElementFingerprint): ElementFingerprint {
  const { id, name, classes, attributes, ...rest } = element;
  const kept = Object.entries(attributes ?? {}).filter(
    ([key, value]) => !pointers.includes(key) && value !== id,
  );
  return {
    ...rest,
    ...(name !== undefined && name !== id ? { name } : {}),
    ...(classes ? { classes: classes.filter((one) => one !== id) } : {}),
    ...(kept.length > 0 ? { attributes: Object.fromEntries(kept) } : {}),
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
