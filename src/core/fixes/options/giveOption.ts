// Writes one more option into a call, as the last thing that it says.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { keySource, propertyKey, stringSource } from '../../syntax/javascript/literalSource.ts';
import { parseTree, styleOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { AddedOption } from './addedOptions.ts';

/** None when the call says already what the option is; undefined when it cannot be written there for certain. */
export function giveOption(
  tree: SourceTree,
  call: ts.CallExpression,
  { index, key }: AddedOption,
  value: string,
): readonly TextChange[] | undefined {
  const given = call.arguments;
  if (given.some((one) => ts.isSpreadElement(one)) || given.length < index) return undefined;
  const style = styleOf(tree);
  const text = inQuotes(value, style.quote);
  const part = key === undefined ? text : `${keySource(key, style)}: ${text}`;
  const inBraces = style.spaced ? `{ ${part} }` : `{${part}}`;
  const argument = given[index];
  if (argument === undefined) return [atEnd(call, key === undefined ? text : inBraces)];
  if (key === undefined) return [];
  const object = unwrap(argument);
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  const keys = object.properties.map(({ name }) => name && propertyKey(name));
  if (keys.includes(undefined)) return undefined;
  if (keys.includes(key)) return [];
  const last = object.properties.at(-1);
  return last === undefined
    ? [{ start: argument.getStart(tree.ast), end: argument.end, newText: inBraces }]
    : [{ start: last.end, end: last.end, newText: `, ${part}` }];
}

/** A text is written in the quotes of the test. */
function inQuotes(value: string, quote: "'" | '"'): string {
  const [statement] = parseTree('value.ts', value).ast.statements;
  const literal = statement && ts.isExpressionStatement(statement) ? statement.expression : undefined;
  return literal && ts.isStringLiteral(literal) ? stringSource(literal.text, quote) : value;
}

function atEnd(call: ts.CallExpression, text: string): TextChange {
  const last = call.arguments.at(-1);
  const start = last?.end ?? call.end - 1;
  return { start, end: start, newText: last === undefined ? text : `, ${text}` };
}
