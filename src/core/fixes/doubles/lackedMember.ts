// Which member of an object a changed source asked for and did not find, read from a failure and the line of the source it came from.
import ts from 'typescript';
import type { TestResult } from '../../model/testResult.ts';
import {
  offsetOf,
  parseTree,
  unwrap,
  visitNodes,
  type SourceTree,
} from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';

export interface LackedMember {
  readonly name: string;
  /** The source that asks for it. */
  readonly tree: SourceTree;
  readonly line: number;
  /** `logger.debug` in the source. */
  readonly access: ts.PropertyAccessExpression;
  /** `called`, and what the call gives is used or not; `handed on`, without being called there. */
  readonly use: 'called for its answer' | 'called' | 'handed on';
}

/** Undefined where the failure says nothing of the kind, or where more than one thing on the line could be meant. */
export async function lackedMember(
  { failure }: TestResult,
  context: FixContext,
): Promise<LackedMember | undefined> {
  const [frame] = failure?.stack.filter(({ file }) => !file.startsWith('node:')) ?? [];
  if (failure === undefined || frame === undefined || context.isTestFile(frame.file)) return undefined;
  if (!/\.[cm]?[jt]sx?$/.test(frame.file) || /(?:^|\/)node_modules\//.test(frame.file)) return undefined;
  const wanted = wantedBy(failure.message);
  const text = wanted && (await context.readText(frame.file));
  if (wanted === undefined || text === undefined) return undefined;
  const tree = parseTree(frame.file, text);
  const offset = offsetOf(tree, frame);
  const found: ts.PropertyAccessExpression[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isPropertyAccessExpression(node) || offset === undefined) return;
    const line = tree.ast.getLineAndCharacterOfPosition(node.name.getStart()).line + 1;
    if (line === frame.line && wanted(node)) found.push(node);
  });
  const [access, another] = found;
  if (access === undefined || another !== undefined) return undefined;
  return { name: access.name.text, tree, line: frame.line, access, use: useOf(access) };
}

/** Tells the access that the message is about, on its line. */
function wantedBy(message: string): ((node: ts.PropertyAccessExpression) => boolean) | undefined {
  const called = /^(?:TypeError: )?[^\n]*?\.(?<name>[\w$]+) is not a function\b/.exec(message)?.groups?.[
    'name'
  ];
  if (called !== undefined) return (node) => node.name.text === called && isCalled(node);
  if (/^(?:TypeError: )?Cannot read properties of undefined \(reading 'bind'\)/.test(message))
    return ({ parent }) => ts.isPropertyAccessExpression(parent) && parent.name.text === 'bind';
  // Node's own check of what listens to an event, or is called back.
  if (
    /^(?:TypeError(?: \[ERR_INVALID_ARG_TYPE\])?: )?The "(?:listener|callback|handler)" argument must be of type function\. Received undefined/.test(
      message,
    )
  )
    return (node) => ts.isCallExpression(node.parent) && node.parent.expression !== node;
  return undefined;
}

const isCalled = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) && node.parent.expression === node;

function useOf(access: ts.PropertyAccessExpression): LackedMember['use'] {
  if (!isCalled(access)) return 'handed on';
  let value: ts.Node = access.parent;
  while (
    ts.isAwaitExpression(value.parent) ||
    unwrap(value.parent) !== value.parent ||
    ts.isVoidExpression(value.parent)
  )
    value = value.parent;
  return ts.isExpressionStatement(value.parent) ? 'called' : 'called for its answer';
}
