// The environment the user's processes get: the user's own, without what our host put into it.
import { isHostVariable } from '../base/hostVariables.ts';

/**
 * Without ELECTRON_*, VSCODE_* and the debugger's bootloader in NODE_OPTIONS, which belong to the editor, and without our key for models. Nothing is added:
 * NO_COLOR, FORCE_COLOR or CI change what tests see and make some of them red.
 */
export function userEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || isHostVariable(name)) continue;
    if (name.toUpperCase() === 'NODE_OPTIONS' && isDebugBootloader(value)) continue;
    result[name] = value;
  }
  return result;
}

/** VS Code's JavaScript debugger sets NODE_OPTIONS to `--require "…/ms-vscode.js-debug/src/bootloader.js"`. */
function isDebugBootloader(nodeOptions: string): boolean {
  return /js-debug[\\/].*bootloader/i.test(nodeOptions);
}
