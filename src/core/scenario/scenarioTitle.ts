// How a scenario is called in every list of tests: its name with its tags, so that the usual filter finds both.
import type { Scenario } from './scenarioSchema.ts';

/** `Check out @smoke @cart`. */
export function scenarioTitle({ name, tags }: Pick<Scenario, 'name' | 'tags'>): string {
  return [name.replace(/\s+/g, ' ').trim(), ...tags.map((tag) => `@${tag.replace(/^@/, '')}`)].join(' ');
}

/**
 * The filter in the framework's own syntax: words that must all hold, separated by spaces. `@smoke` wants a tag, `!@slow` refuses one,
 * `priority:high` wants a priority, anything else is a part of the name.
 */
export function matchesTags(
  { name, tags, priority }: Pick<Scenario, 'name' | 'tags' | 'priority'>,
  filter: string,
): boolean {
  const own = new Set(tags.map((tag) => tag.replace(/^@/, '').toLowerCase()));
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .every((word) => {
      const isRefused = word.startsWith('!');
      const plain = isRefused ? word.slice(1) : word;
      const holds = plain.startsWith('@')
        ? own.has(plain.slice(1))
        : plain.startsWith('priority:')
          ? priority === plain.slice('priority:'.length)
          : name.toLowerCase().includes(plain);
      return holds !== isRefused;
    });
}
