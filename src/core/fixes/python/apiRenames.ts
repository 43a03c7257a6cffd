// Which member, parameter or key of the Python source has another name now: told by texts that are the same but for the name.
import type { Parameter, PythonClass, PythonFunction, PythonMember } from '../../syntax/python/moduleApi.ts';
import { written, type NewNames, type Token } from '../../syntax/python/tokens.ts';
import { isCloseName } from '../members/closeName.ts';
import { rivalsOf, takenFrom, type Declared } from '../renameDoubts/successor.ts';

export interface ApiRename {
  readonly old: string;
  /** Undefined where nothing, or more than one, could have taken its place. */
  readonly now: string | undefined;
  /** tells: by a text that is no coincidence · same: by one that could be · near: by its name alone · gone: by nothing. */
  readonly by: 'tells' | 'same' | 'near' | 'gone';
  /** What else is new there. */
  readonly others?: readonly string[];
  /** Why its text may be what another one is now, as the rest of a sentence. */
  readonly doubt?: string;
}

/** One for each member that the class itself no longer has. */
export function renamedMembers(before: PythonClass, now: PythonClass): readonly ApiRename[] {
  const lost = [...before.members.values()].filter(({ name }) => !now.members.has(name));
  const gained = [...now.members.values()].filter(({ name }) => !before.members.has(name));
  const known = new Map<string, string>();
  const found = new Map<string, ApiRename>();
  // What one of them is called may stand in the text of another.
  for (let size = -1; size < known.size;) {
    size = known.size;
    for (const one of lost) {
      if (found.has(one.name)) continue;
      const isLike = (a: typeof one, b: typeof one, inTexts = true): boolean =>
        a.kind === b.kind && isAlike(a.tokens, b.tokens, new Map([...known, [a.name, b.name]]), { inTexts });
      const candidates = gained.filter((other) => isLike(one, other));
      const [only] = candidates;
      if (only === undefined || candidates.length > 1) continue;
      if (lost.some((other) => other !== one && isLike(other, only))) continue;
      known.set(one.name, only.name);
      const isSole = one.index === only.index;
      if (!one.tells && !isSole) continue;
      const others = gained.filter((other) => other !== only).map(({ name }) => name);
      const doubt = one.tells ? doubtOfHeir(one, only, { lost, gained }) : undefined;
      // Whoever reads a text that said the name may tell the difference.
      const by = one.tells && isLike(one, only, false) && doubt === undefined ? 'tells' : 'same';
      found.set(one.name, {
        old: one.name,
        now: only.name,
        by,
        ...(others.length > 0 && { others }),
        ...(doubt !== undefined && { doubt }),
      });
    }
  }
  const [left] = gained.filter(({ name }) => ![...found.values()].some((one) => one.now === name));
  return lost.map(({ name, kind }) => {
    const isAlone = lost.length === 1 && gained.length === 1 && left?.kind === kind;
    return (
      found.get(name) ??
      (isAlone && isCloseName(name, left.name)
        ? { old: name, now: left.name, by: 'near' }
        : { old: name, now: undefined, by: 'gone' })
    );
  });
}

function doubtOfHeir(
  one: PythonMember,
  only: PythonMember,
  { lost, gained }: { readonly lost: readonly PythonMember[]; readonly gained: readonly PythonMember[] },
): string | undefined {
  const known = new Map([...lost, ...gained].map((member) => [member, declaredOf(member)]));
  const of = (member: PythonMember): Declared => known.get(member) ?? declaredOf(member);
  const succession = { gone: lost.map(of), come: gained.map(of), placeNow: (place: string) => place };
  const [rival] = rivalsOf(of(one), of(only), succession);
  return rival === undefined
    ? takenFrom(of(one), of(only), succession)
    : `${rival.name} is new as well and may be the replacement`;
}

const declaredOf = ({ name, kind, tokens, index }: PythonMember): Declared => ({
  name,
  place: kind,
  shape: tokens.map((token) => (token.text === name && token.kind === 'member' ? '#' : token.text)),
  order: index,
});

/** One for each parameter that is gone; `members`: what members of the class are called now, by their old names. */
export function renamedParameters(
  before: PythonFunction,
  now: PythonFunction,
  members: ReadonlyMap<string, string> = new Map(),
): readonly ApiRename[] {
  const lost = before.parameters.filter(({ name }) => !has(now.parameters, name));
  const gained = now.parameters.filter(({ name }) => !has(before.parameters, name));
  const gone = lost.map(({ name }): ApiRename => ({ old: name, now: undefined, by: 'gone' }));
  const isSame =
    before.decorators === now.decorators && !before.isOpen && !now.isOpen && lost.length === gained.length;
  if (!isSame) return gone;
  const names = new Map<string, string>();
  for (const one of lost) {
    const other = now.parameters[before.parameters.indexOf(one)];
    if (other === undefined || !gained.includes(other) || written(one.rest) !== written(other.rest))
      return gone;
    names.set(one.name, other.name);
  }
  // A parameter that is not used says nothing.
  const isUsed = (name: string): boolean =>
    before.body.some(({ text, kind }) => kind === 'variable' && text === name);
  const isTold = isAlike(before.body, now.body, names, { members }) && lost.every(({ name }) => isUsed(name));
  return [...names].map(([old, to]) =>
    isTold
      ? { old, now: to, by: before.tells ? 'tells' : 'same' }
      : lost.length === 1 && isCloseName(old, to)
        ? { old, now: to, by: 'near' }
        : { old, now: undefined, by: 'gone' },
  );
}

const has = (parameters: readonly Parameter[], name: string): boolean =>
  parameters.some((one) => one.name === name);

/** One for each key that is gone from what a function gives. */
export function renamedKeys(
  { keys: before }: PythonFunction,
  { keys: now }: PythonFunction,
  members: ReadonlyMap<string, string>,
): readonly ApiRename[] {
  if (before === undefined || now === undefined) return [];
  const lost = [...before].filter(([name]) => !now.has(name));
  const gained = [...now].filter(([name]) => !before.has(name));
  return lost.map(([old, value]) => {
    const same = (list: typeof lost, text: string): typeof lost =>
      list.filter(([, one]) => written(one) === text);
    const found = [written(value), written(value, { member: members })].flatMap((text) => same(gained, text));
    const [only] = found;
    const isOne = new Set(found).size === 1 && same(lost, written(value)).length === 1;
    return only !== undefined && isOne
      ? { old, now: only[0], by: 'same' }
      : { old, now: undefined, by: 'gone' };
  });
}

/** The same but for the names; a variable, a keyword or a text of the name of a member may have followed it, or not. */
function isAlike(
  before: readonly Token[],
  now: readonly Token[],
  names: ReadonlyMap<string, string>,
  {
    members = names,
    inTexts = false,
  }: { readonly members?: ReadonlyMap<string, string>; readonly inTexts?: boolean } = {},
): boolean {
  const other = names === members ? {} : { variable: names };
  const ways: readonly NewNames[] = [
    { ...other, member: members },
    { member: members, variable: names },
    { ...other, member: members, keyword: names },
    { member: members, variable: names, keyword: names },
  ];
  const text = written(now);
  const isSame = (way: NewNames): boolean =>
    written(before, way) === text || (inTexts && written(before, { ...way, text: members }) === text);
  return before.length === now.length && ways.some(isSame);
}
