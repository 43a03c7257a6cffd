// Puts pauses between the steps of tests in Python, on the lines that are there.
import type { SyntaxNode } from '@lezer/common';
import type { TextChange } from '../../model/fileEdit.ts';
import type { PauseBefore, PausedTest } from '../../model/pausing.ts';
import { parsePython, visitPython, type PythonSource } from './parsePython.ts';

/** The pauses are those of testmend_pytest_pause.py, which our plugin of pytest brings along. */
export function pausesInPython(
  text: string,
  tests: readonly PausedTest[],
  ms: PauseBefore,
): readonly TextChange[] {
  const source = parsePython(text);
  if (source.errorLine !== undefined) return [];
  const functions = new Map(
    tests.flatMap((test) => functionOf(test, source) ?? []).map((found) => [found.from, found]),
  );
  return [...functions.values()].flatMap((definition) => {
    const isAsync = /^async\b/.test(source.textOf(definition));
    const steps = stepsOf(definition);
    return steps.flatMap((step) => {
      const pause = ms({ from: source.lineOf(step.from), to: source.lineOf(step.to), of: steps.length });
      if (pause === 0) return [];
      const call = `__import__('testmend_pytest_pause').${isAsync ? 'pause_async' : 'pause'}(${pause})`;
      return [{ start: step.from, end: step.from, newText: `${isAsync ? 'await ' : ''}${call}; ` }];
    });
  });
}

function functionOf({ names, lines }: PausedTest, source: PythonSource): SyntaxNode | undefined {
  const name = names.at(-1)?.replace(/\[[^]*$/, '');
  const found: SyntaxNode[] = [];
  visitPython(source.root, (node) => {
    const own = node.name === 'FunctionDefinition' ? node.getChild('VariableName') : null;
    if (own !== null && source.textOf(own) === name) found.push(node);
  });
  const [only, another] = found;
  if (another === undefined) return only;
  return found.find((node) =>
    lines.some((line) => source.lineOf(node.from) <= line && line <= source.lineOf(node.to - 1)),
  );
}

/** Statements of one line: nothing can stand on the same line before another. */
function stepsOf(definition: SyntaxNode): readonly SyntaxNode[] {
  const steps: SyntaxNode[] = [];
  visitPython(definition, (node) => {
    if (node !== definition && /^(?:FunctionDefinition|ClassDefinition|LambdaExpression)$/.test(node.name))
      return false;
    const isStep = /^(?:StatementGroup|(?:Assert|Assign|Update|Expression|Return|Delete)Statement)$/;
    if (!isStep.test(node.name) || node.parent?.name !== 'Body') return true;
    steps.push(node);
    return false;
  });
  return steps;
}
