// The text changes that let a test wait until one of its assertions holds.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import type { Position } from '../../model/position.ts';
import { codeLine } from '../../model/visibleText.ts';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { startOf, textOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { chainNames, chainRoot, isExpect, sitesAt } from '../assertion/assertionCalls.ts';
import { refuse, type Refusal } from '../assertion/literalChange.ts';
import { testCallsAround } from '../assertion/testCalls.ts';
import { newSpecifier } from '../state/hookPlace.ts';
import { absent, holds, isComputed, isCounted, isOpposite } from './waitedQuestions.ts';

interface WaitChanges {
  readonly changes: readonly TextChange[];
  /** The assertion as written. */
  readonly assertion: string;
}

/** Undefined where the place holds no assertion of the test's own that could wait. */
export function waitChanges(
  tree: SourceTree,
  place: Position & { readonly file: string },
  library: 'vi' | 'jest',
): WaitChanges | Refusal | undefined {
  const call = assertionAt(tree, place);
  const statement = call?.parent;
  const body = statement?.parent.parent;
  if (call === undefined || statement === undefined || !ts.isExpressionStatement(statement)) return undefined;
  if (body === undefined || (!ts.isArrowFunction(body) && !ts.isFunctionExpression(body))) return undefined;
  const [test] = testCallsAround(body);
  if (test?.kind !== 'test' || !test.call.arguments.some((argument) => unwrap(argument) === body))
    return undefined;
  const against = whyNot(tree, call, body);
  if (against !== undefined) return refuse(against);
  const way = wayOfWaiting(tree, library);
  if (way === undefined) return refuse('The tests use no function that waits for an assertion.');
  const start = startOf(tree, call);
  const isAsync = body.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
  const head = startOf(tree, body);
  return {
    assertion: codeLine(textOf(tree, call)),
    changes: [
      ...way.changes,
      ...(isAsync ? [] : [{ start: head, end: head, newText: 'async ' }]),
      { start, end: start, newText: `await ${way.name}(() => ` },
      { start: call.end, end: call.end, newText: ')' },
    ],
  };
}

/** The whole of `expect(…).toBe(…)`. */
function assertionAt(
  tree: SourceTree,
  place: Position & { readonly file: string },
): ts.CallExpression | undefined {
  if (place.file !== tree.file) return undefined;
  const { exact, onLine } = sitesAt(tree, place, (call) => {
    const root = chainRoot(call);
    return root !== undefined && root !== call && isExpect(root.expression) ? call : undefined;
  });
  const sites = exact.length > 0 ? exact : onLine;
  return sites.length === 1 ? sites[0] : undefined;
}

const looks =
  /^(?:vi|jest)\.mocked$|(?:^|\.)(?:(?:get|find|query)(?:All)?By\w+|querySelector(?:All)?|getElement\w+|getAttribute)$/;

function whyNot(
  tree: SourceTree,
  call: ts.CallExpression,
  body: ts.FunctionLikeDeclaration,
): string | undefined {
  const names = chainNames(call).map(({ text }) => text);
  const [expected] = call.arguments;
  const isEmpty =
    expected !== undefined &&
    /^(?:false|null|undefined|NaN|-?0n?|''|""|``|\[\s*\]|\{\s*\})$/.test(textOf(tree, expected));
  const subject = chainRoot(call)?.arguments[0];
  const mayBeNothing =
    (subject !== undefined && holds(subject, isComputed)) ||
    call.arguments.some((given) => holds(given, (part) => ts.isFunctionLike(part) || isOpposite(part)));
  const [matcher = ''] = names;
  const isAbsent = absent.test(matcher) || /^(?:toMatch\w*Snapshot|toThrow\w*)$/.test(matcher);
  if (names.includes('not') || isAbsent || isEmpty || mayBeNothing)
    return 'The assertion expects something to be absent: it may hold at once, so waiting proves nothing.';
  if (isCounted(matcher, subject))
    return 'The assertion expects a number of calls: polled, it would hold as soon as the number is reached, even if more calls follow.';
  if (names.some((name) => name === 'resolves' || name === 'rejects')) return 'The assertion already waits.';
  let asks = false;
  for (const part of [subject, ...call.arguments])
    if (part !== undefined)
      visitNodes(part, (node) => {
        const isCall = ts.isCallExpression(node) && !looks.test(node.expression.getText());
        asks ||=
          (isCall && !node.expression.getText().startsWith('expect.')) ||
          ts.isNewExpression(node) ||
          ts.isSpreadElement(node);
      });
  if (asks)
    return 'The assertion calls the code under test, which may have effects: Testmend does not make it repeat.';
  if (
    body.asteriskToken !== undefined ||
    body.parameters.some(({ name }) => /^(?:done|cb|callback)$/.test(name.getText()))
  )
    return 'The test signals its end with a callback.';
  if (/\.useFakeTimers\(/.test(tree.text))
    return 'The tests use fake timers: advance them instead of waiting.';
  return undefined;
}

interface Way {
  readonly name: string;
  readonly changes: readonly TextChange[];
}

/** `waitFor` of testing-library where the file has it or imports from it, else vitest's own. */
function wayOfWaiting(tree: SourceTree, library: 'vi' | 'jest'): Way | undefined {
  for (const statement of tree.ast.statements) {
    const names = namedImports(statement, /^@testing-library\/(?!jest-dom|user-event)/);
    if (names === undefined) continue;
    const known = names.elements.find((one) => (one.propertyName ?? one.name).text === 'waitFor');
    if (known !== undefined) return { name: known.name.text, changes: [] };
    if (!declares(tree, 'waitFor'))
      return { name: 'waitFor', changes: [newSpecifier(tree, names, 'waitFor')] };
  }
  if (library !== 'vi') return undefined;
  for (const statement of tree.ast.statements) {
    const names = namedImports(statement, /^vitest$/);
    if (names === undefined) continue;
    const known = names.elements.find((one) => (one.propertyName ?? one.name).text === 'vi');
    if (known !== undefined) return { name: `${known.name.text}.waitFor`, changes: [] };
    return declares(tree, 'vi')
      ? undefined
      : { name: 'vi.waitFor', changes: [newSpecifier(tree, names, 'vi')] };
  }
  return { name: 'vi.waitFor', changes: [] };
}

function namedImports(statement: ts.Statement, module: RegExp): ts.NamedImports | undefined {
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return undefined;
  const { importClause } = statement;
  const names = importClause?.namedBindings;
  if (!module.test(statement.moduleSpecifier.text) || importClause?.phaseModifier !== undefined)
    return undefined;
  return names !== undefined && ts.isNamedImports(names) && names.elements.length > 0 ? names : undefined;
}

/** Is the name given a meaning anywhere in the file? */
function declares(tree: SourceTree, name: string): boolean {
  let found = false;
  visitNodes(tree.ast, (node) => {
    found ||= ts.isIdentifier(node) && node.text === name && bindingOf(node) !== undefined;
  });
  return found;
}
