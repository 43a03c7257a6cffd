// The roots that were given at the start: no call works anywhere else, and in untrusted ones tests are only listed.
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { openWorkspace, type OpenedWorkspace } from '../core/engine/openWorkspace.ts';
import { workspaceOf } from '../core/engine/workspaceOf.ts';
import type { Workspace } from '../core/model/settings.ts';

export interface McpSettings {
  /** Absolute real paths, at least one. */
  readonly roots: readonly string[];
  /** False: tests are listed and nothing runs. */
  readonly trusted: boolean;
  /** All when empty. */
  readonly frameworks: readonly string[];
  /** Of a run, s. */
  readonly timeoutSeconds: number;
  readonly skillTimeoutSeconds?: number | undefined;
  readonly maxParallel?: number | undefined;
  readonly pythonPath?: string;
  readonly version: string;
}

/** The root that a call names by its path or its last folder; the first one when it names none. */
export function rootNamed({ roots }: McpSettings, name: string | undefined): string {
  const root = roots.find((one) => name === undefined || one === name || path.basename(one) === name);
  if (root !== undefined) return root;
  throw new HumanError('bad-input', 'The root is none of those that this server was started for.', {
    value: (name ?? '').slice(0, 200),
    remedy: `Leave it out, or name one of ${roots.join(', ')}.`,
  });
}

export function workspaceAt(root: string, settings: McpSettings): Workspace {
  const { frameworks, timeoutSeconds, skillTimeoutSeconds, maxParallel, pythonPath = '' } = settings;
  return workspaceOf({ root, frameworks, timeoutSeconds, skillTimeoutSeconds, maxParallel, pythonPath });
}

/** Throws what `openWorkspace` throws. */
export function openAt(root: string, settings: McpSettings, signal: AbortSignal): Promise<OpenedWorkspace> {
  return openWorkspace(workspaceAt(root, settings), signal);
}

export function refuseUntrusted({ trusted }: McpSettings): void {
  if (trusted) return;
  throw new HumanError('untrusted', 'Testmend runs nothing in an untrusted workspace.', {
    remedy: 'A person who trusts the folder starts the server without --untrusted.',
  });
}
