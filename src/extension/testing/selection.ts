// From what the user picked in the Testing view to what the engine is asked to run.
import type * as vscode from 'vscode';
import { fileIdOf } from '../../core/model/testId.ts';
import type { Target } from '../../server/messages.ts';
import { itemData, itemsOf, type FileItem } from './itemData.ts';
import type { TestTree } from './tree.ts';

/** What runs in one root; no targets means all of it. */
export interface RootSelection {
  readonly root: string;
  readonly targets?: readonly Target[];
  /** The items that were picked, for their states. */
  readonly items: readonly vscode.TestItem[];
}

/**
 * Splits a request by root. A subtree without excluded tests stays whole; else it is opened, for which `discover` finds
 * the tests of files that are not known yet.
 */
export async function selectTests(
  request: Pick<vscode.TestRunRequest, 'include' | 'exclude'>,
  controller: vscode.TestController,
  tree: TestTree,
  discover: (files: readonly FileItem[]) => Promise<void>,
): Promise<readonly RootSelection[]> {
  const excluded = new Set(request.exclude);
  const picked = request.include ?? itemsOf(controller.items);
  const whole = request.include === undefined && excluded.size === 0;
  const items: vscode.TestItem[] = [];
  for (const item of picked) await collect(item, excluded, tree, discover, items);
  const roots = new Map<string, vscode.TestItem[]>();
  for (const item of items) {
    const data = itemData(item);
    if (data === undefined) continue;
    const list = roots.get(data.root);
    if (list === undefined) roots.set(data.root, [item]);
    else list.push(item);
  }
  return [...roots].map(([root, rootItems]) => ({
    root,
    items: rootItems,
    ...(whole ? {} : { targets: targetsOf(rootItems) }),
  }));
}

async function collect(
  item: vscode.TestItem,
  excluded: ReadonlySet<vscode.TestItem>,
  tree: TestTree,
  discover: (files: readonly FileItem[]) => Promise<void>,
  found: vscode.TestItem[],
): Promise<void> {
  if (excluded.has(item)) return;
  const data = itemData(item);
  const inside = [...excluded].some((other) => isAncestor(item, other));
  if (!inside && data?.kind !== 'project' && data?.kind !== 'folder') {
    found.push(item);
    return;
  }
  if (data?.kind === 'file' && !data.resolved) await discover([data]);
  for (const child of itemsOf(item.children)) await collect(child, excluded, tree, discover, found);
}

function targetsOf(items: readonly vscode.TestItem[]): Target[] {
  const targets = new Map<string, Target>();
  for (const item of items) {
    const data = itemData(item);
    if (data?.kind === 'file') targets.set(data.fileId, { fileId: data.fileId });
    else if (data !== undefined && 'names' in data) {
      // A case runs with its template: frameworks cannot start one row by its number.
      const template = data.kind === 'case' ? item.parent : undefined;
      const templateData = template === undefined ? undefined : itemData(template);
      const names = templateData !== undefined && 'names' in templateData ? templateData.names : data.names;
      const id = template?.id ?? data.id;
      targets.set(id, { fileId: data.fileId, names: [...names], id });
    }
  }
  // A test whose file runs anyway needs no target of its own.
  return [...targets.values()].filter(
    (target) => target.names === undefined || !targets.has(fileIdOf(target.fileId)),
  );
}

function isAncestor(item: vscode.TestItem, other: vscode.TestItem): boolean {
  for (let parent = other.parent; parent !== undefined; parent = parent.parent)
    if (parent === item) return true;
  return false;
}
