// Filters that users give: what is refused before anything starts, and how a text becomes a pattern.
import { HumanError } from '../base/humanError.ts';

/** The filter itself, or a `bad-input` HumanError (CONTRACTS Q4: at most 200 characters, no leading `-`, no `..`, no control characters). */
export function checkFilter(filter: string): string {
  const refuse = (reason: string): never => {
    throw new HumanError('bad-input', `The filter ${reason}.`, {
      value: filter.slice(0, 200),
      remedy: 'Give a part of the full title of a test, for example "cart adds".',
    });
  };
  if (filter.trim() === '') refuse('is empty');
  if (filter.length > 200) refuse('is longer than 200 characters');
  if (filter.startsWith('-')) refuse('starts with "-"');
  if (filter.includes('..')) refuse('contains ".."');
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(filter)) refuse('contains control characters');
  return filter;
}

/** The text as a regular expression that matches it and nothing else. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** What frameworks fill in when a parametrised test runs: `%s` and its kin, `$name`, `${expression}`. */
const placeholder = /(%[sdifjoO#$%]|\$\{[^}]*\}|\$[\w.]+)/;

/** Is the title known after a run only, and can be recognised by the text around what is filled in? */
export function hasPlaceholder(title: string): boolean {
  return placeholder.test(title);
}

/** The title as a regular expression in which placeholders stand for anything. */
export function titlePattern(title: string): string {
  return title
    .split(placeholder)
    .map((part, index) => (index % 2 === 1 ? '[\\s\\S]*?' : escapePattern(part)))
    .join('');
}

/** Length of what a title says before anything is filled in. */
export function ownTextLength(title: string): number {
  return title.split(placeholder).reduce((sum, part, index) => sum + (index % 2 === 1 ? 0 : part.length), 0);
}

/** The text as a regular expression without flags that matches it in upper and lower case. */
export function anyCase(text: string): string {
  return Array.from(text)
    .map((character) => {
      const forms = new Set([character, character.toLowerCase(), character.toUpperCase()]);
      const patterns = [...forms].map(escapePattern);
      return patterns.length === 1 ? patterns[0] : `(?:${patterns.join('|')})`;
    })
    .join('');
}

/** True when the full title (suites and title joined by one space) contains the filter, in any case. */
export function matchesFilter(names: readonly string[], filter: string): boolean {
  return names.join(' ').toLowerCase().includes(filter.toLowerCase());
}
