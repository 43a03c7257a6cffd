// The Testing view's tree: framework (or project) → file → suites → tests, built late and refreshed in place.
import * as vscode from 'vscode';
import { caseNumberOf, templateOf, fileIdOf } from '../../core/model/testId.ts';
import type { TestFile, TestNode } from '../../core/model/testNode.ts';
import type { TestResult } from '../../core/model/testResult.ts';
import { shownLine } from '../../core/model/visibleText.ts';
import type { ListedProject } from '../../server/messages.ts';
import { toRange, toUri, workspaceRoots } from '../folders.ts';
import { itemData, itemsOf, setItemData, type FileItem, type ItemData, type NodeItem } from './itemData.ts';
import { inSlices } from './slices.ts';

export class TestTree {
  readonly #controller: vscode.TestController;
  readonly #items = new Map<string, vscode.TestItem>();
  #updates: Promise<void> = Promise.resolve();
  readonly #byPath = new Map<string, Set<FileItem>>();

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
  }

  get(root: string, id: string): vscode.TestItem | undefined {
    return this.#items.get(keyOf(root, id));
  }

  /** Ids of the files at a path; a file can belong to several projects. */
  filesAt(root: string, file: string): readonly FileItem[] {
    return [...(this.#byPath.get(keyOf(root, file)) ?? [])];
  }

  /** Files whose tests are shown. */
  resolvedFiles(): readonly FileItem[] {
    return [...this.#byPath.values()].flatMap((files) => [...files]).filter((file) => file.resolved);
  }

  /** Puts the listed files in place of what was there; known files keep their items and results. */
  setListing(projects: readonly ListedProject[]): Promise<void> {
    return this.#inTurn(() => this.#setListing(projects));
  }

  /** Shows the tests of a file, keeping the items of tests that are still there; updates follow one another. */
  setFile(root: string, file: TestFile): Promise<void> {
    return this.#inTurn(async () => {
      const item = this.get(root, file.id);
      const data = item === undefined ? undefined : itemData(item);
      if (item === undefined || data?.kind !== 'file') return;
      setError(item, file.warnings.join(' '));
      // A file that cannot be read for now, in the middle of typing for instance, keeps the tests it had.
      const keepsOld = item.children.size > 0 && file.warnings.some((warning) => unreadable.test(warning));
      const mode = keepsOld ? 'placesOnly' : 'all';
      if (!data.isTest) await inSlices(this.#sync(item, data, file.tests, [], mode), () => undefined);
      if (item.canResolveChildren) item.canResolveChildren = false;
      item.busy = false;
      data.resolved = true;
    });
  }

  /** Takes a deleted file out. */
  remove(root: string, fileId: string): void {
    const item = this.get(root, fileId);
    if (item === undefined) return;
    this.#forget(item);
    const project = item.parent;
    project?.children.delete(item.id);
    if (project !== undefined && project.children.size === 0 && project.error === undefined) {
      (project.parent?.children ?? this.#controller.items).delete(project.id);
    }
  }

  /** The item of a result; a case or a test that only the run knows gets one. */
  itemOf(root: string, result: TestResult): vscode.TestItem | undefined {
    const known = this.get(root, result.id);
    if (known !== undefined) return known;
    const fileItem = this.get(root, fileIdOf(result.id));
    if (fileItem === undefined) return undefined;
    const template = this.get(root, templateOf(result.id));
    const kind = template === undefined ? 'computed' : 'case';
    const parent = template ?? this.#suiteOf(fileItem, result.suites);
    const place = { line: result.line, column: 1 };
    const item = this.#make(
      { kind, root, fileId: fileIdOf(result.id), id: result.id, names: [...result.suites, result.title] },
      result.title,
      fileItem.uri,
      parent.range ?? toRange({ start: place, end: place }),
    );
    item.sortText = kind === 'case' ? caseOrder(result.id) : lineOrder(result.line);
    parent.children.add(item);
    return item;
  }

  /** After a complete run of a file: drops cases and computed tests that did not occur in it. */
  prune(root: string, fileId: string, seen: ReadonlySet<string>): void {
    const fileItem = this.get(root, fileId);
    if (fileItem === undefined) return;
    for (const item of descendants(fileItem)) {
      const data = itemData(item);
      if ((data?.kind === 'case' || data?.kind === 'computed') && !seen.has(data.id)) {
        this.#forget(item);
        item.parent?.children.delete(item.id);
      }
    }
  }

  async #setListing(projects: readonly ListedProject[]): Promise<void> {
    const several = workspaceRoots().length > 1;
    const kept = new Set<vscode.TestItem>();
    for (const top of itemsOf(this.#controller.items))
      if ((itemData(top)?.kind === 'folder') !== several) this.#detach(top);
    for (const project of projects) {
      if (project.files.length === 0 && project.problem === undefined) continue;
      const parent = several ? this.#folderItem(project.root) : undefined;
      if (parent !== undefined) kept.add(parent);
      const item = this.#projectItem(project, parent);
      kept.add(item);
      await inSlices(project.files, (file) => {
        const fileItem = this.#fileItem(project, file);
        kept.add(fileItem);
        if (item.children.get(fileItem.id) !== fileItem) item.children.add(fileItem);
      });
    }
    for (const top of itemsOf(this.#controller.items)) {
      const projectItems = itemData(top)?.kind === 'folder' ? itemsOf(top.children) : [top];
      for (const project of projectItems) {
        if (!kept.has(project)) this.#detach(project);
        else await inSlices(itemsOf(project.children), (file) => kept.has(file) || this.#detach(file));
      }
      if (!kept.has(top)) this.#detach(top);
    }
  }

  #detach(item: vscode.TestItem): void {
    this.#forget(item);
    (item.parent?.children ?? this.#controller.items).delete(item.id);
  }

  /** Updates that wait for the host in between must not mix. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const next = this.#updates.then(work);
    this.#updates = next.catch(() => undefined);
    return next;
  }

  /** One step per test: each attaches, changes or removes one item; `placesOnly` neither attaches nor removes. */
  *#sync(
    parent: vscode.TestItem,
    file: FileItem,
    nodes: readonly TestNode[],
    suites: readonly string[],
    mode: 'all' | 'placesOnly',
  ): Generator<void> {
    let before = parent.range?.start.line ?? -1;
    for (const node of nodes) {
      const names = [...suites, node.title];
      const known = this.#reusable(parent, file, node);
      if (known === undefined && mode === 'placesOnly') continue;
      const range = fromLineStart(toRange(node.range), before);
      before = range.end.line;
      const item = known ?? this.#add(parent, file, node, names, range);
      if (item.label !== shownTitle(node.title)) item.label = shownTitle(node.title);
      if (item.range === undefined || !item.range.isEqual(range)) item.range = range;
      const order = lineOrder(node.range.start.line);
      if (item.sortText !== order) item.sortText = order;
      const note = node.mode === 'run' ? '' : node.mode;
      if ((item.description ?? '') !== note) item.description = note;
      yield;
      yield* this.#sync(item, file, node.children, names, mode);
    }
    if (mode === 'placesOnly') return;
    const ids = new Set(nodes.map((node) => node.id));
    for (const old of itemsOf(parent.children)) {
      const kind = itemData(old)?.kind;
      if (ids.has(old.id) || kind === 'case' || kind === 'computed') continue;
      this.#forget(old);
      parent.children.delete(old.id);
      yield;
    }
  }

  #reusable(parent: vscode.TestItem, file: FileItem, node: TestNode): vscode.TestItem | undefined {
    const known = parent.children.get(node.id);
    return known !== undefined &&
      itemData(known)?.kind === node.kind &&
      this.get(file.root, node.id) === known
      ? known
      : undefined;
  }

  #add(
    parent: vscode.TestItem,
    file: FileItem,
    node: TestNode,
    names: readonly string[],
    range: vscode.Range,
  ): vscode.TestItem {
    const data = { kind: node.kind, root: file.root, fileId: file.fileId, id: node.id, names };
    const item = this.#make(data, node.title, parent.uri, range);
    item.sortText = lineOrder(node.range.start.line);
    if (node.mode !== 'run') item.description = node.mode;
    parent.children.add(item);
    return item;
  }

  #make(data: NodeItem, label: string, uri: vscode.Uri | undefined, range: vscode.Range): vscode.TestItem {
    const item = this.#controller.createTestItem(data.id, shownTitle(label), uri);
    item.range = range;
    setItemData(item, data);
    this.#items.set(keyOf(data.root, data.id), item);
    return item;
  }

  #folderItem(root: string): vscode.TestItem {
    const id = `folder:${root}`;
    const known = this.#controller.items.get(id);
    if (known !== undefined) return known;
    const found = workspaceRoots().find((candidate) => candidate.path === root);
    const item = this.#controller.createTestItem(id, found?.folder.name ?? root, found?.folder.uri);
    item.sortText = String(found?.folder.index ?? 0).padStart(4, '0');
    setItemData(item, { kind: 'folder', root });
    this.#controller.items.add(item);
    return item;
  }

  #projectItem(project: ListedProject, parent: vscode.TestItem | undefined): vscode.TestItem {
    const id = `project:${project.framework}:${project.root}:${project.folder}`;
    const siblings = parent?.children ?? this.#controller.items;
    let item = siblings.get(id);
    if (item === undefined) {
      item = this.#controller.createTestItem(id, project.label, toUri(project.root, project.folder));
      setItemData(item, { kind: 'project', root: project.root });
      item.sortText = `${project.framework === 'skill' ? 1 : 0}${project.label} ${project.folder}`;
      if (project.folder !== '') item.description = project.folder;
      siblings.add(item);
    }
    const { problem } = project;
    setError(item, problem === undefined ? '' : `${problem.message} ${problem.remedy}`);
    return item;
  }

  #fileItem(project: ListedProject, listed: ListedProject['files'][number]): vscode.TestItem {
    const known = this.get(project.root, listed.id);
    if (known !== undefined) return known;
    const shown = listed.file.startsWith(project.folder + '/')
      ? listed.file.slice(project.folder.length + 1)
      : listed.file;
    // What a script tells of its tests stands below it.
    const isTest = project.framework === 'skill' || project.framework === 'maestro';
    const slash = shown.lastIndexOf('/');
    const item = this.#controller.createTestItem(
      listed.id,
      shown.slice(slash + 1),
      toUri(project.root, listed.file),
    );
    const where = [slash < 0 ? '' : shown.slice(0, slash), listed.project ?? ''].filter(
      (part) => part !== '',
    );
    if (where.length > 0) item.description = where.join(' · ');
    item.sortText = shown;
    item.canResolveChildren = !isTest;
    if (isTest) item.range = new vscode.Range(0, 0, 0, 0);
    const data: FileItem = {
      kind: 'file',
      root: project.root,
      fileId: listed.id,
      file: listed.file,
      framework: project.framework,
      isTest,
      resolved: isTest,
    };
    setItemData(item, data);
    this.#items.set(keyOf(project.root, listed.id), item);
    const path = keyOf(project.root, listed.file);
    const samePath = this.#byPath.get(path);
    if (samePath === undefined) this.#byPath.set(path, new Set([data]));
    else samePath.add(data);
    return item;
  }

  /** The innermost suite item on the way that the titles name. */
  #suiteOf(fileItem: vscode.TestItem, suites: readonly string[]): vscode.TestItem {
    let place = fileItem;
    for (const suite of suites) {
      const next: vscode.TestItem | undefined = itemsOf(place.children).find((child) =>
        isSuiteOf(itemData(child), suite),
      );
      if (next === undefined) break;
      place = next;
    }
    return place;
  }

  #forget(item: vscode.TestItem): void {
    const data = itemData(item);
    if (data !== undefined && 'fileId' in data) this.#items.delete(keyOf(data.root, item.id));
    if (data?.kind === 'file') this.#byPath.get(keyOf(data.root, data.file))?.delete(data);
    for (const child of itemsOf(item.children)) this.#forget(child);
  }
}

/**
 * The indentation belongs to the test that stands in it: *Test at Cursor* takes the innermost range that holds the cursor. `before`: the
 * line on which what stands before it ends, or begins around it.
 */
function fromLineStart(range: vscode.Range, before: number): vscode.Range {
  return range.start.line === before ? range : range.with(range.start.with(undefined, 0));
}

/** Every item below, parents first. */
export function descendants(item: vscode.TestItem): vscode.TestItem[] {
  return itemsOf(item.children).flatMap((child) => [child, ...descendants(child)]);
}

/** Warnings of a file whose tests are not all known. */
const unreadable = /^Syntax error at line|cannot be read:/;

function keyOf(root: string, id: string): string {
  return `${root}\0${id}`;
}

const isSuiteOf = (data: ItemData | undefined, title: string): boolean =>
  data?.kind === 'suite' && data.names.at(-1) === title;

/** VS Code makes an icon of `$(name)`, which a title means as it is. */
function shownTitle(title: string): string {
  const shown = shownLine(title).replaceAll('$(', '\\$(');
  return shown === '' ? '(no title)' : shown;
}

/** As text: of Markdown, screen readers read the source, with `&nbsp;` for every blank. */
function setError(item: vscode.TestItem, text: string): void {
  const error = text === '' ? undefined : shownLine(text, 1_000);
  if (item.error !== error) item.error = error;
}

function lineOrder(line: number): string {
  return String(line).padStart(7, '0');
}

function caseOrder(id: string): string {
  return String(caseNumberOf(id) ?? '').padStart(7, '0');
}
