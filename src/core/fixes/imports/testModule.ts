// A test file as a syntax tree whose names can be followed: which identifiers mean the same binding.
import type ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';

export interface TestModule {
  readonly typescript: typeof ts;
  readonly source: ts.SourceFile;
  readonly text: string;
  /** Every identifier that means what `name` declares or imports, `name` itself left out. */
  readonly referencesTo: (name: ts.Identifier) => readonly ts.Identifier[];
  /** Replaces every reference, keeping shorthands and export lists right; undefined when `to` would mean something else somewhere. */
  readonly renameReferences: (name: ts.Identifier, to: string) => readonly TextChange[] | undefined;
}

/** Parses one file alone: no other file is read, so it takes milliseconds. `file` decides the dialect by its extension. */
export function openTestModule(typescript: typeof ts, file: string, text: string): TestModule {
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true);
  const identifiers = new Map<string, ts.Identifier[]>();
  const visit = (node: ts.Node): void => {
    if (typescript.isIdentifier(node)) {
      const known = identifiers.get(node.text);
      if (known) known.push(node);
      else identifiers.set(node.text, [node]);
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  let checker: ts.TypeChecker | undefined;
  const symbolOf = (node: ts.Identifier): ts.Symbol | undefined => {
    checker ??= createChecker(typescript, source);
    const { parent } = node;
    if (typescript.isShorthandPropertyAssignment(parent) && parent.name === node)
      return checker.getShorthandAssignmentValueSymbol(parent);
    if (typescript.isExportSpecifier(parent) && parent.parent.parent.moduleSpecifier === undefined)
      return (parent.propertyName ?? parent.name) === node
        ? checker.getExportSpecifierLocalTargetSymbol(parent)
        : undefined;
    return checker.getSymbolAtLocation(node);
  };
  const referencesTo = (name: ts.Identifier): readonly ts.Identifier[] => {
    const wanted = symbolOf(name);
    if (!wanted) return [];
    return (identifiers.get(name.text) ?? []).filter(
      (one) => one !== name && !isMemberName(typescript, one) && symbolOf(one) === wanted,
    );
  };
  return {
    typescript,
    source,
    text,
    referencesTo,
    renameReferences(name, to) {
      const taken = (identifiers.get(to) ?? []).some((one) => !isMemberName(typescript, one));
      const references = referencesTo(name);
      const isTag = references.some((one) => isJsxTag(typescript, one));
      if (taken || (isTag && /^[a-z]/.test(to))) return undefined;
      return references.map((one) => ({
        start: one.getStart(source),
        end: one.getEnd(),
        newText: textOfReference(typescript, one, to),
      }));
    },
  };
}

function createChecker(typescript: typeof ts, source: ts.SourceFile): ts.TypeChecker {
  const host: ts.CompilerHost = {
    getSourceFile: (name) => (name === source.fileName ? source : undefined),
    getDefaultLibFileName: () => 'lib.d.ts',
    writeFile: () => undefined,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (name) => name === source.fileName,
    readFile: () => undefined,
  };
  const options: ts.CompilerOptions = {
    noResolve: true,
    noLib: true,
    allowJs: true,
    types: [],
    jsx: typescript.JsxEmit.Preserve,
    module: typescript.ModuleKind.ESNext,
    target: typescript.ScriptTarget.ESNext,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  return typescript.createProgram([source.fileName], options, host).getTypeChecker();
}

/** `b` of `a.b`, `{b: …}`, `a as b` in lists: a name that is no reference to a binding. */
function isMemberName(typescript: typeof ts, node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (typescript.isPropertyAccessExpression(parent) && parent.name === node) ||
    (typescript.isQualifiedName(parent) && parent.right === node) ||
    ((typescript.isPropertyAssignment(parent) ||
      typescript.isMethodDeclaration(parent) ||
      typescript.isPropertyDeclaration(parent) ||
      typescript.isPropertySignature(parent) ||
      typescript.isMethodSignature(parent) ||
      typescript.isGetAccessorDeclaration(parent) ||
      typescript.isSetAccessorDeclaration(parent) ||
      typescript.isEnumMember(parent) ||
      typescript.isJsxAttribute(parent)) &&
      parent.name === node) ||
    (typescript.isBindingElement(parent) && parent.propertyName === node) ||
    (typescript.isImportSpecifier(parent) && parent.propertyName === node) ||
    (typescript.isExportSpecifier(parent) && parent.propertyName !== undefined && parent.name === node)
  );
}

function isJsxTag(typescript: typeof ts, node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (typescript.isJsxOpeningElement(parent) ||
      typescript.isJsxSelfClosingElement(parent) ||
      typescript.isJsxClosingElement(parent)) &&
    parent.tagName === node
  );
}

function textOfReference(typescript: typeof ts, node: ts.Identifier, to: string): string {
  const { parent } = node;
  if (typescript.isShorthandPropertyAssignment(parent)) return `${node.text}: ${to}`;
  if (typescript.isExportSpecifier(parent) && parent.propertyName === undefined)
    return `${to} as ${node.text}`;
  return to;
}
