// The roots that were given at the start: no call works anywhere else, and in untrusted ones tests are only listed.
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import type { OpenedWorkspace } from '../core/engine/openWorkspace.ts';
import { workspaceOf, type WorkspaceSettings } from '../core/engine/workspaceOf.ts';
import type { Workspace } from '../core/model/settings.ts';

export interface McpSettings {
  /** At least one; their paths are absolute and real. */
  readonly roots: readonly WorkspaceSettings[];
  /** False: tests are listed and nothing runs. */
  readonly trusted: boolean;
  readonly version: string;
}

/** The root that a call names by its path or its last folder; the first one when it names none. */
export function rootNamed({ roots }: McpSettings, name: string | undefined): string {
  const places = roots.map(({ root }) => root);
  const root = places.find((one) => name === undefined || one === name || path.basename(one) === name);
  if (root !== undefined) return root;
  throw new HumanError('bad-input', 'The root is none of those that this server was started for.', {
    value: (name ?? '').slice(0, 200),
    remedy: `Leave it out, or name one of ${places.join(', ')}.`,
  });
}

export function workspaceAt(root: string, { roots }: McpSettings): Workspace {
  return workspaceOf(roots.find((one) => one.root === root) ?? { root });
}

/** Throws what `openWorkspace` throws. */
export async function openAt(
  root: string,
  settings: McpSettings,
  signal: AbortSignal,
): Promise<OpenedWorkspace> {
  const { openWorkspace } = await import('../core/engine/openWorkspace.ts');
  return openWorkspace(workspaceAt(root, settings), signal);
}

export function refuseUntrusted({ trusted }: McpSettings): void {
  if (trusted) return;
  throw new HumanError('untrusted', 'Testmend runs nothing in an untrusted workspace.', {
    remedy: 'A person who trusts the folder starts the server without --untrusted.',
  });
}
