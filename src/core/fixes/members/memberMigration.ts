// Where the members went that a class, object, type or function no longer has: read from the source before and after the change.
import ts from 'typescript';
import type { MadeBy } from '../../model/fix.ts';
import type { SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { isCloseName, isMistyped } from './closeName.ts';
import { mayMeanAnother } from '../renameDoubts/otherMeaning.ts';
import { rivalsOf, takenFrom, type Declared } from '../renameDoubts/successor.ts';
import { ownersOf, type Member, type Owner, type Token } from './owners.ts';

export interface MemberMigration {
  readonly owner: Pick<Owner, 'kind' | 'name' | 'parameter' | 'isAssigned'>;
  readonly member: string;
  /** Relative to the root. */
  readonly file: string;
  /** What stands in for it now; undefined when nothing certainly does. */
  readonly to?: string;
  /**
   * forwards: the old method only called the other one · renamed: the same text has a new name · similar: the only one that
   * is new has a name close to the old one, but another text · partly: a source still uses the old name · another: the new name
   * may mean something else · weak: the same text, which says too little, or which another one may have taken over · redirected: the other one, which the old one only
   * called, changed as well.
   */
  readonly because?: 'forwards' | 'renamed' | 'similar' | 'partly' | 'another' | 'weak' | 'redirected';
  /** Of `partly`, a sentence; of `another` and `weak`, the rest of one. */
  readonly doubt?: string;
  /** Of `renamed` and `weak`, what else is new there. */
  readonly others?: readonly string[];
}

export const madeBy: MadeBy = {
  provider: 'members',
  origin: { outdated: 'uses a name that has changed', judgedValues: true },
};

/** One for each member that an owner had and, in the same file and under the same name, has no longer. */
export function memberMigrations(before: SourceTree, now: SourceTree): readonly MemberMigration[] {
  const current = ownersOf(now).all;
  return [...ownersOf(before).all].flatMap(([key, old]) => {
    const fresh = current.get(key);
    return fresh === undefined ? [] : lostMembers(old, fresh).map((one) => ({ ...one, file: now.file }));
  });
}

function lostMembers(old: Owner, fresh: Owner): readonly Omit<MemberMigration, 'file'>[] {
  const lost = [...old.members.values()].filter(({ name }) => !fresh.members.has(name));
  const gained = [...fresh.members.values()].filter(({ name }) => !old.members.has(name));
  const owner = {
    kind: old.kind,
    name: old.name,
    ...(old.parameter !== undefined && { parameter: old.parameter }),
    ...(old.isAssigned === true && { isAssigned: true as const }),
  };
  const pairs = pairUp(lost, gained, old, fresh);
  const [onlyLost] = lost;
  const [onlyGained] = gained;
  return lost.map((member) => {
    const known = { owner, member: member.name };
    const target = member.method && forwardTarget(member.method);
    if (target !== undefined && fresh.members.has(target))
      return { ...known, to: target, because: isAsBefore(target, old, fresh) ? 'forwards' : 'redirected' };
    const pair = pairs.get(member);
    if (pair !== undefined) {
      const to = pair.name;
      const another = mayMeanAnother(member.name, to);
      if (another !== undefined) return { ...known, to, because: 'another', doubt: another };
      const others = gained.filter((one) => one !== pair).map(({ name }) => name);
      const doubt = doubtOfPair(member, pair, { lost, gained, kind: old.kind });
      // Where a text says the name, too, whoever reads that text may tell the difference.
      const isSaid = saidIn(member) !== saidIn(pair);
      const because = isTelling(member) && doubt === undefined && !isSaid ? 'renamed' : 'weak';
      return { ...known, to, because, others, ...(doubt !== undefined && { doubt }) };
    }
    const isAlone = lost.length === 1 && gained.length === 1 && onlyLost === member && onlyGained;
    // Of options, whether the test passes with the other one shows whether it is meant.
    return isAlone && (old.kind === 'options' || isCloseName(member.name, onlyGained.name))
      ? { ...known, to: onlyGained.name, because: 'similar' }
      : known;
  });
}

/** What only a source that went the same way can settle. */
function doubtOfPair(
  member: Member,
  pair: Member,
  { lost, gained, kind }: { lost: readonly Member[]; gained: readonly Member[]; kind: Owner['kind'] },
): string | undefined {
  if (isMistyped(member.name, pair.name)) return `${pair.name} may be a typo of ${member.name}`;
  // What takes the options may read what nobody gives.
  if (kind === 'options' && pair.isOnlyRead === true) return `only the function itself uses the new name`;
  if (kind === 'options' || kind === 'type' || !isTelling(member)) return undefined;
  const declared = new Map([...lost, ...gained].map((one) => [one, declaredOf(one)]));
  const of = (one: Member): Declared => declared.get(one) ?? declaredOf(one);
  const succession = { gone: lost.map(of), come: gained.map(of), placeNow: (place: string) => place };
  const [rival] = rivalsOf(of(member), of(pair), succession);
  if (rival !== undefined) return `${rival.name} is new as well and may be the replacement`;
  return takenFrom(of(member), of(pair), succession);
}

const declaredOf = ({ name, body, index }: Member): Declared => ({
  name,
  place: '',
  shape: body.map(({ text, isName, said }) => ((isName ? text : said) === name ? '#' : text)),
  order: index,
});

/** What the old method called does what it did. */
function isAsBefore(name: string, old: Owner, fresh: Owner): boolean {
  const [was, is] = [old.members.get(name), fresh.members.get(name)];
  return was !== undefined && is !== undefined && textOf(was, new Set()) === textOf(is, new Set());
}

/** Lost and gained members that are the same but for names; whoever could be two is nobody. */
function pairUp(
  lost: readonly Member[],
  gained: readonly Member[],
  old: Owner,
  fresh: Owner,
): ReadonlyMap<Member, Member> {
  const pairs = new Map<Member, Member>();
  const [before, after] = [lost, gained].map((list) => new Set(list.map(({ name }) => name)));
  const alike = (a: Member, b: Member): boolean =>
    textOf(a, new Set()) === textOf(b, new Set()) ||
    textOf(a, new Set([a.name])) === textOf(b, new Set([b.name])) ||
    textOf(a, before ?? new Set()) === textOf(b, after ?? new Set()) ||
    textOf(a, before ?? new Set(), true) === textOf(b, after ?? new Set(), true);
  for (const member of lost) {
    const candidates = gained.filter((other) => alike(member, other));
    const [only] = candidates;
    if (only === undefined || candidates.length > 1) continue;
    if (lost.some((other) => other !== member && alike(other, only))) continue;
    if (isTelling(member) || isSamePlace(member, only, old, fresh)) pairs.set(member, only);
  }
  return pairs;
}

/** A text that is not met twice by chance. */
const isTelling = (member: Member): boolean => member.body.length >= 8;

/** Counted from the first or from the last member. */
function isSamePlace(a: Member, b: Member, old: Owner, fresh: Owner): boolean {
  const [sizeBefore, sizeNow] = [sizeOf(old), sizeOf(fresh)];
  return a.index === b.index || sizeBefore - a.index === sizeNow - b.index;
}

const sizeOf = ({ members }: Owner): number =>
  Math.max(0, ...[...members.values()].map(({ index }) => index)) + 1;

/** `inTexts`: also where a text says nothing but the name. */
function textOf({ body }: Member, names: ReadonlySet<string>, inTexts = false): string {
  const isOne = ({ text, isName, said }: Token): boolean =>
    isName ? names.has(text) : inTexts && said !== undefined && names.has(said);
  return body.map((token) => (isOne(token) ? (token.isName ? '#' : "'#'") : token.text)).join(' ');
}

const saidIn = ({ body }: Member): string => body.flatMap(({ said }) => said ?? []).join('\0');

/** `target` of a method that is nothing but `return this.target(…its own parameters…)`. */
function forwardTarget({ parameters, body, asteriskToken }: ts.MethodDeclaration): string | undefined {
  const [statement, ...more] = body?.statements ?? [];
  if (statement === undefined || more.length > 0 || asteriskToken !== undefined) return undefined;
  const returned =
    ts.isReturnStatement(statement) || ts.isExpressionStatement(statement) ? statement.expression : undefined;
  const call = returned !== undefined && ts.isAwaitExpression(returned) ? returned.expression : returned;
  if (call === undefined || !ts.isCallExpression(call)) return undefined;
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || callee.expression.kind !== ts.SyntaxKind.ThisKeyword)
    return undefined;
  const passes =
    call.arguments.length === parameters.length &&
    parameters.every(({ name, initializer, dotDotDotToken }, index) => {
      const argument = call.arguments[index];
      const value = argument && ts.isSpreadElement(argument) ? argument.expression : argument;
      return (
        value !== undefined &&
        ts.isIdentifier(value) &&
        ts.isIdentifier(name) &&
        value.text === name.text &&
        initializer === undefined &&
        (dotDotDotToken !== undefined) === (value !== argument)
      );
    });
  return passes ? callee.name.text : undefined;
}

/** `Cart.total`; "total, which cart() returned,"; "The option colour of paint()". */
export function ownerText({ owner, member }: Pick<MemberMigration, 'owner' | 'member'>): string {
  if (owner.kind === 'options') return `The option ${member} of ${owner.name}()`;
  if (owner.kind === 'result') return `The ${member} that ${owner.name}() returned`;
  return `${owner.name}.${member}`;
}
