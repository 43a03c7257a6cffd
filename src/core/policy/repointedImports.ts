// An import may follow an export that moved or was renamed, but not turn to another one while the old one is still there.
import ts from 'typescript';
import type { Imported } from './bindings.ts';
import { sidesOf, type FileChange, type FileFacts, type Finding } from './fileFacts.ts';
import { lineOf, parseSource } from './parseSource.ts';
import { moduleFiles } from './moduleFiles.ts';
import { isSourceModule } from './testApi.ts';

/** Text of a file relative to the root, as it is now, or undefined. */
export interface ReadSource {
  (file: string): string | undefined;
  /** Of a file of Python or Go: may another one take the name from it? Absent where nothing is known of others. */
  readonly mayBeTakenByOthers?: (file: string) => (name: string) => boolean;
  /** Its text before the change: of the last commit, or of the one before when it is as committed. Absent where there is no history. */
  readonly former?: (file: string) => string | undefined;
}

export function* repointedImports(change: FileChange, readSource: ReadSource): Generator<Finding> {
  for (const { old, ...finding } of turnedImports(change))
    if (isExported(old, change.file, readSource)) yield finding;
}

/** Names that are taken from another export than before, which is fine where that one is gone. */
export function* turnedImports(change: FileChange): Generator<Finding & { readonly old: Imported }> {
  const { file, before, after } = change;
  if (before === undefined || after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return;
  const [was = [], is = []] = sidesOf(change).map(sourceImports);
  const had = new Set(was.map(([, imported]) => keyOf(imported)));
  const kept = new Set(is.map(([, imported]) => keyOf(imported)));
  const lost = was.filter(([, imported]) => !kept.has(keyOf(imported)));
  const gained = is.filter(([, imported]) => !had.has(keyOf(imported)));
  const former = new Map(was);
  for (const [local, now] of is) {
    const isGained = !had.has(keyOf(now));
    const old =
      former.get(local) ??
      // Under a new name as well: the one that went from the same module.
      (isGained && lost.length >= gained.length
        ? lost.find(([, imported]) => imported.module === now.module)?.[1]
        : undefined);
    if (old === undefined || old.name === now.name || old.name === '*' || now.name === '*') continue;
    const text = `${old.name} still exists in ${old.module}: the test must not switch to ${now.name}.`;
    yield { rule: 'redirected-import', line: lineOf(now.node), text, old };
  }
}

function sourceImports({ bindings }: FileFacts): readonly (readonly [string, Imported])[] {
  return [...bindings.imports].filter(([, { module }]) => isSourceModule(module));
}

const keyOf = ({ module, name }: Imported): string => `${module}\0${name}`;

function isExported({ module, name }: Imported, from: string, readSource: ReadSource): boolean {
  if (!module.startsWith('.')) return false;
  for (const file of moduleFiles(module, from)) {
    const text = /\.[cm]?[jt]sx?$/.test(file) ? readSource(file) : undefined;
    if (text !== undefined) return exportedNames(parseSource(file, text)).has(name);
  }
  return false;
}

/** Names that a module writes out as its exports, those of CommonJS too; `export *` says none. */
function exportedNames(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const declare = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) names.add(name.text);
    else for (const element of name.elements) if (!ts.isOmittedExpression(element)) declare(element.name);
  };
  for (const statement of source.statements) {
    if (ts.isExportAssignment(statement)) names.add('default');
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    )
      for (const { name } of statement.exportClause.elements) names.add(name.text);
    if (ts.isExpressionStatement(statement))
      for (const name of commonNames(statement.expression)) names.add(name);
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) names.add('default');
    else if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations) declare(name);
    else if (isNamedDeclaration(statement) && statement.name) names.add(statement.name.text);
  }
  return names;
}

const isNamedDeclaration = (
  node: ts.Node,
): node is ts.FunctionDeclaration | ts.ClassDeclaration | ts.EnumDeclaration =>
  ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isEnumDeclaration(node);

/** `module.exports = { a, b }`, `exports.a = …` */
function* commonNames(expression: ts.Expression): Generator<string> {
  if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken)
    return;
  const target = expression.left.getText();
  const member = /^(?:module\.)?exports\.(?<name>[\w$]+)$/.exec(target)?.groups?.['name'];
  if (member !== undefined) yield member;
  if (target !== 'module.exports') return;
  yield 'default';
  if (ts.isObjectLiteralExpression(expression.right))
    for (const { name } of expression.right.properties) if (name && ts.isIdentifier(name)) yield name.text;
}
