// A plugin for mocha's processes: one of them waits with its first file until the process QUEUE_BESIDE has ended, the other one works alone.
import { mkdirSync } from 'node:fs';
import type { Context, RootHookObject } from 'mocha';
import { isAlive } from '../support/isAlive.ts';

// With `--parallel` mocha calls these hooks for every file.
export const mochaHooks: RootHookObject = {
  async beforeAll(this: Context) {
    const [beside, claim] = [Number(process.env['QUEUE_BESIDE']), process.env['QUEUE_CLAIM']];
    if (!beside || claim === undefined || !isFirst(claim)) return;
    this.timeout(0);
    while (isAlive(beside)) await new Promise((resolve) => setTimeout(resolve, 200));
  },
};

/** Whoever makes the folder: the others find it there. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
