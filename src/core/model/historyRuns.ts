// How many runs of a root its history keeps; apart from the schemas of settings, so that a command starts without loading a parser.

/** Where nobody says how many, and at most. */
export const historyRuns = { usual: 100, most: 1_000 } as const;
