// Results grouped by their test file, in the order in which the files first occur.
import type { TestResult } from '../model/testResult.ts';

export function testsByFile(tests: readonly TestResult[]): Map<string, TestResult[]> {
  const files = new Map<string, TestResult[]>();
  for (const test of tests) {
    const own = files.get(test.file);
    if (own) own.push(test);
    else files.set(test.file, [test]);
  }
  return files;
}
