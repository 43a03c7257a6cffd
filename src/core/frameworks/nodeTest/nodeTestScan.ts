// The tests of one file of node:test from its text alone; a file without any is a test itself.
import path from 'node:path';
import { scanTests } from '../../syntax/javascript/scanTests.ts';
import { lineMap } from '../../syntax/lineMap.ts';
import type { ScanOptions, ScanResult } from '../framework.ts';
import { nodeTestVocabulary } from './vocabulary.ts';

export async function scanNodeTests(
  file: string,
  text: string,
  { thorough = false }: ScanOptions = {},
): Promise<ScanResult> {
  const scanned = thorough ? 'ambiguous' : scanTests(text, nodeTestVocabulary);
  if (scanned !== 'ambiguous') return withWholeFile(file, text, { tests: scanned, warnings: [] });
  const { parseTests } = await import('../../syntax/javascript/parseTests.ts');
  return withWholeFile(file, text, parseTests(text, file, nodeTestVocabulary));
}

/** Title of the one test that a file without tests is: node judges it by its exit code. Undefined where it has tests. */
export function wholeFileTitle(
  file: string,
  text: string,
  { tests }: Pick<ScanResult, 'tests'>,
): string | undefined {
  return tests.length > 0 || /\bnode:test\b/.test(text) ? undefined : path.basename(file);
}

function withWholeFile(file: string, text: string, result: ScanResult): ScanResult {
  const title = wholeFileTitle(file, text, result);
  if (title === undefined) return result;
  const range = lineMap(text).range(0, text.length);
  return { ...result, tests: [{ kind: 'test', title, mode: 'run', range, children: [] }] };
}
