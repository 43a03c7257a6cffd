// The catalogue of skills and their tests.
import assert from 'node:assert/strict';
import path from 'node:path';
import { readSkillCatalogue } from '../../../../src/core/frameworks/skill/catalogue.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

describe('the catalogue of skills', () => {
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  async function catalogue(
    files: Record<string, string>,
    descriptors?: readonly string[],
  ): Promise<string[]> {
    workspace = await temporaryWorkspace(files);
    const { root } = workspace;
    const records = await readSkillCatalogue(root, descriptors ? { descriptors } : {});
    const relative = (file?: string): string => (file === undefined ? '-' : path.relative(root, file));
    return records.map(({ skillName, shortName, skillType, testFile, skillDir }) =>
      [skillName, shortName, skillType, relative(testFile), relative(skillDir)].join(' | '),
    );
  }

  it('joins skills and tests by short name, from front matter or folder', async () => {
    assert.deepEqual(
      await catalogue({
        'skills/greet/SKILL.md': '# Greet',
        'tests/greet.tests.mjs': '',
        '.claude/skills/long-name/tskill.md': '---\nname: "A long: name"\nshort-name: ln # short\n---\n',
        '.claude/skills/long-name/tests/ln.tests.mjs': '',
        'skills/lonely/oskill.md': '---\r\nname: Lonely One\r\n---\r\n',
        'tests/stray.tests.mjs': '',
        'tests/not.test.mjs': '',
        'elsewhere/no.tests.mjs': '',
      }),
      [
        'greet | greet | skill | tests/greet.tests.mjs | skills/greet',
        'A long: name | ln | tskill | .claude/skills/long-name/tests/ln.tests.mjs | .claude/skills/long-name',
        'Lonely One | lonely | oskill | - | skills/lonely',
        'stray | stray | unknown | tests/stray.tests.mjs | -',
      ],
    );
  });

  it('gives tests of the same short name to the skill next to them', async () => {
    assert.deepEqual(
      await catalogue({
        'a/greet/SKILL.md': '',
        'a/tests/greet.tests.mjs': '',
        'b/greet/cskill.md': '',
        'b/greet/tests/greet.tests.mjs': '',
      }),
      [
        'greet | greet | skill | a/tests/greet.tests.mjs | a/greet',
        'greet | greet | cskill | b/greet/tests/greet.tests.mjs | b/greet',
      ],
    );
  });

  it('takes other descriptors when told', async () => {
    assert.deepEqual(await catalogue({ 'x/agent.yaml': '', 'y/SKILL.md': '' }, ['**/agent.yaml']), [
      'x | x | agent | - | x',
    ]);
  });
});
