// Finds the tests in Python text: functions, classes and methods as pytest and unittest count them, from the text alone.
import { HumanError } from '../../base/humanError.ts';
import type { Range } from '../../model/position.ts';
import type { ScannedTest, TestMode } from '../../model/testNode.ts';
import { emptyScope, type Definition, type Scope } from './definitions.ts';
import type { ParsedDefinitions } from './parseDefinitions.ts';
import { PythonModule, type Placed, type ReadModule } from './pythonModule.ts';
import { scanDefinitions } from './scanDefinitions.ts';

/** Beginnings of names, or globs. */
export interface PythonNaming {
  readonly classes: readonly string[];
  readonly functions: readonly string[];
}

interface FoundTests {
  readonly tests: readonly ScannedTest[];
  readonly warnings: readonly string[];
}

export const defaultNaming: PythonNaming = { classes: ['Test'], functions: ['test'] };

interface FindOptions {
  /** Parse in full, for syntax errors too. */
  readonly thorough?: boolean;
  /** For base classes and tests that come from other files; absent means that only the text itself counts. */
  readonly read?: ReadModule;
}

/** In the order of their places; a range begins at the first decorator. What comes from another file stands where it is imported. */
export async function findTests(
  source: string,
  naming: PythonNaming = defaultNaming,
  { thorough = false, read = () => undefined }: FindOptions = {},
): Promise<FoundTests> {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const warnings: string[] = [];
  let scope = scanDefinitions(text);
  if (thorough || scope === 'ambiguous') {
    const { parseDefinitions } = await import('./parseDefinitions.ts');
    const parsed = definitionsIn(text, warnings, parseDefinitions);
    // What could be read line by line is read so always: one text has one list of tests.
    if (scope === 'ambiguous') scope = parsed.module;
    const { errorAt } = parsed;
    if (errorAt !== undefined) {
      const { line } = new PythonModule(text, scope, read).range(errorAt, errorAt).start;
      warnings.push(`Syntax error at line ${line}: not all tests may be shown.`);
    }
  }
  const finder = new TestFinder(new PythonModule(text, scope, read), naming, warnings);
  return { tests: finder.tests(), warnings };
}

function definitionsIn(
  text: string,
  warnings: string[],
  parse: (text: string) => ParsedDefinitions,
): ParsedDefinitions {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof HumanError)) throw error;
    warnings.push(error.message);
    return { module: emptyScope };
  }
}

interface Marks {
  readonly mode: TestMode;
  readonly isTemplate: boolean;
}

const noMarks: Marks = { mode: 'run', isTemplate: false };

class TestFinder {
  readonly #module: PythonModule;
  readonly #naming: PythonNaming;
  readonly #warnings: string[];

  constructor(module: PythonModule, naming: PythonNaming, warnings: string[]) {
    this.#module = module;
    this.#naming = naming;
    this.#warnings = warnings;
  }

  tests(): readonly ScannedTest[] {
    const { scope } = this.#module;
    if (scope.marks.get('__test__') === 'False') return [];
    const around = marksOf([], scope, noMarks);
    const own = this.#withoutNamesakes(scope.definitions).map((definition) => ({
      definition,
      module: this.#module,
    }));
    const found = own.flatMap((one) => this.#testsOf(one, around));
    const names = new Set(own.map(({ definition }) => definition.name));
    const imported = [...this.#module.imports().keys()].filter(
      (name) => !names.has(name) && this.#mayBeTest(name),
    );
    return inOrder([
      ...found,
      ...imported.flatMap((name) => {
        const placed = this.#module.imported(name);
        return placed ? this.#testsOf(placed, around, placed.range, name) : [];
      }),
    ]);
  }

  #mayBeTest(name: string): boolean {
    return fits(name, this.#naming.classes) || fits(name, this.#naming.functions);
  }

  /** `range`: where it stands in this text, when it comes from another one, and `name` what it is called here. */
  #testsOf(
    placed: Placed,
    around: Marks,
    range?: Range,
    name = placed.definition.name,
  ): readonly ScannedTest[] {
    const { definition } = placed;
    if (definition.kind === 'class') return this.#suite(placed, around, range, name);
    if (!isPlainFunction(definition) || !fits(name, this.#naming.functions)) return [];
    return [this.#test(placed, around, range, name)];
  }

  #test({ definition, module }: Placed, around: Marks, range?: Range, name = definition.name): ScannedTest {
    const { mode, isTemplate } = marksOf(definition.decorators, definition.body, around);
    return {
      kind: isTemplate ? 'template' : 'test',
      title: name,
      mode,
      range: range ?? module.range(definition.start, definition.end),
      children: [],
    };
  }

  /** Classes without tests are left out. */
  #suite(placed: Placed, around: Marks, shown: Range | undefined, title: string): readonly ScannedTest[] {
    const { definition } = placed;
    const line = this.#lineage(placed);
    const isCase = line.some(({ definition: { bases }, module }) =>
      bases.some((base) => module.classNamed(base) === undefined && isTestCase(base)),
    );
    const testable = line
      .map(({ definition: { body } }) => body.marks.get('__test__'))
      .find((value) => value !== undefined);
    if (testable === 'False') return [];
    const isMade = line.some((one) => hasConstructor(one.definition));
    if (!isCase && (!fits(title, this.#naming.classes) || isMade)) return [];
    const own = marksOf(definition.decorators, definition.body, around);
    const marks = line
      .slice(1)
      .reduce((sum, { definition: one }) => marksOf(one.decorators, one.body, sum), own);
    const range = shown ?? placed.module.range(definition.start, definition.end);
    const known = new Set<string>();
    const children = line.flatMap(({ definition: { body }, module }) => {
      const members = this.#withoutNamesakes(body.definitions).filter(({ name }) => !known.has(name));
      for (const { name } of members) known.add(name);
      const place = module === this.#module ? undefined : range;
      return members.flatMap((member) => {
        const one = { definition: member, module };
        if (!isCase) return this.#testsOf(one, marks, place);
        const isTest = member.kind === 'def' && isPlainFunction(member) && member.name.startsWith('test');
        return isTest ? [this.#test(one, marks, place)] : [];
      });
    });
    if (children.length === 0) return [];
    return [{ kind: 'suite', title, mode: own.mode, range, children: inOrder(children) }];
  }

  /** The class and its bases as far as they can be read, nearest first; each once. */
  #lineage(placed: Placed, seen = new Set<string>()): readonly Placed[] {
    const key = `${placed.definition.name} ${placed.definition.start}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const bases = placed.definition.bases.flatMap((base) => placed.module.classNamed(base) ?? []);
    return [placed, ...bases.flatMap((base) => this.#lineage(base, seen))];
  }

  /** Of definitions of one name Python keeps the last one; of those below conditions the first is shown. */
  #withoutNamesakes(definitions: readonly Definition[]): readonly Definition[] {
    const kept = new Map<string, Definition>();
    for (const definition of definitions) {
      const former = kept.get(definition.name);
      if (former !== undefined && (former.conditional || definition.conditional)) continue;
      if (former !== undefined && this.#isOfInterest(former)) {
        const { line } = this.#module.range(former.start, former.start).start;
        this.#warnings.push(
          `${former.name} at line ${line} never runs: another definition of the name follows at line ${this.#module.range(definition.start, definition.start).start.line}.`,
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

/** A base class from elsewhere is known by its name: `unittest.TestCase`, `django.test.TransactionTestCase`, … */
function isTestCase(base: string): boolean {
  return /(?:^|\.)\w*TestCase(?:\[.*\])?$/.test(base);
}

function inOrder(tests: readonly ScannedTest[]): readonly ScannedTest[] {
  return tests.toSorted(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.column - b.range.start.column,
  );
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
