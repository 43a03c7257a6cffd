// The commands for skills (CONTRACTS K7): run the tests of some, look whether one is sound, write a first test for one.
import * as vscode from 'vscode';
import { requests, type ListedSkill } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { explained } from '../explained.ts';
import { toUri, workspaceRoots } from '../folders.ts';
import type { Testing } from './testing.ts';
import { tell } from '../tell.ts';

interface SkillPick extends vscode.QuickPickItem {
  readonly root: string;
  readonly skill: ListedSkill;
}

/** Asks for one, several or all of the skills with tests, and runs these. */
export async function runSkillTests(engine: EngineClient, testing: Testing): Promise<void> {
  await explained(async () => {
    await testing.discovery.listed();
    const picks = (await skillPicks(engine)).filter(({ skill }) => skill.fileId !== undefined);
    if (picks.length === 0) return tellNone('No skill of this workspace has tests.');
    const title = 'Run skill tests';
    const placeHolder = 'Choose one or several; none means all';
    const chosen = await vscode.window.showQuickPick(
      picks.map((pick) => ({ ...pick, picked: true })),
      { title, placeHolder, canPickMany: true },
    );
    const items = (chosen ?? []).map(({ root, skill }) => testing.tree.get(root, skill.fileId ?? ''));
    await testing.runItems(items.filter((item) => item !== undefined));
  });
}

/** Looks at what the catalogue says of a skill, and tells each finding. */
export async function smokeTestSkill(engine: EngineClient): Promise<void> {
  await explained(async () => {
    const pick = await pickSkill(await skillPicks(engine), 'Smoke test a skill');
    if (pick === undefined) return;
    const { root, skill } = pick;
    const { checks } = await engine.request(requests.smokeTestSkill, { root, shortName: skill.shortName });
    const problems = checks.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`${name}: ${problem}`],
    );
    if (problems.length === 0) {
      void tell.information(
        `Testmend: ${skill.skillName} is sound: its descriptor can be read, and its tests load.`,
      );
    } else void tell.warning(`Testmend: ${skill.skillName}: ${problems.join(' · ')}`);
  });
}

/** Writes `tests/<shortName>.tests.mjs` for a skill without tests, and opens it. */
export async function newSkillTest(engine: EngineClient, testing: Testing): Promise<void> {
  await explained(async () => {
    const picks = (await skillPicks(engine)).filter(
      ({ skill }) => skill.fileId === undefined && skill.folder !== undefined,
    );
    const pick = await pickSkill(
      picks,
      'Write a test for a skill',
      'Every skill of this workspace has tests.',
    );
    if (pick === undefined) return;
    const { root, skill } = pick;
    const { file, text } = await engine.request(requests.newSkillTest, { root, shortName: skill.shortName });
    const uri = toUri(root, file);
    if (uri === undefined) return;
    const edit = new vscode.WorkspaceEdit();
    edit.createFile(uri, { contents: new TextEncoder().encode(text), overwrite: false });
    if (!(await vscode.workspace.applyEdit(edit))) return;
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    await testing.discovery.refresh();
  });
}

async function skillPicks(engine: EngineClient): Promise<SkillPick[]> {
  const picks: SkillPick[] = [];
  const roots = workspaceRoots();
  for (const { path: root, folder } of roots) {
    const { skills } = await engine.request(requests.skills, { root });
    for (const skill of skills) {
      const place = skill.folder ?? 'tests without a skill';
      const detail = roots.length > 1 ? `${folder.name} · ${place}` : place;
      picks.push({ label: skill.shortName, description: detail, root, skill });
    }
  }
  return picks;
}

async function pickSkill(
  picks: readonly SkillPick[],
  title: string,
  none = 'There are no skills in this workspace.',
): Promise<SkillPick | undefined> {
  if (picks.length > 0) return vscode.window.showQuickPick(picks, { title });
  tellNone(none);
  return undefined;
}

function tellNone(text: string): void {
  void tell.information(`Testmend: ${text}`);
}
