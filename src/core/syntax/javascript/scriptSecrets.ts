// Finds the texts of a script that a name gives away as secrets, wherever they are written: by the flow of values to names, calls and comparisons.
import ts from 'typescript';
import { looksUnlikeWords } from '../../base/entropy.ts';
import { Sureness, surenessOf, surenessWithin } from '../../base/secretNames.ts';
import { fits, isCarried, isHeld, isTelling, partsOf } from '../../base/secretValues.ts';
import {
  calledName,
  keyText,
  nameText,
  returnsOf,
  scriptsOf,
  type Load,
  type Scripts,
} from './scriptValues.ts';
import { unwrap, visitNodes } from './sourceTree.ts';

/** Throws a `bad-input` HumanError for a text that is too deep. */
export function scriptSecrets(file: string, text: string, load: Load): ReadonlySet<string> {
  const scripts = scriptsOf(file, text, load);
  const found = new Set<string>();
  const takers = new Map<Sureness, Taker>();
  const takerFor = (sureness: Sureness): Taker => {
    const note: Note = (value, isDirect) => {
      const plain = value.trim();
      if (fits(plain, sureness) && (isDirect ? isHeld(plain) : isCarried(plain))) found.add(plain);
      // `ada:X`, which somebody splits.
      for (const part of partsOf(plain))
        if (part !== plain && isCarried(part) && looksUnlikeWords(part)) found.add(part);
    };
    const taker = takers.get(sureness) ?? takerOf(scripts, note);
    takers.set(sureness, taker);
    return taker;
  };
  visitNodes(scripts.main.ast, (node) => {
    for (const { value, isDirect, sureness } of held(node, scripts))
      if (sureness > Sureness.none) takerFor(sureness)(value, isDirect);
  });
  for (const one of found) if (isComposed(one, found)) found.delete(one);
  return found;
}

/** Of other ones, with nothing but words and signs between: these are told apart where each stands for itself. */
function isComposed(whole: string, all: ReadonlySet<string>): boolean {
  let rest = whole;
  for (const part of all)
    if (part !== whole && isTelling(part) && part.length < rest.length) rest = rest.replaceAll(part, ' ');
  return rest !== whole && !/\d/.test(rest) && !rest.split(/\s+/).some(isTelling);
}

type Note = (value: string, isDirect: boolean) => void;

/** What a name tells of: `isDirect` where it is that of the value itself, not of a list or a call around it. */
interface Held {
  readonly value: ts.Node;
  readonly isDirect: boolean;
  readonly sureness: Sureness;
}

type Taker = (value: ts.Node, isDirect: boolean) => void;

/** Notes every text that a value is made of. Each node is read once, or again where it is met nearer: a value in use everywhere is in a thousand others. */
function takerOf(scripts: Scripts, note: Note): Taker {
  const read = [new Map<ts.Node, number>(), new Map<ts.Node, number>()] as const;
  const within = (end: ts.Node, isDirect: boolean, depth: number): void => {
    const nearest = read[isDirect ? 1 : 0];
    if (depth <= (nearest.get(end) ?? 0)) return;
    nearest.set(end, depth);
    takeWithin(end, isDirect, scripts, note, (node, direct) => {
      for (const one of scripts.origins(node)) within(one, direct, depth - 1);
    });
  };
  return (value, isDirect) => {
    for (const end of scripts.origins(value)) within(end, isDirect, 6);
  };
}

function takeWithin(end: ts.Node, isDirect: boolean, scripts: Scripts, note: Note, go: Taker): void {
  const each = (nodes: readonly ts.Node[], direct = false): void => {
    for (const node of nodes) go(node, direct);
  };
  if (ts.isStringLiteralLike(end)) {
    note(end.text, isDirect);
    // As it is written, where that is another way.
    const written = end.getText().slice(1, -1);
    if (written !== end.text) note(written, isDirect);
    for (const one of siblingsOf(end)) if (looksUnlikeWords(one)) note(one, false);
  } else if (ts.isRegularExpressionLiteral(end)) {
    for (const [run] of end.text.matchAll(/[\w-]{6,}/g)) note(run, false);
  } else if (ts.isTemplateExpression(end)) {
    for (const { text } of [end.head, ...end.templateSpans.map(({ literal }) => literal)]) note(text, false);
    each(end.templateSpans.map(({ expression }) => expression));
  } else if (ts.isTaggedTemplateExpression(end)) takeWithin(end.template, isDirect, scripts, note, go);
  else if (ts.isBinaryExpression(end)) {
    const whole = joined(end, scripts);
    if (whole !== undefined) note(whole, isDirect);
    each([end.left, end.right]);
  } else if (ts.isArrayLiteralExpression(end)) each(end.elements);
  else if (ts.isObjectLiteralExpression(end)) {
    each(end.properties.flatMap((one) => (ts.isSpreadAssignment(one) ? one.expression : [])));
    for (const property of end.properties)
      if (ts.isPropertyAssignment(property) && !isOther(nameText(property.name) ?? ''))
        each([property.initializer]);
  } else if (ts.isFunctionLike(end)) each(returnsOf(end), isDirect);
  else if (ts.isCallExpression(end)) {
    const name = calledName(end);
    const [first] = end.arguments;
    if (first && ts.isStringLiteralLike(first) && /^(?:atob|from|b64decode)$/.test(name))
      note(Buffer.from(first.text, 'base64').toString(), isDirect);
    if (isMock.test(name)) each(end.arguments, isDirect);
    else if (!reading.test(name)) each(end.arguments);
    if (
      ts.isPropertyAccessExpression(end.expression) &&
      ts.isCallExpression(unwrap(end.expression.expression))
    )
      each([end.expression.expression], isDirect);
  } else if (ts.isNewExpression(end)) each(end.arguments ?? []);
}

/** Beside it in a list, a table of rows or an object that is looked up: they are of its kind where they look like it. */
function siblingsOf(node: ts.Node): readonly string[] {
  const { parent } = node;
  const texts = (nodes: readonly (ts.Node | undefined)[]): readonly string[] =>
    nodes.flatMap((one) => (one && ts.isStringLiteralLike(one) ? one.text : []));
  if (ts.isPropertyAssignment(parent))
    return texts(
      parent.parent.properties.map((one) => (ts.isPropertyAssignment(one) ? one.initializer : undefined)),
    );
  if (!ts.isArrayLiteralExpression(parent)) return [];
  const rows = ts.isArrayLiteralExpression(parent.parent) ? parent.parent.elements : [];
  const column = parent.elements.findIndex((one) => one === node);
  return texts([
    ...parent.elements,
    ...rows.map((row) => (ts.isArrayLiteralExpression(row) ? row.elements[column] : undefined)),
  ]);
}

/** The text of added literals. */
function joined(node: ts.Node, scripts: Scripts): string | undefined {
  const inner = unwrap(node);
  if (ts.isStringLiteralLike(inner)) return inner.text;
  if (ts.isBinaryExpression(inner)) {
    const [left, right] = [joined(inner.left, scripts), joined(inner.right, scripts)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  const ends = scripts.origins(inner);
  return ends.length === 1 && ends[0] && ts.isStringLiteralLike(ends[0]) ? ends[0].text : undefined;
}

/** What stands beside a secret in an object. */
const isOther = (name: string): boolean =>
  /(?:^|_)(?:user|username|login|name|email|mail|id|type|kind|role|label|title|url|host|port|path|method|scope|message|description|placeholder|algorithm|region|domain)$/i.test(
    name,
  ) || /[a-z](?:Name|Id|Type|Url|Label|Message|Title)$/.test(name);

const isMock =
  /^(?:mock(?:Return|Resolved|Rejected)Value(?:Once)?|mockImplementation(?:Once)?|returns(?:Arg)?|resolves|callsFake|thenReturn|thenResolve|willReturn|withArgs|calledWith|fn|fake|stub|resolve|just|of|Ok|Some)$/;
/** Their arguments name something. */
const reading =
  /^(?:require|import|t|i18n|translate|getenv|get|has|env|find\w*|query\w*|get[A-Z]\w*|locator|describe|it|test)$/;
const comparing =
  /equal|same|match|verify|compare|^(?:is|eq|eql|includes?|contains?|startsWith|endsWith|indexOf|localeCompare)$/i;
/** They give something to what they are called on. */
const giving =
  /^(?:mock\w+|returns|resolves|thenReturn|thenResolve|willReturn|callsFake|fill|type|change|input|setValue|sendKeys|pressSequentially|push|add)$/;

const of = (value: ts.Node, sureness: Sureness, isDirect = true): Held => ({ value, isDirect, sureness });

function* held(node: ts.Node, scripts: Scripts): Generator<Held> {
  if (
    (ts.isVariableDeclaration(node) ||
      ts.isPropertyDeclaration(node) ||
      ts.isPropertyAssignment(node) ||
      ts.isEnumMember(node) ||
      ts.isJsxAttribute(node)) &&
    node.initializer
  ) {
    const { initializer } = node;
    const name = nameText(node.name) ?? '';
    const value = ts.isJsxExpression(initializer) ? (initializer.expression ?? initializer) : initializer;
    const keys = byKey.exec(name)?.[1];
    if (keys === undefined || !ts.isObjectLiteralExpression(value)) yield of(value, surenessOf(name));
    else for (const { name: key } of value.properties) if (key) yield of(key, surenessOf(keys));
  } else if (ts.isVariableDeclaration(node)) yield of(node.name, sureOf(node.name));
  else if (ts.isShorthandPropertyAssignment(node)) yield of(node.name, sureOf(node.name));
  else if (ts.isBindingElement(node) && ts.isIdentifier(node.name)) {
    const sureness = Math.max(sureOf(node.name), sureOf(node.propertyName));
    yield of(node.name, sureness);
    if (node.initializer) yield of(node.initializer, sureness);
  } else if (ts.isParameter(node)) {
    const sureness = sureOf(node.name);
    if (sureness > Sureness.none)
      for (const value of scripts.given(node.parent, node.parent.parameters.indexOf(node)))
        yield of(value, sureness);
    if (node.initializer) yield of(node.initializer, sureness);
  } else if (ts.isBinaryExpression(node)) yield* ofOperator(node);
  else if (ts.isCaseClause(node)) yield of(node.expression, sureness(nameOf(node.parent.parent.expression)));
  else if (
    (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isGetAccessorDeclaration(node)) &&
    !judges.test(nameText(node.name ?? node) ?? '')
  )
    for (const value of returnsOf(node)) yield of(value, sureOf(node.name));
  else if (ts.isCallExpression(node) || ts.isNewExpression(node)) yield* ofCall(node, scripts);
  else if (ts.isObjectLiteralExpression(node)) yield* besideName(node);
  else if (ts.isArrayLiteralExpression(node)) yield* behindName(node.elements, node.elements.length === 2);
}

/** `usersByToken`: its keys are tokens. */
const byKey = /(?:[a-z]By|_by_)(\w+)$/;

const sureness = (name: string | undefined): Sureness =>
  name === undefined ? Sureness.none : surenessOf(name);
const sureOf = (name: ts.Node | undefined): Sureness => (name ? sureness(nameText(name)) : Sureness.none);
const isSecret = (name: string | undefined): boolean => sureness(name) >= Sureness.worded;

/** The name that a value has where it is read: `password` of `user.password`, `(await getPassword())`, `id(getPassword())`, `password.value`. */
function nameOf(node: ts.Node): string | undefined {
  const inner = unwrap(node);
  if (ts.isIdentifier(inner)) return inner.text;
  if (ts.isAwaitExpression(inner)) return nameOf(inner.expression);
  if (ts.isPropertyAccessExpression(inner) || ts.isElementAccessExpression(inner)) {
    const own = ts.isPropertyAccessExpression(inner) ? inner.name.text : keyText(inner.argumentExpression);
    return own === undefined || neutral.test(own) ? nameOf(inner.expression) : own;
  }
  if (!ts.isCallExpression(inner)) return undefined;
  const called = calledName(inner);
  const [first, second] = inner.arguments;
  if (judges.test(called)) return undefined;
  if (isSecret(called)) return called;
  if (neutral.test(called) && ts.isPropertyAccessExpression(inner.expression))
    return nameOf(inner.expression.expression);
  // A getter by name, and a wrapper.
  if (first !== undefined && ts.isStringLiteralLike(first)) return namesOne(first.text) ? first.text : called;
  return (first && second === undefined ? nameOf(first) : undefined) ?? called;
}
const neutral =
  /^(?:value|current|val|text|raw|data|toString|trim|textContent|content|json|body|innerText|inputValue|should|to|be|been|deep|and|have|has|that|is|toLowerCase|toUpperCase|at|\d+)$/;

/** They say something about what they are given. */
const judges =
  /^(?:validate|verify|check|assert|ensure|compare|matche?s?|test|rate|score|count|mask|redact|hide|is|has|can|should|render|describe|label|format|parse|tokenize|lex)(?=[A-Z_]|$)/;

/** As a key or an option is written. */
const namesOne = (text: string): boolean => /^[-#.]{0,2}[\w-]{1,60}$/.test(text) && isSecret(text);

function* ofOperator({ left, operatorToken, right }: ts.BinaryExpression): Generator<Held> {
  const operator = operatorToken.getText();
  const isType = (node: ts.Node): boolean => ts.isTypeOfExpression(node);
  if (/^(?:\|\||\?\?)?=$/.test(operator)) yield of(right, sureness(nameOf(left)));
  else if (/^[=!]==?$/.test(operator) && !isType(left) && !isType(right)) {
    yield of(right, sureness(nameOf(left)));
    yield of(left, sureness(nameOf(right)));
  }
}

function* ofCall(call: ts.CallExpression | ts.NewExpression, scripts: Scripts): Generator<Held> {
  const name = calledName(call);
  const given = call.arguments ?? [];
  for (const one of scripts.importedFunctions(name))
    for (const [index, { name: parameter }] of one.parameters.entries()) {
      const value = given[index];
      if (value) yield of(value, sureOf(parameter));
    }
  yield* behindName(given, given.length === 2);
  if (surenessWithin(name) > Sureness.none)
    for (const value of given)
      yield of(value, surenessWithin(name), given.length === 1 && /^(?:set|with|use|from)/i.test(name));
  const sides = given.slice(0, 2);
  const isComparison = comparing.test(name);
  if (isComparison || giving.test(name))
    for (const [index, side] of sides.entries()) {
      const other = sides[1 - index];
      if (other && mentions(side))
        yield of(typedIn(other), gradeOf(side), isComparison ? isSecret(nameOf(side)) : true);
    }
  if (!ts.isPropertyAccessExpression(call.expression)) return;
  const receiver = call.expression.expression;
  const subject = subjectOf(receiver);
  if (subject !== undefined) {
    if (mentions(subject))
      for (const value of given) yield of(value, gradeOf(subject), isSecret(nameOf(subject)));
    for (const value of given) yield of(subject, sureness(nameOf(value)));
  } else if ((isComparison || giving.test(name)) && mentions(receiver))
    for (const value of given)
      yield of(value, gradeOf(receiver), giving.test(name) || isSecret(nameOf(receiver)));
}

/** Of what mentions one. */
const gradeOf = (node: ts.Node): Sureness =>
  Math.max(sureness(nameOf(node)), sureness(labelOf(node)), Sureness.worded);

/** Of the control that is looked for: `getByLabelText(/your password/i)`. */
function labelOf(node: ts.Node): string | undefined {
  const inner = unwrap(node);
  if (ts.isAwaitExpression(inner)) return labelOf(inner.expression);
  const [label] = ts.isCallExpression(inner) && labelled.test(calledName(inner)) ? inner.arguments : [];
  if (!label || !(ts.isStringLiteralLike(label) || ts.isRegularExpressionLiteral(label))) return undefined;
  const words = label.text
    .replace(/\/[a-z]*$/, '')
    .replaceAll(/\\[a-z]/g, ' ')
    .match(/\p{L}+/gu);
  return words?.join('_');
}
const labelled = /(?:Label|LabelText|Placeholder|PlaceholderText)$/;

/** `{ target: { value: 'X' } }` of an event, or what is given itself. */
function typedIn(given: ts.Node): ts.Node {
  let value = given;
  for (const key of ['target', 'value']) {
    if (!ts.isObjectLiteralExpression(value)) return given;
    const found = value.properties.find((one) => nameText(one.name ?? one) === key);
    if (!found || !ts.isPropertyAssignment(found)) return given;
    value = found.initializer;
  }
  return value;
}

/** What `expect` of this chain was given. */
function subjectOf(node: ts.Node): ts.Node | undefined {
  let inner = unwrap(node);
  while (
    ts.isPropertyAccessExpression(inner) ||
    (ts.isCallExpression(inner) && ts.isPropertyAccessExpression(inner.expression))
  ) {
    inner = unwrap(ts.isCallExpression(inner) ? unwrap(inner.expression) : inner.expression);
  }
  return ts.isCallExpression(inner) && /^(?:expect|assertThat|ok)$/.test(calledName(inner))
    ? inner.arguments[0]
    : undefined;
}

/** Does a name in the chain or the object tell of a secret? `{ p: user.password }`, `vi.spyOn(auth, 'getToken')`. */
function mentions(node: ts.Node, depth = 6): boolean {
  const inner = unwrap(node);
  if (depth === 0) return false;
  if (isSecret(nameOf(inner)) || isSecret(labelOf(inner))) return true;
  const within = (one: ts.Node): boolean => mentions(one, depth - 1);
  if (ts.isStringLiteralLike(inner)) return namesOne(inner.text);
  if (ts.isObjectLiteralExpression(inner))
    return inner.properties.some((one) => ts.isPropertyAssignment(one) && within(one.initializer));
  if (ts.isArrayLiteralExpression(inner))
    return inner.elements.some((one) => !ts.isStringLiteralLike(one) && within(one));
  if (ts.isTemplateExpression(inner)) return inner.templateSpans.some(({ expression }) => within(expression));
  if (ts.isAwaitExpression(inner)) return within(inner.expression);
  if (!ts.isCallExpression(inner) || judges.test(calledName(inner))) return false;
  const callee = inner.expression;
  return (
    inner.arguments.some((one, _, all) => (all.length === 1 || ts.isStringLiteralLike(one)) && within(one)) ||
    (ts.isPropertyAccessExpression(callee) && within(callee.expression))
  );
}

/** `{ name: 'password', value: 'X' }`. */
function* besideName({ properties }: ts.ObjectLiteralExpression): Generator<Held> {
  const assigned = properties.filter(ts.isPropertyAssignment);
  const isNamed = assigned.some(
    ({ name, initializer }) =>
      /^(?:name|key|field|id|label|type|header|option)$/i.test(nameText(name) ?? '') &&
      namesOne(keyText(initializer) ?? ''),
  );
  if (!isNamed) return;
  for (const { name, initializer } of assigned)
    if (/^(?:value|val|default(?:Value)?|text|content|data|input|answer)$/i.test(nameText(name) ?? ''))
      yield of(initializer, Sureness.worded);
}

/** `set('password', 'X')`, `['--password', 'X']`. */
function* behindName(list: readonly ts.Node[], isPair: boolean): Generator<Held> {
  for (const [index, one] of list.entries()) {
    const next = list[index + 1];
    if (next === undefined || !ts.isStringLiteralLike(one) || !namesOne(one.text)) continue;
    const isSecond = isPair && index === 0;
    // A list of words names columns.
    if (isSecond && ts.isStringLiteralLike(next) && /^[a-z]{1,8}$/i.test(next.text)) continue;
    yield of(next, surenessOf(one.text), isSecond);
  }
}
