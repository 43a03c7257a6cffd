// One change of a committed workspace, and what a fixer proposes for the failing test in it.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { readSourceChanges } from '../../../../src/core/diagnosis/sourceChanges.ts';
import type { FixProvider } from '../../../../src/core/fixes/fixProvider.ts';
import type { Fix } from '../../../../src/core/model/fix.ts';
import type { Failure, TestResult } from '../../../../src/core/model/testResult.ts';
import type { CapturedAssertion } from '../../../../src/core/model/value.ts';
import { createImportGraph } from '../../../../src/core/modules/importGraph.ts';
import { readText } from '../../../../src/core/workspace/readText.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

export interface SourceSituation {
  readonly provider: FixProvider;
  /** As committed, the test among them: the first file of a folder `test` or `tests`. */
  readonly files: Readonly<Record<string, string>>;
  /** New texts; undefined for files that are gone. */
  readonly written: Readonly<Record<string, string | undefined>>;
  readonly message: string;
  readonly kind?: Failure['kind'];
  readonly title?: string;
  readonly captured?: readonly CapturedAssertion[];
}

const isTestFile = (file: string): boolean => /^tests?\//.test(file);

/** The fixes, and what was refused. The failure stands at the `¶` of the test, which is taken out, or in its last line but one. */
export async function proposeIn(
  situation: SourceSituation,
): Promise<{ readonly fixes: readonly Fix[]; readonly refused: readonly string[] }> {
  const { provider, files, written, message, kind = 'error', title = 'works' } = situation;
  const [file = '', marked = ''] = Object.entries(files).find(([name]) => isTestFile(name)) ?? [];
  const at = marked.includes('¶') ? marked.indexOf('¶') : marked.trimEnd().lastIndexOf('\n') - 1;
  const lines = marked.slice(0, at).split('\n');
  const location = { file, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  const workspace = await temporaryWorkspace({ ...files, [file]: marked.replace('¶', '') }, { git: true });
  try {
    const { root } = workspace;
    for (const [name, text] of Object.entries(written))
      if (text === undefined) await rm(path.join(root, name));
      else await workspace.write(name, text);
    const result: TestResult = {
      id: `vitest:${file}#${title}`,
      file,
      line: 2,
      title,
      suites: [],
      outcome: 'failed',
      durationMs: 1,
      failure: { message, kind, severity: 'medium', stack: [], location },
    };
    const refused: string[] = [];
    const fixes = await provider.propose({
      root,
      failing: [{ result, captured: situation.captured ?? [] }],
      readText: (name) => readText(path.join(root, name)),
      isTestFile,
      changes: await readSourceChanges({ root, isTestFile, graph: createImportGraph({ root }) }),
      signal: new AbortController().signal,
      refuse: (_id, reason) => void refused.push(reason),
    });
    return { fixes, refused };
  } finally {
    await workspace.dispose();
  }
}

/** What each fix asks for, with what it says. */
export const saidBy = (fixes: readonly Fix[]): readonly (readonly [trust: string, evidence: string])[] =>
  fixes.map(({ trust, evidence }) => [trust, evidence.join(' ')]);
