// Guards of callbacks go by the name of what takes them: one import in the place of another from the same module takes the same ones.
import type { FileFacts } from './fileFacts.ts';
import type { Guard } from './flow.ts';
import { mentions } from './followedNames.ts';
import { isSourceModule } from './testApi.ts';

/** Guards of the newer version under the names of the older. Whether the new import may stand for the old one is the question of other rules. */
export function underFormerNames(before: FileFacts, after: FileFacts): (guard: Guard) => Guard {
  const [lost, ...others] = importedOnlyBy(before, after);
  const [gained, ...more] = importedOnlyBy(after, before);
  const isRename =
    lost !== undefined && gained?.module === lost.module && others.length === 0 && more.length === 0;
  if (!isRename) return (guard) => guard;
  const key = `callback:${gained.local}:`;
  return (guard) => (guard.key === key ? { ...guard, key: `callback:${lost.local}:` } : guard);
}

/** Names of source modules that the other version neither imports nor says anywhere. */
function importedOnlyBy(one: FileFacts, other: FileFacts): readonly { local: string; module: string }[] {
  return Array.from(one.bindings.imports).flatMap(([local, { module }]) =>
    isSourceModule(module) && !mentions(other.text, local) ? [{ local, module }] : [],
  );
}
