// The text of a member that a double gets: as little as lets it exist, in the way the double is written.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { indentAt, startOf, styleOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { isMock, type Double } from './testDoubles.ts';

export interface AddedMember {
  readonly name: string;
  /** `nothing` and `nothing later` for functions that answer nothing; `throws` for one that must not be called. */
  readonly does: 'nothing' | 'nothing later' | 'throws';
  /** What a function that must not be called says; without quotes. */
  readonly complaint: string;
}

/** The change and the text that it adds, without layout. */
export function addMember(
  tree: SourceTree,
  double: Double,
  member: AddedMember,
): { readonly change: TextChange; readonly text: string } {
  const isObject = ts.isObjectLiteralExpression(double);
  const parts: readonly ts.Node[] = isObject ? double.properties : double.members;
  const text = memberText(tree, double, member);
  const last = parts.at(-1);
  const { eol, indent } = styleOf(tree);
  if (last === undefined) {
    const at = double.end - 1;
    return { change: { start: at, end: at, newText: ` ${text} ` }, text };
  }
  const isBelow = tree.text.slice(startOf(tree, double), startOf(tree, last)).includes('\n');
  const gap = isBelow ? `${eol}${indentAt(tree, startOf(tree, last)) || indent}` : ' ';
  const hasComma = isObject && double.properties.hasTrailingComma;
  const end = hasComma ? tree.text.indexOf(',', last.end) + 1 : last.end;
  const newText = isObject ? `${hasComma ? '' : ','}${gap}${text}${hasComma ? ',' : ''}` : `${gap}${text}`;
  return { change: { start: end, end, newText }, text };
}

function memberText(tree: SourceTree, double: Double, { name, does, complaint }: AddedMember): string {
  const { quote } = styleOf(tree);
  const isObject = ts.isObjectLiteralExpression(double);
  const body = does === 'throws' ? `{ throw new Error(${quote}${complaint}${quote}); }` : '{}';
  const asynchronous = does === 'nothing later' ? 'async ' : '';
  if (!isObject) return `${asynchronous}${name}() ${body}`;
  const mock = does === 'nothing' ? mockOf(double) : undefined;
  if (mock !== undefined) return `${name}: ${mock}()`;
  const isMethods = double.properties.some(ts.isMethodDeclaration);
  return isMethods ? `${asynchronous}${name}() ${body}` : `${name}: ${asynchronous}() => ${body}`;
}

/** `vi.fn` where all functions of the double are such. */
function mockOf({ properties }: ts.ObjectLiteralExpression): string | undefined {
  const values = properties.map((one) =>
    ts.isPropertyAssignment(one) ? unwrap(one.initializer) : undefined,
  );
  const mocks = values.flatMap((value) =>
    value && isMock(value) && ts.isCallExpression(value) ? value.expression.getText() : [],
  );
  const hasOther =
    properties.some(ts.isMethodDeclaration) || values.some((value) => value && ts.isFunctionLike(value));
  return hasOther ? undefined : mocks[0];
}
