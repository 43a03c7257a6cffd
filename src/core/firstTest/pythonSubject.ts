// Reads what a Python module defines for others: functions, classes and values, from its text.
import type { SyntaxNode } from '@lezer/common';
import { HumanError } from '../base/humanError.ts';
import { argumentsIn } from '../syntax/python/definitions.ts';
import { childrenOf, parsePython, visitPython, type PythonSource } from '../syntax/python/parsePython.ts';
import {
  refuseEmpty,
  runsOnLoadAt,
  type Exported,
  type Method,
  type RunsOnLoad,
  type SourceFile,
} from './subject.ts';

export interface PythonSubject {
  readonly exported: readonly Exported[];
  readonly runsOnLoad?: RunsOnLoad;
}

/** Throws a `bad-input` HumanError for broken code, programs, and files that define nothing. */
export function readPython(source: SourceFile): PythonSubject {
  const python = parsePython(source.text);
  if (python.errorLine !== undefined) {
    throw new HumanError('bad-input', `${source.file} is broken at line ${python.errorLine}.`, {
      file: source.file,
      remedy: 'Repair it first: its definitions cannot be read.',
    });
  }
  const listed = namesInAll(python);
  const exported = childrenOf(python.root)
    .flatMap((node) => definedBy(node, python))
    .filter(({ name }) => (listed ? listed.has(name) : !name.startsWith('_')));
  const unique = [...new Map(exported.map((one) => [one.name, one])).values()];
  const runsOnLoad = firstOnLoad(python);
  refuseEmpty(source, runsOnLoad, source.text.startsWith('#!'), unique.length);
  return { exported: unique, ...(runsOnLoad && { runsOnLoad }) };
}

/** The names of a literal `__all__`. */
function namesInAll({ text }: PythonSource): ReadonlySet<string> | undefined {
  const list = /^__all__(?:\s*:[^=\n]+)?\s*=\s*[[(]([^\])]*)[\])]/m.exec(text)?.[1];
  if (list === undefined) return undefined;
  return new Set(Array.from(list.matchAll(/(["'])(\w+)\1/g), (match) => match[2] ?? ''));
}

function definedBy(node: SyntaxNode, python: PythonSource): readonly Exported[] {
  if (node.name === 'DecoratedStatement') {
    const inner = node.getChild('FunctionDefinition') ?? node.getChild('ClassDefinition');
    return inner === null ? [] : definedBy(inner, python);
  }
  const name = node.getChild('VariableName');
  if (name === null) return [];
  if (node.name === 'FunctionDefinition') {
    const parameters = parametersOf(node, python);
    return [{ name: python.textOf(name), kind: 'function', parameters, methods: [] }];
  }
  if (node.name === 'ClassDefinition') {
    const methods = methodsOf(node, python);
    const builder = methods.find((method) => method.name === '__init__');
    return [
      {
        name: python.textOf(name),
        kind: 'class',
        parameters: builder?.parameters ?? [],
        methods: methods.filter((method) => !method.name.startsWith('_')),
      },
    ];
  }
  if (node.name !== 'AssignStatement') return [];
  const [target, sign] = childrenOf(node);
  const isValue =
    target?.name === 'VariableName' && (sign?.name === 'AssignOp' || node.getChild('AssignOp') !== null);
  // Type variables serve annotations alone.
  if (/=\s*(?:\w+\.)*(?:TypeVar|ParamSpec|TypeVarTuple|NewType)\(/.test(python.textOf(node))) return [];
  return isValue ? [{ name: python.textOf(target), kind: 'unknown', parameters: [], methods: [] }] : [];
}

function methodsOf(node: SyntaxNode, python: PythonSource): readonly Method[] {
  const body = node.getChild('Body');
  return (body === null ? [] : childrenOf(body)).flatMap((statement) => {
    const isPlain = statement.name === 'FunctionDefinition';
    const inner = isPlain ? statement : statement.getChild('FunctionDefinition');
    const name = inner?.getChild('VariableName');
    if (!inner || !name) return [];
    const decorators = isPlain ? '' : python.text.slice(statement.from, inner.from);
    // A property is read, never called.
    if (/property|\.setter|\.deleter|overload/.test(decorators)) return [];
    const [first = '', ...rest] = parametersOf(inner, python);
    const isBound = /^(?:self|cls|mcs)$/.test(first) && !decorators.includes('staticmethod');
    const parameters = isBound || first === '' ? rest : [first, ...rest];
    return [{ name: python.textOf(name), parameters }];
  });
}

function parametersOf(node: SyntaxNode, python: PythonSource): readonly string[] {
  const list = node.getChild('ParamList');
  if (list === null) return [];
  const written = python.textOf(list).replace(/#[^\n]*/g, '');
  return argumentsIn(written).flatMap((one) => /^\*{0,2}[^\W\d]\w*/u.exec(one)?.[0] ?? []);
}

/** The first statement at the top of the file that calls something for its own sake. */
function firstOnLoad(python: PythonSource): RunsOnLoad | undefined {
  const found = childrenOf(python.root).find((node) => isWork(node, python));
  return found && runsOnLoadAt(python.lineOf(found.from), python.textOf(found));
}

const work = /^(?:ExpressionStatement|ForStatement|WhileStatement|WithStatement|IfStatement)$/;

function isWork(node: SyntaxNode, python: PythonSource): boolean {
  if (!work.test(node.name)) return false;
  const written = python.textOf(node);
  if (/^if\s+(?:__name__|(?:\w+\.)*TYPE_CHECKING|sys\.)/.test(written)) return false;
  if (/^(?:warnings|logging|logger|sys\.path)\b/.test(written)) return false;
  let calls = false;
  visitPython(node, ({ name }) => {
    if (name === 'FunctionDefinition' || name === 'ClassDefinition' || name === 'LambdaExpression')
      return false;
    if (name === 'CallExpression') calls = true;
    return !calls;
  });
  return calls;
}
