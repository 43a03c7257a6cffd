// What a TestItem stands for; the items themselves carry only what VS Code shows.
import type * as vscode from 'vscode';
import type { FrameworkId } from '../../core/model/testNode.ts';

interface ProjectItem {
  readonly kind: 'project';
  readonly root: string;
}

export interface FileItem {
  readonly kind: 'file';
  readonly root: string;
  readonly fileId: string;
  /** Relative to the root. */
  readonly file: string;
  readonly framework: FrameworkId;
  /** A skill file is one test, without children. */
  readonly isTest: boolean;
  /** Its tests are known. */
  resolved: boolean;
}

export interface NodeItem {
  /** case: one row of a template; computed: a test that only a run knows. */
  readonly kind: 'suite' | 'test' | 'template' | 'case' | 'computed';
  readonly root: string;
  readonly fileId: string;
  readonly id: string;
  /** Suites and title as printed. */
  readonly names: readonly string[];
}

/** The folder of several roots. */
interface FolderItem {
  readonly kind: 'folder';
  readonly root: string;
}

export type ItemData = FolderItem | ProjectItem | FileItem | NodeItem;

const dataOf = new WeakMap<vscode.TestItem, ItemData>();

export function setItemData(item: vscode.TestItem, data: ItemData): void {
  dataOf.set(item, data);
}

export function itemData(item: vscode.TestItem): ItemData | undefined {
  return dataOf.get(item);
}

/** Items of a collection as an array; VS Code offers only iteration over pairs. */
export function itemsOf(collection: vscode.TestItemCollection): vscode.TestItem[] {
  return Array.from(collection, ([, item]) => item);
}

/** True when the item can pass or fail by itself. */
export function isLeaf(data: ItemData): boolean {
  return (
    data.kind === 'test' ||
    data.kind === 'case' ||
    data.kind === 'computed' ||
    (data.kind === 'file' && data.isTest)
  );
}

/** Menus of the Testing view hand over their item. */
export function isTestItem(value: unknown): value is vscode.TestItem {
  return typeof value === 'object' && value !== null && 'canResolveChildren' in value && 'children' in value;
}
