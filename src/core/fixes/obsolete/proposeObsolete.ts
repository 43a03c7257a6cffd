// Proposes to delete tests of what the change of the source removed, and another input where the source no longer takes the old one.
import { hashText } from '../../base/hash.ts';
import { fileEdit, type TextChange } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import { stringSource } from '../../syntax/javascript/literalSource.ts';
import { parseTree, startOf, textOf, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { createPairReader } from './changedPairs.ts';
import { deletionOf } from './deleteTests.ts';
import { nowThrows } from './refusedInput.ts';
import { subjectOf, type TestSubject } from './testSubject.ts';
import { whyObsolete, type Doubt } from './whyObsolete.ts';

const obsoleteId = 'obsolete';

/** Tests of one file that are obsolete for the same reason are one proposal. Other expectations of them are doubted in the context. */
export async function proposeObsolete(context: FixContext): Promise<readonly Fix[]> {
  const readPairs = createPairReader(context);
  const trees = new Map<string, SourceTree | undefined>();
  const doubted: Doubted[] = [];
  for (const test of context.failing) {
    if (context.signal.aborted) break;
    const { file, id } = test.result;
    if (!/\.[cm]?[jt]sx?$/.test(file) || !context.isTestFile(file) || isFollowed(id, context)) continue;
    const sources = await readPairs(file);
    if (sources.pairs.length === 0) continue;
    if (!trees.has(file)) {
      const text = await context.readText(file);
      trees.set(file, text === undefined ? undefined : parseTree(file, text));
    }
    const tree = trees.get(file);
    const subject = tree && subjectOf(test.result, tree, context.proposed ?? []);
    const doubt = subject && whyObsolete({ ...test, subject }, sources);
    if (subject === undefined || doubt === undefined) continue;
    context.doubt?.(id, doubt.sentence);
    doubted.push({ test, subject, doubt });
  }
  const fixes: Fix[] = [];
  for (const group of bySentence(doubted)) fixes.push(...fixesOf(group, context));
  return fixes;
}

/** At least one. */
type Group = readonly [Doubted, ...Doubted[]];

interface Doubted {
  readonly test: FailingTest;
  readonly subject: TestSubject;
  readonly doubt: Doubt;
}

/** What has a successor to follow is not obsolete. */
function isFollowed(id: string, { proposed = [] }: FixContext): boolean {
  return proposed.some(
    // What only stands in for calls that are gone may turn out to be no test any more.
    ({ trust, mendsCalls, failures }) =>
      trust === 'mechanical' && mendsCalls !== true && failures.includes(id),
  );
}

function bySentence(doubted: readonly Doubted[]): Iterable<Group> {
  const groups = new Map<string, [Doubted, ...Doubted[]]>();
  for (const one of doubted) {
    const key = JSON.stringify([one.subject.tree.file, one.doubt.sentence]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return groups.values();
}

function fixesOf(group: Group, { root }: FixContext): readonly Fix[] {
  const [first] = group;
  const { doubt, subject } = first;
  if (doubt.kind === 'removed') {
    const changes = deletionOf(
      group.map((one) => one.subject),
      doubt.names ?? [],
    );
    return changes === undefined
      ? []
      : [
          {
            ...fixOf(group, deletionTitle(group), changes),
            removesTests: true,
            ...(doubt.otherSide !== undefined && { otherSide: doubt.otherSide }),
          },
        ];
  }
  if (doubt.successor?.successor !== undefined) {
    const { text, successor } = doubt.successor;
    const changes = group.flatMap((one) => replaced(one.subject, text, successor));
    const title = `give '${successor}' (was '${text}')`;
    return changes.length === 0 ? [] : [fixOf(group, title, distinct(changes))];
  }
  return group.flatMap((one) => {
    const [captured, ...others] = one.test.captured;
    const changes = captured && others.length === 0 ? nowThrows(captured, subject.tree, root) : undefined;
    if (changes === undefined) return [];
    return [{ ...fixOf([one], 'expect the error that is now thrown', changes), otherSide: doubt.sentence }];
  });
}

function fixOf(group: Group, title: string, changes: readonly TextChange[]): Fix {
  const { tree } = group[0].subject;
  const edits = [fileEdit(tree.file, tree.text, changes)];
  return {
    id: hashText(JSON.stringify([obsoleteId, edits])),
    title,
    grade: 'conservative',
    trust: 'propose',
    edits,
    failures: group.map(({ test }) => test.result.id),
    provider: obsoleteId,
    origin: { answersDoubt: true },
    confidence: 0.4,
    evidence: [...new Set(group.map(({ doubt }) => doubt.sentence))],
  };
}

function deletionTitle(group: Group): string {
  const [first] = group;
  const noun = (count: number, one: string): string => (count === 1 ? one : `${count} ${one}s`);
  if (group.length > 1)
    return `delete ${noun(group.length, group.some(({ subject }) => subject.row) ? 'row' : 'test')} of removed code`;
  return `delete the ${first.subject.row === undefined ? 'test' : 'row'} "${first.test.result.title}"`;
}

function replaced({ tree, inputs }: TestSubject, text: string, successor: string): TextChange[] {
  return inputs
    .filter((input) => input.text === text)
    .map((input) => {
      const quote = textOf(tree, input).startsWith('"') ? '"' : "'";
      return { start: startOf(tree, input), end: input.end, newText: stringSource(successor, quote) };
    });
}

const distinct = (changes: readonly TextChange[]): readonly TextChange[] => [
  ...new Map(changes.map((change) => [change.start, change])).values(),
];
