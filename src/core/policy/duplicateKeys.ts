// An object that says a key twice expects only the last value, and shows both.
import ts from 'typescript';
import { visitNodes } from '../syntax/javascript/sourceTree.ts';
import type { FileFacts, Finding } from './fileFacts.ts';
import { lineOf, shapeOf, writtenName } from './parseSource.ts';

export function* duplicateKeys(before: FileFacts, after: FileFacts): Generator<Finding> {
  const known = new Set(repeatedIn(before).map(({ literal }) => shapeOf(literal)));
  for (const { literal, key } of repeatedIn(after))
    if (!known.has(shapeOf(literal)))
      yield {
        rule: 'duplicate-key',
        line: lineOf(literal),
        text: `The key ${key} is there twice: only the last value counts.`,
      };
}

function repeatedIn({ source }: FileFacts): readonly { literal: ts.Node; key: string }[] {
  const found: { literal: ts.Node; key: string }[] = [];
  visitNodes(source, (literal) => {
    if (!ts.isObjectLiteralExpression(literal)) return;
    const seen = new Set<string>();
    for (const { name } of literal.properties) {
      const isAccessor = name !== undefined && ts.isAccessor(name.parent);
      if (name === undefined || isAccessor) continue;
      const key = writtenName(name);
      if (seen.has(key)) found.push({ literal, key });
      seen.add(key);
    }
  });
  return found;
}
