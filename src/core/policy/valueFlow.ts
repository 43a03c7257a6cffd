// Where a value that a test writes down goes: to what is expected, to the code under test, or nowhere that anyone asks about.
import type ts from 'typescript';
import { staticValue } from '../syntax/javascript/literalSource.ts';
import type { FileFacts } from './fileFacts.ts';
import { namesIn, type Destinations, type FlowWorld, type Step } from './flowNames.ts';
import { stepsFrom } from './flowSteps.ts';

const nowhere: Destinations = { expected: false, asked: false, built: false, given: false, decides: false };

const mostSteps = 5000;
/** Of a path; what a function builds by calling itself would have no end. */
const deepest = 6;

/** Asks of one file; what leaves it goes nowhere. */
export function valueFlow(
  facts: FileFacts,
  isTestModule: (module: string) => boolean,
  deciding: ReadonlySet<ts.Node> = new Set(),
): (node: ts.Node) => Destinations {
  const known = new Map<ts.Node, Destinations>();
  const world: FlowWorld = {
    facts,
    isTestModule,
    deciding,
    ...comparedIn(facts),
    ...namesIn(facts.source),
    destinationsOf: (node) => {
      const answered = known.get(node);
      if (answered !== undefined) return answered;
      // What is asked for on the way to its own answer is not known.
      known.set(node, { ...nowhere, asked: true });
      const answer = follow(node, world);
      known.set(node, answer);
      return answer;
    },
  };
  return world.destinationsOf;
}

function follow(start: ts.Node, world: FlowWorld): Destinations {
  const found = { ...nowhere };
  const seen = new Map<ts.Node, Set<string>>();
  const left: Step[] = [{ node: start, path: [] }];
  let count = 0;
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    const paths = seen.get(step.node) ?? new Set<string>();
    seen.set(step.node, paths);
    const key = JSON.stringify(step.path);
    if (paths.has(key)) continue;
    paths.add(key);
    if (++count > mostSteps) return { ...found, asked: true };
    if (world.deciding.has(step.node)) found.decides = true;
    const { steps, reached } = stepsFrom(step, world);
    if (reached !== undefined) found[reached] = true;
    found.asked ||= reached === 'given';
    for (const { node, path } of steps) left.push({ node, path: path.slice(0, deepest) });
  }
  return found;
}

function comparedIn({ assertions }: FileFacts): Pick<FlowWorld, 'expected' | 'subjects'> {
  const expected = new Set<ts.Node>();
  const subjects = new Set<ts.Node>();
  for (const { family, matcher, args, subject } of assertions) {
    const [first] = args;
    // assert.equal('Hi, Ada', greet('Ada'))
    if (family === 'assert' && subject && isLiteral(subject) && first && !isLiteral(first)) {
      expected.add(subject);
      subjects.add(first);
      continue;
    }
    if (subject !== undefined) subjects.add(subject);
    // What another helper does with its arguments is seen there; `.expect` is supertest's.
    if (family === 'expect' || family === 'assert' || matcher === '.expect')
      for (const arg of args) expected.add(arg);
  }
  return { expected, subjects };
}

const isLiteral = (node: ts.Expression): boolean => staticValue(node) !== undefined;
