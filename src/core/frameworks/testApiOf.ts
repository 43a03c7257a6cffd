// What the calls of a syntax tree declare, whichever framework runs the file; one resolver for each tree.
import type ts from 'typescript';
import { createApiResolver, type ApiResolver } from '../syntax/javascript/testBindings.ts';
import { scriptVocabulary } from './vocabularies.ts';

const resolvers = new WeakMap<ts.SourceFile, ApiResolver>();

/** The tree must have its parents set. */
export function testApiOf(source: ts.SourceFile): ApiResolver {
  let resolver = resolvers.get(source);
  if (resolver === undefined) resolvers.set(source, (resolver = createApiResolver(scriptVocabulary)));
  return resolver;
}
