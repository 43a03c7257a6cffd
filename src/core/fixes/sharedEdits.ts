// One edit that several failing tests need is one fix.
import type { Stop } from '../diagnosis/valueStops.ts';
import type { Fix } from '../model/fix.ts';

/** The same edit for two tests: what speaks against it in one of them does so for both. */
export function together(one: Fix, other: Fix): Fix {
  const stops = distinctStops([...(one.stops ?? []), ...(other.stops ?? [])]);
  return {
    ...(other.trust === 'propose' ? other : one),
    failures: [...one.failures, ...other.failures],
    ...(stops.length > 0 && { stops }),
  };
}

/** Each reason once. */
export function distinctStops(stops: readonly Stop[]): Stop[] {
  return [...new Map(stops.map((stop) => [stop.reason, stop])).values()];
}
