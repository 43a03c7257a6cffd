// Runs the fix cycle on a case as one setting would, and tells what that setting writes and what it leaves.
import path from 'node:path';
import { errorMessage, throwIfCancelled } from '../base/humanError.ts';
import { runFixCycle } from '../cycle/fixCycle.ts';
import type { CycleFix, CycleReport } from '../model/cycle.ts';
import { applyEdit } from '../model/edit.ts';
import { composeEdits } from '../workspace/composeEdits.ts';
import { readText } from '../workspace/readText.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { unifiedDiff } from '../workspace/unifiedDiff.ts';
import type { Case } from './findCase.ts';
import type { SettingScore } from './replayReport.ts';
import type { TestBed } from './testBed.ts';

export type Setting = 'ask' | 'source-is-right';

export interface SettingResult {
  readonly applied: readonly CycleFix[];
  readonly offered: SettingScore['offered'];
  /** Whole texts of the files it writes, before and after, relative to the root. */
  readonly files: readonly { readonly file: string; readonly before: string; readonly after: string }[];
  readonly patch: string;
  readonly remaining: CycleReport['remaining'];
  /** Why the cycle could not do its work. */
  readonly trouble?: string;
  readonly durationMs: number;
}

interface SettingRequest {
  readonly found: Case;
  /** Old tests on the new source. */
  readonly bed: TestBed;
  readonly setting: Setting;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

/** Nothing is written into the scratch. */
export async function runSetting(request: SettingRequest): Promise<SettingResult> {
  const started = performance.now();
  const since = (): number => Math.round(performance.now() - started);
  const nothing = { applied: [], offered: [], files: [], patch: '', remaining: [] };
  try {
    const report = await cycleOf(request);
    throwIfCancelled(request.signal);
    return { ...(await writtenBy(report, request)), durationMs: since() };
  } catch (error) {
    throwIfCancelled(request.signal);
    // A cycle that breaks down has mended nothing: that is its score, and no reason to leave the commit out.
    return { ...nothing, trouble: `The fix cycle failed: ${errorMessage(error)}`, durationMs: since() };
  }
}

async function cycleOf({
  found,
  bed,
  setting,
  sandbox,
  signal,
  progress,
}: SettingRequest): Promise<CycleReport> {
  const { workspace, projects, frameworks } = bed;
  const cycle = runFixCycle({
    workspace,
    projects,
    frameworks,
    sandbox,
    signal,
    isTestFile: (file) => bed.isTestFile(file),
    files: [...new Set(found.broken.map(({ file }) => path.join(workspace.root, file)))],
    assume: setting,
    preset: 'tester',
    strategy: 'auto',
    maxIterations: 10,
    targetPassRate: 100,
  });
  for (;;) {
    const step = await cycle.next();
    if (step.done === true) return step.value;
    if (step.value.type === 'progress') progress(step.value.text);
  }
}

/** What `testmend fix --apply` would write with this setting. */
async function writtenBy(
  report: CycleReport,
  { bed, found }: SettingRequest,
): Promise<Omit<SettingResult, 'durationMs'>> {
  const isVerified = (fix: CycleFix): boolean => fix.verdict.verdict === 'verified';
  const kept = report.fixes.filter(({ state }) => state !== 'declined');
  const applied = kept.filter((fix) => fix.state === 'accepted' && isVerified(fix));
  const read = (file: string): Promise<string | undefined> => readText(path.join(bed.workspace.root, file));
  const files: { file: string; before: string; after: string }[] = [];
  for (const edit of await composeEdits({ kept, accepted: applied, read })) {
    const before = (await read(edit.file)) ?? '';
    files.push({ file: edit.file, before, after: applyEdit(edit, before) });
  }
  const took = new Set(applied.map(({ id }) => id));
  const offered: SettingScore['offered'] = [];
  for (const fix of report.fixes.filter(({ id }) => !took.has(id))) {
    const { title, provider, trust, verdict, failures, otherSide } = fix;
    const reason = verdict.reason ?? fix.stops?.map((stop) => stop.reason).join(' ');
    offered.push({
      title,
      provider,
      trust,
      verdict: verdict.verdict,
      ...(reason !== undefined && { reason }),
      failures,
      deletes: fix.removesTests === true,
      ...(otherSide !== undefined && { otherSide }),
    });
  }
  const patch = files.map(({ file, before, after }) => unifiedDiff(file, before, after)).join('');
  const broken = new Set(found.broken.map(({ id }) => id));
  const remaining = report.remaining.filter(({ id }) => broken.has(id));
  return { applied, offered, files, patch, remaining };
}
