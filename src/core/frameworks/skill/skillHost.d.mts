// Types of the two functions of the host that in-process runs use.

/** Throws an Error that names the file and the remedy when the module exports no test function (CONTRACTS K3). */
export function testFunction(module: unknown, file: string): () => unknown;

/** Throws an Error that names the file, the value and the remedy for everything that is no result (CONTRACTS K3). */
export function checkedResult(
  result: unknown,
  file: string,
): { readonly passed: number; readonly failed: number; readonly errors: readonly string[] };
