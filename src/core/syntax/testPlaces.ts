// Where in a test file something stands, in the order in which it is run: which hook or test, and which statement of it.
import type { SyntaxNode } from '@lezer/common';
import ts from 'typescript';
import { HumanError } from '../base/humanError.ts';
import { parseTree } from './javascript/sourceTree.ts';
import type { HookPhase } from './vocabulary.ts';
import { childrenOf, parsePython, visitPython, type PythonSource } from './python/parsePython.ts';

export interface TestPlace {
  /** Hooks before all tests, and before each one, tests, hooks after each one, and after all. */
  readonly phase: 0 | 1 | 2 | 3 | 4;
  /** Offset of the function around that is neither a hook nor a test: anything may call it. */
  readonly helper?: number;
  /** Offsets of the innermost statement around it; of its line, where the text cannot be read. */
  readonly start: number;
  readonly end: number;
}

export interface TestPlaces {
  readonly text: string;
  /** A place before the indentation of a line is the one behind it. */
  at(offset: number): TestPlace;
}

type Hooks = ReadonlyMap<string, HookPhase>;

/** Parses the text when it is first asked. `hooks`: by their names. */
export function testPlaces(file: string, text: string, hooks: Hooks): TestPlaces {
  let find: TestPlaces['at'] | undefined;
  const skipSpaces = (offset: number): number =>
    offset + (/^[ \t]*/.exec(text.slice(offset))?.[0].length ?? 0);
  return { text, at: (offset) => (find ??= finderOf(file, text, hooks))(skipSpaces(offset)) };
}

function finderOf(file: string, text: string, hooks: Hooks): TestPlaces['at'] {
  const onLine = (offset: number): TestPlace => {
    const end = text.indexOf('\n', offset);
    return { phase: 2, start: text.lastIndexOf('\n', offset - 1) + 1, end: end < 0 ? text.length : end };
  };
  try {
    if (/\.[cm]?[jt]sx?$/.test(file)) return inScript(parseTree(file, text).ast, hooks);
    if (file.endsWith('.py')) return inPython(parsePython(text), hooks);
  } catch (error) {
    if (!(error instanceof HumanError)) throw error;
  }
  return onLine;
}

function inScript(ast: ts.SourceFile, hooks: Hooks): TestPlaces['at'] {
  return (offset) => {
    let node = innermost(ast, ast, offset);
    const around = phaseOf(node, hooks);
    while (node !== ast && (!ts.isStatement(node) || ts.isBlock(node))) node = node.parent;
    return { ...around, start: node.getStart(ast), end: node.end };
  };
}

function innermost(node: ts.Node, ast: ts.SourceFile, offset: number): ts.Node {
  const inner = ts.forEachChild(node, (child) =>
    child.getStart(ast) <= offset && offset < child.end ? child : undefined,
  );
  return inner === undefined ? node : innermost(inner, ast, offset);
}

/** Of the nearest function around that a call of a hook is given, or any call behind a title. */
function phaseOf(inner: ts.Node, hooks: Hooks): Pick<TestPlace, 'phase' | 'helper'> {
  for (let node = inner; !ts.isSourceFile(node); node = node.parent) {
    if (!ts.isFunctionLike(node)) continue;
    const call = node.parent;
    if (!ts.isCallExpression(call)) return { phase: 2, helper: node.pos };
    const { expression } = call;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    const hook = ts.isIdentifier(name) ? phaseNamed(hooks, name.text) : undefined;
    if (hook !== undefined) return { phase: hook };
    if (call.arguments.findIndex((argument) => argument === node) > 0) return { phase: 2 };
  }
  return { phase: 2 };
}

function inPython(source: PythonSource, hooks: Hooks): TestPlaces['at'] {
  return (offset) => {
    let node = source.root.resolveInner(offset, 1);
    let phase: TestPlace['phase'] = 2;
    for (let around: SyntaxNode | null = node; around !== null; around = around.parent)
      if (around.name === 'FunctionDefinition') phase = phaseOfPython(around, offset, source, hooks);
    while (node.parent !== null && !/Statement$|Definition$/.test(node.name)) node = node.parent;
    return { phase, start: node.from, end: node.to };
  };
}

/** A fixture cleans up behind its `yield`. */
function phaseOfPython(
  definition: SyntaxNode,
  offset: number,
  source: PythonSource,
  hooks: Hooks,
): TestPlace['phase'] {
  const name = definition.getChild('VariableName');
  const hook = name === null ? undefined : phaseNamed(hooks, source.textOf(name));
  const decorators = definition.parent?.getChildren('Decorator') ?? [];
  if (hook !== undefined || !decorators.some((one) => /^@\s*[\w.]*fixture\b/.test(source.textOf(one))))
    return hook ?? 2;
  let end = Infinity;
  for (const part of childrenOf(definition))
    visitPython(part, ({ name: kind, to }) => {
      if (kind.startsWith('Yield')) end = Math.min(end, to);
    });
  return offset < end ? 1 : 3;
}

const phases = { beforeAll: 0, beforeEach: 1, afterEach: 3, afterAll: 4 } as const;

/** The place in the order of a hook of this name. */
function phaseNamed(hooks: Hooks, name: string): TestPlace['phase'] | undefined {
  const phase = hooks.get(name);
  return phase && phases[phase];
}
