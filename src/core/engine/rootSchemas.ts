// What an engine is told about a root, and what it tells of it, as data that may cross a process: settings, projects, targets, results.
import { z } from 'zod';
import { historyRuns } from '../model/historyRuns.ts';
import { layerGlobsSchema } from '../model/settings.ts';
import { frameworkIds, type FrameworkId } from '../model/testNode.ts';
import { testResultSchema } from '../model/testResult.ts';

/** What the engine is told about one workspace folder; `root` is its absolute real path. */
export const rootSettingsSchema = z.object({
  root: z.string(),
  frameworks: z.array(z.string()).default([]),
  maxParallel: z.number().int().min(0).default(0),
  timeoutSeconds: z.number().positive().default(300),
  skillTimeoutSeconds: z.number().positive().default(30),
  nodePath: z.string().default(''),
  pythonPath: z.string().default(''),
  historyRuns: z.number().int().min(1).max(historyRuns.most).default(historyRuns.usual),
  layers: layerGlobsSchema.default({}),
  assume: z.enum(['ask', 'source-is-right']).default('ask'),
  strategy: z.enum(['auto', 'conservative', 'aggressive', 'surgical']).default('auto'),
  sandbox: z.enum(['copy', 'inPlace']).default('copy'),
  maxIterations: z.number().int().positive().default(10),
  targetPassRate: z.number().min(0).max(100).default(95),
  /** Fixers of the nursery that are on. */
  nursery: z.array(z.string()).default([]),
  /** Globs of the sources whose coverage is told. */
  coverage: z.array(z.string()).default([]),
});
export type RootSettings = z.infer<typeof rootSettingsSchema>;

export const frameworkIdSchema: z.ZodType<FrameworkId> = z.enum(frameworkIds);

/** One framework at one place, with its test files and without their tests. */
export const listedProjectSchema = z.object({
  root: z.string(),
  framework: frameworkIdSchema,
  /** As people write it: "Vitest". */
  label: z.string(),
  /** Folder of the project relative to the root, POSIX; empty for the root itself. */
  folder: z.string(),
  version: z.string().optional(),
  problem: z.object({ message: z.string(), file: z.string().optional(), remedy: z.string() }).optional(),
  files: z.array(z.object({ id: z.string(), file: z.string(), project: z.string().optional() })),
});
export type ListedProject = z.infer<typeof listedProjectSchema>;

/** A file, or a suite or test in it by the names of its suites and title. */
export const targetSchema = z.object({
  fileId: z.string(),
  /** Absent for the whole file. */
  names: z.array(z.string()).optional(),
  /** Id of the suite or test, when there are names. */
  id: z.string().optional(),
});
export type Target = z.infer<typeof targetSchema>;

export const knownResultSchema = z.object({
  result: testResultSchema,
  /** Its file, what that imports or the configuration changed since. */
  outdated: z.boolean(),
});
export type KnownResult = z.infer<typeof knownResultSchema>;

const shareSchema = z.object({ covered: z.number(), total: z.number() });
/** Sums only: a file's details are asked for when somebody looks at it. */
export const fileTotalsSchema = z.object({
  file: z.string(),
  statements: shareSchema,
  branches: shareSchema,
  functions: shareSchema,
  /** Ids of the tests that ran some of it, where the framework tells. */
  tests: z.array(z.string()).optional(),
});
export type FileTotals = z.infer<typeof fileTotalsSchema>;

export const listedSkillSchema = z.object({
  shortName: z.string(),
  skillName: z.string(),
  skillType: z.string(),
  /** Of the skill, relative to the root; absent for a tests file without a skill. */
  folder: z.string().optional(),
  fileId: z.string().optional(),
});
export type ListedSkill = z.infer<typeof listedSkillSchema>;
