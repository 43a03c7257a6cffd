// What a member of `jest` or `vi` means, so that both can be compared and each written for the other.
import ts from 'typescript';
import { unwrap, visitNodes } from '../../syntax/javascript/sourceTree.ts';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { factoryOf, jestFactoryMeaning, vitestFactoryMeaning, type FactoryMeaning } from './moduleMocks.ts';
import { sameMembers, words } from './runnerTable.ts';
import { callOf, memberOf } from './runnerUses.ts';

export type MemberMeaning =
  | {
      /** The name in both, or `actual` for `jest.requireActual` and `await vi.importActual`. */
      readonly name: string;
      readonly member: ts.PropertyAccessExpression;
      readonly call?: ts.CallExpression;
      /** Of `mock` and `doMock`. */
      readonly factory?: FactoryMeaning;
    }
  | { readonly reason: string };

/** The meaning that the other runner has a word for, or a sentence why there is none; `use` is the identifier `jest` or `vi`. */
export function memberMeaning(use: ts.Identifier, from: 'jest' | 'vitest'): MemberMeaning {
  const to = from === 'jest' ? 'vitest' : 'jest';
  const member = memberOf(use);
  if (member === undefined) return { reason: `${use.text} is used as a value of its own` };
  const name = member.name.text;
  const call = callOf(member);
  const none = { reason: `${use.text}.${name} has no counterpart in ${to}` };
  const differs = (why: string): MemberMeaning => ({ reason: `${use.text}.${name} ${why}` });
  const found = { name, member, ...(call && { call }) };
  if (call === undefined) return sameMembers.has(name) ? found : none;
  const next = call.parent;
  if (returnsItself.has(name) && ts.isPropertyAccessExpression(next) && next.expression === call)
    if (!sameMembers.has(next.name.text) && next.name.text !== 'setSystemTime')
      return { reason: `${use.text}.${name}().${next.name.text} is not certain to mean the same in ${to}` };
  if (name === 'fn' && (call.typeArguments?.length ?? 0) > 1)
    return differs(`takes other type arguments in ${to}`);
  if (sameMembers.has(name)) return found;
  const count = call.arguments.length;
  switch (name) {
    case 'useFakeTimers':
      return count === 0 || takesNow(call) ? found : differs(`takes other options in ${to}`);
    case 'advanceTimersToNextTimer':
    case 'advanceTimersToNextTimerAsync':
      return count === 0 ? found : differs('takes no number of steps in vitest');
    case 'setSystemTime':
    case 'mocked':
      return count === 1 ? found : differs(`takes one argument in ${to}`);
    case 'resetAllMocks':
      return givesImplementations(use.getSourceFile())
        ? differs('gives a mock its first implementation back in vitest, and takes it away in jest')
        : found;
    case 'mock':
    case 'doMock': {
      const factory = from === 'jest' ? jestFactoryMeaning(call) : vitestFactoryMeaning(call);
      return { ...found, factory };
    }
    case 'requireActual':
    case 'importActual':
      if (from !== (name === 'requireActual' ? 'jest' : 'vitest')) return none;
      return isInFactory(call, use.text)
        ? { ...found, name: 'actual' }
        : differs(`can be translated only in the factory of a mock: in ${to} it works in another way`);
    default:
      return none;
  }
}

/** Members after which the same object can be asked for more. */
const returnsItself: ReadonlySet<string> = new Set(
  words(
    'useFakeTimers useRealTimers mock doMock unmock clearAllMocks resetAllMocks',
    'restoreAllMocks resetModules setSystemTime',
  ),
);

function takesNow({ arguments: [options, more] }: ts.CallExpression): boolean {
  const object = options === undefined || more !== undefined ? undefined : unwrap(options);
  return (
    object !== undefined &&
    ts.isObjectLiteralExpression(object) &&
    object.properties.every((one) => one.name !== undefined && propertyKey(one.name) === 'now')
  );
}

/** Has any mock of the file something to do from its beginning? Then taking it back means two things. */
export function givesImplementations(source: ts.SourceFile): boolean {
  let found = false;
  visitNodes(source, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { name } = node.expression;
    found ||= name.text === 'spyOn' || (name.text === 'fn' && node.arguments.length > 0);
  });
  return found;
}

/** Does the call stand directly in the factory of a mocked module? */
function isInFactory(call: ts.CallExpression, object: string): boolean {
  let up: ts.Node = call.parent;
  while (!ts.isFunctionLike(up) && !ts.isSourceFile(up)) up = up.parent;
  let value: ts.Node = up;
  while (value.parent !== undefined && unwrap(value.parent) !== value.parent) value = value.parent;
  const { parent: mock } = value;
  return (
    mock !== undefined &&
    ts.isCallExpression(mock) &&
    factoryOf(mock) === up &&
    new RegExp(String.raw`^${object}\.(?:mock|doMock)$`).test(mock.expression.getText())
  );
}
