// Which compiler this process asks: the workspace's own where that is possible, since each version finds other errors.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Makes the compiler that the test file finds inside the workspace the one that every later `import 'typescript'` of this process gets,
 * and says whose it is. Runs code of the workspace: only for a test whose run did the same. `root` is absolute, `file`
 * relative to it.
 */
export function chooseCompiler(root: string, file: string): 'the project' | 'Testmend' {
  const load = createRequire(import.meta.url);
  // The bundle beside this one, else the source.
  const beside = path.join(path.dirname(fileURLToPath(import.meta.url)), 'typescript.cjs');
  const bundled = existsSync(beside) ? beside : load.resolve('typescript');
  const own = ownCompiler(root, file);
  if (own === undefined || !isUsable(own, load)) return 'Testmend';
  load.cache[bundled] = load.cache[load.resolve(own)];
  return 'the project';
}

/** The nearest one, as Node looks for it, but not beyond the workspace. */
function ownCompiler(root: string, file: string): string | undefined {
  for (let folder = path.dirname(path.join(root, file)); ; folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules/typescript');
    if (existsSync(found)) {
      const script = path.join(found, 'lib/typescript.js');
      return existsSync(script) ? script : undefined;
    }
    if (folder === root || folder === path.dirname(folder)) return undefined;
  }
}

/** Can it be loaded, and does it have all the functions that are used here (4.9: `isSatisfiesExpression`)? */
function isUsable(script: string, load: NodeJS.Require): boolean {
  try {
    const { version }: { readonly version?: unknown } = load(script);
    if (typeof version !== 'string') return false;
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return major < 7 && (major > 4 || (major === 4 && minor >= 9));
  } catch {
    return false;
  }
}
