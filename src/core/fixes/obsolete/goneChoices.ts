// Values and options that the source told apart before the change and does not know any more.
import ts from 'typescript';
import { lineOf, visitNodes } from '../../syntax/javascript/sourceTree.ts';
import { functionAround, type ChangedPair } from './changedPairs.ts';

export interface GoneChoice {
  /** value: a text that was compared with · option: a key that was read. */
  readonly kind: 'value' | 'option';
  readonly text: string;
  readonly file: string;
  /** In the former text. */
  readonly line: number;
  /** The one value that the same function tells apart now and did not before. */
  readonly successor?: string;
}

/** Texts and keys by name; nothing that the changed sources still have anywhere. */
export function goneChoices(pairs: readonly ChangedPair[]): ReadonlyMap<string, GoneChoice> {
  const present = new Set(pairs.flatMap(({ now }) => [...wordsIn(now.ast)]));
  const found = new Map<string, GoneChoice>();
  for (const pair of pairs) {
    const fresh = choicesIn(pair.now.ast).filter(({ text }) => !wordsIn(pair.before.ast).has(text));
    const gone = choicesIn(pair.before.ast).filter(({ text }) => !present.has(text));
    for (const { kind, text, node } of gone) {
      if (found.has(text)) continue;
      const owner = functionAround(node);
      const inOwner = (list: readonly Choice[]): ReadonlySet<string> =>
        new Set(
          list
            .filter((one) => one.kind === kind && functionAround(one.node) === owner)
            .map((one) => one.text),
        );
      const [successor, ...others] = inOwner(fresh);
      const isOnly = successor !== undefined && others.length === 0 && inOwner(gone).size === 1;
      const line = lineOf(pair.before, node);
      found.set(text, { kind, text, file: pair.file, line, ...(isOnly && { successor }) });
    }
  }
  return found;
}

interface Choice extends Pick<GoneChoice, 'kind' | 'text'> {
  readonly node: ts.Node;
}

function choicesIn(ast: ts.SourceFile): Choice[] {
  const choices: Choice[] = [];
  visitNodes(ast, (node) => {
    if (ts.isStringLiteralLike(node) && node.text.trim().length > 1 && isToldApart(node))
      choices.push({ kind: 'value', text: node.text, node });
    const key = optionRead(node);
    if (key !== undefined && key.length > 2) choices.push({ kind: 'option', text: key, node });
  });
  return choices;
}

const comparing: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.InKeyword,
]);

/** Compared, a case, or one of a list that is searched: the source acts on this very text. */
function isToldApart(node: ts.StringLiteralLike): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return comparing.has(parent.operatorToken.kind) && !isTypeQuery(parent);
  if (ts.isCaseClause(parent)) return true;
  if (ts.isArrayLiteralExpression(parent)) {
    const access = parent.parent;
    return ts.isPropertyAccessExpression(access) && /^(?:includes|indexOf)$/.test(access.name.text);
  }
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    /^(?:startsWith|endsWith|includes|has)$/.test(parent.expression.name.text)
  );
}

/** `typeof x === 'string'` asks for a type, not for a value. */
function isTypeQuery({ left, right }: ts.BinaryExpression): boolean {
  return ts.isTypeOfExpression(left) || ts.isTypeOfExpression(right);
}

/** `legacy` of `options.legacy`, and of a parameter `{ legacy }`. */
function optionRead(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression))
    return /^(?:opts?|options?|config|settings|params|props)$/i.test(node.expression.text)
      ? node.name.text
      : undefined;
  if (!ts.isBindingElement(node) || !ts.isParameter(node.parent.parent)) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) ? name.text : undefined;
}

/** Every text and name of a file; what stands in comments and types does nothing. */
function wordsIn(ast: ts.SourceFile): ReadonlySet<string> {
  const words = new Set<string>();
  visitNodes(ast, (node) => {
    if (ts.isTypeNode(node.parent ?? node)) return;
    if (ts.isStringLiteralLike(node) || ts.isIdentifier(node)) words.add(node.text);
  });
  return words;
}
