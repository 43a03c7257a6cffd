// The vocabulary of describe/it as vitest and its kin speak it: which chains of names declare suites and tests.
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
}

export const rootNames: ReadonlySet<string> = new Set(['describe', 'suite', 'it', 'test']);

/** Modules whose exports are the real thing, under whatever local name. */
export const testModules: ReadonlySet<string> = new Set([
  'vitest',
  '@jest/globals',
  'node:test',
  'bun:test',
  'mocha',
]);

const plain = { each: false, skip: false, only: false, todo: false, needs: 'nothing' } as const;
const suiteRoot: TestApi = { ...plain, role: 'suite' };
const testRoot: TestApi = { ...plain, role: 'test' };

export function rootApi(name: string): TestApi | undefined {
  if (!rootNames.has(name)) return undefined;
  return name === 'describe' || name === 'suite' ? suiteRoot : testRoot;
}

/** `api.name`, or undefined when that declares no tests (`test.beforeEach`, `test.step`). */
export function memberApi(api: TestApi, name: string): TestApi | undefined {
  if (api.needs !== 'nothing') return undefined;
  switch (name) {
    case 'concurrent':
    case 'sequential':
      return api;
    case 'skip':
    case 'only':
    case 'todo':
      return { ...api, [name]: true };
    case 'each':
    case 'for':
      return { ...api, each: true, needs: 'table' };
    case 'skipIf':
    case 'runIf':
      return { ...api, needs: 'call' };
    case 'shuffle':
      return api.role === 'suite' ? api : undefined;
    case 'fails':
      return api.role === 'test' ? api : undefined;
    case 'extend':
    case 'override':
    case 'scoped':
      return api.role === 'test' ? { ...api, needs: 'call' } : undefined;
    case 'describe':
    case 'suite':
      return api.role === 'test' ? suiteRoot : undefined;
    default:
      return undefined;
  }
}

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
