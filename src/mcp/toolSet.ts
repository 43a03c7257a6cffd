// The tools of the server, in the order an agent needs them.
import type { Tool } from './tool.ts';
import { listTests } from './tools/listTests.ts';
import { runnerInfo } from './tools/runnerInfo.ts';
import { runAffected, runFailed, runTests } from './tools/runTests.ts';
import { failureDetails, testReport } from './tools/testReports.ts';

export const tools: readonly Tool[] = [
  runnerInfo,
  listTests,
  runTests,
  runFailed,
  runAffected,
  testReport,
  failureDetails,
];
