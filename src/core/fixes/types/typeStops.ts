// Signs that the type a value has now is a bug rather than a new truth: such a fix is only proposed.
import ts from 'typescript';
import type { Stop } from '../../diagnosis/valueStops.ts';

const saysLittle: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.UndefinedKeyword, 'undefined'],
  [ts.SyntaxKind.NullKeyword, 'null'],
  [ts.SyntaxKind.AnyKeyword, 'any'],
  [ts.SyntaxKind.UnknownKeyword, 'unknown'],
  [ts.SyntaxKind.NeverKeyword, 'never'],
]);

/** Reasons against a new type, from the source text of both; what stood in the old one already is no sign. */
export function typeStops(old: string, now: string): Stop[] {
  const [before, after] = [keywordsOf(old), keywordsOf(now)];
  const stops: Stop[] = [];
  for (const word of saysLittle.values())
    if (count(after, word) > count(before, word))
      stops.push({ kind: 'value', reason: `The new type contains ${word}, which the old one did not.` });
  const [was, is] = [before, after].map((words) => words.filter((word) => /^(?:true|false)$/.test(word)));
  if (isInverted(was ?? [], is ?? []))
    stops.push({
      kind: 'value',
      reason: 'The answer is inverted: true and false swapped places in the type.',
    });
  return stops;
}

function isInverted(was: readonly string[], now: readonly string[]): boolean {
  if (was.length === now.length) return was.some((word, index) => word !== now[index]);
  return was.length > 0 && now.some((word) => !was.includes(word)) && was.some((word) => !now.includes(word));
}

const count = (words: readonly string[], word: string): number =>
  words.filter((other) => other === word).length;

/** The keywords of a type that matter here, in the order of the source. */
function keywordsOf(type: string): string[] {
  const words: string[] = [];
  const visit = (node: ts.Node): void => {
    const word = saysLittle.get(node.kind);
    if (word !== undefined) words.push(word);
    else if (node.kind === ts.SyntaxKind.TrueKeyword) words.push('true');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) words.push('false');
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('type.ts', `type T = ${type};`, ts.ScriptTarget.Latest));
  return words;
}
