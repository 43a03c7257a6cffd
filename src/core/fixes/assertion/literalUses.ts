// Refuses to change a literal that something else depends on: the code under test, or a test that still passes.
import ts from 'typescript';
import type { TestResult } from '../../model/testResult.ts';
import { usesOf, type PathStep } from '../../syntax/javascript/declarations.ts';
import { propertyKey, staticValue } from '../../syntax/javascript/literalSource.ts';
import { lineOf, positionOf, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { refuse, type Refusal } from './literalChange.ts';
import { assertionSites } from './locateAssertion.ts';
import { holds, isInTitle, testCallsAround } from './testCalls.ts';
import type { TraceCandidate, TraceLink } from './traceLiteral.ts';

interface UsesFound {
  /** The literal is printed in the test's title, which changes with it. */
  readonly inTitle: boolean;
  /** Other assertions expect the same literal; all of them are in failing tests. */
  readonly shared: boolean;
}

/** What else uses the literal, or why it must not change. `failing` are the failing tests, `own` the one being fixed. */
export function literalUses(
  candidate: TraceCandidate,
  own: TestResult,
  failing: readonly TestResult[],
): UsesFound | Refusal {
  let inTitle = false;
  let shared = false;
  for (const link of candidate.links) {
    if (link.picks) continue;
    for (const use of usesOf(link.tree, link.binding)) {
      if (use === link.use || ts.isTypeQueryNode(use.parent) || ts.isExportSpecifier(use.parent)) continue;
      if (ts.isExportAssignment(use.parent) || candidate.links.some((other) => other.use === use)) continue;
      if (partsWays(use, link.steps, link)) continue;
      if (isInTitle(use)) {
        inTitle = true;
        continue;
      }
      const site = assertionSites(link.tree).find((other) => holds(other.expected, use));
      const name = link.binding.name.text;
      if (site === undefined || site.negated)
        return refuse(
          `\`${name}\` is not only expected: the test also uses it itself (line ${lineOf(link.tree, use)}).`,
        );
      if (!failsToo(use, link.tree, own, failing))
        return refuse(
          `\`${name}\` is also expected in line ${lineOf(link.tree, use)}, in a test that passes.`,
        );
      shared = true;
    }
  }
  return { inTitle, shared };
}

/** True when the use takes another part out of the named value than the one that changes. */
function partsWays(use: ts.Identifier, steps: readonly PathStep[], link: TraceLink): boolean {
  let node: ts.Node = use;
  // A table itself is gone through by rows: only its length is another part.
  const path: readonly PathStep[] = steps.length === 0 && link.row === undefined ? [{ index: -1 }] : steps;
  // What destructuring took already is not on the way from the name.
  const taken = link.binding.path?.length ?? 0;
  for (const step of path.slice(taken)) {
    const parent: ts.Node = node.parent;
    const wanted = 'key' in step ? step.key : String(step.index);
    if (
      ts.isVariableDeclaration(parent) &&
      parent.initializer === node &&
      ts.isObjectBindingPattern(parent.name)
    ) {
      return parent.name.elements.every((element) => {
        const key = element.propertyName ?? element.name;
        const text = ts.isIdentifier(key) ? key.text : ts.isBindingName(key) ? undefined : propertyKey(key);
        return element.dotDotDotToken === undefined && text !== undefined && text !== wanted;
      });
    }
    const taking = memberName(parent, node);
    if (taking === undefined && ts.isElementAccessExpression(parent) && parent.expression === node) {
      // Whichever member this takes, it may be the one; the next step may still take another part of it.
      node = parent;
      continue;
    }
    if (taking === undefined) return false;
    if (taking !== wanted)
      return taking === 'length' || step !== path[0] || !('index' in step && step.index === -1);
    node = parent;
  }
  return false;
}

function memberName(parent: ts.Node, node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return parent.name.text;
  if (!ts.isElementAccessExpression(parent) || parent.expression !== node) return undefined;
  const value = staticValue(parent.argumentExpression);
  if (value?.kind === 'string') return value.value;
  return value?.kind === 'number' ? value.text : undefined;
}

/** True when the use lies in the same test, in a helper of the tests, or in another test that fails as well. */
function failsToo(use: ts.Node, tree: SourceTree, own: TestResult, failing: readonly TestResult[]): boolean {
  const test = testCallsAround(use).find((around) => around.kind === 'test')?.call;
  if (test === undefined) return true;
  const first = lineOf(tree, test);
  const last = positionOf(tree, test.end).line;
  const title = test.arguments[0] === undefined ? undefined : staticValue(test.arguments[0]);
  return [own, ...failing].some(
    (result) =>
      result.file === tree.file &&
      ((result.line >= first && result.line <= last) ||
        (title?.kind === 'string' && title.value === result.title)),
  );
}
