// The syntax tree of a configuration module. Babel's parser: it is there in a tenth of the time that TypeScript takes to load.
import type { ParserPlugin } from '@babel/parser';
import type * as Ast from '@babel/types';

export interface ModuleText {
  /** Absolute. */
  readonly file: string;
  readonly program: Ast.Program;
  readonly parents: ReadonlyMap<Ast.Node, Ast.Node>;
}

/** Undefined when the text cannot be parsed. `file`: absolute; its ending says whether `<` may begin an element. */
export type ModuleReader = (file: string, text: string) => ModuleText | undefined;

export async function loadReader(): Promise<ModuleReader> {
  const { parse } = await import('@babel/parser');
  const plugins: readonly ParserPlugin[] = ['typescript', 'decorators-legacy', 'explicitResourceManagement'];
  return (file, text) => {
    try {
      const { program } = parse(text, {
        sourceType: 'unambiguous',
        plugins: /\.[cm]?ts$/.test(file) ? [...plugins] : [...plugins, 'jsx'],
        allowAwaitOutsideFunction: true,
        allowReturnOutsideFunction: true,
        errorRecovery: true,
        attachComment: false,
      });
      return { file, program, parents: parentsIn(program) };
    } catch {
      return undefined;
    }
  };
}

function parentsIn(program: Ast.Program): ReadonlyMap<Ast.Node, Ast.Node> {
  const parents = new Map<Ast.Node, Ast.Node>();
  const open: Ast.Node[] = [program];
  for (let node = open.pop(); node; node = open.pop())
    for (const child of childrenOf(node)) {
      parents.set(child, node);
      open.push(child);
    }
  return parents;
}

/** From the node itself up to the program. */
export function* ancestorsOf(node: Ast.Node, { parents }: ModuleText): Iterable<Ast.Node> {
  for (let at: Ast.Node | undefined = node; at; at = parents.get(at)) yield at;
}

export function isFunctionNode(node: Ast.Node): node is Ast.Function {
  return /^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression|ObjectMethod|Class(?:Private)?Method)$/.test(
    node.type,
  );
}

/** Whether the statement can return from the function it stands in. */
export function canReturn(statement: Ast.Node): boolean {
  if (statement.type === 'ReturnStatement') return true;
  return !isFunctionNode(statement) && childrenOf(statement).some(canReturn);
}

function childrenOf(node: Ast.Node): readonly Ast.Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Ast.Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
