// The brackets that the tokenizer keeps track of, and the doubt that ends its work.

/** Thrown when the text cannot be read for sure without a syntax tree. */
export class Doubt extends Error {}

/** What an opening `{` begins. `other` is an object, a class, a type, or something that only a parser can tell. */
export type Brace = 'block' | 'function' | 'loop' | 'other';

export type FrameKind =
  | Brace
  | 'file'
  | 'callback'
  | 'paren'
  | 'bracket'
  | 'template'
  | 'substitution'
  | 'jsxTag'
  | 'jsxChildren'
  | 'jsxExpression';

/** An open bracket. Always made by `frame`, with every field there: engines read objects of one shape fastest. */
export interface Frame<Call, Resume> {
  readonly kind: FrameKind;
  /** Of a parenthesis: the call whose arguments it holds. */
  readonly call: Call | undefined;
  /** Of a parenthesis or template: what to go on with after its end. */
  readonly resume: Resume | undefined;
  /** Of an object: the call whose options it holds. */
  readonly options: Call | undefined;
  /** Of a parenthesis the control keyword before it, of a JSX element its name. */
  readonly name: string;
  /** Where it starts. */
  readonly start: number;
}
