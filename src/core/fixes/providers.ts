// The fixers, and which of them are asked: adding one is a folder beside this file and a line in here.
import { HumanError } from '../base/humanError.ts';
import { expectedValue } from './assertion/expectedValue.ts';
import { awaiting } from './awaiting/awaiting.ts';
import { environment } from './environment/environment.ts';
import { mockFactory } from './factories/mockFactory.ts';
import type { FixProvider } from './fixProvider.ts';
import { goValue } from './go/goValue.ts';
import { importMoved } from './imports/importMoved.ts';
import { memberRenamed } from './members/memberRenamed.ts';
import { mockCall } from './mocks/mockCall.ts';
import { obsolete } from './obsolete/obsolete.ts';
import { obsoletePython } from './obsoletePython/obsoletePython.ts';
import { addedOption } from './options/addedOption.ts';
import { mockState } from './state/mockState.ts';
import { testLeaks } from './state/testLeaks.ts';
import { pythonAwaits } from './python/pythonAwaits.ts';
import { pythonFixtures } from './python/pythonFixtures.ts';
import { pythonImports } from './python/pythonImports.ts';
import { pythonMembers } from './python/pythonMembers.ts';
import { pythonValue } from './python/pythonValue.ts';
import { signatures } from './signatures/signatures.ts';
import { snapshots } from './snapshots/snapshots.ts';
import { typeExpectation } from './types/typeExpectation.ts';
import { waiting } from './waiting/waiting.ts';
import { exceptionText } from './throws/exceptionText.ts';

/** In the order in which they are asked. */
const all: readonly FixProvider[] = [
  importMoved,
  pythonImports,
  pythonMembers,
  pythonFixtures,
  pythonAwaits,
  memberRenamed,
  awaiting,
  mockFactory,
  signatures,
  environment,
  testLeaks,
  mockState,
  waiting,
  snapshots,
  expectedValue,
  exceptionText,
  mockCall,
  typeExpectation,
  pythonValue,
  goValue,
  // Last: they look at what the others propose.
  addedOption,
  obsolete,
  obsoletePython,
];

/** Right on no commit of a project that they had not seen: off until somebody names them. */
const inNursery: ReadonlySet<FixProvider> = new Set([
  mockFactory,
  environment,
  testLeaks,
  mockState,
  waiting,
  addedOption,
]);

/** Those of the nursery that also know what speaks against a changed expectation: that holds while they are off. */
const doubtful: ReadonlySet<FixProvider> = new Set([waiting, addedOption]);

/** On for everybody. */
export const fixProviders: readonly FixProvider[] = all.filter((one) => !inNursery.has(one));
export const nurseryProviders: readonly FixProvider[] = all.filter((one) => inNursery.has(one));

const removed: ReadonlySet<string> = new Set([
  'runner-api',
  'removed-shortcut',
  'predicate',
  'doubles',
  'compiler',
]);

/** Those that a cycle asks: the ones that are on, and those of the nursery that are named. */
export function askedProviders(nursery: readonly string[] = []): readonly FixProvider[] {
  return all.flatMap((one) => {
    if (!inNursery.has(one) || nursery.includes(one.id)) return [one];
    return doubtful.has(one) ? [onlyDoubts(one)] : [];
  });
}

/** Ours of that name, or one of `others`. Throws a `usage` HumanError where there is none; `givenWith`: the option or setting that names it. */
export function fixProviderNamed(
  id: string,
  givenWith: string,
  others: readonly FixProvider[] = [],
): FixProvider {
  const known = [...all, ...others];
  const found = known.find((provider) => provider.id === id);
  if (found) return found;
  if (removed.has(id))
    throw new HumanError('usage', `The fixer "${id}" was removed in 0.3.`, {
      value: id,
      remedy: `Remove it from ${givenWith}.`,
    });
  throw new HumanError('usage', `There is no fix provider "${id}".`, {
    value: id,
    remedy: `The providers are ${known.map((provider) => provider.id).join(', ')}.`,
  });
}

/** It neither proposes nor tells why it has nothing. */
const onlyDoubts = (provider: FixProvider): FixProvider => ({
  id: provider.id,
  description: provider.description,
  async propose(context) {
    await provider.propose({ ...context, refuse: () => undefined });
    return [];
  },
});
