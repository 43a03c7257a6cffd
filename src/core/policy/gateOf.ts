// What a fix says of itself, which the gate holds it to.
import type { Fix } from '../model/fix.ts';
import type { GateContext } from './checkPolicy.ts';

export function gateOf(fix: Fix): GateContext {
  if (fix.undeclared === true) return { isUndeclared: true };
  const { trust } = fix;
  const isCall = fix.mendsCalls === true;
  const movesRunner = fix.movesRunner === true;
  const namesEnvironment = fix.namesEnvironment === true;
  return {
    isExpectation: trust === 'oracle' && !isCall,
    isTried: fix.byTrial === true,
    keepsExpectations: trust === 'mechanical' && !isCall && !movesRunner && !namesEnvironment,
    isCall,
    movesRunner,
    namesEnvironment,
  };
}
