// What else a change of the source says about its functions: names that are gone, bodies that went elsewhere, ways out that are new.
import ts from 'typescript';
import { codeLine } from '../../model/visibleText.ts';
import { lineOf, textOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { functionAround, namedFunctions, type ChangedPair, type NamedFunction } from './changedPairs.ts';

interface GoneName {
  readonly name: string;
  readonly file: string;
  /** In the former text. */
  readonly line: number;
}

/** Functions and methods that no changed source declares or mentions any more, and whose body is not there under another name. */
export function goneNames(pairs: readonly ChangedPair[]): ReadonlyMap<string, GoneName> {
  const found = new Map<string, GoneName>();
  const mentioned = new Set<string>();
  for (const { now } of pairs)
    visitNodes(now.ast, (node) => {
      if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) mentioned.add(node.text);
    });
  const bodies = new Set(
    pairs.flatMap(({ now }) =>
      [...namedFunctions(now)].flatMap(([name, one]) => [bodyOf(now, one), bodyOf(now, one, name)]),
    ),
  );
  for (const { file, before } of pairs)
    for (const [name, declared] of namedFunctions(before))
      if (
        ![bodyOf(before, declared), bodyOf(before, declared, name)].some((body) => bodies.has(body)) &&
        !mentioned.has(name)
      )
        found.set(name, { name, file, line: lineOf(before, declared.node) });
  return found;
}

interface MovedBody {
  readonly from: string;
  readonly to: string;
  readonly file: string;
}

/** Functions that do something else now, while another function, which is new, does what they did. */
export function movedBodies(pairs: readonly ChangedPair[]): ReadonlyMap<string, MovedBody> {
  const found = new Map<string, MovedBody>();
  for (const { file, before, now } of pairs) {
    const [old, present] = [namedFunctions(before), namedFunctions(now)];
    for (const [from, declared] of old) {
      const own = present.get(from);
      const body = bodyOf(before, declared);
      // A body of a line or two is met again by chance.
      if (own === undefined || bodyOf(now, own) === body || body.length < 100) continue;
      const takers = [...present].filter(([name, other]) => !old.has(name) && bodyOf(now, other) === body);
      const [taker] = takers;
      if (taker !== undefined && takers.length === 1) found.set(from, { from, to: taker[0], file });
    }
  }
  return found;
}

interface GivenBack {
  readonly owner: string;
  readonly file: string;
  /** In the present text. */
  readonly line: number;
  /** `if (!hash) return input` */
  readonly text: string;
}

/** New ways out of a function that was there: under a condition it gives an argument back as it came. */
export function newWaysOut(pairs: readonly ChangedPair[]): readonly GivenBack[] {
  return pairs.flatMap(({ file, before, now }) => {
    const old = namedFunctions(before);
    const known = new Set(waysOut(before).map(({ owner, text }) => JSON.stringify([owner, text])));
    return waysOut(now)
      .filter(({ owner, text }) => old.has(owner) && !known.has(JSON.stringify([owner, text])))
      .map((one) => ({ ...one, file }));
  });
}

function waysOut(tree: SourceTree): Omit<GivenBack, 'file'>[] {
  const found: Omit<GivenBack, 'file'>[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isReturnStatement(node) || node.expression === undefined) return;
    const returned = unwrap(node.expression);
    const branch = ts.isBlock(node.parent) ? node.parent.parent : node.parent;
    if (!ts.isIdentifier(returned) || !ts.isIfStatement(branch)) return;
    const owner = functionAround(node);
    if (owner === undefined || !isParameter(node, returned.text)) return;
    const text = codeLine(`if (${textOf(tree, branch.expression)}) return ${returned.text}`);
    found.push({ owner, line: lineOf(tree, branch), text });
  });
  return found;
}

function isParameter(node: ts.Node, name: string): boolean {
  for (let up: ts.Node | undefined = node.parent; up !== undefined; up = up.parent)
    if (ts.isFunctionLike(up))
      return up.parameters.some(
        (parameter) => ts.isIdentifier(parameter.name) && parameter.name.text === name,
      );
  return false;
}

/** The body without layout and comments; `own`: a name that counts as any other, also as a text, as that of the function itself. */
function bodyOf(tree: SourceTree, declared: NamedFunction, own?: string): string {
  const parts: string[] = [];
  visitNodes(declared.body, (node) => {
    const isLeaf = ts.isIdentifier(node) || ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node);
    const isOwn = (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) && node.text === own;
    parts.push(isOwn ? `${node.kind} #` : isLeaf ? textOf(tree, node) : String(node.kind));
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
      parts.push(String(node.operator));
  });
  return parts.join(' ');
}
