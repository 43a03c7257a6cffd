// Knows what changes in a workspace beside its code: reports that test tools and we ourselves leave, notes, prose.
import { open } from 'node:fs/promises';
import path from 'node:path';

/** Where these kinds of reports show what they are, in their first lines. */
const beginnings: ReadonlyMap<string, RegExp> = new Map([
  ['.patch', /^/],
  ['.diff', /^/],
  ['.log', /^/],
  ['.info', /^(?:TN|SF):/m],
  ['.xml', /<(?:testsuites?|coverage)[\s>]/],
  ['.md', /^# (?:Testmend: |.*\bTestmend did not mend$)/m],
  [
    '.json',
    /^\{\s*"(?:status":\s*"(?:passed|needs-attention|nothing-to-do)",[^]{0,200}"passRate|total":\s*\d+,\s*"passed":)/,
  ],
  ['.ndjson', /^\{"type":"cycleStarted"/],
  ['.html', /<title>Testmend /],
]);

/** By what it holds, not by its name; `file` is absolute. What cannot be read is none. */
export async function isLeftByTools(file: string): Promise<boolean> {
  const known = beginnings.get(path.extname(file).toLowerCase());
  return known !== undefined && known.test(await beginningOf(file));
}

/** Names of settings that decide how tests run, whatever their folder. */
const settings = /^(?:\..*|package|.*config.*|.*settings.*|pnpm-.*|deno|bunfig|composer)$/i;
/** Folders whose files may be read by tests or sources without being imported. */
const readFolders =
  /(?:^|\/)(?:tests?|__\w+__|specs?|e2e|cypress|fixtures?|testdata|snapshots?|data|mocks?|resources?|assets|public|static|templates?|locales?|i18n|content|src|source|lib|app|packages)\//i;
const texts = /\.(?:md|rst|adoc)$/i;
const data =
  /\.(?:md|rst|adoc|txt|log|json|jsonl|ndjson|csv|tsv|xml|html|pdf|png|jpe?g|gif|svg|zip|gz|tmp|bak|orig)$/i;

/**
 * Is this change by itself no reason to look for the cause of a failure in it? A new file that is neither code nor a setting and lies
 * where neither tests nor sources read, like notes, a recording or the files of a session; and prose at the top or in `docs/`.
 * `file` is relative to the root, POSIX separators.
 */
export function isBesideTheCode(file: string, status: 'added' | 'modified' | 'deleted' | 'renamed'): boolean {
  const { dir, name } = path.posix.parse(file);
  if (texts.test(file) && /^(?:docs?(?:\/.*)?)?$/i.test(dir)) return true;
  return status === 'added' && data.test(file) && !settings.test(name) && !readFolders.test(`${dir}/`);
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(1024) });
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await handle.close();
  }
}
