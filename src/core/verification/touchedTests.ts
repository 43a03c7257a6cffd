// Which tests a patch touches, told by its lines.
import path from 'node:path';
import { readSnapshotFile, testsOfEntry } from '../fixes/snapshots/snapshotFile.ts';
import { snapshotOwner } from '../frameworks/testFiles.ts';
import { assignIds, fileIdOf, frameworkOfId } from '../model/testId.ts';
import { visitTests } from '../model/testNode.ts';
import type { TestResult } from '../model/testResult.ts';
import { diffOfLines } from '../workspace/lineDiff.ts';
import type { PatchedFile } from '../workspace/unifiedDiff.ts';
import type { OpenVerification, VerificationRequest } from './openVerification.ts';

/** Ids of the tests in which a line differs, by a look at the text alone. */
export async function touchedTests(
  files: readonly PatchedFile[],
  verification: OpenVerification,
  request: Pick<VerificationRequest, 'frameworks'>,
  baseline: ReadonlyMap<string, TestResult>,
): Promise<readonly string[]> {
  const touched: string[] = [];
  for (const { file, before, after } of files) {
    if (file.endsWith('.snap')) touched.push(...testsOfSnapshots(file, before, after, baseline));
    const fileIds = new Set(
      [...baseline.values()].filter((test) => test.file === file).map((test) => fileIdOf(test.id)),
    );
    if (after === undefined || fileIds.size === 0) continue;
    const framework = verification.projects.find(({ framework: id }) =>
      [...fileIds].some((fileId) => frameworkOfId(fileId) === id),
    );
    if (!framework) continue;
    const { tests } = await request
      .frameworks(framework.framework)
      .scan(path.join(verification.sandbox.root, file), after);
    const lines = changedLines(before ?? '', after);
    for (const fileId of fileIds) {
      const own: { readonly id: string; readonly from: number; readonly to: number }[] = [];
      visitTests(assignIds(fileId, tests), ({ kind, id, range }) => {
        if (kind !== 'suite') own.push({ id, from: range.start.line, to: range.end.line });
      });
      const holds = (line: number, { from, to }: (typeof own)[number]): boolean => line >= from && line <= to;
      touched.push(...own.filter((test) => lines.some((line) => holds(line, test))).map(({ id }) => id));
      const outside = lines.filter((line) => !own.some((test) => holds(line, test)));
      if (/\.(?:py|go)$/.test(file) && outside.length > 0)
        touched.push(...usersOf(namesOn(outside, after, file), own, after));
    }
  }
  return touched;
}

/** Names of these lines outside of the tests: of imports and constants; in Go of the variables whose values they are. */
function namesOn(lines: readonly number[], text: string, file: string): readonly string[] {
  const written = text.split('\n');
  if (file.endsWith('.go'))
    return lines.flatMap((line) => {
      const before = written.slice(0, line).map((one) => /^var\s+(\w+)/.exec(one)?.[1]);
      return before.findLast((name) => name !== undefined) ?? [];
    });
  return lines
    .flatMap((line) => written[line - 1]?.match(/\b[A-Za-z_]\w*/g) ?? [])
    .filter((name) => !/^(?:from|import|as)$/.test(name));
}

/** Ids of the tests that mention one of these names; all, where none does. */
function usersOf(
  names: readonly string[],
  tests: readonly { readonly id: string; readonly from: number; readonly to: number }[],
  text: string,
): readonly string[] {
  const written = text.split('\n');
  const isUser = ({ from, to }: (typeof tests)[number]): boolean => {
    const words = new Set(
      written
        .slice(from - 1, to)
        .join('\n')
        .match(/\w+/g),
    );
    return names.some((name) => words.has(name));
  };
  const users = tests.filter(isUser);
  return (users.length > 0 ? users : tests).map(({ id }) => id);
}

/** Ids of the tests whose stored snapshots differ. */
function testsOfSnapshots(
  file: string,
  before = '',
  after = '',
  baseline: ReadonlyMap<string, TestResult>,
): readonly string[] {
  const owner = snapshotOwner(file);
  const tests = [...baseline.values()].filter((test) => test.file === owner);
  const was = new Map((readSnapshotFile(before) ?? []).map(({ name, value }) => [name, value]));
  return (readSnapshotFile(after) ?? [])
    .filter(({ name, value }) => was.get(name) !== value)
    .flatMap(({ name }) => testsOfEntry(name, tests).map(({ id }) => id));
}

/** Lines of `after` (1-based) that differ from `before`, or stand where something was removed. */
function changedLines(before: string, after: string): readonly number[] {
  const changed: number[] = [];
  let line = 1;
  for (const { added, removed, count } of diffOfLines(before, after)) {
    if (added) for (let i = 0; i < count; i++) changed.push(line + i);
    if (removed) changed.push(line);
    if (!removed) line += count;
  }
  return changed;
}
