// The identity of a test (INTERFACES): `framework[/project]:rel/posix/path#Suite › title`.
import type { FrameworkId, ScannedTest, TestNode } from './testNode.ts';

export const suiteSeparator = ' › ';

export function fileTestId(framework: FrameworkId, project: string | undefined, file: string): string {
  return `${framework}${project === undefined ? '' : '/' + escapeName(project)}:${escapeName(file)}`;
}

/** The name of the framework's own project in the id of a file or of something in it; undefined when it has none. */
export function projectOfId(id: string, file: string): string | undefined {
  const start = id.split('#', 1)[0]?.slice(0, -escapeName(file).length - 1) ?? '';
  const slash = start.indexOf('/');
  return slash < 0 ? undefined : decodeURIComponent(start.slice(slash + 1).replaceAll('%u', '%25u'));
}

/** Id of one test; `names` are its suites and its title, each already carrying its `[2]` when it is a duplicate. */
export function testId(fileId: string, names: readonly string[]): string {
  return `${fileId}#${names.join(suiteSeparator)}`;
}

/** Id of case `index` (from 1) of a parametrised test. */
export function caseId(templateId: string, index: number): string {
  return `${templateId}::${index}`;
}

/** The template a case belongs to, or the id itself. */
export function templateOf(id: string): string {
  return id.replace(/::\d+$/, '');
}

/**
 * Escapes what carries meaning in an id: `%`, `#`, `›`, `::` and control characters; and halves of characters, which no file and
 * no hash could tell apart.
 */
export function escapeName(name: string): string {
  // Most names hold nothing of it, and looking for classes of characters takes long.
  if (!/[%#›\u0000-\u001f\u007f-\u009f\ud800-\udfff]|::/.test(name)) return name;
  return name.replace(/[%#›\p{Cc}\p{Cs}]|::/gu, (found) =>
    /\p{Cs}/u.test(found)
      ? `%u${found.charCodeAt(0).toString(16)}`
      : encodeURIComponent(found).replaceAll(':', '%3A'),
  );
}

/** Numbers names that occur again among siblings: the second `adds` becomes `adds[2]`. */
export class SiblingNames {
  readonly #seen = new Map<string, number>();

  next(name: string): string {
    const escaped = escapeName(name);
    let count = (this.#seen.get(escaped) ?? 0) + 1;
    let result = count === 1 ? escaped : `${escaped}[${count}]`;
    // A title may itself end in `[2]`: never give one id to two tests.
    while (count > 1 && this.#seen.has(result)) result = `${escaped}[${++count}]`;
    this.#seen.set(escaped, count);
    if (result !== escaped) this.#seen.set(result, 1);
    return result;
  }
}

/** Most tests have no children: they share this. */
const none: readonly TestNode[] = [];

/** Gives scanned tests their ids, and collects one warning for each duplicate title. */
export function assignIds(
  fileId: string,
  scanned: readonly ScannedTest[],
  warnings: string[] = [],
): readonly TestNode[] {
  const assign = (
    tests: readonly ScannedTest[],
    suites: readonly string[],
    above: string,
  ): readonly TestNode[] => {
    if (tests.length === 0) return none;
    const siblings = new SiblingNames();
    return tests.map((test) => {
      const name = siblings.next(test.title);
      if (name !== test.title && name !== escapeName(test.title)) {
        warnings.push(
          `Duplicate title "${[...suites, test.title].join(suiteSeparator)}" at line ${test.range.start.line}.`,
        );
      }
      const id = above + name;
      return {
        id,
        kind: test.kind,
        title: test.title,
        suites,
        mode: test.mode,
        range: test.range,
        children:
          test.children.length === 0
            ? none
            : assign(test.children, [...suites, test.title], id + suiteSeparator),
      };
    });
  };
  return assign(scanned, [], testId(fileId, ['']));
}
