// Which Testmend this is.
declare const TESTMEND_VERSION: string | undefined;

/** The version from the build, or from package.json when run from source. */
export async function readVersion(): Promise<string> {
  if (typeof TESTMEND_VERSION === 'string') return TESTMEND_VERSION;
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return /"version": "([^"]+)"/.exec(text)?.[1] ?? 'unknown';
}
