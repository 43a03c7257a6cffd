// Which calls run the function they are given until it holds, and fail when it never does: told by where the name comes from.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';

/**
 * `waits` for `vi.waitFor`, `vi.waitUntil` and `waitFor` of testing-library, `runs` for React's `act`, which calls its function once.
 * Undefined for all else: a function of the tests' own that has such a name may do anything, as may one that comes from elsewhere.
 */
export function waiterKind(call: ts.CallExpression): 'waits' | 'runs' | undefined {
  const callee = unwrap(call.expression);
  const names = namesIn(call.getSourceFile());
  if (ts.isIdentifier(callee)) {
    const imported = names.imported.get(callee.text);
    return imported === undefined || names.declared.has(callee.text) ? undefined : kindOf(imported);
  }
  if (!ts.isPropertyAccessExpression(callee) || !/^(?:waitFor|waitUntil)$/.test(callee.name.text))
    return undefined;
  const owner = unwrap(callee.expression);
  if (!ts.isIdentifier(owner) || names.declared.has(owner.text)) return undefined;
  const imported = names.imported.get(owner.text);
  const isVi =
    imported === undefined
      ? owner.text === 'vi'
      : imported.module === 'vitest' && /^(?:vi|vitest)$/.test(imported.name);
  return isVi ? 'waits' : undefined;
}

interface ImportedName {
  readonly module: string;
  readonly name: string;
}

function kindOf({ module, name }: ImportedName): 'waits' | 'runs' | undefined {
  const isTestingLibrary = /^@testing-library\/[\w-]+(?:\/[\w-]+)*$/.test(module);
  const isReact = /^(?:react|react-dom\/test-utils|react-test-renderer|preact\/test-utils)$/.test(module);
  if (name === 'waitFor' && isTestingLibrary) return 'waits';
  return name === 'act' && (isTestingLibrary || isReact) ? 'runs' : undefined;
}

interface FileNames {
  /** By their names in this file. */
  readonly imported: ReadonlyMap<string, ImportedName>;
  /** Every name that is declared or assigned in another way, wherever that is, or whose module is mocked. */
  readonly declared: ReadonlySet<string>;
}
/** A file is asked for each of its callbacks. */
const knownNames = new WeakMap<ts.SourceFile, FileNames>();

function namesIn(source: ts.SourceFile): FileNames {
  const known = knownNames.get(source);
  if (known !== undefined) return known;
  const imported = new Map<string, ImportedName>();
  const declared = new Set<string>();
  const mocked = new Set<string>();
  visitNodes(source, (node) => {
    if (ts.isImportSpecifier(node)) {
      const { moduleSpecifier } = node.parent.parent.parent;
      const name = (node.propertyName ?? node.name).text;
      if (ts.isStringLiteral(moduleSpecifier))
        imported.set(node.name.text, { module: moduleSpecifier.text, name });
    } else if (ts.isCallExpression(node)) {
      const [first] = node.arguments.map(unwrap);
      const isMock = /\.(?:mock|doMock|unstable_mockModule|mockModule)$/.test(node.expression.getText());
      // `vi.mock(import('a'))` names a module, too.
      const name = first !== undefined && ts.isCallExpression(first) ? first.arguments[0] : first;
      if (isMock && name !== undefined && ts.isStringLiteralLike(name)) mocked.add(name.text);
    } else if (ts.isBinaryExpression(node)) {
      const target = unwrap(node.left);
      const isAssignment =
        node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
        node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
      if (isAssignment && ts.isIdentifier(target)) declared.add(target.text);
    } else if (isDeclaration(node) && node.name !== undefined && ts.isIdentifier(node.name))
      declared.add(node.name.text);
  });
  for (const [local, { module }] of imported) if (mocked.has(module)) declared.add(local);
  const names = { imported, declared };
  knownNames.set(source, names);
  return names;
}

const isDeclaration = (
  node: ts.Node,
): node is
  | ts.VariableDeclaration
  | ts.ParameterDeclaration
  | ts.BindingElement
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ClassDeclaration
  | ts.ClassExpression
  | ts.ImportClause
  | ts.NamespaceImport =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isClassDeclaration(node) ||
  ts.isClassExpression(node) ||
  ts.isImportClause(node) ||
  ts.isNamespaceImport(node);
