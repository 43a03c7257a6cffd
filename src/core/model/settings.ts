// What a run or a cycle may be told, with the defaults decided in INTERFACES and CONTRACTS.
import { z } from 'zod';

export interface RunLimits {
  /** For the whole run, ms (T3: 300 s). */
  readonly timeoutMs: number;
  /** For one skill file, ms (K2: 30 s). */
  readonly skillTimeoutMs: number;
  /** Processes at once. */
  readonly maxParallel: number;
}

/** Everything about a workspace that the core needs; built by each host, never global. */
export interface Workspace {
  /** Absolute real path. */
  readonly root: string;
  readonly limits: RunLimits;
  /** The user's `node`; absent means the first on PATH. */
  readonly nodePath?: string;
  /** The user's Python or the folder of its environment; absent means that of each project. */
  readonly pythonPath?: string;
  /** Runs that the history keeps; absent means the usual number. */
  readonly historyRuns?: number;
  /** Only these frameworks; empty means all. */
  readonly frameworks: readonly string[];
  /** Folder for caches; outside the workspace. */
  readonly cacheFolder: string;
}

/** CONTRACTS F1: unit, integration, end to end. */
export const layerSchema = z.enum(['L1', 'L2', 'L3']);
export type Layer = z.infer<typeof layerSchema>;

const globsSchema = z.exactOptional(z.array(z.string()));
/** Globs of the test files of each layer, relative to the root; a layer without globs goes by the usual names. */
export const layerGlobsSchema = z.strictObject({ L1: globsSchema, L2: globsSchema, L3: globsSchema });
export type LayerGlobs = Readonly<z.infer<typeof layerGlobsSchema>>;
