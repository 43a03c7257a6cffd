// Looks whether a skill is what the catalogue says of it (CONTRACTS K7), without running its tests.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../base/humanError.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import { runProcess } from '../../process/runProcess.ts';
import { userNode } from '../../process/userNode.ts';
import type { SkillRecord } from './skillRecord.ts';

export interface SkillCheck {
  readonly name: 'descriptor' | 'tests file' | 'tests load';
  /** Absent when it is as it should be. */
  readonly problem?: string;
}

/** Checks in this order; what needs an earlier one is left out when that failed. The tests file is loaded in a process of its own. */
export async function smokeTest(
  skill: SkillRecord,
  workspace: Workspace,
  signal?: AbortSignal,
): Promise<readonly SkillCheck[]> {
  const descriptor = descriptorProblem(skill);
  const checks: SkillCheck[] = [
    { name: 'descriptor', ...(descriptor !== undefined && { problem: descriptor }) },
  ];
  const { testFile } = skill;
  if (testFile === undefined) {
    const problem = `There is no tests/${skill.shortName}.tests.mjs.`;
    return [...checks, { name: 'tests file', problem }];
  }
  checks.push({ name: 'tests file' });
  const problem = await loadProblem(testFile, workspace, signal);
  return [...checks, { name: 'tests load', ...(problem !== undefined && { problem }) }];
}

function descriptorProblem({ skillDir, skillType }: SkillRecord): string | undefined {
  if (skillDir === undefined) return 'No skill has this name: the tests file belongs to none.';
  try {
    const name = readdirSync(skillDir).find((one) => one.toLowerCase() === `${skillType}.md`);
    if (name === undefined) return `There is no descriptor in ${skillDir}.`;
    return readFileSync(path.join(skillDir, name), 'utf8').trim() === '' ? `${name} is empty.` : undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Imports the file and looks for its test function, which is not called. */
async function loadProblem(
  file: string,
  workspace: Workspace,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const token = randomBytes(16).toString('hex');
  const host = pathToFileURL(injectedFile('frameworks/skill', 'skillHost.mjs')).href;
  const [target, hostModule] = [pathToFileURL(file).href, host].map((one) => JSON.stringify(one));
  const script = `import { writeSync } from 'node:fs';
import { testFunction } from ${hostModule};
const say = (message) => writeSync(3, ${JSON.stringify(token)} + JSON.stringify(message) + '\\n');
try {
  testFunction(await import(${target}), ${JSON.stringify(path.basename(file))});
  say('');
} catch (error) {
  say(String(error));
}
process.exit();
`;
  let said: string | undefined;
  const ended = await runProcess({
    command: await userNode(workspace),
    args: ['--input-type=module', '--eval', script],
    cwd: path.dirname(file),
    timeoutMs: workspace.limits.skillTimeoutMs,
    onMessageLine: (line) => {
      if (line.startsWith(token)) said = String(JSON.parse(line.slice(token.length)));
    },
    ...(signal && { signal }),
  });
  if (ended.ended === 'timeout') return 'It did not load within its time limit.';
  return said === undefined
    ? 'Its process ended before the file was loaded.'
    : said === ''
      ? undefined
      : said;
}
