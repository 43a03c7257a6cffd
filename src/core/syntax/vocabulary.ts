// What a test framework calls its tests, suites, hooks and marks: each framework gives its own, and every reader takes it as data.
import type { TestApi } from './javascript/testApi.ts';

/** When a hook runs, seen from a test. */
export type HookPhase = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll';

/** The hooks of a framework by their names. */
export interface HookVocabulary {
  readonly hooks: ReadonlyMap<string, HookPhase>;
}

/** How a framework of JavaScript writes its tests down. */
export interface TestVocabulary extends HookVocabulary {
  /** Global (or imported) functions that declare suites and tests. */
  readonly roots: ReadonlyMap<string, TestApi>;
  /** Modules whose exports are the real thing, under whatever local name. */
  readonly modules: ReadonlySet<string>;
  /** The root that such a module is itself: its default export, and what `require` gives. */
  readonly moduleItself?: string;
  /** Members of a test function that declare no tests, and are too common to parse a file in full for them. */
  readonly otherMembers?: ReadonlySet<string>;
  /** Tests may have tests in their bodies, also through the context they are given: `t.test('…')`. */
  readonly subtests?: true;
  /** A suite hands its test function to its callback: `describe('title', (it) => …)`. */
  readonly suitesGiveTests?: true;
  /** A suite may be declared without a title: its tests are those of the suite around it. */
  readonly untitledSuites?: true;
  /** Functions that take a title and a body as a test does, and run in no run of the tests. */
  readonly benches?: ReadonlySet<string>;
  /** Members and options that keep a test from running, let others not run, or turn a failure into a pass. */
  readonly marks: ReadonlySet<string>;
  /** `api.name`, or undefined when that declares no tests (`test.beforeEach`, `test.step`). */
  member(api: TestApi, name: string): TestApi | undefined;
}

/** The hooks of each phase, their names in one text. */
export function hooksNamed(names: Readonly<Record<HookPhase, string>>): ReadonlyMap<string, HookPhase> {
  const of = (phase: HookPhase): (readonly [string, HookPhase])[] =>
    names[phase].split(' ').map((name) => [name, phase]);
  return new Map([...of('beforeAll'), ...of('beforeEach'), ...of('afterEach'), ...of('afterAll')]);
}

/** One vocabulary with the words of all: for files of which nobody says whose they are. */
export function unionOf(vocabularies: readonly TestVocabulary[]): TestVocabulary {
  const all = <T>(of: (one: TestVocabulary) => Iterable<T> | undefined): T[] =>
    vocabularies.flatMap((one) => [...(of(one) ?? [])]);
  return {
    roots: new Map(all(({ roots }) => roots)),
    modules: new Set(all(({ modules }) => modules)),
    moduleItself: 'test',
    subtests: true,
    suitesGiveTests: true,
    untitledSuites: true,
    hooks: new Map(all(({ hooks }) => hooks)),
    benches: new Set(all(({ benches }) => benches)),
    marks: new Set(all(({ marks }) => marks)),
    member: (api, name) => {
      const found = vocabularies.flatMap((one) => one.member(api, name) ?? []);
      return found.find(({ mayAnnotate }) => mayAnnotate) ?? found[0];
    },
  };
}
