// The syntax tree of a configuration module. Babel's parser: it is there in a tenth of the time that TypeScript takes to load.
import type { ParserPlugin } from '@babel/parser';
import type * as Ast from '@babel/types';

export interface ModuleText {
  /** Absolute. */
  readonly file: string;
  readonly program: Ast.Program;
  readonly parents: ReadonlyMap<Ast.Node, Ast.Node>;
}

/** Undefined when the text is no JavaScript, or nests too deeply to be read. `file`: absolute; its ending says whether `<` may begin an element. */
export type ModuleReader = (file: string, text: string) => ModuleText | undefined;

export async function loadReader(): Promise<ModuleReader> {
  const { parse } = await import('./babelParser.ts');
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
    } catch (error) {
      // A RangeError: the stack is full.
      if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
      throw error;
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

/** What the statements of a function may return, in order; null for nothing. */
export function returnsOf(node: Ast.Node): readonly (Ast.Expression | null)[] {
  if (node.type === 'ReturnStatement') return [node.argument ?? null];
  return isFunctionNode(node) ? [] : childrenOf(node).flatMap(returnsOf);
}

interface Assignment {
  /** Of the members below what was asked for; empty for itself. */
  readonly names: readonly string[];
  /** The new value. */
  readonly node: Ast.Node;
  /** No condition and no function keeps it from happening. */
  readonly isCertain: boolean;
}

/** Every `a.b.c = …` of the module to or below a name, in order. */
export function assignmentsTo(target: readonly string[], { program }: ModuleText): readonly Assignment[] {
  const found: Assignment[] = [];
  const look = (node: Ast.Node, isCertain: boolean): void => {
    if (node.type === 'AssignmentExpression') {
      const names = pathOf(node.left);
      if (names && target.every((name, index) => names[index] === name))
        found.push({
          names: names.slice(target.length),
          node: node.operator === '=' ? node.right : node,
          isCertain,
        });
    }
    const goesOn =
      isCertain && /^(?:Program|(?:Expression|Block|Return)Statement|Variable|Export|Assign)/.test(node.type);
    for (const child of childrenOf(node)) look(child, goesOn);
  };
  look(program, true);
  return found;
}

/** Of a key or a specifier; undefined for numbers and what is computed. */
export function nameOf(node: Ast.Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'StringLiteral' ? node.value : undefined;
}

/** `['module', 'exports']`; undefined for anything but names. */
export function pathOf(node: Ast.Node): readonly string[] | undefined {
  if (node.type === 'Identifier') return [node.name];
  if (node.type !== 'MemberExpression' || (node.computed && node.property.type !== 'StringLiteral'))
    return undefined;
  const [object, name] = [pathOf(node.object), nameOf(node.property)];
  return object && name !== undefined ? [...object, name] : undefined;
}

/** Whether a declared name or pattern binds the name. */
export function mentions(pattern: Ast.Node, name: string): boolean {
  switch (pattern.type) {
    case 'Identifier':
      return pattern.name === name;
    case 'ObjectPattern':
      return pattern.properties.some((one) => mentions(one.type === 'RestElement' ? one : one.value, name));
    case 'ArrayPattern':
      return pattern.elements.some((one) => one !== null && mentions(one, name));
    case 'AssignmentPattern':
      return mentions(pattern.left, name);
    case 'RestElement':
      return mentions(pattern.argument, name);
    case 'TSParameterProperty':
      return mentions(pattern.parameter, name);
    default:
      return false;
  }
}

function childrenOf(node: Ast.Node): readonly Ast.Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Ast.Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
