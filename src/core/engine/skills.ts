// Skills: which there are, whether one is sound, and a first test for one.
import { toRelativePosix } from '../base/paths.ts';
import { readSkillCatalogue } from '../frameworks/skill/catalogue.ts';
import { skillsNamed } from '../frameworks/skill/namedSkills.ts';
import { newSkillTestFor } from '../frameworks/skill/newTest.ts';
import { smokeTest, type SkillCheck } from '../frameworks/skill/smokeTest.ts';
import type { SkillRecord } from '../frameworks/skill/skillRecord.ts';
import type { Workspace } from '../model/settings.ts';
import { writeNewFile } from '../workspace/writeNewFile.ts';
import type { ListedSkill } from './rootSchemas.ts';

export { skillsNamed } from '../frameworks/skill/namedSkills.ts';
export { newSkillTestFor } from '../frameworks/skill/newTest.ts';
export { smokeTest } from '../frameworks/skill/smokeTest.ts';
export type { SkillRecord } from '../frameworks/skill/skillRecord.ts';

/** The catalogue of the root. */
export const skillsOf = (root: string, signal: AbortSignal): Promise<readonly SkillRecord[]> =>
  readSkillCatalogue(root, {}, signal);

/** Writes a first test, unless there is a file already; `file` relative to the root. */
export async function writeSkillTest(root: string, file: string, text: string): Promise<void> {
  await writeNewFile(root, file, text);
}

/** `ids` are those of the listed test files, by absolute path. */
export async function listedSkills(
  root: string,
  ids: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ListedSkill[]> {
  const records = await readSkillCatalogue(root, {}, signal);
  return records.map(({ shortName, skillName, skillType, skillDir, testFile }) => {
    const fileId = testFile === undefined ? undefined : ids.get(testFile);
    return {
      shortName,
      skillName,
      skillType,
      ...(skillDir === undefined ? {} : { folder: toRelativePosix(root, skillDir) }),
      ...(fileId === undefined ? {} : { fileId }),
    };
  });
}

export async function smokeTestOf(
  workspace: Workspace,
  shortName: string,
  signal: AbortSignal,
): Promise<{ checks: SkillCheck[] }> {
  const [skill] = skillsNamed(await readSkillCatalogue(workspace.root, {}, signal), shortName);
  return { checks: [...(await smokeTest(skill, workspace, signal))] };
}

export async function newSkillTest(root: string, shortName: string): Promise<{ file: string; text: string }> {
  const records = await readSkillCatalogue(root);
  const { file, text } = newSkillTestFor(skillsNamed(records, shortName)[0], records);
  return { file: toRelativePosix(root, file), text };
}
