// Proposes to complete the factory of a mocked module that lacks an export which the changed source uses now.
import path from 'node:path';
import { hashText } from '../../base/hash.ts';
import { changesReaching } from '../../diagnosis/stops.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { parseTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';
import { completeFactory, factorySites, type FactorySite } from './factorySites.ts';

export const providerId = 'mock-factories';

export async function proposeFactories(context: FixContext): Promise<readonly Fix[]> {
  const wanted = new Map<string, { readonly results: TestResult[]; readonly lack: Lack }>();
  for (const { result } of context.failing) {
    const lack = result.failure && lackOf(result.failure.message);
    if (lack === undefined || !context.isTestFile(result.file)) continue;
    const key = JSON.stringify([result.file, lack]);
    const known = wanted.get(key);
    if (known === undefined) wanted.set(key, { results: [result], lack });
    else known.results.push(result);
  }
  const fixes: Fix[] = [];
  for (const { results, lack } of wanted.values()) {
    if (context.signal.aborted) break;
    fixes.push(...(await complete(results, lack, context)));
  }
  return fixes;
}

interface Lack {
  readonly name: string;
  /** As the failure names it; jest names none. */
  readonly module?: string;
}

function lackOf(message: string): Lack | undefined {
  const vitest = /No "(?<name>[^"]+)" export is defined on the "(?<module>[^"]+)" mock/.exec(message)?.groups;
  if (vitest?.['name'] !== undefined && vitest['module'] !== undefined)
    return { name: vitest['name'], module: vitest['module'] };
  const jest = /\(0 ?, ?_?\w+\.(?<name>[\w$]+)\) is not a (?:function|constructor)/.exec(message)?.groups;
  return jest?.['name'] === undefined ? undefined : { name: jest['name'] };
}

async function complete(
  results: readonly TestResult[],
  lack: Lack,
  context: FixContext,
): Promise<readonly Fix[]> {
  const [first] = results;
  const text = first && (await context.readText(first.file));
  if (first === undefined || text === undefined) return [];
  const refuse = (reason: string): readonly Fix[] => {
    for (const { id } of results) context.refuse?.(id, reason);
    return [];
  };
  const tree = parseTree(first.file, text);
  const sites: FactorySite[] = [];
  for (const site of factorySites(tree))
    if (isOf(site, lack) && !site.keys.has(lack.name) && (await isReal(site, lack.name, first.file, context)))
      sites.push(site);
  const [site, another] = sites;
  if (site === undefined) return [];
  if (another !== undefined)
    return refuse(
      `${lack.name} may come from ${site.module} or ${another.module}, so the module is unclear.`,
    );
  const { reaching, when } = await changesReaching(first.file, context.changes);
  const user = await newUser(
    lack.name,
    reaching.map((one) => one.file).filter((file) => !isModule(file, site.module, first.file)),
    context,
  );
  if (user === undefined) return refuse(`No source file that changed ${when} uses ${lack.name}.`);
  const changes = completeFactory(tree, site);
  if (changes === undefined) return [];
  const edits = [fileEdit(first.file, text, changes)];
  return [
    {
      id: hashText(JSON.stringify([providerId, edits])),
      title: `take the rest of ${site.module} from the real module`,
      grade: 'conservative',
      trust: 'oracle',
      mendsCalls: true,
      edits,
      failures: results.map(({ id }) => id),
      provider: providerId,
      confidence: 0.85,
      evidence: [
        `${user} uses ${lack.name} ${when}, but the mock of ${site.module} in the test does not provide it.`,
        'The exports that the mock defines stay mocked; all others are the real ones.',
      ],
    },
  ];
}

/** Vitest names the module as it was asked for, or by its place. */
function isOf({ library, module }: FactorySite, lack: Lack): boolean {
  if (lack.module === undefined) return library === 'jest';
  const bare = (name: string): string => path.posix.basename(name).replace(/\.[cm]?[jt]sx?$/, '');
  return library === 'vi' && (module === lack.module || bare(module) === bare(lack.module));
}

/** Does the module itself, when it is one of the workspace, have the export? A package is taken at its word. */
async function isReal(
  { module }: FactorySite,
  name: string,
  from: string,
  context: FixContext,
): Promise<boolean> {
  if (!module.startsWith('.')) return true;
  const target = path.posix.join(path.posix.dirname(from), module);
  const bare = target.replace(/\.[cm]?[jt]sx?$/, '');
  const endings = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cjs', '/index.ts', '/index.js'];
  for (const file of [target, ...endings.map((ending) => bare + ending)]) {
    const text = /\.[cm]?[jt]sx?$/.test(file) ? await context.readText(file) : undefined;
    if (text !== undefined) return new RegExp(String.raw`\b${name.replace(/\$/g, '\\$')}\b`).test(text);
  }
  return false;
}

function isModule(file: string, module: string, from: string): boolean {
  const bare = (name: string): string => name.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
  return bare(path.posix.join(path.posix.dirname(from), module)) === bare(file);
}

/** A changed source that has the name and did not have it before. */
async function newUser(
  name: string,
  files: readonly string[],
  context: FixContext,
): Promise<string | undefined> {
  const word = new RegExp(String.raw`(?<![\w$])${name.replace(/\$/g, '\\$')}(?![\w$])`);
  for (const file of files) {
    const [before, now] = await Promise.all([context.changes.baseText(file), context.readText(file)]);
    if (now !== undefined && word.test(now) && !(before !== undefined && word.test(before))) return file;
  }
  return undefined;
}
