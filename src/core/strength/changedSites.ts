// Which calls that make tests a change of test files touches.
import { repeatTests, type TestSite } from './repeatTests.ts';

/** A test file that changes: its text before and after, under the name that it has after. */
export interface ChangedTests {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface SiteChanges {
  /** Was this one, of a text before the change, taken away or changed? */
  formerly(site: TestSite): boolean;
  /** Was it taken away? */
  isGone(site: TestSite): boolean;
  /** Is this one, of a text after the change, new or changed? */
  now(site: TestSite): boolean;
}

/** Where something else of a file changes than tests and imports, all tests of it do. */
export function changedSites(tests: readonly ChangedTests[]): SiteChanges {
  const formerly = new Set<string>();
  const gone = new Set<string>();
  const now = new Set<string>();
  for (const { file, before, after } of tests) {
    const [old, present] = [before, after].map((text) => repeatTests(file, text ?? '', 'planted', 1));
    if (!old || !present) continue;
    const isAll = old.rest !== present.rest;
    const [was, is] = [byName(old.sites), byName(present.sites)];
    for (const [name, site] of was) {
      const counterpart = is.get(name);
      if (counterpart === undefined) gone.add(placeOf(site));
      if (isAll || counterpart?.text !== site.text) formerly.add(placeOf(site));
    }
    for (const [name, site] of is) if (isAll || was.get(name)?.text !== site.text) now.add(placeOf(site));
  }
  return {
    formerly: (site) => formerly.has(placeOf(site)),
    isGone: (site) => gone.has(placeOf(site)),
    now: (site) => now.has(placeOf(site)),
  };
}

/** Several of one name are told apart by their order. */
function byName(sites: readonly TestSite[]): ReadonlyMap<string, TestSite> {
  const named = new Map<string, TestSite>();
  for (const site of sites) {
    const name = [...site.suites, site.title].join('\n');
    let nth = 0;
    while (named.has(`${name}\n${nth}`)) nth++;
    named.set(`${name}\n${nth}`, site);
  }
  return named;
}

const placeOf = ({ file, line, suites, title }: TestSite): string =>
  [file, line, ...suites, title].join('\n');
