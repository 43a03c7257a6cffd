// Finds the skills that somebody names, among those of a catalogue.
import { HumanError } from '../../base/humanError.ts';
import type { SkillRecord } from './skillRecord.ts';

/** Those of this short name, else those of this name; none when there is no such skill. */
export function namedSkills(records: readonly SkillRecord[], name: string): readonly SkillRecord[] {
  const found = records.filter(({ shortName }) => shortName === name);
  return found.length > 0 ? found : records.filter(({ skillName }) => skillName === name);
}

/** The same, at least one. Throws a `bad-input` HumanError that says which skills there are. */
export function skillsNamed(
  records: readonly SkillRecord[],
  name: string,
): readonly [SkillRecord, ...SkillRecord[]] {
  const [first, ...others] = namedSkills(records, name);
  if (first !== undefined) return [first, ...others];
  const names = [...new Set(records.map(({ shortName }) => shortName))];
  throw new HumanError('bad-input', `There is no skill ${name}.`, {
    value: name,
    remedy:
      names.length === 0
        ? 'A skill is a folder with a SKILL.md; this workspace has none.'
        : `The skills here are ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`,
  });
}
