// The class of a Python test with all that it takes over, as far as they are classes of the tests, and whether unittest is at their end.
import type { SyntaxNode } from '@lezer/common';
import type { ExpectationContext } from './expectationContext.ts';
import { definitionNamed, type PlacedDefinition } from './namedDefinitions.ts';
import { argumentsOf, childrenOf, type PythonSource } from './parsePython.ts';
import { changesAssertions, isTestCaseOfUnittest } from './unittestCase.ts';

export interface TestClasses {
  /** The class itself first. */
  readonly all: readonly PlacedDefinition[];
  /** The assertions are those of unittest. */
  readonly isCase: boolean;
}

const deepest = 6;

/** Undefined where one of them cannot be read, or may change what an assertion means. */
export function testClassesOf(own: PlacedDefinition, context: ExpectationContext): TestClasses | undefined {
  const found = hierarchyOf(own, context, 0);
  const changes = found?.isCase === true ? changesAssertions : /\bdef\s+__\w+__/;
  const isAlone = found?.isCase === false && found.all.length === 1;
  const isChanged = found?.all.some(({ node, source }) => changes.test(source.textOf(node)));
  return isAlone || isChanged === false ? found : undefined;
}

function hierarchyOf(
  own: PlacedDefinition,
  context: ExpectationContext,
  depth: number,
): TestClasses | undefined {
  const { source, node, file } = own;
  // What a fixture of another file asks for is not known here.
  if (depth > deepest || (file !== undefined && /\bfixture\b/.test(source.textOf(node)))) return undefined;
  const all = [own];
  let isCase = false;
  for (const base of argumentsOf(node.getChild('ArgList'), source)) {
    if (base.name !== undefined || base.spread) return undefined;
    const name = source.textOf(base.value);
    if (name === 'object') continue;
    if (isTestCaseOfUnittest(name, source)) {
      isCase = true;
      continue;
    }
    const found = definitionNamed(name, 'Class', own, context);
    const classes = found && hierarchyOf(found, context, depth + 1);
    if (classes === undefined) return undefined;
    all.push(...classes.all);
    isCase ||= classes.isCase;
  }
  return { all, isCase };
}

/** The one method of that name in all of them; undefined where there are several, and where something else has the name. */
export function methodNamed(name: string, { all }: TestClasses): PlacedDefinition | undefined {
  const found: PlacedDefinition[] = [];
  for (const { node, source, file } of all) {
    const isGiven = new RegExp(`\\.${name}[ \\t]*=(?!=)|^[ \\t]+${name}[ \\t]*=(?!=)|["']${name}["']`, 'm');
    if (isGiven.test(source.text)) return undefined;
    const body = node.getChild('Body');
    const own = childrenOf(body ?? node).filter((inner) => nameOf(inner, source) === name);
    // Others are decorated, or stand in conditions.
    const mentions = source.textOf(node).match(new RegExp(`\\bdef\\s+${name}\\b`, 'g'))?.length ?? 0;
    if (mentions !== own.length) return undefined;
    found.push(...own.map((inner) => ({ node: inner, source, file })));
  }
  return found.length === 1 ? found[0] : undefined;
}

function nameOf(node: SyntaxNode, source: PythonSource): string | undefined {
  const name = node.name === 'FunctionDefinition' ? node.getChild('VariableName') : null;
  return name === null ? undefined : source.textOf(name);
}
