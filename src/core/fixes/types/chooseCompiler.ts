// Which compiler this process asks: the workspace's own where that is possible, since each version finds other errors.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Makes the compiler that the test file finds inside the workspace the one that every later `import 'typescript'` of this process gets,
 * and says whose it is, and why it is not that one. Runs code of the workspace: only for a test whose run did the same. `root`
 * is absolute, `file` relative to it.
 */
export function chooseCompiler(root: string, file: string): string {
  const load = createRequire(import.meta.url);
  // The bundle beside this one, else the source.
  const beside = path.join(path.dirname(fileURLToPath(import.meta.url)), 'typescript.cjs');
  const bundled = existsSync(beside) ? beside : load.resolve('typescript');
  const own = ownCompiler(root, file);
  const compiler = own === undefined ? undefined : loaded(own, load);
  if (own === undefined || compiler === undefined) return 'Testmend';
  if (!isSupported(compiler.version))
    return `Testmend; the project's ${compiler.version} is not supported: use 4.7 to 6`;
  // Older than the operator `satisfies`.
  compiler.isSatisfiesExpression ??= () => false;
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

interface LoadedCompiler {
  readonly version: string;
  isSatisfiesExpression?: unknown;
}

function loaded(script: string, load: NodeJS.Require): LoadedCompiler | undefined {
  try {
    const compiler: Partial<LoadedCompiler> = load(script);
    return hasVersion(compiler) ? compiler : undefined;
  } catch {
    return undefined;
  }
}

const hasVersion = (compiler: Partial<LoadedCompiler>): compiler is LoadedCompiler =>
  typeof compiler.version === 'string';

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 7 && (major > 4 || (major === 4 && minor >= 7));
}
