// The identity of a test (INTERFACES): `framework[/project]:rel/posix/path#Suite › title`.
import type { FrameworkId, ScannedTest, TestNode } from './testNode.ts';

export const suiteSeparator = ' › ';

export function fileTestId(framework: FrameworkId, project: string | undefined, file: string): string {
  return `${framework}${project === undefined ? '' : '/' + escapeName(project)}:${escapeName(file)}`;
}

/** The framework whose test or file it is. */
export function frameworkOfId(id: string): string {
  return /^[^/:]*/.exec(id)?.[0] ?? '';
}

/** Is it a test of one of these? */
export function isOfFramework(id: string, ...frameworks: readonly FrameworkId[]): boolean {
  const own = frameworkOfId(id);
  return frameworks.some((framework) => framework === own);
}

/** The name of the framework's own project in the id of a file or of something in it; undefined when it has none. */
export function projectOfId(id: string, file: string): string | undefined {
  const start = scopeOfId(id, file);
  const slash = start.indexOf('/');
  return slash < 0 ? undefined : unescaped(start.slice(slash + 1));
}

/** `framework[/project]` in the id of this file or of something in it. */
export function scopeOfId(id: string, file: string): string {
  return id.split('#', 1)[0]?.slice(0, -escapeName(file).length - 1) ?? '';
}

/** Is it the id of a file, which stands for all that is in it while it cannot be loaded? */
export function isFileId(id: string): boolean {
  return !id.includes('#');
}

/** The id of the file that a test is in; a file that is one test as a whole is its own. */
export function fileIdOf(id: string): string {
  const end = id.indexOf('#');
  return end < 0 ? templateOf(id) : id.slice(0, end);
}

/** Is it a test in the file with this id, and not the file itself? */
export function isInFile(id: string, fileId: string): boolean {
  return isFileId(fileId) && id.startsWith(`${fileId}#`);
}

/** The file of a test of which nothing but the id is known; undefined when it is no id. Only a result's own `file` is sure of projects with a colon. */
export function fileOfId(id: string): string | undefined {
  const file = /^[^:]*:([^#]*)/.exec(id)?.[1];
  return file === undefined ? undefined : unescaped(file);
}

/** Suites and title as people wrote them; undefined for a file. */
export function namesOfId(id: string): string | undefined {
  return isFileId(id) ? undefined : unescaped(id.slice(id.indexOf('#') + 1));
}

/** The id that the test has when its file lies at another place. */
export function movedId(id: string, from: string, to: string): string {
  return id.replace(`:${escapeName(from)}`, () => `:${escapeName(to)}`);
}

/** What is no escape stays as it is. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('%u', '%25u'));
  } catch {
    return text;
  }
}

/** Id of one test; `names` are its suites and its title, each already carrying its `[2]` when it is a duplicate. */
export function testId(fileId: string, names: readonly string[]): string {
  return `${fileId}#${names.join(suiteSeparator)}`;
}

/** Id of case `index` (from 1) of a parametrised test. */
export function caseId(templateId: string, index: number): string {
  return `${templateId}::${index}`;
}

/** The number of a case, from 1; undefined for what is none. */
export function caseNumberOf(id: string): number | undefined {
  const number = /::(\d+)$/.exec(id)?.[1];
  return number === undefined ? undefined : Number(number);
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
class SiblingNames {
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
