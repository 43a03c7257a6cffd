// What a callee such as `it.skip.each` declares, whatever the framework; which names it knows is in the vocabulary of the framework.
import type { ScannedTest, TestMode } from '../../model/testNode.ts';

/** What a callee such as `it.skip.each` means, after the part of it that has been read. */
export interface TestApi {
  readonly role: 'suite' | 'test';
  readonly each: boolean;
  readonly skip: boolean;
  readonly only: boolean;
  readonly todo: boolean;
  /** What has to follow before a title can: a table (`each`, `for`), a call (`skipIf`, `extend`), or nothing. */
  readonly needs: 'nothing' | 'table' | 'call';
  /** Called with a condition it marks what is around it instead of declaring a test: `test.skip(isMobile, 'why')`. */
  readonly mayAnnotate?: true;
}

const plain = { each: false, skip: false, only: false, todo: false, needs: 'nothing' } as const;
export const suite: TestApi = { ...plain, role: 'suite' };
export const test: TestApi = { ...plain, role: 'test' };
export const skipped = (api: TestApi): TestApi => ({ ...api, skip: true });
export const alone = (api: TestApi): TestApi => ({ ...api, only: true });

/** Modules that are close enough that a file which imports one may be read by the vocabulary of any other. */
export const alikeModules: ReadonlySet<string> = new Set([
  'vitest',
  '@jest/globals',
  'node:test',
  'bun:test',
  'mocha',
]);

/** The api once its table or its call has been given. */
export function satisfiedApi(api: TestApi): TestApi {
  return { ...api, needs: 'nothing' };
}

/** As vitest decides it: only, skip, todo, else a call without a function is a todo. */
export function modeOf(api: Pick<TestApi, 'skip' | 'only' | 'todo'>, argumentCount: number): TestMode {
  if (api.only) return 'only';
  if (api.skip) return 'skip';
  return api.todo || argumentCount < 2 ? 'todo' : 'run';
}

/** A template when its titles or its number are known after a run only. */
export function kindOf(api: TestApi, titleIsStatic: boolean, repeated: boolean): ScannedTest['kind'] {
  if (api.each || !titleIsStatic || repeated) return 'template';
  return api.role;
}
