// The tools of the server, in the order an agent needs them.
import type { Tool } from './tool.ts';
import { applyFix } from './tools/applyFix.ts';
import { diagnoseFailure, proposeFixes, runFixCycle } from './tools/fixCycles.ts';
import { generateTest } from './tools/generateTest.ts';
import { decideHealing, listHealings } from './tools/healings.ts';
import { htmlReport } from './tools/htmlReport.ts';
import { listTests } from './tools/listTests.ts';
import { acceptFixes, getReview } from './tools/review.ts';
import { runnerInfo } from './tools/runnerInfo.ts';
import { runAffected, runFailed, runTests } from './tools/runTests.ts';
import { testHistory, testPlan } from './tools/history.ts';
import { teamMessages } from './tools/teamMessages.ts';
import { failureDetails, testReport } from './tools/testReports.ts';
import { verifyPatch } from './tools/verifyPatch.ts';

export const tools: readonly Tool[] = [
  runnerInfo,
  listTests,
  runTests,
  runFailed,
  runAffected,
  testReport,
  failureDetails,
  testHistory,
  testPlan,
  htmlReport,
  diagnoseFailure,
  proposeFixes,
  applyFix,
  runFixCycle,
  verifyPatch,
  generateTest,
  listHealings,
  decideHealing,
  teamMessages,
];

/** For the pages that clients show, in place of a person's hand: see `reviewPage`. */
export const toolsOfPages: readonly Tool[] = [getReview, acceptFixes];
