// A sample project in git, green at its commit, into which a trap is laid and which is put back after each.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastGlob from 'fast-glob';
import { z } from 'zod';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';

export const projectsFolder = path.resolve(import.meta.dirname, '../fixtures/traps');

/** What a fix cycle made of a trap. */
export interface Sprung {
  /** Whether any test was red. */
  readonly isNoticed: boolean;
  /** Test files that it changed on the disk. */
  readonly edited: readonly string[];
  /** Titles of what it applied. */
  readonly applied: readonly string[];
  /** Fault by test that is still red. */
  readonly faults: ReadonlyMap<string, string>;
  readonly reasons: ReadonlyMap<string, string>;
}

export async function trapProject(name: string): Promise<TemporaryWorkspace> {
  const folder = path.join(projectsFolder, name);
  const files: Record<string, string> = {};
  for (const file of await fastGlob('**/*', { cwd: folder, ignore: ['node_modules'] }))
    files[file] = await readFile(path.join(folder, file), 'utf8');
  return trapWorkspace(name, files);
}

/** A repository of these files with the frameworks that its package.json names. */
export function trapWorkspace(
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<TemporaryWorkspace> {
  const { devDependencies = {} } = manifestSchema.parse(JSON.parse(files['package.json'] ?? '{}'));
  const packages = Object.keys(devDependencies);
  return temporaryWorkspace(files, {
    name,
    git: true,
    packages: packages.includes('vitest') ? [...packages, 'vite'] : packages,
  });
}

/** Lets a whole fix cycle apply what it may, tells what that was, and puts the tests back. */
export async function spring(workspace: TemporaryWorkspace, options: readonly string[]): Promise<Sprung> {
  const { root } = workspace;
  const before = workspace.git('status', '--porcelain').split('\n');
  const { stdout, stderr } = await testmend(['fix', '--apply', '--json', '--timeout', '30', ...options], {
    cwd: root,
    limitMs: 240_000,
  });
  const parsed = fixSchema.safeParse(JSON.parse(stdout === '' ? '{}' : stdout));
  if (!parsed.success) throw new Error(`no report of the cycle in ${root}:\n${stdout}\n${stderr}`);
  const edited = workspace
    .git('status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '' && !before.includes(line))
    .map((line) => line.slice(3));
  if (edited.length > 0) workspace.git('checkout', '-q', '--', ...edited);
  const { fixes, remaining } = parsed.data;
  const isApplied = (files: readonly string[]): boolean => files.some((file) => edited.includes(file));
  return {
    isNoticed: fixes.length + remaining.length > 0,
    edited,
    applied: fixes.filter(({ verdict, files }) => verdict === 'verified' && isApplied(files)).map(titleOf),
    faults: new Map(remaining.map(({ id, fault }) => [id, fault])),
    reasons: new Map(remaining.map(({ id, reason }) => [id, reason])),
  };
}

const titleOf = ({ title, trust }: { title: string; trust: string }): string => `${trust}: ${title}`;

const manifestSchema = z.object({ devDependencies: z.record(z.string(), z.string()).optional() });
const fixSchema = z.object({
  fixes: z.array(
    z.object({ title: z.string(), trust: z.string(), verdict: z.string(), files: z.array(z.string()) }),
  ),
  remaining: z.array(z.object({ id: z.string(), fault: z.string(), reason: z.string() })),
});
