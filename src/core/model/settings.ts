// What a run or a cycle may be told, with the defaults decided in INTERFACES and CONTRACTS.

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
  /** Only these frameworks; empty means all. */
  readonly frameworks: readonly string[];
  /** Folder for caches; outside the workspace. */
  readonly cacheFolder: string;
}
