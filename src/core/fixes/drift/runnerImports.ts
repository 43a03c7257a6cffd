// The import that gives a test file the names of its runner: found, turned to another runner, or added.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { startOf, styleOf, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { moduleOf, nameIn, runnerModules, type Runner } from './runnerTable.ts';

export interface RunnerImport {
  readonly runner: Runner;
  readonly declaration: ts.ImportDeclaration;
  readonly names: readonly ts.ImportSpecifier[];
}

/** Imports of runners as `import { a, b } from 'runner'`, types aside; a reason where one is written in another way. */
export function runnerImports(source: ts.SourceFile): readonly RunnerImport[] | { readonly reason: string } {
  const imports: RunnerImport[] = [];
  for (const declaration of source.statements) {
    if (!ts.isImportDeclaration(declaration) || !ts.isStringLiteral(declaration.moduleSpecifier)) continue;
    const runner = runnerModules.get(declaration.moduleSpecifier.text);
    const { importClause: clause } = declaration;
    if (runner === undefined || clause?.phaseModifier === ts.SyntaxKind.TypeKeyword) continue;
    const named = clause?.namedBindings;
    const isPlain =
      clause?.name === undefined &&
      named !== undefined &&
      ts.isNamedImports(named) &&
      named.elements.every(({ propertyName }) => propertyName === undefined);
    if (!isPlain)
      return { reason: `The test imports ${declaration.moduleSpecifier.text} in an unusual way.` };
    imports.push({ runner, declaration, names: [...named.elements] });
  }
  return imports;
}

/**
 * The import afterwards gives all of `needed` (`type X` for types). Names that it had stay, under what the new runner calls them;
 * without an import, and with nothing needed, none is made.
 */
export function importChanges(
  tree: SourceTree,
  known: RunnerImport | undefined,
  runner: Runner,
  needed: readonly string[],
): readonly TextChange[] | { readonly reason: string } {
  const module = moduleOf[runner];
  if (known === undefined) return needed.length === 0 ? [] : [newImport(tree, module, needed)];
  const { declaration, names } = known;
  const changes: TextChange[] = [];
  const have = new Set<string>();
  for (const { name, isTypeOnly } of names) {
    const now = isTypeOnly || known.runner === runner ? name.text : nameIn(runner, name.text);
    if (now === undefined || (isTypeOnly && known.runner !== runner))
      return { reason: `${name.text} of ${moduleOf[known.runner]} has no counterpart in ${runner}.` };
    if (have.has(now)) return { reason: `${now} would be imported twice.` };
    have.add(isTypeOnly ? `type ${now}` : now);
    if (now !== name.text) changes.push({ start: startOf(tree, name), end: name.end, newText: now });
  }
  const { moduleSpecifier } = declaration;
  if (known.runner !== runner)
    changes.push({
      start: startOf(tree, moduleSpecifier) + 1,
      end: moduleSpecifier.end - 1,
      newText: module,
    });
  const missing = needed.filter((name) => !have.has(name));
  const last = names.at(-1);
  if (missing.length > 0 && last === undefined) return { reason: `The import of ${module} is empty.` };
  if (missing.length > 0 && last !== undefined)
    changes.push({ start: last.end, end: last.end, newText: `, ${missing.join(', ')}` });
  return changes;
}

/** Before the first import, else before the first statement that is no directive; comments above it stay above. */
function newImport(tree: SourceTree, module: string, names: readonly string[]): TextChange {
  const { quote, eol } = styleOf(tree);
  const { statements } = tree.ast;
  const isDirective = (one: ts.Statement): boolean =>
    ts.isExpressionStatement(one) && ts.isStringLiteral(one.expression);
  const first =
    statements.find((one) => ts.isImportDeclaration(one)) ?? statements.find((one) => !isDirective(one));
  const at = first === undefined ? tree.text.length : startOf(tree, first);
  const semicolon = /;[ \t]*\r?$/m.test(tree.text) ? ';' : '';
  return {
    start: at,
    end: at,
    newText: `import { ${names.join(', ')} } from ${quote}${module}${quote}${semicolon}${eol}`,
  };
}
