// Which variables of the environment belong to our host or to us, and never reach the user's processes.

/** ELECTRON_*, VSCODE_*, and our key for models. */
export function isHostVariable(name: string): boolean {
  return /^(?:ELECTRON_|VSCODE_|TESTMEND_MODEL_KEY$)/i.test(name);
}
