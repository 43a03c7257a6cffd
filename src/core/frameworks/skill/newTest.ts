// A first test file for a skill (CONTRACTS K7): where it goes, and a text that runs.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import { toPosix } from '../../base/paths.ts';
import type { SkillRecord } from './skillRecord.ts';

interface NewSkillTest {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/**
 * `tests/<shortName>.tests.mjs` beside the tests of other skills when they all lie in one folder, else in the skill's own. Throws a
 * `bad-input` HumanError for a tests file without a skill, one that is there, and a name that is no file name.
 */
export function newSkillTestFor(skill: SkillRecord, others: readonly SkillRecord[]): NewSkillTest {
  const { shortName, skillName, skillDir, testFile } = skill;
  if (skillDir === undefined || testFile !== undefined) {
    throw new HumanError('bad-input', `${shortName} already has tests.`, {
      ...(testFile === undefined ? {} : { file: testFile }),
      remedy: 'Add to that file.',
    });
  }
  if (!/^[\w@][\w@. -]*$/.test(shortName)) {
    throw new HumanError('bad-input', `The short name of the skill is not a valid file name: ${shortName}`, {
      file: skillDir,
      value: shortName,
      remedy: 'Use letters, digits, dots and dashes.',
    });
  }
  const folders = new Set(others.flatMap((one) => (one.testFile ? [path.dirname(one.testFile)] : [])));
  const [shared] = folders;
  const folder = shared !== undefined && folders.size === 1 ? shared : path.join(skillDir, 'tests');
  const file = path.join(folder, `${shortName}.tests.mjs`);
  if (existsSync(file)) {
    throw new HumanError('bad-input', `The file ${file} already exists.`, {
      file,
      remedy: 'Look at it first.',
    });
  }
  const descriptor = readdirSync(skillDir).find(
    (name) => name.replace(/\.[^.]*$/, '').toLowerCase() === skill.skillType && /\.md$/i.test(name),
  );
  const link = toPosix(path.relative(folder, path.join(skillDir, descriptor ?? 'SKILL.md')));
  return { file, text: template(skillName, link) };
}

/** Its contract is CONTRACTS K3: a default export that returns how many checks passed and failed, and what went wrong. */
function template(skillName: string, descriptor: string): string {
  const name = skillName.replace(/[\r\n*/]+/g, ' ');
  return `// Tests of the skill ${name}. Each runs by itself; what it throws is its failure.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const tests = {
  'has a descriptor': () => {
    const text = readFileSync(new URL(${JSON.stringify(encodeURI(descriptor))}, import.meta.url), 'utf8');
    assert.match(text, /\\S/);
  },
};

export default async function runTests() {
  const result = { passed: 0, failed: 0, errors: [] };
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      result.passed++;
    } catch (error) {
      result.failed++;
      result.errors.push(\`\${name}: \${error.message}\`);
    }
  }
  return result;
}
`;
}
