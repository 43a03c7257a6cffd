// ModuleApi a new option with which a function still gives what a failing test expects: beside the changed expectation, for a person.
import ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import { fileEdit, type TextChange } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { parseTree, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { targetOf } from '../calls/callTarget.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { testScope } from '../members/testScope.ts';
import { createPairReader } from '../obsolete/changedPairs.ts';
import { grownFunctions, type AddedOption, type GrownFunction } from './addedOptions.ts';
import { giveOption } from './giveOption.ts';

const optionsId = 'added-option';

/** More than these say that nobody knows which one is meant. */
const mostCandidates = 3;

/** Only what is proven, where something can be run: what is told of a test then also speaks against a changed expectation. */
export async function proposeOptions(context: FixContext): Promise<readonly Fix[]> {
  const readPairs = createPairReader(context);
  const candidates = new Map<string, Candidate>();
  for (const { result, captured } of context.failing) {
    if (context.signal.aborted) break;
    if (!isCandidate(result.file, captured, context) || isFollowed(result.id, context)) continue;
    const { pairs, when } = await readPairs(result.file);
    const functions = grownFunctions(pairs);
    const text = functions.length === 0 ? undefined : await context.readText(result.file);
    if (text === undefined) continue;
    const own = candidatesOf(result, parseTree(result.file, text), functions, when);
    if (own.length > mostCandidates) continue;
    for (const one of own) {
      const known = candidates.get(one.fix.id);
      candidates.set(one.fix.id, known === undefined ? one : together(known, one));
    }
  }
  const all = [...candidates.values()];
  if (context.prove === undefined || all.length === 0) return all.map(({ fix }) => fix);
  const proofs = await context.prove(all.map(({ fix }) => fix));
  const proven = all.filter((_, index) => proofs[index] === true);
  // Two options that both do it: nothing tells which of them is meant.
  const isOnly = ({ fix }: Candidate): boolean =>
    !proven.some((other) => other.fix !== fix && other.fix.failures.some((id) => fix.failures.includes(id)));
  const offered = proven.filter(isOnly);
  for (const { fix, doubt } of offered) for (const id of fix.failures) context.doubt?.(id, doubt);
  return offered.map(({ fix }) => fix);
}

interface Candidate {
  readonly fix: Fix;
  /** What it says against a changed expectation. */
  readonly doubt: string;
}

const together = (one: Candidate, { fix }: Candidate): Candidate => ({
  ...one,
  fix: { ...one.fix, failures: [...new Set([...one.fix.failures, ...fix.failures])] },
});

/** A test that failed by an assertion: what the code gives is another thing now, not how it is called. */
function isCandidate(file: string, captured: FailingTest['captured'], context: FixContext): boolean {
  const isAsserted = captured.length > 0 && captured.every(({ negated }) => !negated);
  return isAsserted && /\.[cm]?[jt]sx?$/.test(file) && context.isTestFile(file);
}

function isFollowed(id: string, { proposed = [] }: FixContext): boolean {
  return proposed.some(
    ({ trust, mendsCalls, failures }) =>
      (trust === 'mechanical' || mendsCalls === true) && failures.includes(id),
  );
}

function candidatesOf(
  result: TestResult,
  tree: SourceTree,
  functions: readonly GrownFunction[],
  when: string,
): readonly Candidate[] {
  const scope = testScope(tree, result);
  const calls = new Map<GrownFunction, ts.CallExpression[]>();
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node) || !scope.reaches(node)) return;
    const target = targetOf(node.expression, tree, functions);
    if (target !== undefined) calls.set(target, [...(calls.get(target) ?? []), node]);
  });
  return [...calls].flatMap(([target, own]) =>
    target.options.flatMap((option) =>
      option.values.flatMap((value) => {
        const changes = changesOf(tree, own, option, value);
        return changes.length === 0
          ? []
          : [candidateOf({ result, tree, target, option, value, when }, changes)];
      }),
    ),
  );
}

function changesOf(
  tree: SourceTree,
  calls: readonly ts.CallExpression[],
  option: AddedOption,
  value: string,
): readonly TextChange[] {
  const changes: TextChange[] = [];
  for (const call of calls) {
    const own = giveOption(tree, call, option, value);
    if (own === undefined) return [];
    changes.push(...own);
  }
  return changes;
}

interface Given {
  readonly result: TestResult;
  readonly tree: SourceTree;
  readonly target: GrownFunction;
  readonly option: AddedOption;
  readonly value: string;
  readonly when: string;
}

function candidateOf(
  { result, tree, target, option, value, when }: Given,
  changes: readonly TextChange[],
): Candidate {
  const edits = [fileEdit(tree.file, tree.text, changes)];
  const name = target.owner === undefined ? target.name : `${target.owner}.${target.name}`;
  const what = option.key === undefined ? value : `{ ${option.key}: ${value} }`;
  const fact = `${name}() in ${target.file} takes ${option.key === undefined ? `argument ${option.index + 1}` : `the option ${option.key}`} ${when}`;
  return {
    doubt: `${fact}: with ${what}, the expectation of the test still holds.`,
    fix: {
      id: hashText(JSON.stringify([optionsId, edits])),
      title: `give ${what} to ${name}()`,
      grade: changes.length === 1 ? 'surgical' : 'conservative',
      trust: 'propose',
      edits,
      mendsCalls: true,
      failures: [result.id],
      provider: optionsId,
      confidence: 0.5,
      evidence: [`${fact}, and the test expects the old result.`],
      otherSide:
        'The test may be meant to check the result without the option: then its expectation must change.',
    },
  };
}
