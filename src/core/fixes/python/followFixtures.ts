// Rewrites the names of fixtures in a Python test file that a conftest.py around it gave another name.
import type { SyntaxNode } from '@lezer/common';
import type { TextChange } from '../../model/edit.ts';
import { definitionIn } from '../../syntax/python/moduleApi.ts';
import { childrenOf, parsePython, visitPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { isTelling } from '../../syntax/python/tellingBody.ts';
import { tokensOf, written, type Token } from '../../syntax/python/tokens.ts';
import { mayMeanAnother } from '../renameDoubts/otherMeaning.ts';
import type { PythonHistory } from './pythonHistory.ts';

interface FollowedFixtures {
  readonly changes: readonly TextChange[];
  readonly renames: readonly { readonly old: string; readonly now: string; readonly file: string }[];
  /** Why only a person can tell whether the same is meant, in sentences. */
  readonly doubts: readonly string[];
  readonly reasons: readonly { readonly name: string; readonly reason: string }[];
}

/** In whole tests and fixtures only: where a use cannot follow, none does. The same text gives the same changes. */
export async function followFixtures(
  file: string,
  text: string,
  history: PythonHistory,
): Promise<FollowedFixtures> {
  const source = parsePython(text);
  const changes: TextChange[] = [];
  const renames: FollowedFixtures['renames'][number][] = [];
  const reasons: FollowedFixtures['reasons'][number][] = [];
  const doubts: string[] = [];
  const own = fixturesIn(source);
  if (source.errorLine === undefined)
    for (const { name: old, now, conftest, tells } of await lostFixtures(file, history)) {
      if (own.has(old) || !new RegExp(`\\b${old}\\b`).test(text)) continue;
      if (now === undefined) {
        const reason = `The fixture ${old} was removed from ${conftest} ${history.when}, and no new fixture there has the same code.`;
        reasons.push({ name: old, reason });
        continue;
      }
      const found = renameIn(source, old, now);
      if (typeof found === 'string')
        reasons.push({ name: old, reason: `The fixture ${old} is now ${now}, but ${found}.` });
      else if (found.length > 0) {
        changes.push(...found);
        renames.push({ old, now, file: conftest });
        const another = mayMeanAnother(old, now);
        if (another !== undefined) doubts.push(`${now} has the same code as ${old}, but ${another}.`);
        else if (!tells)
          doubts.push(`${now} has the same code as ${old}, but that is too little code for certainty.`);
      }
    }
  return { changes, renames, doubts, reasons };
}

interface Fixture {
  readonly tokens: readonly Token[];
  /** So much that another one with the same is no coincidence. */
  readonly tells: boolean;
}

interface LostFixture {
  readonly name: string;
  readonly now: string | undefined;
  readonly conftest: string;
  /** Its text is no coincidence. */
  readonly tells: boolean;
}

/** Of all conftest.py around the file; those that another one still has are not lost. */
async function lostFixtures(file: string, history: PythonHistory): Promise<readonly LostFixture[]> {
  const lost: LostFixture[] = [];
  const present = new Set<string>();
  for (const conftest of conftestsAround(file)) {
    const [now, before] = await Promise.all([fixturesAt(conftest, 'now'), fixturesAt(conftest, 'before')]);
    for (const name of now.keys()) present.add(name);
    const [gone, come] = [only(before, now), only(now, before)];
    for (const [name, { tokens, tells }] of gone) {
      const like = (other: string): readonly string[] =>
        gone
          .filter(([one, its]) => textAs(its.tokens, one, other) === textAs(tokens, name, other))
          .map(([one]) => one);
      const fits = come.filter(([other, its]) => written(its.tokens) === textAs(tokens, name, other));
      const [[to] = []] = fits;
      const isOne = fits.length === 1 && to !== undefined && like(to).length === 1;
      lost.push({ name, now: isOne ? to : undefined, conftest, tells });
    }
  }
  return lost.filter(({ name }) => !present.has(name));

  async function fixturesAt(place: string, when: 'before' | 'now'): Promise<ReadonlyMap<string, Fixture>> {
    const from = when === 'now' ? place : history.pathBefore(place);
    const text = from === undefined ? undefined : await history.text(from, when);
    return text === undefined ? new Map() : fixturesIn(parsePython(text));
  }
}

const textAs = (tokens: readonly Token[], old: string, now: string): string =>
  written(tokens, { member: new Map([[old, now]]) });

const only = <T>(
  one: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
): readonly (readonly [string, T])[] => [...one].filter(([name]) => !other.has(name));

function conftestsAround(file: string): readonly string[] {
  const folders = file.split('/').slice(0, -1);
  return Array.from({ length: folders.length + 1 }, (_, size) =>
    [...folders.slice(0, folders.length - size), 'conftest.py'].join('/'),
  );
}

/** By the name of their function; those that are known by another one are left out. */
function fixturesIn(source: PythonSource): ReadonlyMap<string, Fixture> {
  const found = new Map<string, Fixture>();
  for (const whole of source.errorLine === undefined ? childrenOf(source.root) : []) {
    const decorators = decoratorsOf(whole, source);
    const fixture = decorators.find((text) => /^@\s*(?:pytest(?:_asyncio)?\.)?fixture\b/.test(text));
    const { name, definition } = definitionIn(whole, source) ?? {};
    if (
      name !== undefined &&
      definition !== undefined &&
      fixture !== undefined &&
      !/\bname\s*=/.test(fixture)
    )
      found.set(name, { tokens: tokensOf(whole, source, name), tells: isTelling(definition) });
  }
  return found;
}

const decoratorsOf = (whole: SyntaxNode, source: PythonSource): readonly string[] =>
  whole.name === 'DecoratedStatement' ? whole.getChildren('Decorator').map((one) => source.textOf(one)) : [];

/** Of the functions that ask for it, or why one of them cannot follow: the rest of a sentence. */
function renameIn(source: PythonSource, old: string, now: string): readonly TextChange[] | string {
  const changes: TextChange[] = [];
  const asking: SyntaxNode[] = [];
  visitPython(source.root, (node) => {
    if (node.name === 'FunctionDefinition' && asksFor(node, old, source)) asking.push(node);
  });
  for (const definition of asking) {
    const { parent } = definition;
    const decorators = parent === null ? [] : decoratorsOf(parent, source);
    if (decorators.some((text) => /\bparametrize\b/.test(text) && new RegExp(`\\b${old}\\b`).test(text)))
      return 'a parameter table also passes it to a test';
    const text = source.textOf(definition);
    if (new RegExp(`\\b${now}\\b`).test(text)) return `a test uses ${now} for something else`;
    if (
      /\b(?:locals|vars|eval|exec|getfixturevalue)\b/.test(text) ||
      new RegExp(`\\{\\s*${old}\\s*=`).test(text)
    )
      return 'a test may inspect its own variable names';
    let isShadowed = false;
    visitPython(definition, (node) => {
      if (node.name !== 'VariableName' || source.textOf(node) !== old || node.prevSibling?.name === '.')
        return;
      if (node.parent?.name === 'ArgList' && node.nextSibling?.name === 'AssignOp') return;
      isShadowed ||= node.parent?.name === 'ParamList' && node.parent.parent?.from !== definition.from;
      changes.push({ start: node.from, end: node.to, newText: now });
    });
    if (isShadowed) return 'a function inside a test uses the name for something else';
  }
  return changes;
}

/** Is it a parameter of a test or a fixture? */
function asksFor(definition: SyntaxNode, name: string, source: PythonSource): boolean {
  const list = definition.getChild('ParamList');
  const own = definition.getChild('VariableName');
  const whole = definition.parent;
  const isFixture =
    whole !== null && decoratorsOf(whole, source).some((text) => /^@\s*[\w.]*\bfixture\b/.test(text));
  const isAsking = isFixture || (own !== null && source.textOf(own).startsWith('test'));
  return (
    isAsking &&
    list !== null &&
    childrenOf(list).some(
      (one) =>
        one.name === 'VariableName' && one.prevSibling?.name !== 'AssignOp' && source.textOf(one) === name,
    )
  );
}
