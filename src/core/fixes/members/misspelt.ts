// A member that a test misspells: named by the failure, missing in the one declaration that it can belong to, close to one that is there.
import path from 'node:path';
import ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import {
  offsetOf,
  parseTree,
  startOf,
  visitNodes,
  type SourceTree,
} from '../../syntax/javascript/sourceTree.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { isMisspelt } from './closeName.ts';
import { madeBy } from './memberMigration.ts';
import { ownersOf, type FunctionShape, type Owner } from './owners.ts';
import { isOwner, ownersOfExpression } from './receivers.ts';
import { statementAt } from './testScope.ts';

/** Nothing in the history says that the name was ever right, so a person decides. */
export async function proposeSpelling(test: FailingTest, context: FixContext): Promise<readonly Fix[]> {
  const { result } = test;
  const place = result.failure?.location;
  if (place === undefined || !context.isTestFile(place.file) || !namesNothing(test)) return [];
  const text = await context.readText(place.file);
  const tree = text === undefined ? undefined : parseTree(place.file, text);
  const offset = tree && offsetOf(tree, place);
  const statement = tree && offset !== undefined ? statementAt(tree, offset) : undefined;
  if (tree === undefined || statement === undefined) return [];
  const called = / ?\.(?<name>[\w$]+) is not a function/.exec(result.failure?.message ?? '')?.groups?.[
    'name'
  ];
  const accesses: ts.PropertyAccessExpression[] = [];
  visitNodes(statement, (node) => {
    if (ts.isPropertyAccessExpression(node) && (called === undefined || node.name.text === called))
      accesses.push(node);
  });
  const world = await importedWorld(tree, context);
  const found = accesses.flatMap((access) => rightSpelling(access, tree, world) ?? []);
  const [only] = found;
  if (only === undefined || found.length > 1) return [];
  const { access, to, where } = only;
  const { name } = access;
  const edits = [
    fileEdit(tree.file, tree.text, [{ start: startOf(tree, name), end: name.end, newText: to }]),
  ];
  return [
    {
      id: hashText(JSON.stringify([madeBy.provider, edits])),
      title: `use ${to} (misspelt ${name.text})`,
      grade: 'surgical',
      trust: 'propose',
      edits,
      failures: [result.id],
      ...madeBy,
      confidence: 0.5,
      evidence: [`${where} has no ${name.text}, but it has ${to}.`],
    },
  ];
}

/** Does the failure say that something has no value? */
function namesNothing({ result, captured }: FailingTest): boolean {
  return (
    /\.[\w$]+ is not a function|\bof undefined\b|\bis undefined\b/.test(result.failure?.message ?? '') ||
    captured.some(({ actual }) => actual.kind === 'undefined')
  );
}

interface World {
  readonly functions: ReadonlyMap<string, FunctionShape>;
  readonly owners: readonly (Owner & { readonly file: string })[];
}

/** What the modules declare that the file imports directly. */
async function importedWorld(tree: SourceTree, context: FixContext): Promise<World> {
  const functions = new Map<string, FunctionShape>();
  const owners: (Owner & { readonly file: string })[] = [];
  for (const specifier of specifiersOf(tree)) {
    const file = path.posix.join(path.posix.dirname(tree.file), specifier);
    const bare = file.replace(/\.[cm]?[jt]sx?$/, '');
    const endings = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cts', '.cjs', '/index.ts', '/index.js'];
    for (const candidate of new Set([file, ...endings.map((ending) => bare + ending)])) {
      if (!/\.[cm]?[jt]sx?$/.test(candidate)) continue;
      const text = await context.readText(candidate);
      if (text === undefined) continue;
      const found = ownersOf(parseTree(candidate, text));
      for (const [name, shape] of found.functions) functions.set(name, shape);
      owners.push(...[...found.all.values()].map((owner) => ({ ...owner, file: candidate })));
      break;
    }
  }
  return { functions, owners };
}

function specifiersOf({ ast }: SourceTree): readonly string[] {
  const found = new Set<string>();
  visitNodes(ast, (node) => {
    const literal = ts.isImportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'require'
        ? node.arguments[0]
        : undefined;
    if (literal && ts.isStringLiteralLike(literal) && literal.text.startsWith('.')) found.add(literal.text);
  });
  return [...found];
}

function rightSpelling(
  access: ts.PropertyAccessExpression,
  tree: SourceTree,
  { functions, owners }: World,
): { access: ts.PropertyAccessExpression; to: string; where: string } | undefined {
  const names = ownersOfExpression(access.expression, { tree, functions });
  const known = owners.filter((owner) => names?.some((name) => isOwner(name, owner)));
  const [owner] = known;
  const member = access.name.text;
  if (owner === undefined || known.length > 1 || owner.isOpen || owner.members.has(member)) return undefined;
  if (member in Object.prototype) return undefined;
  const close = [...owner.members.keys()].filter((name) => isMisspelt(member, name));
  const [to] = close;
  return to === undefined || close.length > 1
    ? undefined
    : { access, to, where: `${owner.name} in ${owner.file}` };
}
