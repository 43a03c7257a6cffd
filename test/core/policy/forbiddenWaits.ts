// Changes the gate forbids: waiting that makes an assertion say less.
import { body, hello, type Case } from './changes.ts';

const waited = (name: string, assertion: string, wait: (assertion: string) => string): Case =>
  body(name, assertion, wait(assertion));
const until = (assertion: string): string => `await vi.waitFor(() => { ${assertion} });`;

export const forbiddenWaits: Readonly<Record<string, readonly Case[]>> = {
  'waited-absence': [
    waited('for a call that must not come', `expect(save).not.toHaveBeenCalled();`, until),
    waited('for an empty list', `expect(cart.items).toEqual([]);`, until),
    waited('for false', `expect(cart.open).toBe(false);`, until),
    waited('for nothing', `expect(cart.owner).toBeNull();`, until),
    body('by polling', `expect(cart.total).not.toBe(1);`, `await expect.poll(() => cart.total).not.toBe(1);`),
  ],
  'waited-count': [
    waited('for a number of calls', `expect(save).toHaveBeenCalledTimes(1);`, until),
    waited('for a number of items', `expect(cart.items).toHaveLength(2);`, until),
  ],
  'retried-step': [
    waited('that asks the code each time', hello, until),
    body(
      'with the step before it',
      `cart.add(1); expect(cart.total).toBe(2);`,
      `await vi.waitFor(() => { cart.add(1); expect(cart.total).toBe(2); });`,
    ),
    body('by polling', `expect(cart.next()).toBe(3);`, `await expect.poll(() => cart.next()).toBe(3);`),
  ],
  'longer-timeout': [
    body(
      'of a wait',
      `expect(cart.total).toBe(1);`,
      `await vi.waitFor(() => expect(cart.total).toBe(1), 60_000);`,
    ),
  ],
};
