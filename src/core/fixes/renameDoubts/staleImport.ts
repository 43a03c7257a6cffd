// Whether a JavaScript source still imports a name from where a test would no longer look for it.
import path from 'node:path';
import type ts from 'typescript';
import { toRelativePosix } from '../../base/paths.ts';
import { findImportSites } from '../imports/importSites.ts';
import type { ExportReader } from '../imports/moduleExports.ts';
import type { Revisions } from '../imports/revisions.ts';
import { openTestModule } from '../imports/testModule.ts';
import { usesMember } from './confirmingLine.ts';
import { tooMany, type WorkspaceSources } from './workspaceSources.ts';

/** `require(name)`, `import(path)`: which module that is a run decides. */
const loadsByName = /\b(?:require|import)\s*\(\s*(?!['"`)])/;

/** Of an export of before, by its absolute file: a sentence that names file and line; undefined where all sources went along. */
export type StaleImports = (name: string, before: string) => Promise<string | undefined>;

export function createStaleImports(
  typescript: typeof ts,
  revisions: Revisions,
  exportsNow: ExportReader,
  sources: WorkspaceSources,
): StaleImports {
  const isGone = async (specifier: string, from: string, name: string): Promise<boolean> => {
    const current = revisions.now.resolver.resolve(specifier, from);
    if (current.kind !== 'file') return current.kind === 'missing';
    const present = await exportsNow(current.file);
    return !present.names.has(name);
  };
  return async (name, before) => {
    // Where a default export is used, nothing names it.
    const word = name === 'default' ? path.parse(before).name : name;
    const found = await sources.mentioning(word, before, 'anywhere');
    if (found === undefined) return tooMany(name);
    const hidden = found.find(({ text }) => loadsByName.test(text) && usesMember(word)(text));
    if (hidden !== undefined) return `${hidden.file} uses ${word} from a module whose name is computed.`;
    for (const { file, text } of found) {
      const from = path.join(revisions.root, file);
      const module = openTestModule(typescript, from, text);
      for (const { specifier, uses, literal } of findImportSites(module)) {
        const use = uses.find((one) => one.name === name && !one.isMock);
        if (use === undefined) continue;
        const old = revisions.before.resolver.resolve(specifier, revisions.pathBefore(from) ?? from);
        if (old.kind !== 'file' || old.file !== before || !(await isGone(specifier, from, name))) continue;
        const at = use.takenAt ?? use.places[0] ?? literal.getStart();
        const line = module.source.getLineAndCharacterOfPosition(at).line + 1;
        return `Line ${line} of ${toRelativePosix(revisions.root, from)} still imports ${name} from there.`;
      }
    }
    return undefined;
  };
}
