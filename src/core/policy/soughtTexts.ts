// What a test looks for within a text, and what must not be: wherever that is written, it may not become another text that says less.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { changedLiterals } from './changedLiterals.ts';
import { sourcesIn, type SourcesOf } from './expectedSources.ts';
import { oncePerFile, type FileFacts, type Finding } from './fileFacts.ts';
import { isWritten } from './inputRules.ts';
import { compareText, findsText, isRegExpCall } from './matchers.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { patternIn, weakerPattern, type Pattern } from './patterns.ts';

/** Behind names, in tables and within calls too, where the rules of assertions see a name only. */
export function* soughtTexts(before: FileFacts, after: FileFacts): Generator<Finding> {
  const [was, is] = [usesOf(before), usesOf(after)];
  for (const [old, now] of changedLiterals(before.source, after.source, isSought)) {
    const line = lineOf(now);
    const [use, other] = [is.get(now), was.get(old)];
    if (use === 'denied' || other === 'denied')
      yield {
        rule: 'weakened-subject',
        line,
        text: 'The value that must be absent changed: the old value could now be present unnoticed.',
      };
    const text = reasonFor(old, now, use === other ? use : undefined);
    if (text !== undefined) yield { rule: 'weaker-matcher', line, text };
  }
}

function reasonFor(old: ts.Node, now: ts.Node, use: Use | undefined): string | undefined {
  if (use === 'flags') return 'The flags of the pattern changed.';
  if (use === 'source') return weakerPattern(pieceOf(old), pieceOf(now));
  const [was, is] = [patternOf(old), patternOf(now)];
  if (was !== undefined && is !== undefined) return weakerPattern(was, is);
  return use === 'part' && ts.isExpression(old) && ts.isExpression(now) ? compareText(old, now) : undefined;
}

/** `part`: looked for anywhere · `denied`: must not be · `source`, `flags`: a pattern is made of it. */
type Use = 'part' | 'denied' | 'source' | 'flags';

const usesOf = oncePerFile((facts): ReadonlyMap<ts.Node, Use> => {
  const uses = new Map<ts.Node, Use>();
  const sourcesOf = sourcesIn(facts);
  const mark = (expression: ts.Node | undefined, owner: string, use: Use): void => {
    for (const literal of literalsBehind(expression, owner, sourcesOf)) uses.set(literal, use);
  };
  const isChai = /['"]chai['"]/.test(facts.text);
  for (const { args, owner, family, matcher, negated } of facts.assertions) {
    if (family !== 'expect' && family !== 'assert') continue;
    const isDenied = negated || denies.test(matcher);
    // What comes after is a message of the test's own.
    const asked = family === 'assert' && !isChai ? args.slice(0, 1) : args;
    if (isDenied || findsText(matcher))
      for (const arg of asked) mark(arg, owner, isDenied ? 'denied' : 'part');
  }
  visitNodes(facts.source, (node) => {
    const owner = (): string => facts.tree.ownerOf(node);
    if (isRegExpCall(node)) {
      mark(node.arguments?.[0], owner(), 'source');
      mark(node.arguments?.[1], owner(), 'flags');
    } else if (ts.isCallExpression(node)) {
      const [, not, name] =
        /^(?:expect|jasmine)(\.not)?\.string(Containing|Matching)$/.exec(node.expression.getText()) ?? [];
      if (name !== undefined)
        mark(
          node.arguments[0],
          owner(),
          not !== undefined ? 'denied' : name === 'Matching' ? 'source' : 'part',
        );
    }
  });
  return uses;
});

const denies = /^(?:doesNot|not[A-Z])/;

const mostSteps = 5;

function* literalsBehind(
  expression: ts.Node | undefined,
  owner: string,
  sourcesOf: SourcesOf,
  depth = 0,
): Generator<ts.Node> {
  if (expression === undefined || depth > mostSteps) return;
  const nodes: ts.Node[] = [];
  visitNodes(expression, (node) => void nodes.push(node));
  for (const node of nodes) {
    if (isSought(node)) yield node;
    else if (ts.isIdentifier(node))
      for (const source of sourcesOf(node, owner)) yield* literalsBehind(source, owner, sourcesOf, depth + 1);
  }
}

/** A written value, a piece of a template, a pattern that is built: each is held against the other as one. */
const isSought = (node: ts.Node): boolean =>
  (isWritten(node) && !ts.isTemplateExpression(node)) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node) ||
  isRegExpCall(node);

/** What is written in a piece of a pattern. */
function pieceOf(node: ts.Node): Pattern {
  return patternOf(node) ?? { source: textIn(node) ?? '', flags: '' };
}

/** What is computed in it stands for itself. */
function patternOf(node: ts.Node): Pattern | undefined {
  const inner = unwrap(node);
  if (ts.isRegularExpressionLiteral(inner)) return patternIn(inner.text);
  if (!isRegExpCall(inner)) return undefined;
  const [source, flags] = inner.arguments ?? [];
  const literal = source && unwrap(source);
  const made = literal && ts.isRegularExpressionLiteral(literal) ? patternIn(literal.text) : undefined;
  return {
    source: made?.source ?? builtText(source),
    flags: flags === undefined ? (made?.flags ?? '') : (textIn(unwrap(flags)) ?? flags.getText()),
  };
}

function builtText(expression: ts.Expression | undefined): string {
  if (expression === undefined) return '';
  const node = unwrap(expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return builtText(node.left) + builtText(node.right);
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (text, span) => text + computed(span.expression) + span.literal.text,
      node.head.text,
    );
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw')
    return node.template.getText().slice(1, -1);
  return textIn(node) ?? computed(node);
}

/** A sign that no other computed text has. */
const computed = (node: ts.Node): string => `\\k<${shapeOf(node).replace(/[<>\\]/g, '_')}>`;

function textIn(node: ts.Node): string | undefined {
  const isText =
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
  if (!isText) return undefined;
  const isRaw = ts.isTaggedTemplateExpression(node.parent);
  return isRaw ? node.getText().slice(1, -1) : node.text;
}
