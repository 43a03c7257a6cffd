// Errors that the source threw before the change and throws nowhere any more; a new wording is no error that is gone.
import ts from 'typescript';
import { lineOf, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { functionAround, type ChangedPair } from './changedPairs.ts';

/** An error that the source throws, or threw. */
export interface ThrownError {
  readonly file: string;
  /** In the former text. */
  readonly line: number;
  /** Name of the function that threw it. */
  readonly owner?: string;
  /** The texts of its message, in pieces where values are put in between; empty when it has none. */
  readonly pieces: readonly string[];
}

export function goneThrows(pairs: readonly ChangedPair[]): readonly ThrownError[] {
  const present = pairs.flatMap(({ file, now }) => throwsIn(file, now));
  return pairs.flatMap(({ file, before, now }) => {
    const own = throwsIn(file, now);
    const former = throwsIn(file, before);
    return former.filter((one) => {
      const isSame = (other: ThrownError): boolean => keyOf(other) === keyOf(one);
      if (present.some(isSame)) return false;
      // A function that throws another error in its place says it in other words, or refuses something else.
      return !own.some(
        (other) => other.owner === one.owner && !former.some((old) => keyOf(old) === keyOf(other)),
      );
    });
  });
}

/** Errors that the source throws now and threw nowhere before. */
export function newThrows(pairs: readonly ChangedPair[]): readonly ThrownError[] {
  return goneThrows(pairs.map(({ file, before, now }) => ({ file, before: now, now: before })));
}

/** Errors that a function throws now and threw before, in the same words. */
export function keptThrows(pairs: readonly ChangedPair[]): readonly ThrownError[] {
  return pairs.flatMap(({ file, before, now }) => {
    const former = new Set(throwsIn(file, before).map((one) => keyOf(one)));
    return throwsIn(file, now).filter((one) => former.has(keyOf(one)));
  });
}

/** "code argument is required"; undefined when it has no message. */
export function messageOf({ pieces }: ThrownError): string | undefined {
  const text = pieces.join('…');
  return text.replaceAll('…', '').trim() === '' ? undefined : text;
}

/** Is this the message of that error? */
export function throwsMessage({ pieces }: ThrownError, message: string): boolean {
  const telling = pieces.filter((piece) => piece.trim().length > 3);
  return telling.length > 0 && telling.every((piece) => message.includes(piece.trim()));
}

const keyOf = ({ pieces, owner }: ThrownError): string =>
  JSON.stringify(pieces.length === 0 ? ['', owner] : pieces);

function throwsIn(file: string, tree: SourceTree): ThrownError[] {
  const found: ThrownError[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isThrowStatement(node)) return;
    const owner = functionAround(node);
    const pieces = piecesOf(node.expression);
    found.push({ file, line: lineOf(tree, node), pieces, ...(owner !== undefined && { owner }) });
  });
  return found;
}

function piecesOf(thrown: ts.Expression): string[] {
  const pieces: string[] = [];
  visitNodes(thrown, (node) => {
    if (ts.isStringLiteralLike(node)) pieces.push(node.text);
    else if (ts.isTemplateExpression(node))
      pieces.push(node.head.text, ...node.templateSpans.map(({ literal }) => literal.text));
  });
  return pieces.filter((piece) => piece !== '');
}
