// Proposes to add, to what a test made to stand for something of the source, the member that the changed source newly asks it for.
import { hashText } from '../../base/hash.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { lineOf, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';
import { testScope } from '../members/testScope.ts';
import { testTreesOf } from '../testTrees.ts';
import { addMember, type AddedMember } from './addMember.ts';
import { lackedMember, type LackedMember } from './lackedMember.ts';
import { memberType, type DeclaredMember } from './memberType.ts';
import { keysOf, testDoubles, type Double } from './testDoubles.ts';

export const providerId = 'doubles';

export async function proposeDoubles(context: FixContext): Promise<readonly Fix[]> {
  if (context.changes.unavailable !== undefined) return [];
  const fixes = new Map<string, Fix>();
  for (const { result } of context.failing) {
    if (context.signal.aborted) break;
    const lack = await lackedMember(result, context);
    const type = lack && (await memberType(lack, result.file, context));
    if (lack === undefined || type === undefined) continue;
    const found = await complete(result, lack, type, context);
    if (found === undefined) continue;
    if ('reason' in found) context.refuse?.(result.id, found.reason);
    else {
      const known = fixes.get(found.id);
      fixes.set(found.id, { ...found, failures: [...(known?.failures ?? []), result.id] });
    }
  }
  return [...fixes.values()];
}

async function complete(
  result: TestResult,
  lack: LackedMember,
  type: DeclaredMember,
  context: FixContext,
): Promise<Fix | { readonly reason: string } | undefined> {
  const { name, use } = lack;
  const doubles: (readonly [SourceTree, Double])[] = [];
  for (const tree of await testTreesOf(result, context)) {
    const scope = testScope(tree, result);
    for (const double of testDoubles(tree, name, type, (node) => scope.reaches(node)))
      doubles.push([tree, double]);
  }
  const [only, another] = doubles;
  if (only === undefined) return undefined;
  if (another !== undefined)
    return {
      reason: `${doubles.length} objects of the test stand for ${type.owner} and lack ${name}: not one candidate.`,
    };
  const [tree, double] = only;
  const renamed = [...type.lost].find((one) => keysOf(double).includes(one));
  if (renamed !== undefined)
    return {
      reason: `${type.owner} lost ${renamed} ${type.when}, which the test's own one has: ${name} may be its new name.`,
    };
  if (use === 'called for its answer' || (use === 'called' && type.answer === 'something'))
    return {
      reason: `The test's own ${type.owner} lacks ${name}, and ${placeOf(lack)} goes on with what that answers: only a person knows what it is to be.`,
    };
  return toFix(tree, double, lack, type);
}

function toFix(tree: SourceTree, double: Double, lack: LackedMember, type: DeclaredMember): Fix {
  const { name, use } = lack;
  const does: AddedMember['does'] = use === 'called' && type.answer !== 'something' ? type.answer : 'throws';
  const complaint = `${type.owner}.${name} has no answer in this test`;
  const { change, text } = addMember(tree, double, { name, does, complaint });
  const edits = [fileEdit(tree.file, tree.text, [change])];
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: `give the test's own ${type.owner} ${text}`,
    grade: 'conservative',
    trust: 'propose',
    mendsCalls: true,
    edits,
    failures: [],
    provider: providerId,
    confidence: 0.7,
    evidence: [
      `${placeOf(lack)} uses ${name} ${type.when}, and ${type.owner} in ${type.file} has it.`,
      `What stands for that in line ${lineOf(tree, double)} of ${tree.file} does not.`,
      does === 'throws'
        ? 'It is only handed on: the new one throws when it is called.'
        : 'It answers nothing, so the new one does nothing; whether the test should check its calls, you decide.',
    ],
  };
}

const placeOf = ({ tree, line }: LackedMember): string => `line ${line} of ${tree.file}`;
