// Names the frameworks that a workspace uses and this version does not run, so that nobody wonders where their tests are.
import path from 'node:path';
import { toRelativePosix } from '../base/paths.ts';
import type { FolderFacts } from './framework.ts';

interface Signs {
  readonly label: string;
  readonly packages?: readonly string[];
  readonly files?: RegExp;
}

/** In the order of CONTRACTS T1. */
const others: readonly Signs[] = [
  { label: 'cypress', packages: ['cypress'], files: /^cypress\.config\.[cm]?[jt]s$/ },
];

/** One sentence for each such framework, naming the first places. */
export function unsupportedNotes(folders: readonly FolderFacts[], root: string): readonly string[] {
  return others.flatMap((signs) => {
    const places = folders.flatMap((facts) => placeOf(signs, facts) ?? []);
    if (places.length === 0) return [];
    const named = places.slice(0, 3).map((place) => toRelativePosix(root, place));
    const rest = places.length > 3 ? ` and ${places.length - 3} more` : '';
    return [`${signs.label} is used (${named.join(', ')}${rest}); this version does not run it.`];
  });
}

function placeOf({ label, packages = [], files }: Signs, facts: FolderFacts): string | undefined {
  const { scripts = {}, dependencies = {}, devDependencies = {} } = facts.packageJson ?? {};
  const named = packages.some((name) => name in dependencies || name in devDependencies);
  const started = new RegExp(`(?:^|[\\s/])${label}\\b`).test(scripts['test'] ?? '');
  if (named || started) return path.join(facts.folder, 'package.json');
  const file = files && [...facts.names].find((name) => files.test(name));
  return file === undefined ? undefined : path.join(facts.folder, file);
}
