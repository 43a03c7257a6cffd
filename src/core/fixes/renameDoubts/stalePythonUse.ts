// Whether a Python source of the workspace still uses an old name, or does not await what became asynchronous.
import type { SyntaxNode } from '@lezer/common';
import { parsePython, visitPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { tooMany, type WorkspaceSources } from './workspaceSources.ts';

/** A sentence about the first source that reaches the file and has a line with such a use; undefined where none has. */
export async function stalePythonUse(
  name: string,
  file: string,
  sources: WorkspaceSources | undefined,
  isUse: (line: string, text: string) => boolean,
): Promise<string | undefined> {
  const found = sources === undefined ? [] : await sources.mentioning(name, file);
  if (found === undefined) return tooMany(name);
  for (const one of found) {
    const at = one.text.split('\n').findIndex((line) => isUse(line.replace(/(?:^|\s)#.*$/, ''), one.text));
    if (at >= 0) return `Line ${at + 1} of ${one.file} still uses ${name}.`;
  }
  return undefined;
}

interface Coroutine {
  readonly name: string;
  readonly file: string;
}

/** Functions that only pass the coroutine on are followed as far as this. */
const mostPassing = 30;

/** A sentence about a call in a source that nothing waits for, a bare statement included; undefined where all sources wait. */
export async function pythonUnawaited(
  first: Coroutine,
  sources: WorkspaceSources | undefined,
): Promise<string | undefined> {
  const promising = [first];
  for (const target of promising) {
    const found = sources === undefined ? [] : await sources.mentioning(target.name, target.file);
    if (found === undefined || promising.length > mostPassing) return tooMany(target.name);
    for (const { file, text } of found) {
      const source = parsePython(text);
      const passing: string[] = [];
      const line = misuseIn(source, target.name, file === target.file, passing);
      if (line !== undefined)
        return `Line ${line} of ${file} uses the coroutine of ${target.name}() as a value without awaiting it: look there first.`;
      for (const name of passing)
        if (!promising.some((one) => one.name === name && one.file === file)) promising.push({ name, file });
    }
  }
  return undefined;
}

function misuseIn(
  source: PythonSource,
  name: string,
  isHome: boolean,
  passing: string[],
): number | undefined {
  let line: number | undefined;
  const hasOwn = !isHome && new RegExp(`^\\s*(?:async\\s+)?def\\s+${name}\\b`, 'm').test(source.text);
  visitPython(source.root, (node) => {
    if (line !== undefined || node.name !== 'CallExpression' || node.firstChild === null) return;
    const callee = source.textOf(node.firstChild);
    const isMeant =
      callee === name ? !hasOwn : callee.endsWith(`.${name}`) && !(hasOwn && callee === `self.${name}`);
    if (!isMeant) return;
    const giver = giverOf(node, source);
    if (giver === 'waits') return;
    if (giver === undefined) line = source.lineOf(node.from);
    else passing.push(giver);
  });
  return line;
}

const waiting =
  /^(?:asyncio|anyio|trio|curio|uvloop)\.|(?:^|\.)(?:gather|wait_for|create_task|ensure_future|run_until_complete|run_coroutine_threadsafe|start_soon|async_to_sync|shield|as_completed)$/;

/** `waits`, the name of the function that gives the coroutine to its callers, or undefined: nothing waits. */
function giverOf(call: SyntaxNode, source: PythonSource): string | undefined {
  for (let node = call; node.parent !== null; node = node.parent) {
    const { parent } = node;
    if (parent.name === 'AwaitExpression') return 'waits';
    const callee = parent.name === 'ArgList' ? parent.parent?.firstChild : undefined;
    if (callee) return waiting.test(source.textOf(callee)) ? 'waits' : undefined;
    if (parent.name === 'ReturnStatement') return nameOfFunction(parent, source);
    if (parent.name === 'AssignStatement') {
      const target = parent.firstChild === null ? '' : source.textOf(parent.firstChild);
      const later = new RegExp(
        `\\bawait\\s+\\(?${target}\\b|\\b(?:gather|wait_for|create_task|run\\w*)\\([^)]*\\b${target}\\b`,
      );
      return /^\w+$/.test(target) && later.test(source.text) ? 'waits' : undefined;
    }
    if (!/^(?:ParenthesizedExpression|ArrayExpression|TupleExpression)$/.test(parent.name)) return undefined;
  }
  return undefined;
}

/** Of a plain function: what `async def` returns without `await` is a coroutine in a coroutine. */
function nameOfFunction(from: SyntaxNode, source: PythonSource): string | undefined {
  let node: SyntaxNode | null = from;
  while (node !== null && node.name !== 'FunctionDefinition') {
    if (node.name === 'TryStatement') return undefined;
    node = node.parent;
  }
  const own = node?.getChild('VariableName');
  return !own || node?.firstChild?.name === 'async' ? undefined : source.textOf(own);
}
