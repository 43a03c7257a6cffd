// What may not happen to an expected exception of a Python test: fewer, of a wider class, without its text, around more.
import type { SyntaxNode } from '@lezer/common';
import { argumentsOf, childrenOf, type PythonSource } from '../../syntax/python/parsePython.ts';
import { readPythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import type { Finding } from '../fileFacts.ts';
import { shapeOf, type FunctionFacts, type PythonFacts } from './fileFacts.ts';
import { valueRules } from './valueRules.ts';

interface Owned {
  readonly facts: PythonFacts;
  readonly owner: FunctionFacts;
}

export function* raisesRules(was: Owned, is: Owned): Generator<Finding> {
  const [old, now] = [was.owner.raises, is.owner.raises];
  if (now.length < old.length)
    yield {
      rule: 'fewer-assertions',
      line: is.owner.line,
      text: `${is.owner.name} expects fewer exceptions than before.`,
    };
  if (now.length !== old.length) return;
  for (const [index, call] of old.entries()) {
    const other = now[index];
    if (other !== undefined) yield* compare(call, was.facts.source, other, is.facts.source);
  }
}

function* compare(
  was: SyntaxNode,
  before: PythonSource,
  is: SyntaxNode,
  after: PythonSource,
): Generator<Finding> {
  const line = after.lineOf(is.from);
  const [old, now] = [
    argumentsOf(was.getChild('ArgList'), before),
    argumentsOf(is.getChild('ArgList'), after),
  ];
  const wide = (text: string): Finding => ({ rule: 'widened-exception', line, text });
  const [oldClass, newClass] = [old[0], now[0]].map((one, index) =>
    one === undefined ? '' : shapeOf(one.value, index === 0 ? before : after),
  );
  if (oldClass !== newClass)
    yield wide(`Another exception is expected: ${newClass ?? ''} instead of ${oldClass ?? ''}.`);
  const find = (list: typeof old, name: string): SyntaxNode | undefined =>
    list.find((one) => one.name === name)?.value;
  const [oldMatch, newMatch] = [find(old, 'match'), find(now, 'match')];
  if (oldMatch !== undefined && newMatch === undefined)
    yield wide('The message of the exception is no longer checked.');
  else if (oldMatch !== undefined && newMatch !== undefined) {
    const isText = readPythonLiteral(after.text, newMatch.from, newMatch.to) !== undefined;
    const wasText = readPythonLiteral(before.text, oldMatch.from, oldMatch.to) !== undefined;
    if (isText && wasText)
      for (const finding of valueRules('match', before.textOf(oldMatch), after.textOf(newMatch)))
        yield { ...finding, line };
    else if (shapeOf(oldMatch, before) !== shapeOf(newMatch, after))
      yield wide('The expected message of the exception is no longer a literal.');
  }
  const statements = (call: SyntaxNode, source: PythonSource): string =>
    call.parent?.name === 'WithStatement'
      ? childrenOf(call.parent)
          .filter(({ name }) => name === 'Body')
          .map((body) => shapeOf(body, source))
          .join()
      : '';
  if (statements(was, before) !== statements(is, after))
    yield { rule: 'changed-input', line, text: 'The code that must raise the exception was changed.' };
}
