// `testmend mcp --hook`: after an edit of an agent, the tests that the changes can affect, within a time budget and in few words.
import { HumanError } from '../core/base/humanError.ts';
import { chooseTests } from '../core/engine/chooseTests.ts';
import { keepRun } from '../core/engine/runStore.ts';
import { runWorkspace } from '../core/engine/runWorkspace.ts';
import type { RunSummary, TestResult } from '../core/model/testResult.ts';
import { cutEnd, plainLine, plural } from '../core/reports/paint.ts';
import { openAt, refuseUntrusted, type McpSettings } from '../mcp/allowedRoots.ts';
import type { Terminal } from './terminal.ts';

/** By which agents know that what the hook said on stderr is for them. */
const forTheAgent = 2;
const failuresToTell = 5;
const longestLine = 300;

/** `signal`: aborted when the time is over. Agents see stderr and go on with it where the exit code is 2. */
export async function mcpHook(
  settings: McpSettings,
  { out, err }: Pick<Terminal, 'out' | 'err'>,
  signal: AbortSignal,
): Promise<number> {
  refuseUntrusted(settings);
  let red = 0;
  for (const { root } of settings.roots) {
    const opened = await openAt(root, settings, signal).catch(unlessNoTests);
    const chosen = opened && (await chooseTests({ affected: true }, opened, signal));
    // Without files it would be everything.
    if (opened === undefined || chosen?.selection.files === undefined) {
      await out('No test is affected.\n');
      continue;
    }
    const run = runWorkspace({ opened, chosen, signal });
    let step = await run.next();
    while (step.done !== true) step = await run.next();
    const { summary, runId } = await keepRun(root, step.value, {
      begins: true,
      keeps: opened.workspace.historyRuns,
    });
    const failing = summary.tests.filter((test) => isRed(test, summary));
    red += failing.length;
    const end = summary.ended === 'complete' ? '' : ' The time was over before all of them ended.';
    const text = `${plural(failing.length, 'affected test')} of ${summary.total} failed.${end} Details: get_failure_details, runId ${runId}.`;
    if (failing.length === 0) await out(`${countText(summary)}${end}\n`);
    else await err([text, ...failing.slice(0, failuresToTell).map(failureText), ''].join('\n'));
  }
  return red > 0 ? forTheAgent : 0;
}

/** A folder without tests is nothing that an agent has to hear of after each edit. */
function unlessNoTests(error: unknown): undefined {
  if (error instanceof HumanError && error.code === 'no-tests') return undefined;
  throw error;
}

/** A test that the time limit cut off has not failed. */
const isRed = ({ outcome, failure }: TestResult, { ended }: RunSummary): boolean =>
  outcome === 'failed' || (outcome === 'errored' && (ended === 'complete' || failure?.kind === 'load'));

const countText = ({ passed, failed, errored }: RunSummary): string =>
  passed + failed + errored === 0 ? 'No affected test ran.' : `${plural(passed, 'affected test')} passed.`;

function failureText({ id, failure, file, line }: TestResult): string {
  const place = failure?.location ?? { file, line };
  const message = cutEnd(plainLine(failure?.message ?? 'failed without a reason'), longestLine);
  return `✗ ${plainLine(id)}\n  ${message}\n  at ${plainLine(place.file)}:${place.line}`;
}
