// The value that an expression stands for as far as it is written out.
import ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { isBareMark } from '../../syntax/javascript/bareObjects.ts';
import { propertyKey, staticValue } from '../../syntax/javascript/literalSource.ts';
import { unwrap } from '../../syntax/javascript/sourceTree.ts';

/** Parts that are computed are opaque; keys that come out of a spread or are computed are left out. */
export function writtenValue(expression: ts.Expression): Value {
  const node = unwrap(expression);
  const value = staticValue(node);
  if (value !== undefined) return value;
  if (ts.isArrayLiteralExpression(node) && !node.elements.some((one) => ts.isSpreadElement(one)))
    return { kind: 'array', items: node.elements.map((element) => writtenValue(element)) };
  if (!ts.isObjectLiteralExpression(node)) return { kind: 'opaque', description: 'computed' };
  const entries = node.properties.flatMap((property): [string, Value][] => {
    if (isBareMark(property)) return [];
    const key = ts.isPropertyAssignment(property) ? propertyKey(property.name) : undefined;
    return ts.isPropertyAssignment(property) && key !== undefined
      ? [[key, writtenValue(property.initializer)]]
      : [];
  });
  return { kind: 'object', entries };
}
