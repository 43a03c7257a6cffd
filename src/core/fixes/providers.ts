// The fixers that are asked by default: adding one is a folder beside this file and a line in here.
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

export const fixProviders: readonly FixProvider[] = [
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
