// Finds what of a JavaScript or TypeScript source is counted: statements, functions and branches, divided as istanbul does.
import ts from 'typescript';
import { scriptKind } from '../syntax/javascript/parseTests.ts';
import { parseSourceFile } from '../syntax/javascript/sourceFile.ts';
import { ignoredLines, ignoreHint } from './ignoreHints.ts';

/** Offsets in the text. */
export interface Place {
  readonly start: number;
  readonly end: number;
  /** The count of the code at this offset is its count. */
  readonly at: number;
  /** What starts there is a function, counted by its calls from there on: the character before tells whether it was reached. */
  readonly before?: true;
}

interface FunctionPlace extends Place {
  readonly name: string;
  /** Behind the whole function: V8 ends it there, too. */
  readonly functionEnd: number;
}

interface BranchPlace {
  readonly start: number;
  readonly end: number;
  readonly at: number;
  /** `besides`: what did not go there went here (an `else` that is not written). */
  readonly arms: readonly (Place | { readonly besides: Place })[];
}

export interface SourceShape {
  readonly statements: readonly Place[];
  readonly functions: readonly FunctionPlace[];
  readonly branches: readonly BranchPlace[];
}

/**
 * The shape of the text; `file` decides the language. Types, imports, declarations and what a comment takes out
 * (`istanbul|c8|v8|node:coverage ignore …`) are not counted. Throws nothing on broken text.
 */
export function sourceShape(text: string, file: string): SourceShape {
  let source: ts.SourceFile;
  try {
    source = parseSourceFile(file, text, scriptKind(file));
  } catch {
    return { statements: [], functions: [], branches: [] };
  }
  const walk = new ShapeWalk(source);
  walk.visit(source);
  const ignored = ignoredLines(text);
  const isCounted = ({ start }: { readonly start: number }): boolean => !ignored.some((one) => one(start));
  return {
    statements: walk.statements.filter(isCounted),
    functions: walk.functions.filter(isCounted),
    branches: walk.branches.filter(isCounted),
  };
}

class ShapeWalk implements SourceShape {
  readonly statements: Place[] = [];
  readonly functions: FunctionPlace[] = [];
  readonly branches: BranchPlace[] = [];
  readonly #source: ts.SourceFile;
  /** Parts of a chain of `&&`, `||` and `??` that is counted as a whole. */
  readonly #chained = new Set<ts.Node>();

  constructor(source: ts.SourceFile) {
    this.#source = source;
  }

  visit(node: ts.Node): void {
    const hint = ignoreHint(this.#source.text, node);
    if (hint === 'file' || hint === 'next' || isErased(node)) return;
    if (isCountedStatement(node)) this.#statement(node);
    if (ts.isFunctionLike(node)) this.#function(node);
    else if (ts.isVariableDeclaration(node) && node.initializer) this.#statement(node.initializer, node.name);
    else if (ts.isPropertyDeclaration(node) && node.initializer) this.#statement(node.initializer, node);
    else if (ts.isIfStatement(node)) return this.#if(node, hint);
    else if (ts.isConditionalExpression(node)) this.#branch(node, [node.whenTrue, node.whenFalse]);
    else if (ts.isSwitchStatement(node)) this.#branch(node, node.caseBlock.clauses);
    else if (isLogical(node) && !this.#chained.has(node)) this.#branch(node, this.#operands(node));
    if ((ts.isParameter(node) || ts.isBindingElement(node)) && node.initializer)
      this.#branch(node, [node.initializer], node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  #statement(node: ts.Node, counted: ts.Node = node): void {
    this.statements.push({ ...this.#span(unwrapped(node)), at: this.#start(counted) });
  }

  #function(node: ts.SignatureDeclaration): void {
    if (!hasBody(node)) return;
    const { body, name } = node;
    const start = this.#start(name ?? node);
    const inner = ts.isBlock(body) ? body.statements.find((one) => !ts.isFunctionDeclaration(one)) : body;
    this.functions.push({
      name: name?.getText(this.#source) ?? (ts.isConstructorDeclaration(node) ? 'constructor' : ''),
      start,
      end: name?.end ?? start + 1,
      at: inner ? this.#start(inner) : this.#start(body) + 1,
      functionEnd: node.end,
    });
    // Compilers move the start of an arrow function (to the call that names it), not its body.
    if (!ts.isBlock(body)) this.statements.push(this.#arm(body));
  }

  #if(node: ts.IfStatement, hint: string | undefined): void {
    const { thenStatement, elseStatement } = node;
    const span = this.#span(node);
    const taken = this.#arm(thenStatement);
    this.branches.push({
      ...span,
      at: span.start,
      arms: [
        ...(hint === 'if' ? [] : [taken]),
        ...(hint === 'else' ? [] : [elseStatement ? this.#arm(elseStatement) : { besides: taken }]),
      ],
    });
    this.visit(node.expression);
    if (hint !== 'if') this.visit(thenStatement);
    if (hint !== 'else' && elseStatement) this.visit(elseStatement);
  }

  #branch(node: ts.Node, arms: readonly ts.Node[], counted?: ts.Node): void {
    const seen = arms.filter((arm) => ignoreHint(this.#source.text, arm) !== 'next');
    if (seen.length === 0) return;
    const at = this.#start(node);
    const places = seen.map((arm) => ({ ...this.#arm(arm), ...(counted && { at }) }));
    this.branches.push({ ...this.#span(node), at, arms: places });
  }

  #arm(wrapped: ts.Node): Place {
    const node = unwrapped(wrapped);
    const span = this.#span(node);
    if (ts.isFunctionLike(node)) return { ...span, at: span.start, before: true };
    if (!ts.isBlock(node)) return { ...span, at: span.start };
    // Compilers drop the braces of a block.
    const [first] = node.statements;
    return { ...span, at: first && !ts.isFunctionDeclaration(first) ? this.#start(first) : span.start + 1 };
  }

  #operands(node: ts.Expression): ts.Expression[] {
    if (ts.isParenthesizedExpression(node)) return this.#operands(node.expression);
    if (!isLogical(node)) return [node];
    this.#chained.add(node);
    return [...this.#operands(node.left), ...this.#operands(node.right)];
  }

  #span(node: ts.Node): { readonly start: number; readonly end: number } {
    return { start: this.#start(node), end: node.end };
  }

  #start(node: ts.Node): number {
    return node.getStart(this.#source, false);
  }
}

/** Parentheses have no place of their own in istanbul's trees. */
function unwrapped(node: ts.Node): ts.Node {
  return ts.isParenthesizedExpression(node) ? unwrapped(node.expression) : node;
}

function isCountedStatement(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return !isDirective(node);
  return countedStatements.has(node.kind);
}

const countedStatements: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.BreakStatement,
  ts.SyntaxKind.ContinueStatement,
  ts.SyntaxKind.DebuggerStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.LabeledStatement,
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.SwitchStatement,
  ts.SyntaxKind.ThrowStatement,
  ts.SyntaxKind.TryStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.WithStatement,
]);

/** `'use strict'` and its kin do nothing when their turn comes. */
function isDirective({ expression }: ts.ExpressionStatement): boolean {
  return ts.isStringLiteral(expression);
}

/** Gone when it runs: types, declarations of what is elsewhere. */
function isErased(node: ts.Node): boolean {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)
  );
}

function isLogical(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return (
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken
  );
}

function hasBody(node: ts.Node): node is ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody } {
  return 'body' in node && node.body !== undefined;
}
