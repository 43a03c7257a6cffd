// Tells fixes of what tests leave behind for others: that a test fails only among others is their reason, not a doubt.
import type { Fix } from '../../model/fix.ts';

export const mockStateId = 'mock-state';
export const testLeaksId = 'test-leaks';

/** Does this fix keep tests out of one another's way? */
export const mendsOrder = ({ provider }: Pick<Fix, 'provider'>): boolean =>
  provider === mockStateId || provider === testLeaksId;
