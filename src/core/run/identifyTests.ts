// Gives the tests that a framework reports the ids that discovery gave them (INTERFACES "Identity and positions").
import { hasPlaceholder, ownTextLength, titlePattern } from '../frameworks/filter.ts';
import type { TestRef } from '../model/reporterMessage.ts';
import { caseId, escapeName, testId } from '../model/testId.ts';
import type { TestFile, TestNode } from '../model/testNode.ts';

export interface IdentifiedTest {
  readonly ref: TestRef;
  readonly id: string;
  /** 1-based; where discovery found it, else where the framework says, else 1. */
  readonly line: number;
  /** Suites and title as discovery knows them; undefined for a test that it did not find. */
  readonly staticNames?: readonly string[];
}

/** A test or a parametrised test as discovery found it. */
interface Leaf {
  readonly node: TestNode;
  readonly names: readonly string[];
  /** For each name whether the source computes it: an expression says nothing about what it prints. */
  readonly computed: readonly boolean[];
  /** It, or a suite around it, stands for several tests. */
  readonly isTemplate: boolean;
}

/** Knows one file in one project; asked again for the same file it never gives an id twice. */
export class TestIdentifier {
  readonly #fileId: string;
  readonly #wholeTitle: string | undefined;
  readonly #exact = new Map<string, Leaf[]>();
  /** The exact ones by the line they begin at, once somebody asks. */
  #lines: Map<number, readonly Leaf[]> | undefined;
  readonly #templates: Leaf[] = [];
  readonly #leaves: readonly Leaf[];
  readonly #byNames: ReadonlyMap<string, Leaf>;
  readonly #cases = new Map<string, number>();
  readonly #used = new Set<string>();

  /**
   * A file may be one test as a whole, of this title: then that test has the id of the file. `isLiteral`: titles are names, so that a
   * template stands for its own cases only, and not for whatever discovery does not know.
   */
  constructor(fileId: string, file: TestFile | undefined, wholeTitle?: string, isLiteral = false) {
    this.#fileId = fileId;
    this.#wholeTitle = wholeTitle;
    this.#leaves = leavesOf(file?.tests ?? [], [], [], { isTemplate: false, isLiteral });
    this.#byNames = new Map(this.#leaves.map((leaf) => [keyOf(leaf.names), leaf]));
    for (const leaf of this.#leaves) {
      this.#used.add(leaf.node.id);
      if (leaf.isTemplate) this.#templates.push(leaf);
      else {
        const namesakes = this.#exact.get(keyOf(leaf.names));
        if (namesakes) namesakes.push(leaf);
        else this.#exact.set(keyOf(leaf.names), [leaf]);
      }
    }
  }

  /** In the order in which the framework collected them: cases of a template are numbered in that order. */
  identify(refs: readonly TestRef[]): readonly IdentifiedTest[] {
    return refs.map(
      (ref) =>
        this.#identifyNamedCase(ref) ??
        this.#identifyExactly(ref) ??
        this.#renamed(ref) ??
        this.#identifyCase(ref) ??
        this.#newTest(ref),
    );
  }

  /** Every test that discovery found, as if the framework had told it under the same names. */
  known(): readonly IdentifiedTest[] {
    return this.#leaves.map(({ node, names }) => {
      const ref = { key: node.id, suites: names.slice(0, -1), title: names.at(-1) ?? '' };
      return { ref, id: node.id, line: node.range.start.line, staticNames: names };
    });
  }

  /** The framework knows of which test it is a case: also of one that discovery took for a single test, or did not find. */
  #identifyNamedCase(ref: TestRef): IdentifiedTest | undefined {
    if (ref.template === undefined) return undefined;
    const names = [...ref.suites, ref.template];
    const leaf = this.#byNames.get(keyOf(names));
    const id = leaf?.node.id ?? testId(this.#fileId, names.map(escapeName));
    const index = (this.#cases.get(id) ?? 0) + 1;
    this.#cases.set(id, index);
    const line = leaf?.node.range.start.line ?? ref.line ?? 1;
    return { ref, id: caseId(id, index), line, staticNames: names };
  }

  /** Tests that discovery knows for certain to run, and that were not asked about so far. */
  untold(): readonly IdentifiedTest[] {
    return [...this.#exact.values()].flat().flatMap(({ node, names }) => {
      if (node.mode === 'skip' || node.mode === 'todo') return [];
      const { id, range, title } = node;
      const ref = { key: id, suites: names.slice(0, -1), title };
      return [{ ref, id, line: range.start.line, staticNames: names }];
    });
  }

  #identifyExactly(ref: TestRef, told = ref): IdentifiedTest | undefined {
    const namesakes = this.#exact.get(keyOf([...ref.suites, ref.title]));
    if (namesakes === undefined || namesakes.length === 0) return undefined;
    const sameLine = namesakes.findIndex(({ node }) => node.range.start.line === ref.line);
    const [leaf] = namesakes.splice(Math.max(sameLine, 0), 1);
    return leaf && { ref: told, id: leaf.node.id, line: leaf.node.range.start.line, staticNames: leaf.names };
  }

  /** A framework may change the title that is written (a macro of AVA does): the only test that begins at the line is meant. */
  #renamed(ref: TestRef): IdentifiedTest | undefined {
    if (ref.line === undefined) return undefined;
    const here = (this.#atLine().get(ref.line) ?? []).filter(
      (leaf) =>
        leaf.names.length === ref.suites.length + 1 && this.#exact.get(keyOf(leaf.names))?.includes(leaf),
    );
    const [leaf] = here;
    // Beside a template the line alone does not tell which of the two it is.
    const isDoubtful = this.#templates.some(({ node }) => node.range.start.line === ref.line);
    if (isDoubtful && leaf && !ref.title.includes(leaf.node.title)) return undefined;
    return leaf && here.length === 1
      ? this.#identifyExactly({ ...ref, suites: leaf.names.slice(0, -1), title: leaf.node.title }, ref)
      : undefined;
  }

  #atLine(): ReadonlyMap<number, readonly Leaf[]> {
    if (this.#lines === undefined) {
      this.#lines = new Map();
      for (const leaf of [...this.#exact.values()].flat()) {
        const { line } = leaf.node.range.start;
        this.#lines.set(line, [...(this.#lines.get(line) ?? []), leaf]);
      }
    }
    return this.#lines;
  }

  #identifyCase(ref: TestRef): IdentifiedTest | undefined {
    const leaf =
      this.#templateAt(ref) ??
      mostSpecific(
        this.#templates.filter((one) => fits(one, ref)),
        ref,
      ) ??
      this.#calledFromElsewhere(ref);
    if (leaf === undefined) return undefined;
    const index = (this.#cases.get(leaf.node.id) ?? 0) + 1;
    this.#cases.set(leaf.node.id, index);
    return {
      ref,
      id: caseId(leaf.node.id, index),
      line: leaf.node.range.start.line,
      staticNames: leaf.names,
    };
  }

  /** A helper that declares suites is written outside of the suites it is called in: its names end the printed ones. */
  #calledFromElsewhere({ line, suites, title }: TestRef): Leaf | undefined {
    if (line !== undefined) return undefined;
    const printed = [...suites, title];
    const ends = this.#templates.filter((leaf) => {
      const { length } = leaf.names;
      const tail = printed.slice(-length);
      const isNamed = leaf.names.some((name, index) => name === tail[index]);
      return isNamed && length < printed.length && fits(leaf, { suites: tail.slice(0, -1), title });
    });
    return mostSpecific(ends, { suites, title });
  }

  /** The smallest template around the line; of several on one line the one whose titles fit. */
  #templateAt({ line, ...ref }: TestRef): Leaf | undefined {
    if (line === undefined) return undefined;
    const around = this.#templates.filter(
      ({ node: { range } }) => range.start.line <= line && line <= range.end.line,
    );
    const size = ({ node: { range } }: Leaf): number => range.end.line - range.start.line;
    const smallest = Math.min(...around.map(size));
    const nearest = around.filter((leaf) => size(leaf) === smallest);
    return (
      mostSpecific(
        nearest.filter((leaf) => fits(leaf, ref)),
        ref,
      ) ?? nearest[0]
    );
  }

  #newTest(ref: TestRef): IdentifiedTest {
    const names = [...ref.suites, ref.title];
    const isWhole = ref.title === this.#wholeTitle && ref.suites.length === 0;
    const base = isWhole ? this.#fileId : testId(this.#fileId, names.map(escapeName));
    let id = base;
    for (let count = 2; this.#used.has(id); count++) id = `${base}[${count}]`;
    this.#used.add(id);
    return { ref, id, line: ref.line ?? this.#lineAround(ref.suites) ?? 1 };
  }

  /** Where the test stands that it is a part of. */
  #lineAround(suites: readonly string[]): number | undefined {
    for (let { length } = suites; length > 0; length--) {
      const around = this.#byNames.get(keyOf(suites.slice(0, length)));
      if (around) return around.node.range.start.line;
    }
    return undefined;
  }
}

function leavesOf(
  nodes: readonly TestNode[],
  names: readonly string[],
  computed: readonly boolean[],
  { isTemplate, isLiteral }: { readonly isTemplate: boolean; readonly isLiteral: boolean },
): readonly Leaf[] {
  return nodes.flatMap((node) => {
    const own = [...names, node.title];
    const template = isTemplate || node.kind === 'template';
    const known = [...computed, !isLiteral && node.kind === 'template' && !hasPlaceholder(node.title)];
    const below = leavesOf(node.children, own, known, { isTemplate: template, isLiteral });
    // A test with tests in its body is itself one; a template with children may be a suite.
    if (node.kind === 'suite' || (template && node.children.length > 0)) return below;
    return [{ node, names: own, computed: known, isTemplate: template }, ...below];
  });
}

const keyOf = (names: readonly string[]): string => names.join('\u0000');

/** Could the template print these names? */
function fits(leaf: Leaf, ref: Pick<TestRef, 'suites' | 'title'>): boolean {
  const names = [...ref.suites, ref.title];
  return (
    names.length === leaf.names.length &&
    leaf.names.every(
      (name, index) =>
        leaf.computed[index] === true || new RegExp(`^${titlePattern(name)}$`).test(names[index] ?? ''),
    )
  );
}

/** The one with the most text of its own: `adds %i` before `%s`, and both before a title that is computed. */
function mostSpecific(
  leaves: readonly Leaf[],
  { suites, title }: Pick<TestRef, 'suites' | 'title'>,
): Leaf | undefined {
  const printed = [...suites, title];
  const own = (leaf: Leaf): number =>
    leaf.names.reduce(
      (sum, name, index) =>
        leaf.computed[index] === true && name !== printed[index] ? sum : sum + ownTextLength(name),
      0,
    );
  return leaves.reduce<Leaf | undefined>(
    (best, leaf) => (best && own(best) >= own(leaf) ? best : leaf),
    undefined,
  );
}
