// Finds the tests in Python text: functions, classes and methods as pytest and unittest count them, from the text alone.
import { lineMap, type LineMap } from '../lineMap.ts';
import type { ScannedTest, TestMode } from '../../model/testNode.ts';
import type { Definition, Scope } from './definitions.ts';
import { scanDefinitions } from './scanDefinitions.ts';

/** Beginnings of names, or globs. */
export interface PythonNaming {
  readonly classes: readonly string[];
  readonly functions: readonly string[];
}

export interface FoundTests {
  readonly tests: readonly ScannedTest[];
  readonly warnings: readonly string[];
}

export const defaultNaming: PythonNaming = { classes: ['Test'], functions: ['test'] };

/**
 * In the order of their places; a range begins at the first decorator. Inherited methods are found where the base class stands in
 * the same text. `thorough`: parse in full, for syntax errors too.
 */
export async function findTests(
  source: string,
  naming: PythonNaming = defaultNaming,
  { thorough = false }: { readonly thorough?: boolean } = {},
): Promise<FoundTests> {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const scanned = scanDefinitions(text);
  const lines = lazily(() => lineMap(text));
  const warnings: string[] = [];
  let module = scanned;
  if (thorough || module === 'ambiguous') {
    const { parseDefinitions } = await import('./parseDefinitions.ts');
    const parsed = parseDefinitions(text);
    if (parsed.errorAt !== undefined)
      warnings.push(
        `Syntax error at line ${lines().position(parsed.errorAt).line}: not all tests may be shown.`,
      );
    // What could be read line by line is read so always: one text has one list of tests.
    if (module === 'ambiguous') module = parsed.module;
  }
  const finder = new TestFinder(module, naming, lines, warnings);
  return { tests: finder.testsOf(module), warnings };
}

interface Marks {
  readonly mode: TestMode;
  readonly isTemplate: boolean;
}

const noMarks: Marks = { mode: 'run', isTemplate: false };

class TestFinder {
  readonly #naming: PythonNaming;
  readonly #lines: () => LineMap;
  readonly #warnings: string[];
  readonly #classes = new Map<string, Definition>();

  constructor(module: Scope, naming: PythonNaming, lines: () => LineMap, warnings: string[]) {
    this.#naming = naming;
    this.#lines = lines;
    this.#warnings = warnings;
    for (const definition of module.definitions)
      if (definition.kind === 'class') this.#classes.set(definition.name, definition);
  }

  testsOf(module: Scope): readonly ScannedTest[] {
    if (module.marks.get('__test__') === 'False') return [];
    return this.#testsIn(this.#withoutNamesakes(module.definitions), marksOf([], module, noMarks));
  }

  #testsIn(definitions: readonly Definition[], around: Marks): readonly ScannedTest[] {
    return definitions.flatMap((definition) => {
      if (definition.kind === 'class') return this.#suite(definition, around);
      return isPlainFunction(definition) && fits(definition.name, this.#naming.functions)
        ? [this.#test(definition, around)]
        : [];
    });
  }

  #test(definition: Definition, around: Marks): ScannedTest {
    const { mode, isTemplate } = marksOf(definition.decorators, definition.body, around);
    return {
      kind: isTemplate ? 'template' : 'test',
      title: definition.name,
      mode,
      range: this.#lines().range(definition.start, definition.end),
      children: [],
    };
  }

  /** Classes without tests are left out. */
  #suite(definition: Definition, around: Marks): readonly ScannedTest[] {
    const line = this.#lineage(definition);
    const isCase = line.some(({ bases }) => bases.some((base) => this.#isTestCase(base)));
    const testable = line.map(({ body }) => body.marks.get('__test__')).find((value) => value !== undefined);
    if (testable === 'False') return [];
    if (!isCase && (!fits(definition.name, this.#naming.classes) || line.some(hasConstructor))) return [];
    const members = line.map(({ body }) => this.#withoutNamesakes(body.definitions));
    const own = marksOf(definition.decorators, definition.body, around);
    const inherited = line
      .slice(1)
      .reduce((marks, { decorators, body }) => marksOf(decorators, body, marks), own);
    const known = new Set<string>();
    const all = members.flatMap((definitions) => {
      const fresh = definitions.filter(({ name }) => !known.has(name));
      for (const { name } of definitions) known.add(name);
      return fresh;
    });
    const children = isCase
      ? all
          .filter((one) => one.kind === 'def' && isPlainFunction(one) && one.name.startsWith('test'))
          .map((one) => this.#test(one, inherited))
      : this.#testsIn(all, inherited);
    if (children.length === 0) return [];
    const range = this.#lines().range(definition.start, definition.end);
    return [
      {
        kind: 'suite',
        title: definition.name,
        mode: own.mode,
        range,
        children: children.toSorted(
          (a, b) => a.range.start.line - b.range.start.line || a.range.start.column - b.range.start.column,
        ),
      },
    ];
  }

  /** The class and those of its bases that stand in the text, nearest first; each once. */
  #lineage(definition: Definition, seen = new Set<Definition>()): readonly Definition[] {
    if (seen.has(definition)) return [];
    seen.add(definition);
    const bases = definition.bases.flatMap((base) => this.#classes.get(base) ?? []);
    return [definition, ...bases.flatMap((base) => this.#lineage(base, seen))];
  }

  /** A base class from elsewhere is known by its name: `unittest.TestCase`, `django.test.TransactionTestCase`, … */
  #isTestCase(base: string): boolean {
    return !this.#classes.has(base) && /(?:^|\.)\w*TestCase(?:\[.*\])?$/.test(base);
  }

  /** Of definitions of one name Python keeps the last one; of those below conditions the first is shown. */
  #withoutNamesakes(definitions: readonly Definition[]): readonly Definition[] {
    const kept = new Map<string, Definition>();
    for (const definition of definitions) {
      const former = kept.get(definition.name);
      if (former !== undefined && (former.conditional || definition.conditional)) continue;
      if (former !== undefined && this.#isOfInterest(former)) {
        const { line } = this.#lines().position(former.start);
        this.#warnings.push(
          `${former.name} at line ${line} never runs: another definition of the name follows at line ${this.#lines().position(definition.start).line}.`,
        );
      }
      kept.delete(definition.name);
      kept.set(definition.name, definition);
    }
    return [...kept.values()];
  }

  #isOfInterest(definition: Definition): boolean {
    const { classes, functions } = this.#naming;
    return (
      isPlainFunction(definition) && fits(definition.name, definition.kind === 'class' ? classes : functions)
    );
  }
}

/** Fixtures are no tests whatever their names, properties cannot be called, and overloads have no body. */
function isPlainFunction({ decorators }: Definition): boolean {
  return !decorators.some((one) =>
    /^(?:[\w.]+\.)?(?:fixture|yield_fixture|property|cached_property|overload|\w+\.setter|\w+\.getter|\w+\.deleter)\b(?!\.)/.test(
      one,
    ),
  );
}

/** pytest does not collect a class that is made with arguments. */
function hasConstructor({ body, decorators }: Definition): boolean {
  return (
    body.definitions.some(({ name }) => name === '__init__' || name === '__new__') ||
    decorators.some((one) => /^(?:[\w.]+\.)?(?:dataclass|attrs|define|frozen|mutable)\b|^attr\.s\b/.test(one))
  );
}

/** As pytest compares: by the beginning, or as a glob. */
function fits(name: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) => name.startsWith(pattern) || (/[*?[]/.test(pattern) && globPattern(pattern).test(name)),
  );
}

/** Python's fnmatch. */
export function globPattern(glob: string): RegExp {
  const source = glob.replace(
    /\[(!?)([^\]]+)\]|[\s\S]/g,
    (found, not: string | undefined, set: string | undefined) => {
      if (set !== undefined) return `[${not === '!' ? '^' : ''}${set.replace(/[\\^[]/g, '\\$&')}]`;
      if (found === '*') return '[\\s\\S]*';
      if (found === '?') return '[\\s\\S]';
      return found.replace(/[\\^$.+()|{}[\]/*?-]/g, '\\$&');
    },
  );
  return new RegExp(`^${source}$`);
}

/** What decorators and `pytestmark` add to what holds around. A condition is known when the test runs: such a test is shown to run. */
function marksOf(decorators: readonly string[], { marks }: Scope, around: Marks): Marks {
  const found = [...decorators, ...listed(marks.get('pytestmark'))];
  if (found.length === 0) return around;
  const has = (pattern: RegExp): boolean => found.some((one) => pattern.test(one));
  const isTemplate = around.isTemplate || has(/^(?:[\w.]+\.)?parametrize\b/);
  if (around.mode === 'skip' || has(/^(?:[\w.]+\.)?skip(?![\w.])|^(?:[\w.]+\.)?skip[iI]f\(\s*True\b/))
    return { mode: 'skip', isTemplate };
  const failing = has(
    /^(?:[\w.]+\.)?(?:expectedFailure|xfail)\b(?!\(\s*(?!(?:reason|strict|raises|run)\s*=|\)))/,
  );
  return { mode: failing ? 'todo' : around.mode, isTemplate };
}

/** The marks of a list, or the one that stands alone. */
function listed(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  const list = /^[[(]([\s\S]*)[\])]$/.exec(value)?.[1] ?? value;
  return list.split(/,\s*(?=(?:pytest\.)?mark\.)/).map((one) => one.trim());
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
