// Whether another name of a source is the new name of one that it gave up: by the measure that the fixers follow names by.
import { memberMigrations, type MemberMigration } from '../fixes/members/memberMigration.ts';
import { ownersOf, type Owner } from '../fixes/members/owners.ts';
import { mayMeanAnother } from '../fixes/renameDoubts/otherMeaning.ts';
import { rivalsOf, takenFrom, type Declared } from '../fixes/renameDoubts/successor.ts';
import { parseTree, type SourceTree } from '../syntax/javascript/sourceTree.ts';
import { similarityOf } from '../workspace/similarity.ts';
import { exportedShapes } from './exportedShapes.ts';

interface SourceVersions {
  readonly file: string;
  readonly before: string;
  readonly now: string;
}

/**
 * Of a member, a key or an option that none of these sources has any more: whatever lost it has the new name, had it not before, and has no
 * other that might be meant as well. A name that was there already is another thing. `isSaid`: does a text say the name?
 */
export function isRenamedMember(
  old: string,
  now: string,
  sources: readonly SourceVersions[],
  isSaid: (text: string, name: string) => boolean,
): boolean {
  if (mayMeanAnother(old, now) !== undefined) return false;
  const told = sources.flatMap((source) => [...lossesOf(old, source)]);
  // Where nothing tells whose name it was, the new one may not have been there at all.
  if (told.length === 0) return sources.every(({ before }) => !isSaid(before, now));
  return told.every((loss) => isClear(now, loss));
}

interface Loss {
  readonly migration: MemberMigration | undefined;
  readonly lost: readonly string[];
  readonly gained: readonly string[];
}

function* lossesOf(name: string, { file, before, now }: SourceVersions): Generator<Loss> {
  const [was, is] = [parseTree(file, before), parseTree(file, now)];
  const [owners, fresh] = [ownersOf(was).all, ownersOf(is).all];
  let migrations: readonly MemberMigration[] | undefined;
  for (const [key, owner] of owners) {
    const other = fresh.get(key);
    if (other === undefined || !owner.members.has(name) || other.members.has(name)) continue;
    migrations ??= memberMigrations(was, is);
    yield {
      migration: migrations.find((one) => one.member === name && isOf(one, owner)),
      lost: [...owner.members.keys()].filter((one) => !other.members.has(one)),
      gained: [...other.members.keys()].filter((one) => !owner.members.has(one)),
    };
  }
}

const isOf = ({ owner }: MemberMigration, { kind, name, parameter }: Owner): boolean =>
  owner.kind === kind && owner.name === name && owner.parameter === parameter;

function isClear(now: string, { migration, lost, gained }: Loss): boolean {
  if (!gained.includes(now)) return false;
  if (migration?.to === undefined) return lost.length === 1 && gained.length === 1;
  const { to, because, doubt, owner } = migration;
  if (to !== now) return false;
  if (because !== 'weak') return because === 'renamed' || because === 'similar' || because === 'forwards';
  // A text that says too little may come twice; of options the function is the only one that says so.
  return gained.length <= lost.length && (doubt === undefined || owner.kind === 'options');
}

/** Of an export that came under another name: it means the same, and no other that came stands as near. */
export function isRenamedExport(old: string, now: string, from: SourceVersions, to: SourceVersions): boolean {
  if (old === now) return true;
  if (mayMeanAnother(old, now) !== undefined) return false;
  const [gone, come] = [
    declaredIn(parseTree(from.file, from.before), from.file, from.now),
    declaredIn(parseTree(to.file, to.now), to.file, to.before),
  ];
  const [was, is] = [gone.find(({ name }) => name === old), come.find(({ name }) => name === now)];
  if (was === undefined || is === undefined) return gone.length <= 1 && come.length <= 1;
  const isAlone = gone.length === 1 && come.length === 1;
  if (!isAlone && similarityOf(was.shape, is.shape) < 0.5) return false;
  const succession = { gone, come, placeNow: (place: string) => (place === from.file ? to.file : place) };
  return rivalsOf(was, is, succession).length === 0 && takenFrom(was, is, succession) === undefined;
}

/** What the source exports and the other version of it does not. */
function declaredIn(tree: SourceTree, place: string, other: string): readonly Declared[] {
  const known = exportedShapes(parseTree(place, other));
  return [...exportedShapes(tree)]
    .filter(([name]) => !known.has(name))
    .map(([name, shape], order) => ({ name, place, shape, order }));
}
