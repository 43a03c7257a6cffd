// What a replay tells, commit by commit and in total: the document of `testmend replay --json` (REPAIR "Honest scoring").
import { z } from 'zod';
import { faultSchema, trustSchema } from '../model/fix.ts';

/** How an edit compares with what the author of the commit did to the same place. */
const likenessSchema = z.enum(['identical', 'formatting', 'literals', 'different']);
export type Likeness = z.infer<typeof likenessSchema>;

const brokenTestSchema = z.object({
  id: z.string(),
  /** Relative to the root, POSIX separators. */
  file: z.string(),
  /** Suites and title. */
  title: z.string(),
});
export type BrokenTest = z.infer<typeof brokenTestSchema>;

/** Bugs laid into the changed lines of the source, and how many of them the mended tests notice. */
const killsSchema = z.object({
  mutants: z.number().int(),
  ours: z.number().int(),
  /** The author's own version of the same tests. */
  theirs: z.number().int(),
});
export type Kills = z.infer<typeof killsSchema>;

const settingScoreSchema = z.object({
  /** Fixes that this setting writes. */
  applied: z.array(z.object({ title: z.string(), provider: z.string(), trust: trustSchema })),
  /** P: the tests it is for pass and nothing is newly red, three runs; with the source taken as right these are all broken ones. */
  passes: z.boolean().nullable(),
  /** S: only test files changed, and the fix policy holds. */
  clean: z.boolean().nullable(),
  /** K1: the mended tests are red on the old source, unless the author's own version is green there too. */
  redOnOldSource: z.boolean().nullable(),
  /** K2: absent when mutants were not asked for, or nothing could be compared. */
  kills: killsSchema.optional(),
  /** P and S and K1, and K2 where it was asked. */
  sound: z.boolean(),
  /** H. */
  likeness: likenessSchema.nullable(),
  /** Sound, and not different from what the author did. */
  correct: z.boolean(),
  /** What was applied is not sound for the tests it says it mends, or differs from what the author did. */
  wrong: z.boolean(),
  /** What P, S, K1 or K2 lacks, one sentence each. */
  faults: z.array(z.string()),
  /** Broken tests that this setting leaves as they are, and why. */
  refused: z.array(
    z.object({
      id: z.string(),
      fault: faultSchema,
      reason: z.string(),
      /** What is known of the failure is handed over. */
      handedOver: z.boolean(),
    }),
  ),
  /** What only a person may apply, or what could not be proven. */
  offered: z.array(
    z.object({
      title: z.string(),
      provider: z.string(),
      trust: trustSchema,
      verdict: z.enum(['verified', 'rejected', 'unverifiable']),
      reason: z.string().optional(),
      failures: z.array(z.string()),
      /** It takes a broken test away. */
      deletes: z.boolean(),
      /** It says what may be right instead of it: the input, or that the test is obsolete. */
      otherSide: z.string().optional(),
    }),
  ),
  /** Unified diff of what this setting writes. */
  patch: z.string(),
  durationMs: z.number(),
});
export type SettingScore = z.infer<typeof settingScoreSchema>;

const commitRecordSchema = z.object({
  commit: z.string(),
  parent: z.string(),
  subject: z.string(),
  /** ISO, the day of the commit. */
  date: z.string(),
  /** Of a list of cases that has one. */
  repository: z.string().optional(),
  category: z.string().optional(),
  /**
   * case: tests broke and the commit mended them · intact: no test broke · irrelevant: it does not change both source and tests ·
   * skipped: nothing can be said, `reason` tells why.
   */
  state: z.enum(['case', 'intact', 'irrelevant', 'skipped']),
  reason: z.string().optional(),
  broken: z.array(brokenTestSchema),
  /** Only what needs nobody's consent. */
  automatic: settingScoreSchema.optional(),
  /** Changed expectations are accepted beforehand: `--assume source-is-right`. */
  sourceIsRight: settingScoreSchema.optional(),
  /** What REPAIR asks for this category; absent without a category. */
  rightOutcome: z.boolean().optional(),
  notes: z.array(z.string()),
  durationMs: z.number(),
});
export type CommitRecord = z.infer<typeof commitRecordSchema>;

/** Cases, counted for one setting. */
const settingTotalsSchema = z.object({
  /** Something was applied. */
  applied: z.number().int(),
  /** Fixes in these. */
  fixes: z.number().int(),
  correct: z.number().int(),
  sound: z.number().int(),
  passes: z.number().int(),
  /** Nothing was applied. */
  refused: z.number().int(),
  /** What was applied is right for the tests it says it mends, and leaves others red. */
  partly: z.number().int(),
  /** Something was applied that is not sound for these tests, or differs from what the author did. */
  wrong: z.number().int(),
});
export type SettingTotals = z.infer<typeof settingTotalsSchema>;

const replayTotalsSchema = z.object({
  commits: z.number().int(),
  /** Commits that change both source and tests. */
  relevant: z.number().int(),
  skipped: z.number().int(),
  cases: z.number().int(),
  brokenTests: z.number().int(),
  /** Judged by the tests that its fixes are for. */
  automatic: settingTotalsSchema,
  /** Judged by all broken tests. */
  sourceIsRight: settingTotalsSchema,
  /** Of cases with a category. */
  rightOutcome: z.number().int(),
});
export type ReplayTotals = z.infer<typeof replayTotalsSchema>;

export const replayReportSchema = z.object({
  root: z.string(),
  totals: replayTotalsSchema,
  /** What doing nothing scores: by the definition of a case, none of it passes. */
  baseline: z.object({ nothing: z.object({ passes: z.number().int(), correct: z.number().int() }) }),
  byCategory: z.record(z.string(), replayTotalsSchema),
  commits: z.array(commitRecordSchema),
  /** Were mutants of the changed lines tried (K2)? */
  mutants: z.boolean(),
  notes: z.array(z.string()),
  ended: z.enum(['complete', 'cancelled', 'timeout']),
  durationMs: z.number(),
});
export type ReplayReport = z.infer<typeof replayReportSchema>;
