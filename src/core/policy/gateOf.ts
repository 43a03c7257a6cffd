// What a fix says of itself, which the gate holds it to.
import type { Fix, FixPart } from '../model/fix.ts';
import type { GateContext } from './checkPolicy.ts';

/** Of a chain, as a whole, only what each of its steps says; the steps are held to their own words one by one. */
export function gateOf(fix: Fix): GateContext {
  if (fix.parts === undefined) return gateOfOne(fix);
  const gates = fix.parts.map(gateOfOne);
  const all = (is: (gate: GateContext) => boolean | undefined): boolean =>
    gates.every((gate) => is(gate) === true);
  return {
    isUndeclared: gates.some(({ isUndeclared }) => isUndeclared === true),
    isExpectation: all(({ isExpectation }) => isExpectation),
    isTried: all(({ isTried }) => isTried),
    keepsExpectations: all(({ keepsExpectations }) => keepsExpectations),
    isCall: all(({ isCall }) => isCall),
  };
}

function gateOfOne(fix: FixPart): GateContext {
  if (fix.undeclared === true) return { isUndeclared: true };
  const { trust } = fix;
  const isCall = fix.mendsCalls === true;
  const namesEnvironment = fix.namesEnvironment === true;
  return {
    isExpectation: trust === 'oracle' && !isCall,
    isTried: fix.byTrial === true,
    keepsExpectations: trust === 'mechanical' && !isCall && !namesEnvironment,
    isCall,
    namesEnvironment,
  };
}
