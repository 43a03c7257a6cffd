// Rewrites an import or export declaration whose names are now exported elsewhere or under other names.
import type ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import type { ImportSite } from './importSites.ts';
import { replaceNode, type NameUse } from './moduleUses.ts';
import type { TestModule } from './testModule.ts';

/** One name of the declaration with what has to be written for it now. */
interface Placement {
  readonly use: NameUse;
  readonly specifier: string;
  readonly name: string;
}

/** The changes for one static declaration; undefined when its form cannot hold the result. */
export function rewriteStatic(
  module: TestModule,
  site: ImportSite,
  placements: readonly Placement[],
): readonly TextChange[] | undefined {
  const { declaration } = site;
  if (!declaration) return undefined;
  const groups = new Map<string, Placement[]>();
  for (const placement of placements) {
    const group = groups.get(placement.specifier);
    if (group) group.push(placement);
    else groups.set(placement.specifier, [placement]);
  }
  const main = groups.has(site.specifier) ? site.specifier : placements[0]?.specifier;
  if (main === undefined) return undefined;
  // Members of a namespace cannot be had from two modules.
  const isLoose = ({ use }: Pick<Placement, 'use'>): boolean => use.element === undefined;
  if (groups.size > 1 && placements.some(isLoose)) return undefined;
  const changes: TextChange[] = [];
  const restructures = placements.some(
    ({ use, name }) =>
      use.name !== name && (use.name === 'default' || name === 'default') && !isLoose({ use }),
  );
  if (restructures && placements.some(isLoose)) return undefined;
  if (main !== site.specifier) changes.push(replaceSpecifier(module.source, site.literal, main));
  const leaving = placements.filter((placement) => placement.specifier !== main);
  const staying = placements.filter((placement) => placement.specifier === main);
  changes.push(...editClause(module, declaration, staying, leaving));
  for (const [specifier, group] of groups) {
    if (specifier !== main) changes.push(...addElsewhere(module, site, specifier, group));
  }
  return changes;
}

/** Replaces what stands between the quotes. */
export function replaceSpecifier(
  source: ts.SourceFile,
  literal: ts.StringLiteralLike,
  specifier: string,
): TextChange {
  return { start: literal.getStart(source) + 1, end: literal.getEnd() - 1, newText: specifier };
}

function editClause(
  module: TestModule,
  declaration: ts.ImportDeclaration | ts.ExportDeclaration,
  staying: readonly Placement[],
  leaving: readonly Placement[],
): readonly TextChange[] {
  const { typescript, source } = module;
  const changes: TextChange[] = [];
  const toNamed: string[] = [];
  let newDefault: string | undefined;
  const removed = new Set<ts.Node>(leaving.flatMap(({ use }) => (use.element ? [use.element] : [])));
  for (const { use, name } of staying) {
    const { element } = use;
    if (name === use.name) continue;
    if (element && typescript.isImportClause(element)) {
      removed.add(element);
      toNamed.push(asElement(name, element.name?.text ?? name));
    } else if (element && typescript.isImportSpecifier(element) && name === 'default') {
      removed.add(element);
      newDefault = element.name.text;
    } else changes.push(...use.rename(name));
  }
  if (removed.size === 0) return changes;
  const clause = typescript.isImportDeclaration(declaration) ? declaration.importClause : undefined;
  const list = typescript.isImportDeclaration(declaration) ? clause?.namedBindings : declaration.exportClause;
  const elements =
    list && (typescript.isNamedImports(list) || typescript.isNamedExports(list)) ? list.elements : [];
  const kept = elements.filter((element) => !removed.has(element));
  const space = braceSpace(module);
  const defaultName = clause?.name;
  const defaultLeaves = clause !== undefined && removed.has(clause);
  if (list && kept.length + toNamed.length > 0) {
    changes.push(...removeElements(module, elements, removed, kept));
    if (kept.length > 0) changes.push(...insertElements(module, kept, toNamed));
    else if (toNamed.length > 0 && elements.length > 0)
      changes.push(...replaceAll(module, elements, toNamed));
    if (defaultLeaves && defaultName)
      changes.push({ start: defaultName.getStart(source), end: list.getStart(source), newText: '' });
    if (newDefault !== undefined)
      changes.push({ start: list.getStart(source), end: list.getStart(source), newText: `${newDefault}, ` });
  } else if (list) {
    // The whole list goes.
    if (newDefault !== undefined && !defaultName) changes.push(replaceNode(source, list, newDefault));
    else if (defaultName) changes.push({ start: defaultName.getEnd(), end: list.getEnd(), newText: '' });
  } else if (defaultName && toNamed.length > 0)
    changes.push(replaceNode(source, defaultName, `{${space}${toNamed.join(', ')}${space}}`));
  return changes;
}

function removeElements(
  module: TestModule,
  elements: readonly ts.Node[],
  removed: ReadonlySet<ts.Node>,
  kept: readonly ts.Node[],
): TextChange[] {
  const { source } = module;
  if (kept.length === 0) return [];
  const lastKept = elements.indexOf(kept.at(-1) ?? module.source);
  return elements.flatMap((element, index) => {
    if (!removed.has(element)) return [];
    const next = elements[index + 1];
    const previous = elements[index - 1];
    return index < lastKept && next
      ? [{ start: element.getStart(source), end: next.getStart(source), newText: '' }]
      : [{ start: previous?.getEnd() ?? element.getStart(source), end: element.getEnd(), newText: '' }];
  });
}

function insertElements(
  module: TestModule,
  kept: readonly ts.Node[],
  added: readonly string[],
): TextChange[] {
  const last = kept.at(-1);
  if (!last || added.length === 0) return [];
  const { source, text } = module;
  // One element a line stays one element a line.
  const lead = /(\r?\n)([ \t]*)$/.exec(text.slice(0, last.getStart(source)));
  const separator = lead ? `,${lead[1]}${lead[2]}` : ', ';
  return [
    { start: last.getEnd(), end: last.getEnd(), newText: added.map((one) => separator + one).join('') },
  ];
}

function replaceAll(
  module: TestModule,
  elements: readonly ts.Node[],
  added: readonly string[],
): TextChange[] {
  const first = elements[0];
  const last = elements.at(-1);
  return first && last
    ? [{ start: first.getStart(module.source), end: last.getEnd(), newText: added.join(', ') }]
    : [];
}

/** Adds the names to another import of the same module, or as a declaration of their own behind this one. */
function addElsewhere(
  module: TestModule,
  site: ImportSite,
  specifier: string,
  placements: readonly Placement[],
): readonly TextChange[] {
  const { typescript, source, text } = module;
  const { declaration } = site;
  if (!declaration) return [];
  const changes: TextChange[] = [];
  const named: string[] = [];
  let defaultName: string | undefined;
  for (const { use, name } of placements) {
    const { element } = use;
    if (!element) continue;
    const local = element.name?.text ?? name;
    const type = !typescript.isImportClause(element) && element.isTypeOnly ? 'type ' : '';
    if (name === 'default' && typescript.isImportDeclaration(declaration) && defaultName === undefined) {
      defaultName = local;
      continue;
    }
    const mayRename =
      name !== use.name && typescript.isImportSpecifier(element) && element.propertyName === undefined;
    const references = mayRename ? module.renameReferences(element.name, name) : undefined;
    if (references) changes.push(...references);
    named.push(type + (references ? name : asElement(name, local)));
  }
  const host = typescript.isImportDeclaration(declaration)
    ? importOf(module, specifier, site.typeOnly, defaultName !== undefined)
    : undefined;
  if (host && host !== declaration) {
    const clause = host.importClause;
    const bindings = clause?.namedBindings;
    if (bindings && typescript.isNamedImports(bindings))
      changes.push(...insertElements(module, bindings.elements, named));
    else if (clause?.name && named.length > 0) {
      const space = braceSpace(module);
      const end = clause.name.getEnd();
      changes.push({ start: end, end, newText: `, {${space}${named.join(', ')}${space}}` });
    }
    if (defaultName !== undefined && clause) {
      const start = clause.getStart(source);
      changes.push({ start, end: start, newText: `${defaultName}, ` });
    }
    return changes;
  }
  const space = braceSpace(module);
  const parts = [
    ...(defaultName === undefined ? [] : [defaultName]),
    ...(named.length === 0 ? [] : [`{${space}${named.join(', ')}${space}}`]),
  ];
  const quote = site.literal.getText(source).charAt(0);
  const end = declaration.getEnd();
  const keyword = typescript.isImportDeclaration(declaration) ? 'import' : 'export';
  const semicolon = text.slice(declaration.getStart(source), end).endsWith(';') ? ';' : '';
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  const type = site.typeOnly ? 'type ' : '';
  changes.push({
    start: end,
    end,
    newText: `${newLine}${keyword} ${type}${parts.join(', ')} from ${quote}${specifier}${quote}${semicolon}`,
  });
  return changes;
}

/** An import declaration of the same module that can take more names. */
function importOf(
  module: TestModule,
  specifier: string,
  typeOnly: boolean,
  needsDefault: boolean,
): ts.ImportDeclaration | undefined {
  const { typescript, source } = module;
  for (const statement of source.statements) {
    if (!typescript.isImportDeclaration(statement) || !statement.importClause) continue;
    const clause = statement.importClause;
    const { namedBindings } = clause;
    const isNamespace = namedBindings !== undefined && typescript.isNamespaceImport(namedBindings);
    const isEmpty =
      namedBindings && typescript.isNamedImports(namedBindings) && namedBindings.elements.length === 0;
    if (
      typescript.isStringLiteral(statement.moduleSpecifier) &&
      statement.moduleSpecifier.text === specifier &&
      (clause.phaseModifier === typescript.SyntaxKind.TypeKeyword) === typeOnly &&
      !isNamespace &&
      !isEmpty &&
      !(needsDefault && clause.name)
    )
      return statement;
  }
  return undefined;
}

const asElement = (name: string, local: string): string => (name === local ? name : `${name} as ${local}`);

/** What the file puts between a brace and a name. */
function braceSpace(module: TestModule): string {
  const { typescript, source, text } = module;
  for (const statement of source.statements) {
    const bindings = typescript.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : undefined;
    if (bindings && typescript.isNamedImports(bindings))
      return /^\{\S/.test(text.slice(bindings.getStart(source))) ? '' : ' ';
  }
  return ' ';
}
