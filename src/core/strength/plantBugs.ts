// Lays many small bugs into the text of one source file, each behind a switch that is off until a test is tried against it.
import ts from 'typescript';
import { parseTree, startOf, textOf, type SourceTree } from '../syntax/javascript/sourceTree.ts';
import { mutationsOf, type Mutation, type MutationKind } from './mutators.ts';

/** A bug that can be switched on. Lines and columns count from 1, as in the untouched file. */
export interface PlantedBug {
  /** Of its own among all the bugs of one copy; above 0. */
  readonly id: number;
  /** Relative to the root, POSIX separators. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly kind: MutationKind | 'BlockStatement' | 'Result';
  /** What stands there. */
  readonly from: string;
  /** What stands there when the bug is on; of a result, what becomes of it in words. */
  readonly to: string;
  /** The function around it, `Class.method` for a method; absent at the top of the file. */
  readonly within?: string;
}

interface PlantedFile {
  /** The text with every bug in it, all switched off. */
  readonly text: string;
  readonly bugs: readonly PlantedBug[];
}

/** What becomes of a returned value (see strengthHost.cjs), in the order of the ids. */
const resultChanges = ['a little more', 'a little less', 'one value in it changed'] as const;

/** Longer texts are not written a second time for each of their bugs. */
const longest = 1500;

/**
 * `switchName`: the global object that knows which bug is on. `firstId`: ids are counted from it. Throws a `bad-input` HumanError for a text
 * that is nested too deeply.
 */
export function plantBugs(file: string, text: string, switchName: string, firstId: number): PlantedFile {
  const planter = new Planter(parseTree(file, text), `globalThis.${switchName}`, firstId);
  planter.visit(planter.tree.ast);
  return { text: planter.text(), bugs: planter.bugs };
}

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** Of several at one place: those that end something first, the innermost first; then those that begin something, the outermost first. */
  readonly order: number;
}

class Planter {
  readonly tree: SourceTree;
  readonly bugs: PlantedBug[] = [];
  readonly #switch: string;
  readonly #insertions: Insertion[] = [];
  #nextId: number;
  #count = 0;
  readonly #textOf = (node: ts.Node): string => textOf(this.tree, node);

  constructor(tree: SourceTree, switchText: string, firstId: number) {
    this.tree = tree;
    this.#switch = switchText;
    this.#nextId = firstId;
  }

  visit(node: ts.Node): void {
    if (isLeftAlone(node)) return;
    if (ts.isExpressionStatement(node)) this.#guardStatement(node);
    if (ts.isBlock(node)) this.#emptyBlock(node);
    if (ts.isReturnStatement(node) && node.expression) this.#changeResult(node.expression, node);
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) this.#changeResult(node.body, node);
    if (isCondition(node)) this.#decide(node);
    if (ts.isExpression(node) && mayBeReplaced(node)) this.#replace(node);
    ts.forEachChild(node, (child) => {
      if (!isPlace(child, node)) this.visit(child);
    });
  }

  text(): string {
    const { text, file } = this.tree;
    const sorted = this.#insertions.toSorted((a, b) => a.at - b.at || a.order - b.order);
    let written = '';
    let done = 0;
    for (const { at, text: added } of sorted) {
      written += text.slice(done, at) + added;
      done = at;
    }
    written += text.slice(done);
    if (!/\.[cm]?tsx?$/.test(file) || this.bugs.length === 0) return written;
    // The types are those of the untouched text: whoever checks them would find the bugs.
    const [shebang = ''] = /^#![^\n]*\n/.exec(written) ?? [];
    return `${shebang}// @ts-nocheck\n${written.slice(shebang.length)}`;
  }

  #add(node: ts.Node, bug: Pick<PlantedBug, 'kind' | 'from' | 'to'>): number {
    const { ast, file } = this.tree;
    const start = ast.getLineAndCharacterOfPosition(startOf(this.tree, node));
    const end = ast.getLineAndCharacterOfPosition(node.end);
    const within = functionAround(node);
    const id = this.#nextId++;
    this.bugs.push({
      id,
      file,
      line: start.line + 1,
      column: start.character + 1,
      endLine: end.line + 1,
      kind: bug.kind,
      from: shown(bug.from),
      to: shown(bug.to),
      ...(within !== undefined && { within }),
    });
    return id;
  }

  /** Puts one text before the node and another one behind it. */
  #around(node: ts.Node, before: string, after: string): void {
    const order = ++this.#count;
    this.#insertions.push(
      { at: startOf(this.tree, node), text: before, order },
      { at: node.end, text: after, order: -order },
    );
  }

  #isOn = (id: number): string => `${this.#switch}.on(${id})`;

  #replace(node: ts.Expression): void {
    if (node.end - node.pos > longest) return;
    const from = this.#textOf(node);
    const mutations = [...mutationsOf(node, this.#textOf), ...withoutCall(node)];
    const choices = mutations.map((mutation) => {
      const id = this.#add(node, { ...mutation, from });
      return `${this.#isOn(id)}?(${mutation.to}):`;
    });
    if (choices.length > 0) this.#around(node, `(${choices.join('')}(`, '))');
  }

  /** The test of an `if`, a loop or a choice that is no comparison: those have bugs of their own. */
  #decide(node: ts.Expression): void {
    const from = this.#textOf(node);
    const isLoop = !ts.isIfStatement(node.parent) && !ts.isConditionalExpression(node.parent);
    const choices = (isLoop ? ['false'] : ['true', 'false']).map((to) => {
      const id = this.#add(node, { kind: 'ConditionalExpression', from, to });
      return `${this.#isOn(id)}?${to}:`;
    });
    this.#around(node, `(${choices.join('')}(`, '))');
  }

  #changeResult(node: ts.Expression, at: ts.Node): void {
    const inner = skipParentheses(node);
    if (isFunctionOrClass(inner) || (ts.isIdentifier(inner) && inner.text === 'undefined')) return;
    const around = ts.findAncestor(at, isFunctionOrClass);
    if (around && ts.isConstructorDeclaration(around)) return;
    const from = this.#textOf(node);
    const [first] = resultChanges.map((to) => this.#add(node, { kind: 'Result', from, to }));
    this.#around(node, `${this.#switch}.result(${first ?? 0},(`, '))');
  }

  /** A body that does nothing: that of a function returns at once, any other is left out. */
  #emptyBlock(block: ts.Block): void {
    const statements = block.statements.filter((one) => !isDirective(one));
    const [first] = statements;
    if (first === undefined || statements.every((one) => ts.isFunctionDeclaration(one))) return;
    const { parent } = block;
    if (ts.isConstructorDeclaration(parent) || ts.isClassStaticBlockDeclaration(parent)) return;
    if (ts.isFunctionLike(parent)) {
      const id = this.#add(block, { kind: 'BlockStatement', from: this.#textOf(block), to: '{}' });
      this.#insert(startOf(this.tree, first), `if(${this.#isOn(id)})return;`);
    } else if (ts.isIfStatement(parent) || ts.isIterationStatement(parent, false)) {
      // An empty body of what else has no end would hang.
      if (ts.isWhileStatement(parent) || ts.isDoStatement(parent)) return;
      if (ts.isForStatement(parent) && !parent.incrementor) return;
      const id = this.#add(block, { kind: 'BlockStatement', from: this.#textOf(block), to: '{}' });
      const order = ++this.#count;
      this.#insertions.push(
        { at: startOf(this.tree, first), text: `if(!${this.#isOn(id)}){`, order },
        { at: block.end - 1, text: '}', order: -order },
      );
    }
  }

  /** What begins with a parenthesis now would go on with the line before. */
  #guardStatement(node: ts.ExpressionStatement): void {
    const { parent } = node;
    if (isDirective(node)) return;
    if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent))
      this.#insert(startOf(this.tree, node), ';');
  }

  #insert(at: number, text: string): void {
    this.#insertions.push({ at, text, order: ++this.#count });
  }
}

const shown = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);

/** What is done for its effect alone is not done. */
function withoutCall(node: ts.Expression): readonly Mutation[] {
  const isDone = ts.isExpressionStatement(node.parent) && ts.isCallExpression(node);
  return isDone ? [{ kind: 'RemovedCall', to: 'undefined' }] : [];
}

const isDirective = (node: ts.Node): boolean =>
  ts.isExpressionStatement(node) && ts.isStringLiteral(node.expression);

function skipParentheses(node: ts.Expression): ts.Expression {
  let inner = node;
  while (ts.isParenthesizedExpression(inner)) inner = inner.expression;
  return inner;
}

const isFunctionOrClass = (node: ts.Node): boolean => ts.isFunctionLike(node) || ts.isClassLike(node);

/** Types, what does nothing at run time, what names a module, and what has to stand in the file as it is. */
function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isImportEqualsDeclaration(node))
    return true;
  if (ts.isEnumDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    return true;
  if (ts.isDecorator(node) || ts.isComputedPropertyName(node) || isDirective(node)) return true;
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isDeclare)) return true;
  return ts.isCallExpression(node) && loadsModule(node);
}

const isDeclare = ({ kind }: ts.Modifier): boolean => kind === ts.SyntaxKind.DeclareKeyword;

const loadsModule = ({ expression }: ts.CallExpression): boolean =>
  expression.kind === ts.SyntaxKind.ImportKeyword ||
  (ts.isIdentifier(expression) && expression.text === 'require');

/** Is the child a name, or something that is written to: no value that another could stand for? */
function isPlace(child: ts.Node, parent: ts.Node): boolean {
  if ('name' in parent && parent.name === child) return !ts.isBindingName(child) || ts.isIdentifier(child);
  if (ts.isBindingElement(parent) && child === parent.propertyName) return true;
  if (ts.isBinaryExpression(parent)) return child === parent.left && assigns(parent.operatorToken.kind);
  if (ts.isPostfixUnaryExpression(parent) || ts.isDeleteExpression(parent)) return true;
  if (ts.isPrefixUnaryExpression(parent)) return updatesOperand(parent);
  if (ts.isForInStatement(parent) || ts.isForOfStatement(parent))
    return child === parent.initializer && !ts.isVariableDeclarationList(child);
  if (ts.isJsxAttribute(parent)) return ts.isStringLiteral(child);
  return ts.isTaggedTemplateExpression(parent) && ts.isNoSubstitutionTemplateLiteral(child);
}

const assigns = (operator: ts.SyntaxKind): boolean =>
  operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;

const updatesOperand = ({ operator }: ts.PrefixUnaryExpression): boolean =>
  operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;

/** Not what a call is made on, which would lose its object, nor a link of an optional chain but the last one, nor a template that a function takes. */
function mayBeReplaced(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isTaggedTemplateExpression(parent)) return false;
  if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node) return false;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) return false;
  return !(ts.isOptionalChain(parent) && parent.expression === node);
}

/** The test of an `if`, a loop or a choice. Comparisons have the same bugs of their own. */
function isCondition(node: ts.Node): node is ts.Expression {
  const { parent } = node;
  if (!ts.isExpression(node) || ts.isBinaryExpression(node)) return false;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression === node;
  return (ts.isForStatement(parent) || ts.isConditionalExpression(parent)) && parent.condition === node;
}

/** `Cart.total`, `total`; undefined at the top of the file. */
function functionAround(node: ts.Node): string | undefined {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (!ts.isFunctionLike(at) || ts.isTypeNode(at)) continue;
    const name = nameOf(at);
    if (name === undefined) continue;
    const owner = ts.isClassLike(at.parent) ? at.parent.name?.text : undefined;
    return owner === undefined ? name : `${owner}.${name}`;
  }
  return undefined;
}

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (node.name && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name))) return node.name.text;
  const { parent } = node;
  if ((ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) && ts.isIdentifier(parent.name))
    return parent.name.text;
  if (ts.isPropertyDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left))
    return parent.left.name.text;
  return undefined;
}
