// Whether a file has tests of node:test: it names the module, or what it imports does.
import { scanSpecifiers } from '../../modules/importScan.ts';
import { relativeResolver, textOfFile } from '../configFiles.ts';

/** A wrapper of the module lies near: so many imports away, among so many files. */
const farthest = 3;
const mostFiles = 30;

const namesModule = (text: string): boolean => /['"`]node:test['"`]/.test(text);
const callsTests = /(?<![.\w$])(?:test|it|describe|suite)\s*[.(]/;
/** At the top of the file, by whatever library. */
const declaresTests = /^(?:await\s+)?(?:test|it|describe|suite)(?:\.\w+)*\s*\(/m;
const exportsSomething = /\bexports\b|^\s*export\b/m;
const resolve = relativeResolver(['.js', '.ts', '.cjs', '.mjs']);

/** Does the file name the module? By its text alone. */
export function usesNodeTest(file: string): boolean {
  return namesModule(textOfFile(file) ?? '');
}

/**
 * Tells of files, each read once, whether they are tests; by their texts alone. With `runsAll`, where node runs whatever lies in a
 * folder, a script that exports nothing is one, too, and one that declares tests.
 */
export function nodeTestUse(runsAll: boolean): (file: string) => boolean {
  const links = new Map<string, 'module' | readonly string[]>();
  const linksOf = (file: string): 'module' | readonly string[] => {
    const known = links.get(file);
    if (known !== undefined) return known;
    const text = textOfFile(file) ?? '';
    const found = namesModule(text) ? 'module' : relativeImports(file, text);
    links.set(file, found);
    return found;
  };
  return (file) => {
    const text = textOfFile(file) ?? '';
    if (namesModule(text)) return true;
    const isRun = runsAll && /\.[cm]?js$/.test(file) && text.trim() !== '';
    if (isRun && (!exportsSomething.test(text) || declaresTests.test(text))) return true;
    if (!callsTests.test(text)) return false;
    const seen = new Set([file]);
    let level: readonly string[] = relativeImports(file, text);
    for (let depth = 0; depth < farthest && level.length > 0; depth++) {
      const next: string[] = [];
      for (const one of level) {
        if (seen.has(one) || seen.size > mostFiles) continue;
        seen.add(one);
        const found = linksOf(one);
        if (found === 'module') return true;
        next.push(...found);
      }
      level = next;
    }
    return false;
  };
}

function relativeImports(file: string, text: string): readonly string[] {
  const relative = scanSpecifiers(text).modules.filter((one) => one.startsWith('.'));
  return relative.flatMap((specifier) => resolve(file, specifier) ?? []);
}
